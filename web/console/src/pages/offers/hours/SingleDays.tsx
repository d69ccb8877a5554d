import { useState } from 'preact/hooks'
import { common } from '../../../common-words.ts'
import type { OpeningHours } from '../../../records.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog, DialogButtons } from '../../../ui/dialogs/Dialog.tsx'
import { CheckField, TextField } from '../../../ui/fields/Field.tsx'
import { SectionHead } from '../../../ui/Page.tsx'
import { withEllipsis } from '../../../words.ts'
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

type Span = { from: string; to: string }
type DayProps = Pick<Props, 'today' | 'settings'> & { onPick: (next: Exception) => void; onClose: () => void }

function DayDialog({ today, settings, onPick, onClose }: DayProps) {
  const [day, setDay] = useState(today)
  const [isClosed, close] = useState(false)
  const [spans, setSpans] = useState([{ from: '09:00', to: '13:00' }])
  const [wrong, setWrong] = useState<number | null>(null)
  const { raster, capacity, acceptBookings } = settings
  const pick = (event: Event) => {
    event.preventDefault()
    const isWrong = ({ from, to }: Span, index: number) =>
      to <= from || spans.some((one, at) => at < index && one.from < to && from < one.to)
    const first = isClosed ? -1 : spans.findIndex(isWrong)
    if (first >= 0) return setWrong(first)
    const times = spans
      .toSorted((one, other) => one.from.localeCompare(other.from))
      .map(({ from, to }) => {
        const open = minutesOf(to) - minutesOf(from)
        return { from, to, raster: Math.min(raster, open), capacity, acceptBookings }
      })
    onPick({ day, times: isClosed ? [] : times })
  }
  const put = (index: number, part: Partial<Span>) => {
    setWrong(null)
    setSpans(spans.map((one, at) => (at === index ? { ...one, ...part } : one)))
  }
  const numbered = (label: string, index: number) => (index === 0 ? label : `${label} (${index + 1})`)
  return (
    <Dialog title={texts.addDay} onClose={onClose}>
      <form class="stack" onSubmit={pick}>
        <TextField label={texts.day} type="date" min={today} value={day} required onInput={setDay} />
        <CheckField label={texts.closedAllDay} checked={isClosed} onChange={close} />
        {!isClosed &&
          spans.map(({ from, to }, index) => (
            <div key={index} class="fields">
              <TextField
                label={numbered(texts.opens, index)}
                type="time"
                required
                value={from}
                onInput={next => put(index, { from: next })}
              />
              <TextField
                label={numbered(texts.closes, index)}
                type="time"
                value={to}
                required
                error={wrong === index ? (to <= from ? texts.timesOrder : texts.timesOverlap) : null}
                onInput={next => put(index, { to: next })}
              />
            </div>
          ))}
        {!isClosed && (
          <div class="row">
            <Button kind="quiet" onClick={() => setSpans([...spans, { from: '14:00', to: '17:00' }])}>
              {texts.addTimes}
            </Button>
            {spans.length > 1 && (
              <Button kind="quiet" onClick={() => setSpans(spans.slice(0, -1))}>
                {texts.removeTimes}
              </Button>
            )}
          </div>
        )}
        <DialogButtons busy={false} onClose={onClose} action={texts.addDay} />
      </form>
    </Dialog>
  )
}
