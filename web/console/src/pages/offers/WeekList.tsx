import { common } from '../../common-words.ts'
import { Button } from '../../ui/Button.tsx'
import { hoursTexts } from './hours-words.ts'
import { type Band, clockOf, dayMinutes, everyDay, minutesOf, paint, type Settings } from './week.ts'
import { weekdayName } from './weekdays.ts'

type Props = { bands: Band[]; settings: Settings; onChange: (bands: Band[]) => void }

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
  const copy = (day: number) => {
    const model = bands.filter(band => band.weekday === day)
    const others = [1, 2, 3, 4, 5].filter(one => one !== day)
    const kept = bands.filter(band => !others.includes(band.weekday))
    onChange([...kept, ...others.flatMap(weekday => model.map(band => ({ ...band, uuid: null, weekday })))])
  }
  // The first open weekday is the one to copy.
  const first = bands.find(band => band.weekday <= 5)?.weekday
  return (
    <div class="stack tight">
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
                {own.map(band => (
                  <span key={`${band.from}-${band.to}`} class="row">
                    <Clock
                      label={`${weekdayName(day)}: ${hoursTexts.from}`}
                      minutes={band.from}
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
                      onClick={() => onChange(bands.filter(one => one !== band))}
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
      {first && (
        <div>
          <Button onClick={() => copy(first)}>{hoursTexts.copyDay(weekdayName(first))}</Button>
        </div>
      )}
    </div>
  )
}

type ClockProps = { label: string; minutes: number; onChange: (minutes: number) => void }

/** Saved on blur: a half-typed time is invalid. */
const Clock = ({ label, minutes, onChange }: ClockProps) => (
  <input
    type="time"
    aria-label={label}
    value={clockOf(minutes % dayMinutes)}
    onChange={event => event.currentTarget.value && onChange(minutesOf(event.currentTarget.value))}
  />
)
