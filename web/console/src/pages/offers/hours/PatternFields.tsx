import { useState } from 'preact/hooks'
import { addDays } from '#shared/dates.ts'
import type { OpeningHours } from '../../../records.ts'
import { format } from '../../../time.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog, DialogButtons } from '../../../ui/dialogs/Dialog.tsx'
import { CheckField, SelectField, TextField } from '../../../ui/fields/Field.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { withEllipsis } from '../../../words.ts'
import { patternTexts as texts } from './pattern-words.ts'
import type { Period } from './patterns.ts'
import type { Pattern } from './use-pattern.ts'

/** `etag`: the version that was read. */
export type Colleague = { uuid: string; name: string; hours: OpeningHours; etag: string | null }

type Props = {
  pattern: Pattern
  today: string
  colleagues: Colleague[]
  onDays: (days: OpeningHours['exceptions']) => void
}

/** Hours that change on a date or from week to week, and those of a colleague to start with. */
export function PatternFields({ pattern, today, colleagues, onDays }: Props) {
  const [open, setOpen] = useState<'date' | 'copy' | null>(null)
  const { periods, period, hasTwo, mondays } = pattern
  const close = () => setOpen(null)
  const weekName = (index: 0 | 1) => {
    const day = format.shortDay(mondays[index]!)
    if (period.from) return texts.weekFrom(day)
    return index === 0 ? texts.thisWeek(day) : texts.nextWeek(day)
  }
  return (
    <div class="stack tight">
      <div class="row">
        <Button onClick={() => setOpen('date')}>{withEllipsis(texts.changeFrom)}</Button>
        {colleagues.length > 0 && (
          <Button onClick={() => setOpen('copy')}>{withEllipsis(texts.copyFrom)}</Button>
        )}
      </div>
      <CheckField label={texts.alternating} checked={hasTwo} onChange={pattern.setTwo} />
      {(periods.length > 1 || hasTwo) && (
        <div class="fields">
          {periods.length > 1 && (
            <SelectField
              label={texts.period}
              value={period.from ?? ''}
              options={periods.map(one => ({ value: one.from ?? '', label: nameOf(one) }))}
              onChange={from => pattern.showPeriod(periods.find(one => (one.from ?? '') === from)!)}
            />
          )}
          {hasTwo && (
            <SelectField
              label={texts.week}
              value={String(pattern.week)}
              options={[
                { value: '0', label: weekName(0) },
                { value: '1', label: weekName(1) },
              ]}
              onChange={week => pattern.setWeek(Number(week))}
            />
          )}
        </div>
      )}
      {open === 'date' && (
        <DateDialog
          today={today}
          onClose={close}
          onPick={day => {
            close()
            pattern.startPeriod(day)
          }}
        />
      )}
      {open === 'copy' && (
        <CopyDialog
          colleagues={colleagues}
          today={today}
          onClose={close}
          onPick={({ name, hours }, days) => {
            close()
            pattern.copy(hours.rules)
            if (days.length > 0) onDays(days)
            showToast(texts.copied(name))
          }}
        />
      )}
    </div>
  )
}

export const dayText = (day: string) => format.fullDay(Date.parse(`${day}T12:00Z`), 'UTC')

const nameOf = ({ from, until }: Period) =>
  from ? texts.from(dayText(from)) : until ? texts.nowUntil(dayText(until)) : texts.now

type DateProps = { today: string; onPick: (day: string) => void; onClose: () => void }

function DateDialog({ today, onPick, onClose }: DateProps) {
  const first = addDays(today, 1)
  const [day, setDay] = useState(first)
  const [error, setError] = useState<string | null>(null)
  const pick = (event: Event) => {
    event.preventDefault()
    if (day >= first) onPick(day)
    else setError(texts.later)
  }
  return (
    <Dialog title={texts.changeFrom} onClose={onClose}>
      <form class="stack" onSubmit={pick} noValidate>
        <TextField
          label={texts.firstDay}
          hint={texts.firstDayHint}
          type="date"
          min={first}
          value={day}
          error={error}
          onInput={setDay}
        />
        <DialogButtons busy={false} onClose={onClose} action={texts.changeFrom} />
      </form>
    </Dialog>
  )
}

type CopyProps = {
  colleagues: Colleague[]
  today: string
  onPick: (one: Colleague, days: OpeningHours['exceptions']) => void
  onClose: () => void
}

function CopyDialog({ colleagues, today, onPick, onClose }: CopyProps) {
  const [uuid, choose] = useState(colleagues[0]!.uuid)
  const [isWithDays, takeDays] = useState(true)
  const chosen = colleagues.find(one => one.uuid === uuid)!
  const days = chosen.hours.exceptions.filter(one => one.day >= today)
  const pick = (event: Event) => {
    event.preventDefault()
    onPick(chosen, isWithDays ? days : [])
  }
  return (
    <Dialog title={texts.copyFrom} onClose={onClose}>
      <form class="stack" onSubmit={pick}>
        <SelectField
          label={texts.colleague}
          value={uuid}
          options={colleagues.map(one => ({ value: one.uuid, label: one.name }))}
          onChange={choose}
        />
        {days.length > 0 && <CheckField label={texts.alsoDays} checked={isWithDays} onChange={takeDays} />}
        <DialogButtons busy={false} onClose={onClose} action={texts.copy} />
      </form>
    </Dialog>
  )
}
