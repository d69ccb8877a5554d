import { render } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { hoursTexts } from './hours-words.ts'
import { type Band, clockOf, dayMinutes, erase, everyDay, paint, type Settings } from './week.ts'
import { weekdayName } from './weekdays.ts'

type Props = { bands: Band[]; settings: Settings; onChange: (bands: Band[]) => void }
type Spot = { weekday: number; minute: number }
type Stroke = { from: Spot; to: Spot; isErasing: boolean }

const step = 30
const hourHeight = 24

/**
 * The week as a grid: dragging over closed time opens it, dragging from open time closes it, across several
 * days. The list beside it offers the same by keyboard.
 */
export function Week({ bands, settings, onChange }: Props) {
  const grid = useRef<HTMLDivElement>(null)
  const stroke = useRef<Stroke | null>(null)
  // Only grows: if erasing the earliest hour shortened the grid, the rest would move under the hand.
  const reach = useRef({ first: 6 * 60, last: 21 * 60 })
  const first = Math.min(reach.current.first, ...bands.map(band => Math.floor(band.from / 60) * 60))
  const last = Math.max(
    reach.current.last,
    ...bands.map(band => Math.min(dayMinutes, Math.ceil(band.to / 60) * 60)),
  )
  reach.current = { first, last }
  // A separate root: the page is not rendered while the pointer is down, but the drag must be visible.
  const draw = (shown: Band[]) => render(<Days bands={shown} first={first} last={last} />, grid.current!)
  useLayoutEffect(() => draw(bands), [bands, first, last])

  const spotOf = (event: PointerEvent): Spot => {
    const box = grid.current!.getBoundingClientRect()
    const column = Math.floor(((event.clientX - box.left) / box.width) * 7) + 1
    const minute = first + Math.floor((((event.clientY - box.top) / hourHeight) * 60) / step) * step
    return {
      weekday: Math.min(7, Math.max(1, column)),
      minute: Math.min(last - step, Math.max(first, minute)),
    }
  }
  const paintTo = (next: Stroke) => {
    stroke.current = next
    draw(applied(bands, next, settings))
  }
  const begin = (event: PointerEvent) => {
    if (event.button !== 0) return
    event.preventDefault()
    grid.current!.setPointerCapture(event.pointerId)
    const spot = spotOf(event)
    paintTo({ from: spot, to: spot, isErasing: isOpen(bands, spot) })
  }
  const finish = () => {
    if (stroke.current) onChange(applied(bands, stroke.current, settings))
    stroke.current = null
  }
  const giveUp = () => {
    stroke.current = null
    draw(bands)
  }
  const hours = Array.from({ length: (last - first) / 60 + 1 }, (_, index) => first + index * 60)
  return (
    <div class="week" aria-hidden="true">
      <div class="week-head">
        {everyDay.map(day => (
          <span key={day}>{weekdayName(day, 'short')}</span>
        ))}
      </div>
      <div class="week-hours" style={{ blockSize: `${((last - first) / 60) * hourHeight}px` }}>
        {hours.map(minute => (
          <span key={minute} style={{ insetBlockStart: `${((minute - first) / 60) * hourHeight}px` }}>
            {clockOf(minute)}
          </span>
        ))}
      </div>
      <div
        ref={grid}
        class="week-grid"
        data-testid="week"
        title={hoursTexts.dragHint}
        style={{ blockSize: `${((last - first) / 60) * hourHeight}px` }}
        onPointerDown={begin}
        onPointerMove={event => stroke.current && paintTo({ ...stroke.current, to: spotOf(event) })}
        onPointerUp={finish}
        onPointerCancel={giveUp}
      />
    </div>
  )
}

const Days = ({ bands, first, last }: { bands: Band[]; first: number; last: number }) =>
  everyDay.map(day => (
    <div key={day} class="week-day">
      {bands
        .filter(band => band.weekday === day)
        .map(band => (
          <Opening key={band.from} band={band} first={first} last={last} />
        ))}
    </div>
  ))

function Opening({ band, first, last }: { band: Band; first: number; last: number }) {
  const end = Math.min(band.to, last)
  const place = {
    insetBlockStart: `${((band.from - first) / 60) * hourHeight}px`,
    blockSize: `${((end - band.from) / 60) * hourHeight}px`,
  }
  return (
    <span class="opening" style={place}>
      {clockOf(band.from)}
      <br />
      {clockOf(band.to)}
    </span>
  )
}

const isOpen = (bands: Band[], { weekday, minute }: Spot) =>
  bands.some(band => band.weekday === weekday && band.from <= minute && band.to > minute)

function applied(bands: Band[], { from, to, isErasing }: Stroke, settings: Settings): Band[] {
  const days = everyDay.filter(
    day => day >= Math.min(from.weekday, to.weekday) && day <= Math.max(from.weekday, to.weekday),
  )
  const start = Math.min(from.minute, to.minute)
  const end = Math.max(from.minute, to.minute) + step
  return days.reduce(
    (sum, day) => (isErasing ? erase(sum, day, start, end) : paint(sum, day, start, end, settings)),
    bands,
  )
}
