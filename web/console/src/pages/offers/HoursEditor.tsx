import { useRef, useState } from 'preact/hooks'
import { common, sentenceOf } from '../../common-words.ts'
import type { OpeningRule } from '../../records.ts'
import { Button } from '../../ui/Button.tsx'
import { ConflictNotice } from '../../ui/ConflictNotice.tsx'
import { CountField } from '../../ui/CountField.tsx'
import { Skeleton, Trouble } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useWholeEdit } from '../../ui/use-edit.ts'
import { hoursTexts } from './hours-words.ts'
import { Week } from './Week.tsx'
import { WeekList } from './WeekList.tsx'
import { type Band, bandsOf, clockOf, everyDay, paint, rulesOf, type Settings } from './week.ts'
import { weekdayName } from './weekdays.ts'
import { texts } from './words.ts'

const usual: Settings = { raster: 30, capacity: 1, acceptBookings: true, validFrom: null, validUntil: null }

/** Fields that show their own errors. All rules share one slot length and one capacity here. */
const ownFields = ['rules[0].raster', 'rules[0].capacity', 'hoursWeeks']

type Props = { uuid: string; onSaved?: () => void; saveLabel?: string }

/** Opening hours as a grid to drag on and as a list to type in. */
export function HoursEditor({ uuid, onSaved, saveLabel = common.save }: Props) {
  const edit = useWholeEdit(`/resources/${uuid}/hours`)
  const [start, setStart] = useState(usual)
  const week = useRef<HTMLDivElement>(null)
  if (edit.trouble) return <Trouble problem={edit.trouble} onRetry={edit.read} />
  if (!edit.draft) return <Skeleton rows={12} />
  const { rules, hoursWeeks } = edit.draft
  const bands = bandsOf(rules)
  const settings = bands[0] ? settingsOf(bands[0]) : start
  const isMixed = new Set(rules.map(rule => `${rule.raster}/${rule.capacity}`)).size > 1
  // New rules have no uuid yet.
  const put = (next: Band[]) => edit.change({ rules: rulesOf(next) as OpeningRule[] })
  const putSettings = (part: Partial<Settings>) => {
    setStart({ ...start, ...part })
    put(bands.map(band => ({ ...band, ...part })))
  }
  const workingWeek = () =>
    put([1, 2, 3, 4, 5].reduce<Band[]>((sum, day) => paint(sum, day, 9 * 60, 17 * 60, settings), []))
  const drop = () => {
    edit.drop()
    // The button goes with the changes.
    week.current!.focus()
  }
  const save = async () => {
    if (!(await edit.save())) return
    showToast(common.saved, { undo: edit.undo(onSaved) })
    onSaved?.()
  }
  return (
    <div class="stack">
      <p class="soft">{hoursTexts.dragHint}</p>
      <div class="fields">
        <CountField
          label={hoursTexts.slotLength}
          hint={isMixed ? hoursTexts.differentLengths : hoursTexts.minutes}
          min={1}
          max={1440}
          step={5}
          value={settings.raster}
          onInput={raster => putSettings({ raster })}
          error={edit.errorAt('rules[0].raster')}
        />
        <CountField
          label={hoursTexts.capacity}
          hint={hoursTexts.capacityHint}
          min={0}
          value={settings.capacity}
          onInput={capacity => putSettings({ capacity })}
          error={edit.errorAt('rules[0].capacity')}
        />
        <CountField
          label={hoursTexts.weeksAhead}
          hint={hoursTexts.weeksHint}
          min={1}
          max={104}
          value={hoursWeeks}
          onInput={hoursWeeks => edit.change({ hoursWeeks })}
          error={edit.errorAt('hoursWeeks')}
        />
      </div>
      <div ref={week} class="hours" tabIndex={-1}>
        <Week bands={bands} settings={settings} onChange={put} />
        <WeekList bands={bands} settings={settings} onChange={put} onWorkingWeek={workingWeek} />
      </div>
      <ConflictNotice
        theirs={edit.theirs}
        labels={{ rules: texts.hours, hoursWeeks: hoursTexts.weeksAhead }}
        show={(field, value) => (field === 'rules' ? inWords(value as OpeningRule[]) : null)}
        onDrop={edit.drop}
      />
      {/* Marks each fault as shown: the list below shows them all. */}
      {edit.problem?.faults.map(one => one.field && edit.errorAt(one.field) && null)}
      {edit.problem && edit.theirs.length === 0 && !ownFields.some(edit.errorAt) && (
        <p class="error" role="alert">
          {sentenceOf(edit.problem)}
        </p>
      )}
      <div class="save-bar">
        <span>{edit.isChanged && <Button onClick={drop}>{hoursTexts.discardChanges}</Button>}</span>
        <Button kind="main" busy={edit.busy} disabled={!edit.isChanged} onClick={save}>
          {saveLabel}
        </Button>
      </div>
    </div>
  )
}

/** For example "Monday 09:00–12:00, 13:00–17:00"; null without hours. */
function inWords(rules: OpeningRule[]): string | null {
  const bands = bandsOf(rules)
  const timesOn = (day: number) =>
    bands
      .filter(band => band.weekday === day)
      .map(({ from, to }) => `${clockOf(from)}–${clockOf(to)}`)
      .join(', ')
  const open = everyDay.filter(day => timesOn(day))
  return open.map(day => `${weekdayName(day)} ${timesOn(day)}`).join('; ') || null
}

const settingsOf = ({ raster, capacity, acceptBookings, validFrom, validUntil }: Band): Settings => ({
  raster,
  capacity,
  acceptBookings,
  validFrom,
  validUntil,
})
