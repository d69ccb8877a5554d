import './week-table.css'
import { useMemo, useRef } from 'preact/hooks'
import type { CalendarPeriod, CalendarResource, Entry } from '../../records.ts'
import { clockAt, format, instant } from '../../time.ts'
import { LongBody } from '../../ui/LongBody.tsx'
import { type Closed, closedOn } from './closures-on-day.ts'
import { grouped, isShown, kindOf, labelOf } from './entry-style.ts'
import type { Moved, Place } from './Grid.tsx'
import { nextHour } from './period.ts'
import { useCellDrag } from './use-cell-drag.ts'
import { texts } from './words.ts'

type Props = {
  data: CalendarPeriod
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
  const { data, resources, days, today, zone, now, isFixed, onOpen, onMove, onPlace } = props
  const frame = useRef<HTMLDivElement>(null)
  const cells = useMemo(() => cellsOf(data, days, zone, now), [data, days, zone, now])
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
              <span class="visually-hidden">{texts.resource}</span>
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
              now={now}
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

const lineHeight = 22
const rowPadding = 34

type RowProps = Pick<Props, 'days' | 'now' | 'isFixed' | 'onOpen' | 'onPlace'> & {
  resource: CalendarResource
  cells: Cells
  position: number
}

const Row = ({ resource, days, cells, now, position, isFixed, onOpen, onPlace }: RowProps) => (
  <tr aria-rowindex={position}>
    <th scope="row">{resource.name}</th>
    {days.map(day => (
      <Cell
        key={day}
        day={day}
        resource={resource}
        cell={cells.at(resource.uuid, day)}
        now={now}
        onOpen={onOpen}
        isFixed={isFixed}
        onPlace={onPlace}
      />
    ))}
  </tr>
)

type CellProps = Pick<RowProps, 'resource' | 'now' | 'isFixed' | 'onOpen' | 'onPlace'> & {
  day: string
  cell: CellData
}

function Cell({ day, resource, cell, now, isFixed, onOpen, onPlace }: CellProps) {
  const place = () => {
    const start = `${day}T${nextHour(cell.isOpenFrom ?? '09:00').from}`
    onPlace({ resourceUuid: resource.uuid, start, end: start })
  }
  return (
    <td data-day={day} data-resource={resource.uuid} class={cell.isOpenFrom ? 'is-open' : ''}>
      {cell.lines.map(({ at, entry, closed, block }) =>
        block ? (
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
            class={`mark entry-mark line ${kindOf(entry, now)}`}
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
          onClick={place}
        >
          +
        </button>
      )}
    </td>
  )
}

/** A booking or closure in a cell; without a time it is closed all day. */
type Line = { at: string; entry?: Entry; closed?: string; block?: Block }
/** The part of a block that falls on this day; pressing it offers to remove it. */
type Block = { uuid: string; start: string; end: string }
type CellData = { lines: Line[]; isOpenFrom: string | null }
type Cells = {
  at: (resource: string, day: string) => CellData
  /** Without closures, which are found when the cell is drawn. */
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
  const fill = (uuid: string, day: string): CellData => {
    const key = `${uuid} ${day}`
    const lines = (booked.get(key) ?? []).map((entry): Line => ({ at: timeOf(entry.start), entry }))
    const closed = closedOn(data, uuid, day, zone).map(closedLine)
    return {
      lines: closed.length > 0 ? [...closed, ...lines].sort(byTime) : lines,
      isOpenFrom: open.get(key)?.map(one => timeOf(one.start))[0] ?? null,
    }
  }
  const filled = new Map<string, CellData>()
  return {
    at(uuid, day) {
      const key = `${uuid} ${day}`
      const cell = filled.get(key) ?? fill(uuid, day)
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
