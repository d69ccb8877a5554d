import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { addMonths, type Day, dayAfterKey, firstDay, monthOf, weeksOf } from '../../../shared/dates.ts'
import { firstFreeDay, freeCount } from '../../../shared/slots.ts'
import { daysOf } from '../state.ts'
import { useUi } from './context.ts'

/** The month as a grid with one tab stop; arrows, Home, End, Page Up and Page Down move in it. */
export function Month() {
  const { state, texts, format, flow, firstWeekday } = useUi()
  const days = daysOf(state)
  const grid = useRef<HTMLTableElement>(null)
  const [cursor, setCursor] = useState<Day | null>(null)
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
    if (monthOf(next) !== state.month) void flow.showMonth(monthOf(next), next)
  }

  function onChoose(day: Day) {
    setCursor(null)
    flow.chooseDay(day)
    // On a phone the times lie below the month.
    const root = grid.current?.getRootNode() as ShadowRoot
    root.querySelector('.slots')?.scrollIntoView({ block: 'nearest' })
  }

  const isFirst = state.month <= monthOf(state.today)
  return (
    <div class="month" part="month">
      <div class="month-head">
        <button
          type="button"
          class="arrow"
          aria-label={texts.previousMonth}
          aria-disabled={isFirst}
          onClick={() => !isFirst && void flow.showMonth(addMonths(state.month, -1))}
        >
          <span class="previous" aria-hidden="true" />
        </button>
        <h4 id="month">{format.month(state.month)}</h4>
        <button
          type="button"
          class="arrow"
          aria-label={texts.nextMonth}
          onClick={() => void flow.showMonth(addMonths(state.month, 1))}
        >
          <span class="next" aria-hidden="true" />
        </button>
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
          {weeks.map(week => (
            <tr key={week[0]}>
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
