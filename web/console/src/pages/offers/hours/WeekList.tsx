import { useState } from 'preact/hooks'
import { common } from '../../../common-words.ts'
import { Button } from '../../../ui/Button.tsx'
import { hoursTexts } from './hours-words.ts'
import { type Band, clockOf, dayMinutes, everyDay, minutesOf, paint, type Settings } from './week.ts'
import { weekdayName } from './weekdays.ts'

type Props = {
  bands: Band[]
  settings: Settings
  onChange: (bands: Band[]) => void
}

/** The same week as a list, for keyboards and for times that are not on the grid. */
export function WeekList({ bands, settings, onChange }: Props) {
  const put = (band: Band, part: Partial<Band>) => {
    const next = { ...band, ...part }
    const to = next.to > next.from ? next.to : next.to + dayMinutes
    onChange(
      bands.map(one => (one === band ? { ...next, to: to % dayMinutes === 0 ? dayMinutes : to } : one)),
    )
  }
  const add = (day: number) => {
    const last = bands.filter(band => band.weekday === day).at(-1)
    const from = last ? Math.min(last.to + 60, 22 * 60) : 9 * 60
    onChange(paint(bands, day, from, last ? Math.min(from + 120, dayMinutes) : 17 * 60, settings))
  }
  const remove = (band: Band, line: Element) => {
    // This row goes, and its button with it.
    line.querySelector<HTMLElement>(':scope > button')!.focus()
    onChange(bands.filter(one => one !== band))
  }
  return (
    <ul class="lines week-list">
      {everyDay.map(day => {
        const own = bands.filter(band => band.weekday === day)
        return (
          <li key={day}>
            <strong>
              <span aria-hidden="true">{weekdayName(day, 'short')}</span>
              <span class="visually-hidden">{weekdayName(day)}</span>
            </strong>
            <span class="week-times">
              {own.length === 0 && <span class="soft">{hoursTexts.closed}</span>}
              {own.map((band, index) => (
                // By position: a row whose time changes keeps the focus.
                <span key={index} class="row">
                  <Clock
                    label={`${weekdayName(day)}: ${hoursTexts.from}`}
                    minutes={band.from}
                    isReady={from =>
                      from > (own[index - 1]?.from ?? -1) && from < (own[index + 1]?.from ?? dayMinutes)
                    }
                    onChange={from => put(band, { from })}
                  />
                  –
                  <Clock
                    label={`${weekdayName(day)}: ${hoursTexts.to}`}
                    minutes={band.to}
                    onChange={to => put(band, { to })}
                  />
                  <Button
                    kind="quiet"
                    label={`${common.remove}: ${weekdayName(day)} ${clockOf(band.from)}`}
                    onClick={event => remove(band, (event.currentTarget as Element).closest('li')!)}
                  >
                    ✕
                  </Button>
                </span>
              ))}
            </span>
            <Button kind="quiet" label={hoursTexts.addTimes(weekdayName(day))} onClick={() => add(day)}>
              +
            </Button>
          </li>
        )
      })}
    </ul>
  )
}

type ShortcutProps = Pick<Props, 'bands' | 'onChange'> & {
  /** Offered while there are no hours. */
  onWorkingWeek: () => void
}

/** One button in one place: the grid must not move under the hand that paints, nor the focus get lost. */
export function WeekShortcut({ bands, onChange, onWorkingWeek }: ShortcutProps) {
  // The first open weekday is the one to copy.
  const first = bands.find(band => band.weekday <= 5)?.weekday
  const copy = (day: number) => {
    const model = bands.filter(band => band.weekday === day)
    const others = [1, 2, 3, 4, 5].filter(one => one !== day)
    const kept = bands.filter(band => !others.includes(band.weekday))
    onChange([...kept, ...others.flatMap(weekday => model.map(band => ({ ...band, uuid: null, weekday })))])
  }
  return (
    <div>
      <Button onClick={() => (first ? copy(first) : onWorkingWeek())}>
        {first ? hoursTexts.copyDay(weekdayName(first)) : hoursTexts.useWorkingWeek}
      </Button>
    </div>
  )
}

type ClockProps = {
  label: string
  minutes: number
  onChange: (minutes: number) => void
  /** Whether a time that is still being typed may be applied. Rows must not change places meanwhile. */
  isReady?: (minutes: number) => boolean
}

/** Applied while typing if possible, at the latest on blur. */
function Clock({ label, minutes, onChange, isReady = () => true }: ClockProps) {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <input
      type="time"
      aria-label={label}
      value={typed ?? clockOf(minutes % dayMinutes)}
      onInput={event => {
        const { value } = event.currentTarget
        setTyped(value)
        if (value && isReady(minutesOf(value))) onChange(minutesOf(value))
      }}
      onBlur={() => {
        if (typed && minutesOf(typed) !== minutes % dayMinutes) onChange(minutesOf(typed))
        setTyped(null)
      }}
    />
  )
}
