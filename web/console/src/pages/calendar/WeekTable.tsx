import { common } from '../../common-words.ts'
import './week-table.css'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { CalendarPeriod, CalendarResource, Entry } from '../../records.ts'
import { clockAt, format, instant } from '../../time.ts'
import { LongBody } from '../../ui/LongBody.tsx'
import { type Closed, closedOn } from './closures-on-day.ts'
import { grouped, hueOf, isShown, kindOf, labelOf } from './entry-style.ts'
import type { Moved, Place } from './Grid.tsx'
import { closedSpan, gapsIn, openSpan, shortestOf, takenSpan } from './gaps.ts'
import { nextHour } from './period.ts'
import { useCellDrag } from './use-cell-drag.ts'
import { texts } from './words.ts'

type Props = {
  data: CalendarPeriod
  /** The Appointment that was just dropped, and may still be put back. */
  dropped: string | null
  resources: CalendarResource[]
  days: string[]
  today: string
  zone: string
  now: number
  onOpen: (uuid: string) => void
  /** Nothing can be dragged or added. */
  isFixed: boolean
  onMove: (moved: Moved) => void
  onPlace: (place: Place) => void
}

/**
 * A week of many Resources: one row each, one column per day. Only rows near the viewport are drawn.
 */
export function WeekTable(props: Props) {
  const { data, dropped, resources, days, today, zone, now, isFixed, onOpen, onMove, onPlace } = props
  const frame = useRef<HTMLDivElement>(null)
  const hue = useMemo(() => hueOf(data), [data])
  const cells = useMemo(() => cellsOf(data, days, zone, now), [data, days, zone, now])
  // A phone shows two days at a time: first of all today.
  useLayoutEffect(() => {
    const [names, ...heads] = frame.current!.querySelectorAll<HTMLElement>('thead th')
    const head = heads.find(one => one.ariaCurrent === 'date')
    if (head) frame.current!.scrollLeft = head.offsetLeft - names!.offsetWidth
  }, [days])
  useCellDrag(frame, {
    canCarry: uuid => !isFixed && data.entries.some(one => one.uuid === uuid && kindOf(one) !== 'held'),
    onDrop: (uuid, { resource, day }) => {
      const entry = data.entries.find(one => one.uuid === uuid)
      if (!entry) return
      const time = (text: string) => clockAt(instant(text), zone).slice(11)
      const [start, end] = [`${day}T${time(entry.start)}`, `${day}T${time(entry.end)}`]
      if (resource === entry.resource.uuid && day === clockAt(instant(entry.start), zone).slice(0, 10)) return
      onMove({ uuid, resourceUuid: resource, start, end, revert: () => {} })
    },
  })
  return (
    <div ref={frame} class="calendar week-frame" data-view="week" data-scrolls>
      <table class="week-table" aria-rowcount={resources.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th>
              <span class="visually-hidden">{common.resource}</span>
            </th>
            {days.map(day => (
              <th key={day} scope="col" aria-current={day === today ? 'date' : undefined}>
                {format.shortDay(day)}
              </th>
            ))}
          </tr>
        </thead>
        <LongBody
          rows={resources}
          partSize={10}
          heightOf={one => linesOf(one, days, cells) * lineHeight + rowPadding}
          draw={(one, index) => (
            <Row
              key={one.uuid}
              position={index + 2}
              resource={one}
              days={days}
              cells={cells}
              hue={hue}
              now={now}
              dropped={dropped}
              isFixed={isFixed}
              onOpen={onOpen}
              onPlace={onPlace}
            />
          )}
        />
      </table>
    </div>
  )
}

const quarterHour = 900_000
const lineHeight = 25
const rowPadding = 34

type RowProps = Pick<Props, 'days' | 'now' | 'dropped' | 'isFixed' | 'onOpen' | 'onPlace'> & {
  resource: CalendarResource
  cells: Cells
  hue: (entry: Entry) => string
  position: number
}

const Row = ({ resource, days, cells, position, ...shared }: RowProps) => (
  <tr aria-rowindex={position}>
    <th scope="row">{resource.name}</th>
    {days.map(day => (
      <Cell key={day} day={day} resource={resource} cell={cells.at(resource, day)} {...shared} />
    ))}
  </tr>
)

type CellProps = Pick<RowProps, 'resource' | 'hue' | 'now' | 'dropped' | 'isFixed' | 'onOpen' | 'onPlace'> & {
  day: string
  cell: CellData
}

function Cell({ day, resource, cell, hue, now, dropped, isFixed, onOpen, onPlace }: CellProps) {
  const place = (start = `${day}T${nextHour(cell.isOpenFrom ?? '09:00').from}`) =>
    onPlace({ resourceUuid: resource.uuid, start, end: start })
  return (
    <td data-day={day} data-resource={resource.uuid} class={cell.isOpenFrom ? 'is-open' : ''}>
      {cell.lines.map(({ at, until, entry, closed, block }) =>
        until ? (
          <FreeLine
            key={`free ${at}`}
            at={at}
            until={until}
            isFixed={isFixed}
            onPlace={() => place(`${day}T${at}`)}
          />
        ) : block ? (
          <button
            key={block.uuid}
            type="button"
            class="closed-line"
            onClick={() => onPlace({ resourceUuid: resource.uuid, start: block.start, end: block.end })}
          >
            {at && <time>{at}</time>} {closed}
          </button>
        ) : entry ? (
          <button
            key={entry.uuid}
            type="button"
            class={`mark entry-mark line ${kindOf(entry, now)} ${hue(entry)} ${entry.uuid === dropped ? 'dropped' : ''}`}
            data-uuid={entry.uuid}
            onClick={() => onOpen(entry.uuid)}
          >
            <time dateTime={entry.start}>{at}</time> <span class="mark-who">{labelOf(entry, now)}</span>
          </button>
        ) : (
          <p key={`${at} ${closed}`} class="closed-line">
            {at && <time>{at}</time>} {closed}
          </p>
        ),
      )}
      {!isFixed && (
        <button
          type="button"
          class="add"
          aria-label={`${texts.actionsForThisTime}: ${resource.name}, ${format.shortDay(day)}`}
          onClick={() => place()}
        >
          +
        </button>
      )}
    </td>
  )
}

/** A gap that something fits into; pressing it books there. */
function FreeLine(props: { at: string; until: string; isFixed: boolean; onPlace: () => void }) {
  const { at, until, isFixed, onPlace } = props
  const content = (
    <>
      <time>
        {at} – {until}
      </time>{' '}
      {texts.free}
    </>
  )
  if (isFixed) return <p class="free-line">{content}</p>
  return (
    <button type="button" class="free-line" onClick={onPlace}>
      {content}
    </button>
  )
}

/** A booking, a closure or, with `until`, free time in a cell; without a time it is closed all day. */
type Line = { at: string; until?: string; entry?: Entry; closed?: string; block?: Block }
/** The part of a block that falls on this day; pressing it offers to remove it. */
type Block = { uuid: string; start: string; end: string }
type CellData = { lines: Line[]; isOpenFrom: string | null }
type Cells = {
  at: (resource: CalendarResource, day: string) => CellData
  /** Without closures and gaps, which are found when the cell is drawn. */
  countAt: (resource: string, day: string) => number
}

const linesOf = ({ uuid }: CalendarResource, days: string[], cells: Cells) =>
  Math.max(...days.map(day => cells.countAt(uuid, day)))

function cellsOf(data: CalendarPeriod, days: string[], zone: string, now: number): Cells {
  const [first, last] = [days[0]!, days.at(-1)!]
  const within = (day: string) => (day < first ? first : day > last ? last : day)
  const dayOf = (text: string) => within(clockAt(instant(text), zone).slice(0, 10))
  const timeOf = (text: string) => clockAt(instant(text), zone).slice(11)
  const booked = grouped(
    data.entries.filter(one => isShown(one, now)),
    one => `${one.resource.uuid} ${dayOf(one.start)}`,
  )
  const open = grouped(data.timeslots, one => `${one.resourceUuid} ${dayOf(one.start)}`)
  const gaps = (resource: CalendarResource, key: string): Line[] => {
    const closures = data.closures.filter(one => one.resources?.includes(resource.uuid) ?? true)
    const busy = data.busyTimes.filter(one => one.resourceUuid === resource.uuid)
    const taken = [
      ...(booked.get(key) ?? []).map(takenSpan),
      ...closures.map(closedSpan),
      ...busy.map(closedSpan),
      // The past cannot be booked.
      { start: 0, end: Math.ceil(now / quarterHour) * quarterHour },
    ]
    return gapsIn((open.get(key) ?? []).map(openSpan), taken, shortestOf(resource, data)).map(
      ({ start, end }) => ({ at: clockAt(start, zone).slice(11), until: clockAt(end, zone).slice(11) }),
    )
  }
  const fill = (resource: CalendarResource, day: string): CellData => {
    const key = `${resource.uuid} ${day}`
    const lines = (booked.get(key) ?? []).map((entry): Line => ({ at: timeOf(entry.start), entry }))
    const closed = closedOn(data, resource.uuid, day, zone).map(closedLine)
    return {
      lines: [...closed, ...lines, ...gaps(resource, key)].sort(byTime),
      isOpenFrom: open.get(key)?.map(one => timeOf(one.start))[0] ?? null,
    }
  }
  const filled = new Map<string, CellData>()
  return {
    at(resource, day) {
      const key = `${resource.uuid} ${day}`
      const cell = filled.get(key) ?? fill(resource, day)
      filled.set(key, cell)
      return cell
    },
    countAt: (uuid, day) => booked.get(`${uuid} ${day}`)?.length ?? 0,
  }
}

const closedLine = ({ uuid, name, start, end, isBlock }: Closed): Line => ({
  at: start.endsWith('T00:00') ? '' : start.slice(11),
  closed: name,
  ...(isBlock ? { block: { uuid, start, end } } : {}),
})

const byTime = (one: Line, other: Line) => one.at.localeCompare(other.at)
