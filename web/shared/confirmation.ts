import { badgePaths } from './badge.ts'
import { isMeeting, phoneCall, splitCall } from './call-link.ts'
import { mapLink } from './map-link.ts'
import { splitDate } from './whole-date.ts'

// The confirmation of a booking. The widget shows it after booking, the server behind the link in the email and without
// JavaScript: each passes the function that draws an element, as nodes or as HTML. Its styles: confirmation-style.ts.

type Attributes = Record<string, unknown> | null
export type Child<Node> = Node | string | number | false | null | undefined | readonly Child<Node>[]
export type Draw<Node> = (tag: string, attributes: Attributes, ...children: Child<Node>[]) => Node

export type Fact<Node> = readonly [name: string, value: Child<Node>]

/** `page` is the address of the confirmation; those of the entry are below it. */
export type Calendar = { title: string; level: 'h2' | 'h4'; page: string }

export type Confirmation<Node> = {
  status: keyof typeof badgePaths
  heading: Child<Node>
  hint: string
  /** Kept on one line of the hint. */
  email?: string
  /** Below the hint: the link to keep, or a way to correct the address. */
  contact?: Child<Node>
  /** A fact without a value is left out. */
  facts: readonly Fact<Node>[]
  notes?: Child<Node>
  calendar: Calendar | false | null
  /** Reschedule, cancel, book another. */
  actions: Child<Node>
}

export const confirmation = <Node>(h: Draw<Node>, said: Confirmation<Node>): Child<Node>[] => [
  badge(h, said.status),
  said.heading,
  h('p', null, wholeAddress(h, said.hint, said.email)),
  said.contact,
  factList(h, said.facts),
  said.notes,
  said.calendar && calendarLinks(h, said.calendar),
  said.actions,
]

/** How a booking stands. */
export const badge = <Node>(h: Draw<Node>, status: Confirmation<Node>['status']): Node =>
  h(
    'span',
    { class: `badge ${status}`, 'aria-hidden': 'true' },
    h('svg', { viewBox: '0 0 24 24' }, h('path', { d: badgePaths[status], pathLength: 1 })),
  )

/** The address and the full stop stay on one line if possible: a line must not break at its hyphen. */
function wholeAddress<Node>(h: Draw<Node>, text: string, address = ''): Child<Node> {
  const at = address ? text.indexOf(address) : -1
  return at < 0 ? text : [text.slice(0, at), h('span', { class: 'whole' }, text.slice(at))]
}

export const factList = <Node>(h: Draw<Node>, facts: readonly Fact<Node>[]): Node =>
  h(
    'dl',
    { class: 'facts' },
    facts.map(
      ([name, value]) => value && h('div', null, h('dt', null, name), h('dd', null, h('bdi', null, value))),
    ),
  )

/** What was booked, and with which business. */
export const whatLines = <Node>(
  h: Draw<Node>,
  product: string,
  resource: string,
  provider: string,
): Child<Node> => [[product, resource].filter(Boolean).join(', '), h('br', null), provider]

/** Day and time, each on a line of its own, then the zone. */
export const whenLines = <Node>(
  h: Draw<Node>,
  [day, time]: readonly [day: string, time: string],
  ...zones: Child<Node>[]
): Child<Node> => [
  h('strong', null, dateLine(h, day), h('br', null), dateLine(h, time)),
  zones.map(zone => zone && [h('br', null), h('span', { class: 'soft' }, zone)]),
]

/** Breaks after the weekday first, and within the date only where it is wider than the screen. */
export function dateLine<Node>(h: Draw<Node>, line: string): Child<Node> {
  const [weekday, date, rest] = splitDate(line)
  return [weekday, date && h('span', { class: 'whole' }, date), rest]
}

type WhereTexts = { showOnMap: string | false; joinOnline: string }

/** A call is a link. An address to visit is on a map. */
export function whereLines<Node>(
  h: Draw<Node>,
  place: string | null,
  { showOnMap, joinOnline }: WhereTexts,
): Child<Node> {
  const [before, call, after] = splitCall(place ?? '')
  return call
    ? [
        before,
        isMeeting(call)
          ? h('a', { href: call, ...elsewhere }, joinOnline)
          : h('a', { href: phoneCall(call) }, call),
        after,
      ]
    : before && [
        before,
        showOnMap && h('a', { class: 'line map', href: mapLink(before), ...elsewhere }, showOnMap),
      ]
}

export const elsewhere = { target: '_blank', rel: 'noreferrer' }

export function calendarLinks<Node>(h: Draw<Node>, { title, level, page }: Calendar): Node {
  const link = (name: string, to: Attributes) => h('a', { class: 'button quiet', ...to }, name)
  return h(
    'section',
    { class: 'calendar', part: 'calendar', 'aria-label': title },
    h(level, null, title),
    h(
      'p',
      { class: 'row' },
      link('Apple / ICS', { href: `${page}/appointment.ics`, download: true }),
      link('Google', { href: `${page}/google`, ...elsewhere }),
      link('Outlook', { href: `${page}/outlook`, ...elsewhere }),
    ),
  )
}
