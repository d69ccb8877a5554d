import { LRUCache } from 'lru-cache'
import type { ResourceWindow } from '../../db/booking/windows.ts'
import { invalidField } from '../../errors.ts'
import { GroupWriter } from '../../lib/byte-writer.ts'
import { breather } from '../../lib/let-others-work.ts'
import type { Bookable } from '../../rules/bookables.ts'
import { type Contact, shownContact } from '../../rules/contacts.ts'
import { compilePattern, formatPattern, namesFor, type Pattern } from '../../rules/patterns.ts'
import { momentsOf } from './moments.ts'

// Writes slot lists as JSON. Thousands of slots share almost all of their text, so it is put together by hand; zone
// offsets are looked up by period and never by slot.

export type ListFormats = { group: Pattern; time: Pattern; timeFormat: string; languageTag: string | null }

const patterns = new LRUCache<string, Pattern>({ max: 500 })

/** Compiled once: the same few come with every request. */
export function readPattern(field: string, text: string): Pattern {
  const known = patterns.get(text)
  if (known) return known
  const pattern = compile(field, text)
  patterns.set(text, pattern)
  return pattern
}

function compile(field: string, text: string): Pattern {
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

/** Bytes in parts: nobody needs them as one before they are sent. */
export type Written = { parts: Iterable<Buffer>; length: number }

/** `{"2026-03-04": [...], "public_visible": true}`, groups and slots in the order of time; null when there are none. */
export const renderList = (lists: Listed[], formats: ListFormats) =>
  renderGroups(lists, formats, '],"public_visible":true}')

/** Groups alone, with what comes behind the last slot. */
export async function renderGroups(
  lists: Listed[],
  formats: ListFormats,
  end: string,
): Promise<Written | null> {
  const out = new GroupWriter()
  const takeBreath = breather()
  let written = 0
  for (const { bookable, write } of inOrder(lists, formats)) {
    write(bookable, out)
    if (++written % slotsBetweenLooks === 0) await takeBreath()
  }
  if (out.groups.size === 0) return null
  if (out.groups.has('public_visible'))
    throw invalidField('groupFormat', 'groupFormat must not give "public_visible".')
  const last = Buffer.from(end)
  return { parts: behind(out.written(), last), length: out.writer.length + last.length }
}

function* behind(parts: Iterable<Buffer>, last: Buffer) {
  yield* parts
  yield last
}

/** So few that they take a fraction of a millisecond: looking at the clock for each would cost as much as writing it. */
const slotsBetweenLooks = 50

type Writer = (bookable: Bookable, out: GroupWriter) => void

/** Of several Resources always the earliest slot that is left; of equals the one of the Resource named first. */
function* inOrder(lists: Listed[], formats: ListFormats) {
  const lines = lists.map(one => ({ bookables: one.bookables, next: 0, write: slotWriter(one, formats) }))
  const startOf = ({ bookables, next }: (typeof lines)[number]) =>
    bookables[next]?.start ?? Number.POSITIVE_INFINITY
  for (;;) {
    const line = lines.reduce((first, one) => (startOf(one) < startOf(first) ? one : first), lines[0]!)
    const bookable = line?.bookables[line.next++]
    if (!bookable) return
    yield { bookable, write: line.write }
  }
}

function slotWriter({ loaded, bookables }: Listed, formats: ListFormats): Writer {
  const { provider } = loaded
  const spoken =
    formats.languageTag && namesFor(formats.languageTag) ? formats.languageTag : provider.language
  const names = namesFor(spoken)!
  const key = `${provider.timeZone}\n${spoken}\n${formats.timeFormat}`
  const first = bookables[0]?.start ?? 0
  const last = bookables.reduce((latest, one) => Math.max(latest, one.end), first)
  const momentAt = momentsOf({ zone: provider.timeZone, time: formats.time, names, key }, first, last)
  const restOf = restWriter(loaded)

  return (bookable, out) => {
    const start = momentAt(bookable.start)
    const end = momentAt(bookable.end)
    const label = formatPattern(formats.group, start.parts, names)
    const isFirst = out.groups.size === 0
    const lead = out.turnTo(label) ? `${isFirst ? '{' : '],'}${JSON.stringify(label)}:[{` : ',{'
    out.writer.text(`${lead}${start.start}${end.end}${start.formattedStart}${end.formattedEnd}`)
    out.writer.bytes(restOf(bookable))
  }
}

/** Everything behind the times: the same for slot after slot of a Timeslot. */
function restWriter({ resource, provider }: ResourceWindow) {
  const contactPart = (contact: Contact) => {
    const [channel] = shownContact(contact, provider).channels
    return JSON.stringify(channel ? { type: channel.type, value: channel.value } : null)
  }
  const names = `,"resource_uuid":"${resource.uuid}","resource_name":${JSON.stringify(resource.name)}`
  const ofResource = contactPart(resource.contact)
  let known: Bookable | null = null
  let bytes = Buffer.alloc(0)
  return (bookable: Bookable) => {
    if (known && isAlike(known, bookable)) return bytes
    const { timeslotUuid, appointment, capacity, capacityLeft } = bookable
    known = bookable
    bytes = Buffer.from(
      `,"timeslot_uuid":"${timeslotUuid}"${appointment ? `,"appointment_uuid":"${appointment.uuid}"` : ''}` +
        `${productsPart(bookable.products)}${pricePart(appointment)}${names},"contact_channel":${
          appointment?.contact ? contactPart(appointment.contact) : ofResource
        },"capacity":${capacity},"capacity_left":${capacityLeft}` +
        `,"kind":"${appointment ? 'models.LotAppointment' : 'models.Bookable'}"}`,
    )
    return bytes
  }
}

/** Only where there is one: a few group Appointments have a price, slots never do. */
function pricePart(appointment: Bookable['appointment']): string {
  return appointment?.price ? `,"price":${JSON.stringify(appointment.price)}` : ''
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
  const names = products.map(product => product.name).join(', ')
  return (
    `,"product_uuid":${JSON.stringify(only?.uuid ?? null)},"product_name":${JSON.stringify(names)}` +
    `,"products":${JSON.stringify(products.map(({ uuid, name }) => ({ uuid, name })))}`
  )
}
