import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { localAt } from '#shared/zones.ts'
import type { CalendarPeriod, CalendarResource } from '../../records.ts'
import { format, instant } from '../../time.ts'
import { daysOf, periodOf, type View } from './period.ts'
import { texts } from './words.ts'

type Props = {
  view: View
  day: string
  zone: string
  data: CalendarPeriod
  resources: CalendarResource[]
  /** Nothing can be booked. */
  isFixed: boolean
  onPlace: (place: { resourceUuid: string | null; start: string; end: string }) => void
}
type Column = { resourceUuid: string | null; day: string; name: string }

const step = 30
const slotHeight = 38

/**
 * Free time by keyboard: one tab stop in the grid that arrow keys move by half an hour or to the next column.
 * Enter does what a click there does.
 */
export function useSlotCursor(
  place: RefObject<HTMLElement | null>,
  props: Props,
  { slotMinTime, slotMaxTime }: { slotMinTime: string; slotMaxTime: string },
) {
  const [cursor] = useState(makeCursor)
  const at = useRef<Spot | null>(null)
  const latest = useRef(props)
  latest.current = props
  const [first, last] = [minutesOf(slotMinTime), minutesOf(slotMaxTime) - step]

  useEffect(() => {
    cursor.onclick = event => {
      event.stopPropagation()
      const { column, minute } = at.current!
      const { resourceUuid, day } = columnsOf(latest.current)[column]!
      const start = `${day}T${clockOf(minute)}`
      latest.current.onPlace({ resourceUuid, start, end: start })
    }
    return () => cursor.remove()
  }, [])

  const attach = () => {
    const columns = columnsOf(props)
    const body = place.current?.querySelector('.ec-body')
    const days = [...(body?.querySelectorAll<HTMLElement>('.ec-day') ?? [])]
    if (!body || props.isFixed || props.view === 'month' || days.length !== columns.length)
      return cursor.remove()
    const show = (spot: Spot) => {
      const { column, minute } = within(spot, columns.length, first, last)
      at.current = { column, minute }
      const { offsetLeft, offsetWidth } = days[column]!
      cursor.style.left = `${offsetLeft}px`
      cursor.style.width = `${offsetWidth}px`
      cursor.style.top = `${((minute - first) / step) * slotHeight}px`
      const { day, name } = columns[column]!
      cursor.ariaLabel = `${texts.actionsForThisTime}: ${clockOf(minute)}, ${name || format.shortDay(day)}`
    }
    cursor.onkeydown = event => {
      const way = ways[event.key]
      if (!way || event.ctrlKey || event.altKey || event.metaKey) return
      const next = { column: at.current!.column + way.columns, minute: at.current!.minute + way.minutes }
      // Beyond the last column the page turns, as elsewhere.
      if (next.column < 0 || next.column >= columns.length) return
      event.preventDefault()
      event.stopPropagation()
      show(next)
      cursor.scrollIntoView(nearest)
    }
    show(at.current ?? { column: 0, minute: opensAt(props, columns[0]!) ?? 9 * 60 })
    if (cursor.parentElement !== body) body.append(cursor)
  }
  useEffect(() => {
    // The library draws after this.
    const frame = requestAnimationFrame(attach)
    return () => cancelAnimationFrame(frame)
  }, [props.view, props.day, props.data, props.resources, props.isFixed, first, last])
}

/** Past the appointments of a full day, each of which is a tab stop. */
export const focusSlotCursor = () => document.querySelector<HTMLElement>('.slot-cursor')?.focus()

type Spot = { column: number; minute: number }
const nearest = { block: 'nearest', inline: 'nearest' } as const

function makeCursor(): HTMLButtonElement {
  const cursor = document.createElement('button')
  cursor.type = 'button'
  cursor.className = 'slot-cursor'
  cursor.onfocus = () => cursor.scrollIntoView(nearest)
  return cursor
}

const ways: Record<string, { columns: number; minutes: number }> = {
  ArrowLeft: { columns: -1, minutes: 0 },
  ArrowRight: { columns: 1, minutes: 0 },
  ArrowUp: { columns: 0, minutes: -step },
  ArrowDown: { columns: 0, minutes: step },
}

const columnsOf = ({ view, day, resources }: Props): Column[] =>
  view === 'day'
    ? resources.map(one => ({ resourceUuid: one.uuid, day, name: one.name }))
    : daysOf(periodOf(view, day)).map(day => ({ resourceUuid: null, day, name: '' }))

/** When the first open time of a column starts. */
function opensAt({ data, zone }: Props, { resourceUuid, day }: Column): number | null {
  const starts = data.timeslots
    .filter(one => resourceUuid === null || one.resourceUuid === resourceUuid)
    .map(one => localAt(instant(one.start), zone))
    .filter(start => start.startsWith(day))
    .sort()
  return starts[0] ? Math.floor(minutesOf(starts[0].slice(11)) / step) * step : null
}

const within = (at: Spot, columns: number, first: number, last: number) => ({
  column: Math.min(at.column, columns - 1),
  minute: Math.min(last, Math.max(first, at.minute)),
})

const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))
const two = (value: number) => String(value).padStart(2, '0')
const clockOf = (minutes: number) => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`

/** Focuses this Appointment in the calendar if it is drawn. */
export const focusAppointment = (uuid: string) =>
  document.querySelector<HTMLElement>(`.calendar [data-uuid="${CSS.escape(uuid)}"]`)?.focus()
