import { addDays, addMonths, type Day, dayAfterKey, firstDay, monthOf, weeksOf } from '#shared/dates.ts'
import { firstFreeDay, freeCount } from '#shared/slots.ts'
import { startOfDay } from '#shared/zones.ts'
import { daysOf, isLast, monthSpan } from '../state.ts'
import { useUi } from './context.ts'
import { useEffect, useRef, useState } from './render.ts'

/**
 * The month as a grid with one tab stop; arrows, Home, End, Page Up and Page Down move in it. On small
 * screens only one week is shown until its heading is pressed, so that the times stay above the fold.
 */
export function Month() {
  const { state, texts, format, flow, firstWeekday } = useUi()
  const days = daysOf(state)
  const grid = useRef<HTMLTableElement>(null)
  const [cursor, setCursor] = useState<Day | null>(null)
  const [isOpen, setOpen] = useState(false)
  const stop = tabStop()
  const weeks = weeksOf(state.month, firstWeekday)

  // Only a key moves the focus; a redraw must not take it.
  useEffect(() => {
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

  // The week shown on small screens, with all its days, whichever month they are in.
  const shownWeek = weeks.findIndex(week => week.includes(stop))
  const weekStart = weeks[shownWeek]![0]!
  const nextWeek = addDays(weekStart, 7)

  function onArrow(show: () => Promise<void>) {
    setCursor(null)
    void show()
  }
  const showMonth = (count: number) => onArrow(() => flow.showMonth(addMonths(state.month, count)))
  const showWeek = (first: Day) => onArrow(() => flow.showWeek(first))

  function onChoose(day: Day) {
    setCursor(null)
    setOpen(false)
    flow.chooseDay(day)
    // On a phone the times are below the month.
    const root = grid.current?.getRootNode() as ShadowRoot
    root.querySelector('.slots')?.scrollIntoView({ block: 'nearest' })
  }

  const isFirst = state.month <= monthOf(state.today)
  return (
    <div class={isOpen ? 'month open' : 'month'} part="month">
      <div class="month-head">
        <Arrow
          kind="by-week previous"
          label={texts.previousWeek}
          isOff={weekStart <= state.today}
          onPress={() => showWeek(addDays(weekStart, -7))}
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
          isOff={isLast(state, startOfDay(nextWeek, state.zone))}
          onPress={() => showWeek(nextWeek)}
        />
        <Arrow
          kind="by-month next"
          label={texts.nextMonth}
          isOff={isLast(state, monthSpan(state).to)}
          onPress={() => showMonth(1)}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the pattern for date grids */}
      <table ref={grid} role="grid" aria-labelledby="month" onKeyDown={onKeyDown}>
        {/* Each day includes its weekday: announcing the header too would repeat it. */}
        <thead aria-hidden="true">
          <tr>
            {weeks[0]!.map(day => (
              <th key={day}>{format.weekday(day, 'short')}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week, index) => (
            <tr key={week[0]} class={index === shownWeek ? 'shown' : undefined}>
              {week.map(day => (
                // biome-ignore lint/a11y/useAriaPropsSupportedByRole: in a grid it is a gridcell
                <td key={day} aria-selected={day === state.day}>
                  {(monthOf(day) === state.month || index === shownWeek) && (
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
  const isOutside = monthOf(day) !== state.month
  return (
    <button
      type="button"
      class={isOutside ? `${kind} outside` : kind}
      part={free > 0 ? 'day day-free' : 'day'}
      data-day={day}
      tabIndex={isStop ? 0 : -1}
      aria-label={texts.dayLabel(format.day(day), free)}
      aria-current={day === state.today ? 'date' : undefined}
      aria-disabled={isPast || undefined}
      onClick={() => !isPast && onChoose(day)}
    >
      {Number(day.slice(8))}
    </button>
  )
}
