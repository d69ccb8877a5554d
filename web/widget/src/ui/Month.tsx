import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { addDays, addMonths, type Day, dayAfterKey, firstDay, monthOf, weeksOf } from '#shared/dates.ts'
import { firstFreeDay, freeCount } from '#shared/slots.ts'
import { daysOf, isLastMonth } from '../state.ts'
import { useUi } from './context.ts'

/**
 * The month as a grid with one tab stop; arrows, Home, End, Page Up and Page Down move in it. Where there is little room
 * only one week of it is shown until its name is pressed: the times must not lie below the fold.
 */
export function Month() {
  const { state, texts, format, flow, firstWeekday } = useUi()
  const days = daysOf(state)
  const grid = useRef<HTMLTableElement>(null)
  const [cursor, setCursor] = useState<Day | null>(null)
  const [isOpen, setOpen] = useState(false)
  const [looked, setLooked] = useState<Day | null>(null)
  const stop = tabStop()
  const weeks = weeksOf(state.month, firstWeekday)

  // Only a key moves the focus; drawing anew must not take it from wherever it is.
  useLayoutEffect(() => {
    if (cursor) grid.current?.querySelector<HTMLElement>(`[data-day="${cursor}"]`)?.focus()
  }, [cursor, state.month])

  function tabStop(): Day {
    if (cursor && monthOf(cursor) === state.month) return cursor
    if (state.day && monthOf(state.day) === state.month) return state.day
    return firstFreeDay(days, state.month) ?? firstDay(state.month)
  }

  function onKeyDown(event: KeyboardEvent) {
    const rightToLeft = getComputedStyle(grid.current!).direction === 'rtl'
    const next = dayAfterKey(stop, event.key, firstWeekday, rightToLeft)
    if (!next || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    if (next < state.today) return
    setCursor(next)
    setLooked(null)
    if (monthOf(next) !== state.month) void flow.showMonth(monthOf(next), next)
  }

  // The week that is shown where there is room for one only.
  const inView = looked && monthOf(looked) === state.month ? looked : stop
  const shownWeek = weeks.findIndex(week => week.includes(inView))

  function showMonth(count: number) {
    setLooked(null)
    void flow.showMonth(addMonths(state.month, count))
  }

  function showWeek(count: number) {
    const days = weeks[shownWeek + count]?.filter(day => monthOf(day) === state.month) ?? []
    if (days.length === 0) return showMonth(count)
    setLooked(days[0]!)
  }

  function onChoose(day: Day) {
    setCursor(null)
    setLooked(null)
    setOpen(false)
    flow.chooseDay(day)
    // On a phone the times lie below the month.
    const root = grid.current?.getRootNode() as ShadowRoot
    root.querySelector('.slots')?.scrollIntoView({ block: 'nearest' })
  }

  const isLast = isLastMonth(state)
  const isFirst = state.month <= monthOf(state.today)
  const isFirstWeek = isFirst && addDays(weeks[shownWeek]?.[0] ?? state.today, 7) > state.today
  return (
    <div class={isOpen ? 'month open' : 'month'} part="month">
      <div class="month-head">
        <Arrow
          kind="by-week previous"
          label={texts.previousWeek}
          isOff={isFirstWeek}
          onPress={() => showWeek(-1)}
        />
        <Arrow
          kind="by-month previous"
          label={texts.previousMonth}
          isOff={isFirst}
          onPress={() => showMonth(-1)}
        />
        <h4 id="month">
          <span>{format.month(state.month)}</span>
          <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {format.month(state.month)}
          </button>
        </h4>
        <Arrow
          kind="by-week next"
          label={texts.nextWeek}
          isOff={isLast && !weeks[shownWeek + 1]?.some(day => monthOf(day) === state.month)}
          onPress={() => showWeek(1)}
        />
        <Arrow kind="by-month next" label={texts.nextMonth} isOff={isLast} onPress={() => showMonth(1)} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the pattern for date grids */}
      <table ref={grid} role="grid" aria-labelledby="month" onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {weeks[0]!.map(day => (
              <th key={day} scope="col" abbr={format.weekday(day, 'long')}>
                {format.weekday(day, 'short')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week, index) => (
            <tr key={week[0]} class={index === shownWeek ? 'shown' : undefined}>
              {week.map(day => (
                <td key={day}>
                  {monthOf(day) === state.month && (
                    <DayButton
                      day={day}
                      free={freeCount(days.get(day))}
                      isStop={day === stop}
                      onChoose={onChoose}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type ArrowProps = { kind: string; label: string; isOff?: boolean; onPress(): void }

function Arrow({ kind, label, isOff = false, onPress }: ArrowProps) {
  return (
    <button
      type="button"
      class={`arrow ${kind}`}
      aria-label={label}
      aria-disabled={isOff}
      onClick={() => !isOff && onPress()}
    >
      <span aria-hidden="true" />
    </button>
  )
}

type DayProps = { day: Day; free: number; isStop: boolean; onChoose(day: Day): void }

function DayButton({ day, free, isStop, onChoose }: DayProps) {
  const { state, texts, format } = useUi()
  const isPast = day < state.today
  const kind = day === state.day ? 'day picked' : free > 0 ? 'day free' : 'day'
  return (
    <button
      type="button"
      class={kind}
      part={free > 0 ? 'day day-free' : 'day'}
      data-day={day}
      tabIndex={isStop ? 0 : -1}
      aria-label={texts.dayLabel(format.day(day), free)}
      aria-pressed={day === state.day}
      aria-current={day === state.today ? 'date' : undefined}
      aria-disabled={isPast || undefined}
      onClick={() => !isPast && onChoose(day)}
    >
      {Number(day.slice(8))}
    </button>
  )
}
