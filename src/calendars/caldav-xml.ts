import { DOMParser, type Element, type Node } from '@xmldom/xmldom'
import { CalendarProblem } from './problem.ts'

// Answers of CalDAV servers. Namespaces are compared, never prefixes, because every server chooses its own.

const dav = 'DAV:'
const cal = 'urn:ietf:params:xml:ns:caldav'
const server = 'http://calendarserver.org/ns/'

export type DavEntry = {
  href: string
  isCalendar: boolean
  /** Whether it holds appointments; task lists do not. */
  holdsEvents: boolean
  name: string | null
  /** Changes whenever anything in the calendar changes. */
  token: string | null
  etag: string | null
  data: string | null
  principal: string | null
  home: string | null
}

export function readMultistatus(text: string): DavEntry[] {
  // No calendar server sends a document type; it is where entity bombs are.
  if (/<!DOCTYPE/i.test(text)) throw new CalendarProblem('format')
  const root = parse(text)
  if (root?.namespaceURI !== dav || root.localName !== 'multistatus') throw new CalendarProblem('format')
  return children(root, dav, 'response').map(readResponse)
}

function parse(text: string): Element | null {
  try {
    return new DOMParser({
      onError: level => {
        if (level !== 'warning') throw new Error(level)
      },
    }).parseFromString(text, 'application/xml').documentElement
  } catch {
    throw new CalendarProblem('format')
  }
}

function readResponse(response: Element): DavEntry {
  const found = children(response, dav, 'propstat')
    .filter(one => / 200( |$)/.test(textOf(child(one, dav, 'status')) ?? ''))
    .flatMap(one => children(one, dav, 'prop'))
  const property = (namespace: string, name: string) =>
    found.map(one => child(one, namespace, name)).find(one => one !== null) ?? null
  const type = property(dav, 'resourcetype')
  const components = property(cal, 'supported-calendar-component-set')
  const names = components && children(components, cal, 'comp').map(one => one.getAttribute('name'))
  const hrefIn = (parent: Element | null) => parent && textOf(child(parent, dav, 'href'))
  return {
    href: textOf(child(response, dav, 'href')) ?? '',
    isCalendar: type !== null && child(type, cal, 'calendar') !== null,
    holdsEvents: names === null || names.length === 0 || names.includes('VEVENT'),
    name: textOf(property(dav, 'displayname')),
    token: textOf(property(dav, 'sync-token')) ?? textOf(property(server, 'getctag')),
    etag: textOf(property(dav, 'getetag')),
    data: textOf(property(cal, 'calendar-data')),
    principal: hrefIn(property(dav, 'current-user-principal')),
    home: hrefIn(property(cal, 'calendar-home-set')),
  }
}

const isElement = (node: Node): node is Element => node.nodeType === 1

const children = (parent: Element, namespace: string, name: string): Element[] =>
  Array.from(parent.childNodes).filter(
    (one): one is Element => isElement(one) && one.namespaceURI === namespace && one.localName === name,
  )

const child = (parent: Element, namespace: string, name: string) =>
  children(parent, namespace, name)[0] ?? null

const textOf = (element: Element | null): string | null => element?.textContent?.trim() || null
