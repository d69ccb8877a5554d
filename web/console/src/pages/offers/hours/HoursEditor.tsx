import type { ComponentChildren, VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { common, sentenceOf } from '../../../common-words.ts'
import type { Entry, OpeningRule } from '../../../records.ts'
import { useProvider } from '../../../session.ts'
import { today } from '../../../time.ts'
import { Button } from '../../../ui/Button.tsx'
import { ConflictNotice } from '../../../ui/editing/ConflictNotice.tsx'
import { useWholeEdit } from '../../../ui/editing/use-edit.ts'
import { CountField } from '../../../ui/fields/CountField.tsx'
import { Pending } from '../../../ui/Page.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { withEllipsis } from '../../../words.ts'
import { useTeamHours } from '../offers.ts'
import { texts } from '../words.ts'
import { hoursTexts } from './hours-words.ts'
import { PatternFields } from './PatternFields.tsx'
import { patternTexts } from './pattern-words.ts'
import { SeveralDialog, withDays } from './SeveralDialog.tsx'
import { SingleDays } from './SingleDays.tsx'
import { type HoursBody, previewOf, StrandedDialog } from './StrandedDialog.tsx'
import { usePattern } from './use-pattern.ts'
import { Week } from './Week.tsx'
import { WeekList, WeekShortcut } from './WeekList.tsx'
import { type Band, bandsOf, clockOf, everyDay, paint, type Settings } from './week.ts'
import { weekdayName } from './weekdays.ts'

const usual: Settings = {
  raster: 30,
  capacity: 1,
  acceptBookings: true,
  validFrom: null,
  validUntil: null,
  everyWeeks: 1,
  weekOf: null,
}

/** Fields that show their own errors. All rules share one slot length and one capacity here. */
const ownFields = ['rules[0].raster', 'rules[0].capacity', 'hoursWeeks']

type Props = {
  uuid: string
  /** During the setup: only the week, in the form of the step. */
  brief?: {
    /** The length of new slots in minutes. */
    raster: number
    /** With the rules that were saved before. */
    onSaved: (before: OpeningRule[]) => unknown
    inForm: (content: ComponentChildren, submit: () => unknown) => VNode
  }
}

/** Opening hours as a grid to drag on and as a list to type in. */
export function HoursEditor({ uuid, brief }: Props) {
  const provider = useProvider()
  const edit = useWholeEdit(`/resources/${uuid}/hours`)
  const team = useTeamHours()
  const [start, setStart] = useState(brief ? { ...usual, raster: brief.raster } : usual)
  const [open, setOpen] = useState<'several' | Entry[] | null>(null)
  const [isMissing, setMissing] = useState(false)
  const week = useRef<HTMLDivElement>(null)
  const day = today(provider.timeZone)
  const pattern = usePattern(edit.draft?.rules ?? [], day, rules =>
    // New rules have no uuid yet.
    edit.change({ rules: rules as OpeningRule[] }),
  )
  if (edit.loading.problem || !edit.draft) return <Pending of={edit.loading} rows={12} />
  const { draft } = edit
  const { rules, hoursWeeks } = draft
  const { bands, put } = pattern
  const settings = bands[0] ? settingsOf(bands[0]) : start
  const isMixed = new Set(rules.map(rule => `${rule.raster}/${rule.capacity}`)).size > 1
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
  const own = { uuid, name: team.nameOf(uuid), hours: edit.saved!, etag: edit.tag }
  const colleagues = team.others(uuid)
  const save = async () => {
    const before = edit.saved!.rules
    if (!(await edit.save())) return
    // During the setup the hours go to the whole team next, which an undo for one person would not undo.
    if (!brief) showToast(common.saved, { about: own.name, undo: edit.undo() })
    await brief?.onSaved(before)
  }
  const check = async () => {
    // A fault is shown by the save itself, at its field.
    const outside = await previewOf(provider.uuid, [{ resourceUuid: uuid, ...draft } as HoursBody]).catch(
      () => [],
    )
    if (outside.length > 0) setOpen(outside)
    else await save()
  }
  const submit = async () => {
    setMissing(bands.length === 0)
    if (bands.length === 0) return
    if (edit.isChanged) await check()
    else await brief?.onSaved(rules)
  }
  const shortcut = <WeekShortcut bands={bands} onChange={put} onWorkingWeek={workingWeek} />
  const saveBar = (
    <div class="save-bar">
      <span>{edit.isChanged && <Button onClick={drop}>{hoursTexts.discardChanges}</Button>}</span>
      <span class="row">
        {colleagues.length > 0 && (
          <Button onClick={() => setOpen('several')}>{withEllipsis(patternTexts.saveForSeveral)}</Button>
        )}
        <Button kind="main" busy={edit.busy} disabled={!edit.isChanged} onClick={check}>
          {common.save}
        </Button>
      </span>
    </div>
  )
  const content = (
    <>
      {!brief && (
        <>
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
          <PatternFields
            pattern={pattern}
            today={day}
            colleagues={colleagues.filter(one => one.hours.rules.length > 0)}
            onDays={days =>
              edit.change({ exceptions: withDays(draft, { ...draft, exceptions: days }).exceptions })
            }
          />
        </>
      )}
      {brief && <div class="step-first">{shortcut}</div>}
      <div ref={week} class="hours" tabIndex={-1}>
        <Week bands={bands} settings={settings} onChange={put} />
        <div class="stack tight">
          <WeekList bands={bands} settings={settings} onChange={put} />
          {!brief && shortcut}
        </div>
      </div>
      {isMissing && bands.length === 0 && (
        <p class="error" role="alert">
          {hoursTexts.addSome}
        </p>
      )}
      {!brief && (
        <SingleDays
          days={draft.exceptions}
          today={day}
          settings={settings}
          onChange={exceptions => edit.change({ exceptions })}
        />
      )}
      <ConflictNotice
        theirs={edit.theirs}
        labels={{
          rules: texts.hours,
          hoursWeeks: hoursTexts.weeksAhead,
          exceptions: patternTexts.singleDays,
        }}
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
      {!brief && saveBar}
      {open === 'several' && (
        <SeveralDialog
          own={own}
          draft={draft}
          from={pattern.period.from}
          colleagues={colleagues}
          onClose={() => setOpen(null)}
          onStale={() => {
            void edit.read()
            void team.reload()
          }}
          onDone={() => {
            setOpen(null)
            edit.drop()
            void edit.read()
            void team.reload()
          }}
        />
      )}
      {open && open !== 'several' && (
        <StrandedDialog entries={open} onSave={save} onClose={() => setOpen(null)} />
      )}
    </>
  )
  return brief ? brief.inForm(content, submit) : <div class="stack">{content}</div>
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

const settingsOf = ({ raster, capacity, acceptBookings }: Band): Settings => ({
  ...usual,
  raster,
  capacity,
  acceptBookings,
})
