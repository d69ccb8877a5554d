import {
  createCalendar,
  DayGrid,
  destroyCalendar,
  Interaction,
  type Calendar as Kind,
  ResourceTimeGrid,
  TimeGrid,
} from '@event-calendar/core'
import '@event-calendar/core/index.css'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { offsetAt } from '#shared/zones.ts'
import type { CalendarPeriod, CalendarResource } from '../../records.ts'
import { clockAt, format, today } from '../../time.ts'
import { locale } from '../../words.ts'
import { type Mark, marksOf } from './calendar-events.ts'
import { makeGivingUp } from './give-up.ts'
import { firstWeekday, type Hours, hoursOf, quarterOf, type View } from './period.ts'
import { type Shift, useBandDrag } from './use-band-drag.ts'
import { focusAppointment, useSlotCursor } from './use-slot-cursor.ts'
import { useVisibleColumns } from './use-visible-columns.ts'
import { texts } from './words.ts'

export type Place = { resourceUuid: string | null; start: string; end: string }
export type Moved = Place & { uuid: string; revert: () => void }

type Props = {
  view: View
  day: string
  zone: string
  now: number
  data: CalendarPeriod
  /** The Appointment that was just dropped, and may still be put back. */
  dropped: string | null
  resources: CalendarResource[]
  /** Nothing can be dragged. */
  isFixed: boolean
  onOpen: (uuid: string) => void
  onMove: (moved: Moved) => void
  onPlace: (place: Place) => void
  onShift: (shift: Shift) => void
}

const plugins = [TimeGrid, ResourceTimeGrid, DayGrid, Interaction]

const viewNames = { day: 'resourceTimeGridDay', week: 'timeGridWeek', month: 'dayGridMonth', list: '' }

/** Wraps the library's calendar and passes on changes. */
export default function Grid(props: Props) {
  const { view, day, zone, now, data, dropped, resources, isFixed } = props
  const place = useRef<HTMLDivElement>(null)
  const calendar = useRef<Kind | null>(null)
  const columns = useVisibleColumns(place, resources.length, view === 'day')
  const options = useMemo((): Shown => {
    const inSight = new Set(resources.slice(columns.from, columns.to).map(one => one.uuid))
    return {
      view: viewNames[view],
      date: day,
      resources: columnsOf(resources),
      events: marksOf(data, { view, zone, now, resources: inSight, isFixed, dropped }) as Kind.EventInput[],
      ...timesOf(
        hoursOf(data, zone),
        day === today(zone) ? Number(clockAt(Date.now(), zone).slice(11, 13)) : 0,
      ),
    }
  }, [view, day, zone, now, data, dropped, resources, columns, isFixed])
  useBandDrag(place, props.onShift)
  const applied = useRef(options)
  const latest = useRef(props)
  latest.current = props

  useEffect(() => {
    calendar.current = createCalendar(place.current!, plugins, {
      ...applied.current,
      events: [],
      ...looks(latest.current),
      ...actionsOf(() => latest.current),
    })
    // Columns and marks in two tasks: together they would keep the page from reacting.
    const drawing = setTimeout(() => calendar.current!.setOption('events', applied.current.events))
    const observer = new MutationObserver(() => fixTableRoles(place.current!))
    observer.observe(place.current!, { childList: true, subtree: true })
    fixTableRoles(place.current!)
    return () => {
      clearTimeout(drawing)
      observer.disconnect()
      void destroyCalendar(calendar.current!)
    }
  }, [])

  useEffect(() => {
    const focused = (document.activeElement as HTMLElement | null)?.dataset.uuid
    reportChanges(calendar.current!, applied.current, options)
    applied.current = options
    // A redraw drops the focus, so it is restored.
    if (focused) requestAnimationFrame(() => focusAppointment(focused))
  }, [options])
  useSlotCursor(place, props, options)
  return <div ref={place} class="calendar" data-view={view} />
}

type Shown = {
  view: string
  date: string
  resources: Kind.ResourceInput[]
  events: Kind.EventInput[]
  slotMinTime: string
  slotMaxTime: string
  scrollTime: string
}

/** Scrolls to the current hour today, and to the first entry on other days. */
const timesOf = ({ from, to, first }: Hours, nowHour: number) => ({
  slotMinTime: `${two(from)}:00`,
  slotMaxTime: `${two(to)}:00`,
  scrollTime: `${two(Math.max(0, first - 1, nowHour - 1))}:00:00`,
})

/** Passes only changed options: each one redraws everything. */
function reportChanges(calendar: Kind, before: Shown, now: Shown) {
  for (const name of Object.keys(now) as (keyof Shown)[])
    if (now[name] !== before[name]) calendar.setOption(name, now[name] as never)
}

const tableRoles = ['table', 'rowgroup', 'row', 'cell', 'columnheader', 'rowheader']
const tableAttributes = [
  'role',
  'aria-colindex',
  'aria-rowindex',
  'aria-colcount',
  'aria-rowcount',
  'aria-colspan',
]
const isTablePart = tableRoles.map(role => `[role="${role}"]`).join()

/** The library declares a table, but its events are not in the cells, which confuses screen readers. */
function fixTableRoles(place: HTMLElement) {
  for (const box of place.querySelectorAll(isTablePart))
    for (const name of tableAttributes) box.removeAttribute(name)
}

const columns = new WeakMap<CalendarResource[], Kind.ResourceInput[]>()

/** Memoized per Resource list, so that changes can be detected by identity. */
function columnsOf(resources: CalendarResource[]): Kind.ResourceInput[] {
  const known = columns.get(resources) ?? resources.map(one => ({ id: one.uuid, title: one.name }))
  columns.set(resources, known)
  return known
}

// 9:00 AM but 09:00, as elsewhere.
const { hour12 } = new Intl.DateTimeFormat(locale.tag, { hour: 'numeric' }).resolvedOptions()
const hourFormat = new Intl.DateTimeFormat(locale.tag, {
  hour: hour12 ? 'numeric' : '2-digit',
  minute: '2-digit',
})

function looks({ zone }: Props): Kind.Options {
  return {
    headerToolbar: { start: '', center: '', end: '' },
    // The library supports fixed offsets only. Today's is right for its only use, the "now" line.
    timeZone: offsetName(offsetAt(Date.now(), zone)),
    locale: locale.tag,
    firstDay: (firstWeekday % 7) as Kind.dayOfWeek,
    height: '100%',
    nowIndicator: true,
    allDaySlot: false,
    slotDuration: '00:30',
    snapDuration: '00:05',
    slotHeight: 38,
    // Wide calendars scroll; no column is too narrow for a name.
    columnWidth: 'minmax(136px, 1fr)',
    slotEventOverlap: false,
    eventLongPressDelay: 400,
    selectLongPressDelay: 400,
    displayEventEnd: true,
    eventTimeFormat: (start, end) =>
      end ? `${hourFormat.format(start)} – ${hourFormat.format(end)}` : hourFormat.format(start),
    slotLabelFormat: start => hourFormat.format(start),
    eventContent: contentOf,
    // The button is inside the event.
    eventDidMount: ({ el }) => {
      el.removeAttribute('role')
      el.removeAttribute('tabindex')
    },
    views: {
      timeGridWeek: {
        columnWidth: 'minmax(72px, 1fr)',
        dayHeaderFormat: date => format.shortDay(localOf(date).slice(0, 10)),
      },
    },
  }
}

function actionsOf(props: () => Props): Kind.Options {
  const drag = makeGivingUp()
  const placed = (event: Kind.Event, revert: () => void) => {
    if (drag.isGivenUp()) return revert()
    props().onMove({
      uuid: String(event.id),
      resourceUuid: event.resourceIds[0] === undefined ? null : String(event.resourceIds[0]),
      start: localOf(event.start),
      end: localOf(event.end),
      revert,
    })
  }
  return {
    editable: true,
    eventStartEditable: true,
    eventDurationEditable: true,
    selectable: !props().isFixed,
    // Free time invites: the time under the mouse, as a click there would book it.
    pointer: !props().isFixed,
    eventClick: ({ event }) => {
      const { uuid, isMore } = event.extendedProps as Mark['extendedProps']
      if (uuid) props().onOpen(uuid)
      const day = localOf(event.start)
      if (isMore) props().onPlace({ resourceUuid: null, start: day, end: day })
    },
    eventDragStart: drag.begin,
    eventDragStop: drag.end,
    eventResizeStart: drag.begin,
    eventResizeStop: drag.end,
    eventDrop: ({ event, revert }) => placed(event, revert),
    eventResize: ({ event, revert }) => placed(event, revert),
    dateClick: ({ date, resource }) => {
      const start = quarterOf(localOf(date))
      props().onPlace({ resourceUuid: resource?.id ?? null, start, end: start })
    },
    select: ({ start, end, resource }) =>
      props().onPlace({ resourceUuid: resource?.id ?? null, start: localOf(start), end: localOf(end) }),
  }
}

/** Text only: consumer input is never parsed as HTML. */
function contentOf({ event, timeText, view }: Kind.EventContentInfo): Kind.Content | undefined {
  if ((event.display as string) === 'pointer')
    return view.type === 'dayGridMonth'
      ? undefined
      : { domNodes: [line('add-mark', `+ ${quarterOf(localOf(event.start)).slice(11)}`)] }
  const { who, place, isBand, isMore, slot } = event.extendedProps as Mark['extendedProps']
  const title = String(event.title)
  if (isBand)
    return { domNodes: [...(title ? [line('band-name', title)] : []), ...(slot ? gripsOf(slot) : [])] }
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'mark'
  if (isMore) button.append(title)
  else button.dataset.uuid = String(event.id)
  if (isMore) return { domNodes: [button] }
  const isMonth = view.type === 'dayGridMonth'
  // Keeps the number of "Room 1" on the same line.
  const where = view.type === 'resourceTimeGridDay' ? undefined : place?.replace(/ (?=\S{1,2}$)/, '\u00a0')
  const [start = '', end] = timeText.split(' – ')
  const what = line('mark-what', start)
  // A short entry has room for its start only.
  what.append(line('mark-rest', [end ? ` – ${end}` : '', title, where].filter(Boolean).join(' · ')))
  button.append(line('mark-who', isMonth ? `${start} ${who}` : who!), ...(isMonth ? [] : [what]))
  return { domNodes: [button] }
}

/** For the mouse; clicking the slot opens a form that does the same. */
function gripsOf({ uuid, minutes }: NonNullable<Mark['extendedProps']['slot']>): HTMLElement[] {
  return ['band-grip', 'band-grip end'].map(kind => {
    const grip = line(kind, '')
    grip.dataset.slot = uuid
    grip.dataset.minutes = String(minutes)
    grip.title = kind === 'band-grip' ? texts.dragToMove : texts.dragToExtend
    grip.ariaHidden = 'true'
    return grip
  })
}

function line(kind: string, text: string): HTMLElement {
  const element = document.createElement('span')
  element.className = kind
  element.textContent = text
  return element
}

const two = (value: number) => String(value).padStart(2, '0')

/** The library returns local times as dates in the browser's zone. */
const localOf = (date: Date) =>
  `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`

const offsetName = (minutes: number) =>
  `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`
