import type { ResourceWindow } from '../db/windows.ts'
import { invalidField } from '../errors.ts'
import type { Bookable } from '../rules/bookables.ts'
import { shownContact } from '../rules/contacts.ts'
import { compilePattern, formatPattern, namesFor, type Pattern } from '../rules/patterns.ts'
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
export async function renderList(lists: Listed[], formats: ListFormats): Promise<string | null> {
  const groups = new Map<string, string[]>()
  const writers = lists.map(one => slotWriter(one, formats))
  let written = 0
  for (const { bookable, write } of inOrder(lists, writers)) {
    const { label, text } = write(bookable)
    const group = groups.get(label)
    if (group) group.push(text)
    else groups.set(label, [text])
    if (++written % slotsInOneGo === 0) await letOthersWork()
  }
  if (groups.size === 0) return null
  if (groups.has('public_visible'))
    throw invalidField('groupFormat', 'groupFormat must not give "public_visible".')
  const parts = [...groups].map(([label, texts]) => `${JSON.stringify(label)}:[${texts.join(',')}]`)
  return `{${parts.join(',')},"public_visible":true}`
}

/** Some milliseconds of work: a year of slots must not make everybody else wait. */
const slotsInOneGo = 2_000
const letOthersWork = () => new Promise(resolve => setImmediate(resolve))

type Writer = (bookable: Bookable) => { label: string; text: string }

function inOrder(lists: Listed[], writers: Writer[]) {
  const all = lists.flatMap(({ bookables }, index) =>
    bookables.map(bookable => ({ bookable, write: writers[index]! })),
  )
  return lists.length > 1 ? all.sort((a, b) => a.bookable.start - b.bookable.start) : all
}

function slotWriter({ loaded, bookables }: Listed, { group, time, languageTag }: ListFormats): Writer {
  const { resource, provider } = loaded
  const first = bookables[0]?.start ?? 0
  const last = bookables.reduce((latest, one) => Math.max(latest, one.end), first)
  const offsets = zoneOffsets(provider.timeZone, first, last)
  const names = (languageTag && namesFor(languageTag)) || namesFor(provider.language)!
  const [channel] = shownContact(resource.contact, provider).channels
  const tail =
    `,"resource_uuid":"${resource.uuid}","resource_name":${JSON.stringify(resource.name)},"contact_channel":` +
    JSON.stringify(channel ? { type: channel.type, value: channel.value } : null)
  const productsText = memoised((products: Bookable['products']) => productsPart(products))

  return bookable => {
    const { start, end, timeslotUuid, appointment, capacity, capacityLeft } = bookable
    const startOffset = offsetAt(offsets, start)
    const endOffset = offsetAt(offsets, end)
    const startParts = localParts(start, startOffset)
    const text =
      `{"start":"${toOffsetText(start, startOffset)}","end":"${toOffsetText(end, endOffset)}"` +
      `,"formattedStart":${JSON.stringify(formatPattern(time, startParts, names))}` +
      `,"formattedEnd":${JSON.stringify(formatPattern(time, localParts(end, endOffset), names))}` +
      `,"timeslot_uuid":"${timeslotUuid}"${appointment ? `,"appointment_uuid":"${appointment.uuid}"` : ''}` +
      `${productsText(bookable.products)}${tail},"capacity":${capacity},"capacity_left":${capacityLeft}` +
      `,"kind":"${appointment ? 'models.LotAppointment' : 'models.Bookable'}"}`
    return { label: formatPattern(group, startParts, names), text }
  }
}

function productsPart(products: Bookable['products']): string {
  const only = products.length === 1 ? products[0]! : null
  return (
    `,"product_uuid":${JSON.stringify(only?.uuid ?? null)},"product_name":${JSON.stringify(only?.name ?? null)}` +
    `,"products":${JSON.stringify(products.map(({ uuid, name }) => ({ uuid, name })))}`
  )
}

/** Slots one after the other mostly offer the same Products. */
function memoised(write: (products: Bookable['products']) => string) {
  let known: Bookable['products'] = []
  let text = write(known)
  return (products: Bookable['products']) => {
    const same =
      products.length === known.length && products.every((product, index) => product === known[index])
    if (!same) {
      known = products
      text = write(products)
    }
    return text
  }
}
