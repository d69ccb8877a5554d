import { useState } from 'preact/hooks'
import { common } from '../../common-words.ts'
import type { OpeningHours } from '../../records.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { CheckField, TextField } from '../../ui/Field.tsx'
import { FormButtons } from '../../ui/FormButtons.tsx'
import { SectionHead } from '../../ui/SectionHead.tsx'
import { withEllipsis } from '../../words.ts'
import { hoursTexts } from './hours-words.ts'
import { dayText } from './PatternFields.tsx'
import { patternTexts as texts } from './pattern-words.ts'
import { minutesOf, type Settings } from './week.ts'

type Exception = OpeningHours['exceptions'][number]
type Props = {
  days: Exception[]
  today: string
  settings: Settings
  onChange: (days: Exception[]) => void
}

/** Days with other hours than those of the week. */
export function SingleDays({ days, today, settings, onChange }: Props) {
  const [isAdding, add] = useState(false)
  const put = (next: Exception) =>
    onChange(
      [...days.filter(one => one.day !== next.day), next].sort((one, other) =>
        one.day.localeCompare(other.day),
      ),
    )
  const addButton = <Button onClick={() => add(true)}>{withEllipsis(texts.addDay)}</Button>
  const coming = days.filter(one => one.day >= today)
  return (
    <section class="stack tight" aria-labelledby="single-days">
      <SectionHead id="single-days" title={texts.singleDays} action={addButton} />
      {coming.length === 0 && <p class="soft">{texts.noSingleDays}</p>}
      <ul class="lines">
        {coming.map(({ day, times }) => (
          <li key={day}>
            <span>
              <strong>{dayText(day)}</strong>
              <br />
              {times.map(({ from, to }) => `${from} – ${to}`).join(', ') || hoursTexts.closed}
            </span>
            <Button
              kind="quiet"
              label={`${common.remove}: ${dayText(day)}`}
              onClick={() => onChange(days.filter(one => one.day !== day))}
            >
              {common.remove}
            </Button>
          </li>
        ))}
      </ul>
      {isAdding && (
        <DayDialog
          today={today}
          settings={settings}
          onClose={() => add(false)}
          onPick={next => {
            add(false)
            put(next)
          }}
        />
      )}
    </section>
  )
}

type DayProps = Pick<Props, 'today' | 'settings'> & { onPick: (next: Exception) => void; onClose: () => void }

function DayDialog({ today, settings, onPick, onClose }: DayProps) {
  const [day, setDay] = useState(today)
  const [isClosed, close] = useState(false)
  const [from, setFrom] = useState('09:00')
  const [to, setTo] = useState('13:00')
  const [isWrong, setWrong] = useState(false)
  const { raster, capacity, acceptBookings } = settings
  const pick = (event: Event) => {
    event.preventDefault()
    if (!isClosed && to <= from) return setWrong(true)
    const open = minutesOf(to) - minutesOf(from)
    const times = [{ from, to, raster: Math.min(raster, open), capacity, acceptBookings }]
    onPick({ day, times: isClosed ? [] : times })
  }
  return (
    <Dialog title={texts.addDay} onClose={onClose}>
      <form class="stack" onSubmit={pick}>
        <TextField label={texts.day} type="date" min={today} value={day} required onInput={setDay} />
        <CheckField label={texts.closedAllDay} checked={isClosed} onChange={close} />
        {!isClosed && (
          <div class="fields">
            <TextField label={texts.opens} type="time" required value={from} onInput={setFrom} />
            <TextField
              label={texts.closes}
              type="time"
              value={to}
              required
              error={isWrong ? texts.timesOrder : null}
              onInput={setTo}
            />
          </div>
        )}
        <FormButtons busy={false} onClose={onClose} action={texts.addDay} />
      </form>
    </Dialog>
  )
}
