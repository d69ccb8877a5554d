import type { ResourceWindow } from '../db/windows.ts'
import { invalidField } from '../errors.ts'
import type { Bookable } from '../rules/bookables.ts'
import { shownContact } from '../rules/contacts.ts'
import type { LocalParts } from '../rules/civil.ts'
import { compilePattern, formatPattern, type Names, namesFor, type Pattern } from '../rules/patterns.ts'
import { localParts, offsetAt, toOffsetText, zoneOffsets } from '../rules/time.ts'

// Writes slot lists as JSON. Thousands of slots share almost all of their text, so it is put together by hand; zone
// offsets are looked up by period and never by slot.

export type ListFormats = { group: Pattern; time: Pattern; languageTag: string | null }

export function readPattern(field: string, text: string): Pattern {
  const result = compilePattern(text)
  if ('pattern' in result) return result.pattern
  const problems = {
    letter: 'letter' in result.error ? `"${result.error.letter}" is not a letter of date patterns.` : '',
    'unterminated-quote': 'A quote is not closed.',
    'too-long': 'The pattern is too long.',
  }
  throw invalidField(field, `${field} is not a valid pattern: ${problems[result.error.reason]}`)
}

export type Listed = { loaded: ResourceWindow; bookables: Bookable[] }

/** `{"2026-03-04": [...], "public_visible": true}`, groups and slots in the order of time; null when there are none. */
export async function renderList(lists: Listed[], formats: ListFormats): Promise<Buffer | null> {
  const groups = new Map<string, Group>()
  const writers = lists.map(one => slotWriter(one, formats))
  let written = 0
  for (const { bookable, write } of inOrder(lists, writers)) {
    write(bookable, groups)
    if (++written % slotsInOneGo !== 0) continue
    for (const group of groups.values()) encode(group)
    await letOthersWork()
  }
  if (groups.size === 0) return null
  if (groups.has('public_visible'))
    throw invalidField('groupFormat', 'groupFormat must not give "public_visible".')
  for (const group of groups.values()) encode(group)
  return Buffer.concat([...groups.values().flatMap(group => group.bytes), Buffer.from('],"public_visible":true}')])
}

/** Some milliseconds of work: a year of slots must not make everybody else wait. */
const slotsInOneGo = 1_000
const letOthersWork = () => new Promise(resolve => setImmediate(resolve))

/** What is written of a group: pieces of text, and the bytes that earlier pieces have become. */
type Group = { pieces: string[]; bytes: Buffer[] }

// Joined only now: adding text to text piece by piece leaves ten times as much for the garbage collector.
function encode({ pieces, bytes }: Group) {
  if (pieces.length === 0) return
  bytes.push(Buffer.from(pieces.join('')))
  pieces.length = 0
}

type Writer = (bookable: Bookable, groups: Map<string, Group>) => void

function inOrder(lists: Listed[], writers: Writer[]) {
  const all = lists.flatMap(({ bookables }, index) =>
    bookables.map(bookable => ({ bookable, write: writers[index]! })),
  )
  return lists.length > 1 ? all.sort((a, b) => a.bookable.start - b.bookable.start) : all
}

function slotWriter({ loaded, bookables }: Listed, { group, time, languageTag }: ListFormats): Writer {
  const { resource, provider } = loaded
  const names = (languageTag && namesFor(languageTag)) || namesFor(provider.language)!
  const momentAt = momentWriter(provider.timeZone, bookables, time, names)
  const [channel] = shownContact(resource.contact, provider).channels
  const tail =
    `,"resource_uuid":"${resource.uuid}","resource_name":${JSON.stringify(resource.name)},"contact_channel":` +
    JSON.stringify(channel ? { type: channel.type, value: channel.value } : null)
  const restOf = restWriter(tail)

  return (bookable, groups) => {
    const start = momentAt(bookable.start)
    const label = formatPattern(group, start.parts, names)
    const end = momentAt(bookable.end)
    const known = groups.get(label)
    const pieces = known?.pieces ?? begin(groups, label)
    pieces.push(known ? ',{"start":"' : '{"start":"', start.iso, '","end":"', end.iso)
    pieces.push('","formattedStart":', start.text, ',"formattedEnd":', end.text, restOf(bookable))
  }
}

function begin(groups: Map<string, Group>, label: string): string[] {
  const pieces = [`${groups.size === 0 ? '{' : '],'}${JSON.stringify(label)}:[`]
  groups.set(label, { pieces, bytes: [] })
  return pieces
}

type Moment = { at: number; iso: string; text: string; parts: LocalParts }

/** A slot mostly begins when the one before it ends, so the last moment is remembered. */
function momentWriter(timeZone: string, bookables: Bookable[], time: Pattern, names: Names) {
  const first = bookables[0]?.start ?? 0
  const last = bookables.reduce((latest, one) => Math.max(latest, one.end), first)
  const offsets = zoneOffsets(timeZone, first, last)
  const write = (at: number): Moment => {
    const offset = offsetAt(offsets, at)
    const parts = localParts(at, offset)
    return { at, iso: toOffsetText(at, offset), text: JSON.stringify(formatPattern(time, parts, names)), parts }
  }
  let known = write(first)
  return (at: number) => {
    if (at !== known.at) known = write(at)
    return known
  }
}

/** Everything behind the times: the same for slot after slot of a Timeslot. */
function restWriter(tail: string) {
  let known: Bookable | null = null
  let text = ''
  return (bookable: Bookable) => {
    if (known && isAlike(known, bookable)) return text
    const { timeslotUuid, appointment, capacity, capacityLeft } = bookable
    known = bookable
    text =
      `,"timeslot_uuid":"${timeslotUuid}"${appointment ? `,"appointment_uuid":"${appointment.uuid}"` : ''}` +
      `${productsPart(bookable.products)}${tail},"capacity":${capacity},"capacity_left":${capacityLeft}` +
      `,"kind":"${appointment ? 'models.LotAppointment' : 'models.Bookable'}"}`
    return text
  }
}

function isAlike(one: Bookable, other: Bookable): boolean {
  return (
    one.timeslotUuid === other.timeslotUuid &&
    one.appointment === other.appointment &&
    one.capacity === other.capacity &&
    one.capacityLeft === other.capacityLeft &&
    one.products.length === other.products.length &&
    one.products.every((product, index) => product === other.products[index])
  )
}

function productsPart(products: Bookable['products']): string {
  const only = products.length === 1 ? products[0]! : null
  return (
    `,"product_uuid":${JSON.stringify(only?.uuid ?? null)},"product_name":${JSON.stringify(only?.name ?? null)}` +
    `,"products":${JSON.stringify(products.map(({ uuid, name }) => ({ uuid, name })))}`
  )
}
