import {
  createCalendar,
  DayGrid,
  destroyCalendar,
  Interaction,
  type Calendar as Kind,
  List,
  ResourceTimeGrid,
  ResourceTimeline,
  TimeGrid,
} from '@event-calendar/core'
import '@event-calendar/core/index.css'
import './calendar.css'
import { useEffect, useRef } from 'preact/hooks'
import { offsetAt } from '../../../../shared/zones.ts'
import type { CalendarResource } from '../../records.ts'
import { locale } from '../../words.ts'
import type { Mark, View } from './marks.ts'
import { texts } from './words.ts'

export type Place = { resourceUuid: string | null; start: string; end: string }
export type Moved = Place & { uuid: string; revert: () => void }

type Props = {
  view: View
  day: string
  zone: string
  marks: Mark[]
  resources: CalendarResource[]
  scrollTime: string
  firstWeekday: number
  onOpen: (uuid: string) => void
  onMove: (moved: Moved) => void
  onPlace: (place: Place) => void
}

const plugins = [TimeGrid, ResourceTimeGrid, ResourceTimeline, DayGrid, List, Interaction]

/** A week shows so many Resources on one sheet; more of them become rows. */
const mostInWeek = 3

function viewName(view: View, resources: number): string {
  if (view === 'day') return 'resourceTimeGridDay'
  if (view === 'week') return resources > mostInWeek ? 'resourceTimelineWeek' : 'timeGridWeek'
  return view === 'month' ? 'dayGridMonth' : 'listWeek'
}

/** The library's calendar, told what to show whenever that changes. */
export function Grid(props: Props) {
  const place = useRef<HTMLDivElement>(null)
  const calendar = useRef<Kind | null>(null)
  const latest = useRef(props)
  const told = useRef(shown(props))
  latest.current = props

  useEffect(() => {
    calendar.current = createCalendar(place.current!, plugins, {
      ...shown(latest.current),
      ...looks(latest.current),
      ...deeds(() => latest.current),
    })
    const plainly = new MutationObserver(() => mendRoles(place.current!))
    plainly.observe(place.current!, { childList: true, subtree: true })
    mendRoles(place.current!)
    return () => {
      plainly.disconnect()
      void destroyCalendar(calendar.current!)
    }
  }, [])

  const { view, day, marks, resources } = props
  useEffect(() => {
    const focused = (document.activeElement as HTMLElement | null)?.dataset.uuid
    tellChanges(calendar.current!, told.current, shown(latest.current))
    told.current = shown(latest.current)
    // What is drawn anew loses the focus; whoever stood there stands there still.
    if (focused) requestAnimationFrame(() => focusMark(focused))
  }, [view, day, resources, marks])
  return <div ref={place} class="calendar" data-view={view} />
}

type Shown = ReturnType<typeof shown>

/** Only what differs: each of them draws everything anew. */
function tellChanges(calendar: Kind, before: Shown, now: Shown) {
  for (const name of Object.keys(now) as (keyof Shown)[])
    if (now[name] !== before[name]) calendar.setOption(name, now[name] as never)
}

export const focusMark = (uuid: string) =>
  document.querySelector<HTMLElement>(`.calendar [data-uuid="${CSS.escape(uuid)}"]`)?.focus()

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

/** The library calls its boxes a table, but what is booked stands in none of its cells: read aloud, that is nonsense. */
function mendRoles(place: HTMLElement) {
  for (const box of place.querySelectorAll(isTablePart))
    for (const name of tableAttributes) box.removeAttribute(name)
  // The days of the list come right below the page's title.
  for (const day of place.querySelectorAll('h4:not([aria-level])')) day.setAttribute('aria-level', '2')
}

const shown = ({ view, day, resources, marks }: Props) => ({
  view: viewName(view, resources.length),
  date: day,
  resources: columnsOf(resources),
  events: marks as Kind.EventInput[],
})

const columns = new WeakMap<CalendarResource[], Kind.ResourceInput[]>()

/** The same list for the same Resources, so that it can be told whether they changed. */
function columnsOf(resources: CalendarResource[]): Kind.ResourceInput[] {
  const known = columns.get(resources) ?? resources.map(one => ({ id: one.uuid, title: one.name }))
  columns.set(resources, known)
  return known
}

const hourFormat = new Intl.DateTimeFormat(locale.tag, { hour: 'numeric', minute: '2-digit' })

function looks({ zone, scrollTime, firstWeekday }: Props): Kind.Options {
  return {
    headerToolbar: { start: '', center: '', end: '' },
    // Its clock knows fixed offsets only. Today's is right for what it is used for: the line that says "now".
    timeZone: offsetName(offsetAt(Date.now(), zone)),
    locale: locale.tag,
    firstDay: (firstWeekday % 7) as Kind.dayOfWeek,
    height: '100%',
    nowIndicator: true,
    allDaySlot: false,
    // Nights are left out unless something lies in them.
    slotMinTime: '07:00',
    slotMaxTime: '20:00',
    flexibleSlotTimeLimits: { eventFilter: () => true },
    slotDuration: '00:30',
    snapDuration: '00:05',
    slotHeight: 38,
    slotWidth: 48,
    scrollTime,
    slotEventOverlap: false,
    dayMaxEvents: true,
    eventLongPressDelay: 400,
    selectLongPressDelay: 400,
    displayEventEnd: true,
    eventTimeFormat: (start, end) =>
      end ? `${hourFormat.format(start)} – ${hourFormat.format(end)}` : hourFormat.format(start),
    slotLabelFormat: start => hourFormat.format(start),
    noEventsContent: texts.nothing,
    moreLinkContent: ({ num }) => texts.more(num),
    buttonText: text => ({ ...text, close: texts.close }),
    eventContent: contentOf,
    // The button is inside it.
    eventDidMount: ({ el }) => {
      el.removeAttribute('role')
      el.removeAttribute('tabindex')
    },
    views: {
      resourceTimelineWeek: {
        slotDuration: '01:00',
        snapDuration: '00:15',
        slotWidth: 34,
        slotLabelFormat: start => String(start.getHours()),
      },
      listWeek: { listDayFormat: { weekday: 'long' }, listDaySideFormat: { day: 'numeric', month: 'long' } },
    },
  }
}

function deeds(props: () => Props): Kind.Options {
  const placed = (event: Kind.Event, revert: () => void) =>
    props().onMove({
      uuid: String(event.id),
      resourceUuid: event.resourceIds[0] === undefined ? null : String(event.resourceIds[0]),
      start: localOf(event.start),
      end: localOf(event.end),
      revert,
    })
  return {
    editable: true,
    eventStartEditable: true,
    eventDurationEditable: true,
    selectable: true,
    eventClick: ({ event }) => {
      const { uuid } = event.extendedProps as Mark['extendedProps']
      if (uuid) props().onOpen(uuid)
    },
    eventDrop: ({ event, revert }) => placed(event, revert),
    eventResize: ({ event, revert }) => placed(event, revert),
    dateClick: ({ date, resource }) => {
      const start = localOf(date)
      props().onPlace({ resourceUuid: resource?.id ?? null, start, end: start })
    },
    select: ({ start, end, resource }) =>
      props().onPlace({ resourceUuid: resource?.id ?? null, start: localOf(start), end: localOf(end) }),
  }
}

/** Text only: what consumers typed is never read as HTML. */
function contentOf({ event, timeText, view }: Kind.EventContentInfo): Kind.Content | undefined {
  const { people, label, place, isBand } = event.extendedProps as Mark['extendedProps']
  const line = (kind: string, text: string) => {
    const element = document.createElement('span')
    element.className = kind
    element.textContent = text
    return element
  }
  if (isBand) return { domNodes: event.title ? [line('band-name', String(event.title))] : [] }
  // The state first: on a short one it is all that fits beside the name.
  const who = [label, people || texts.nobody].filter(Boolean).join(' ')
  const isMonth = view.type === 'dayGridMonth'
  const isRow = isMonth || view.type.startsWith('resourceTimeline')
  const where = view.type === 'resourceTimeGridDay' ? undefined : place
  const what = [timeText, String(event.title), where].filter(Boolean).join(' · ')
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'mark'
  button.dataset.uuid = String(event.id)
  button.append(
    line('mark-who', isMonth ? `${timeText.split(' – ')[0]} ${who}` : who),
    ...(isRow ? [] : [line('mark-what', what)]),
  )
  return { domNodes: [button] }
}

const two = (value: number) => String(value).padStart(2, '0')

/** The library hands out clock times as dates of the browser's own zone. */
const localOf = (date: Date) =>
  `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`

const offsetName = (minutes: number) =>
  `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`
