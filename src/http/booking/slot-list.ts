import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { ResourceWindow } from '../../db/booking/windows.ts'
import { invalidField } from '../../errors.ts'
import { runInSteps } from '../../lib/run-in-steps.ts'
import type { Bookable } from '../../rules/offers/bookables.ts'
import type { Product } from '../../rules/offers/window.ts'
import { type Contact, shownContact } from '../../rules/people/contacts.ts'
import { compilePattern, namesFor, type Pattern } from '../../rules/time/patterns.ts'
import { type Times, timesIn } from './format-times.ts'

// Writes slot lists as JSON by hand, because thousands of slots share almost all of their text; zone offsets
// are looked up per period, never per slot.

export type ListFormats = {
  group: Pattern
  time: Pattern
  /** Both as requested. */
  groupFormat: string
  timeFormat: string
  languageTag: string | null
  /** Products once, after the groups; slots have their positions. */
  withProductIds?: boolean
}

const patterns = new LRUCache<string, Pattern>({ max: 500 })

/** Compiled once: most requests use the same few patterns. */
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
  const { error } = result
  throw error.reason === 'letter'
    ? invalidField(field, 'pattern:letter', { letter: error.letter })
    : invalidField(field, `pattern:${error.reason}`)
}

type Listed = { loaded: ResourceWindow; bookables: Bookable[] }

/** Bytes in parts: they are joined only when sent. */
type Written = { parts: Buffer[]; length: number }

/**
 * A part of a list: `"2026-03-04":[{...},{...}],` for each of its groups, and the positions of their slots.
 * Until it is copied into the whole list, it consists of the byte arrays that all slots share.
 */
export type Piece = {
  parts: Buffer[]
  length: number
  groups: Group[]
  /** Identifies the content. */
  digest: string
}
type Group = { label: string; from: number; to: number }

/**
 * This many slots take a fraction of a millisecond; checking the clock for each would cost as much as writing
 * it.
 */
const slotsBetweenLooks = 50

/** Writes parts of lists of these Resources, for instants in [first, last]. */
export class SlotWriter {
  writers: Writer[]
  /** The zones, languages and patterns. */
  formatKey: string

  constructor(resources: ResourceWindow[], formats: ListFormats, first: number, last: number) {
    const write = formats.withProductIds ? positionsIn(tableOf(resources)) : productsPart
    const times = new Map<string, Writer['timesOf']>()
    this.writers = resources.map(loaded => slotWriter(loaded, formats, write, { first, last, times }))
    this.formatKey = this.writers.map(one => one.formatKey).join()
  }

  /**
   * `lists`: the slots of each Resource; `booked`: the places taken that day. A generator, to run in small
   * steps.
   */
  *write(lists: Bookable[][], booked: number[] = []): Generator<void, Piece> {
    const piece = new PieceWriter(this.formatKey)
    if (lists.length === 1) yield* this.writeOne(piece, lists[0]!)
    else yield* this.writeAll(piece, lists, booked)
    return piece.end()
  }

  /** The common case: one Resource. */
  *writeOne(piece: PieceWriter, bookables: Bookable[]): Generator<void, void> {
    const [writer] = this.writers
    for (let index = 0; index < bookables.length; index++) {
      piece.write(bookables[index]!, writer!)
      if (index % slotsBetweenLooks === slotsBetweenLooks - 1) yield
    }
  }

  *writeAll(piece: PieceWriter, lists: Bookable[][], booked: number[]): Generator<void, void> {
    let written = 0
    for (const [of, bookable] of inOrder(lists, booked)) {
      piece.write(bookable, this.writers[of]!)
      if (++written % slotsBetweenLooks === 0) yield
    }
  }
}

/** Refuses what would be too long, as soon as that is known. */
export class SizeCheck {
  bytes = 0

  add({ length }: Piece) {
    this.bytes += length
    if (this.bytes > maxBytes) throw tooLong()
  }
}

const tooLong = () => invalidField('to', 'max:bytes', { limit: maxBytes })

class PieceWriter {
  parts: Buffer[] = []
  length = 0
  groups: Group[] = []
  group: Group | null = null
  /**
   * The formats; the first slot of each group; for the others, the distance and length where they change, and
   * the text after the times where it changes, the second time by its number.
   */
  content: string[]
  before: Bookable | null = null
  step = 0
  rest: Rest | null = null
  rests = new Map<Rest, string>()

  constructor(formatKey: string) {
    this.content = [formatKey]
  }

  write(bookable: Bookable, { timesOf, restOf }: Writer) {
    this.add(bookable, timesOf(bookable.start, bookable.end), restOf(bookable))
  }

  add(bookable: Bookable, { label, bytes }: Times, rest: Rest) {
    if (this.group?.label === label) {
      this.put(bytes)
      this.noteStep(this.before!, bookable)
    } else {
      this.begin(label)
      // Without the comma.
      this.put(bytes.subarray(1))
      this.content.push(bytes.toString())
    }
    this.put(rest.bytes)
    if (rest !== this.rest) this.content.push(this.rests.get(rest) ?? this.number(rest))
    this.before = bookable
    this.rest = rest
  }

  number(rest: Rest): string {
    this.rests.set(rest, `#${this.rests.size};`)
    return rest.key
  }

  noteStep(before: Bookable, { start, end }: Bookable) {
    const [step, length] = [start - before.start, end - start]
    const isAsBefore = step === this.step && length === before.end - before.start
    this.content.push(isAsBefore ? '.' : `${step}+${length};`)
    this.step = step
  }

  put(bytes: Buffer) {
    this.parts.push(bytes)
    this.length += bytes.length
  }

  begin(label: string) {
    this.close()
    const name = `${JSON.stringify(label)}:[`
    this.put(Buffer.from(name))
    this.content.push(name)
    this.group = { label, from: this.length, to: 0 }
    this.groups.push(this.group)
  }

  close() {
    if (!this.group) return
    this.group.to = this.length
    this.put(groupEnd)
  }

  end(): Piece {
    this.close()
    const { parts, length, groups, content } = this
    return { parts, length, groups, digest: length > 0 ? hash('sha1', content.join(''), 'base64url') : '' }
  }
}

const groupEnd = Buffer.from('],')

/**
 * Merges the slots of several Resources by start; at equal starts, the Resource with the fewest bookings that
 * day comes first, then the one named first. So clients that take the first slot distribute bookings evenly.
 */
function* inOrder(lists: Bookable[][], booked: number[]): Generator<[of: number, bookable: Bookable]> {
  const byStart = new Map<number, [of: number, bookable: Bookable][]>()
  const order = [...lists.keys()].sort((a, b) => (booked[a] ?? 0) - (booked[b] ?? 0))
  for (const of of order)
    for (const bookable of lists[of]!) {
      const known = byStart.get(bookable.start)
      if (known) known.push([of, bookable])
      else byStart.set(bookable.start, [[of, bookable]])
    }
  for (const start of [...byStart.keys()].sort((a, b) => a - b)) yield* byStart.get(start)!
}

const usualEnd = ',"public_visible":true}'

/** What comes after the groups of a list. */
export function endOf(resources: ResourceWindow[], { withProductIds }: ListFormats): string {
  if (!withProductIds) return usualEnd
  const products = tableOf(resources).map(({ uuid, name }) => ({ uuid, name }))
  return `,"products":${JSON.stringify(products)}${usualEnd}`
}

/** A list that only a program could want, and that would take the time of others. */
const maxBytes = 16_000_000

/**
 * `{"2026-03-04": [...], "public_visible": true}`, groups and slots ordered by time; null if there are none.
 */
export function joinPieces(pieces: Piece[], end: string): Written | null {
  const groups = pieces.flatMap(one => one.groups)
  if (groups.length === 0) return null
  const labels = new Set(groups.map(one => one.label))
  for (const name of ['public_visible', 'products'])
    if (labels.has(name) && end.includes(`"${name}":`))
      throw invalidField('groupFormat', 'group-name', { name })
  const parts = labels.size === groups.length ? allOf(pieces) : merged(pieces)
  // Replaces the trailing comma.
  parts.push(parts.pop()!.subarray(0, -1), Buffer.from(end))
  let length = 0
  for (let index = 0; index < parts.length; index++) length += parts[index]!.length
  return { parts, length }
}

/** Filled by index: lists have thousands of parts, and this leaves no garbage. */
function allOf(pieces: Piece[]): Buffer[] {
  const parts: Buffer[] = [begin]
  for (const { parts: some } of pieces)
    for (let index = 0; index < some.length; index++) parts.push(some[index]!)
  return parts
}

const begin = Buffer.from('{')
const comma = Buffer.from(',')

/** For patterns that give separate slots the same label, such as weekdays. */
function merged(pieces: Piece[]): Buffer[] {
  const byLabel = new Map<string, Buffer[]>()
  for (const piece of pieces) {
    const bytes = inOne(piece)
    for (const { label, from, to } of piece.groups) {
      const known = byLabel.get(label)
      if (known) known.push(comma, bytes.subarray(from, to))
      else byLabel.set(label, [bytes.subarray(from, to)])
    }
  }
  const groups = [...byLabel].flatMap(([label, parts]) => [
    Buffer.from(`${JSON.stringify(label)}:[`),
    ...parts,
    groupEnd,
  ])
  return [begin, ...groups]
}

/** Its bytes, from now on in one part. */
export function inOne(piece: Piece): Buffer {
  if (piece.parts.length > 1) piece.parts = [Buffer.concat(piece.parts, piece.length)]
  return piece.parts[0] ?? Buffer.alloc(0)
}

/** The JSON of a single piece, without its last comma. */
export const groupsOf = ({ parts, length }: Piece): string =>
  `{${Buffer.concat(parts, length).toString().slice(0, -1)}}`

/** Makes the pieces views of the joined body, so that their bytes are not kept twice. */
export function shareBytes(body: Buffer, pieces: Piece[], end: string) {
  const length = pieces.reduce((sum, one) => sum + one.length, 0)
  if (body.length !== 1 + length - 1 + Buffer.byteLength(end)) return
  let at = 1
  for (const piece of pieces) {
    piece.parts = piece.length > 0 ? [body.subarray(at, at + piece.length)] : []
    at += piece.length
  }
}

/** A list that is not cached, or with another end. */
export async function renderList(
  lists: Listed[],
  formats: ListFormats,
  end = usualEnd,
): Promise<Written | null> {
  const bookables = lists.map(one => one.bookables)
  const resources = lists.map(one => one.loaded)
  const writer = new SlotWriter(resources, formats, ...periodOf(bookables))
  return joinPieces([await runInSteps(writer.write(bookables))], end)
}

/** Every Product that these Resources can list, in the same order each time. */
function tableOf(resources: ResourceWindow[]): Product[] {
  const all = resources.flatMap(({ window }) => [...window.products, ...(window.unlinked ?? [])])
  return [...new Map(all.map(one => [one.uuid, one])).values()]
}

/** `product_name` only of a single one: all names in each slot would be as long as the list. */
function positionsIn(table: Product[]): typeof productsPart {
  const positions = new Map(table.map((one, index) => [one.uuid, index]))
  return products => {
    const only = products.length === 1 ? products[0]! : null
    const ids = products.map(({ uuid }) => positions.get(uuid))
    return `,"product_uuid":${JSON.stringify(only?.uuid ?? null)},"product_name":${JSON.stringify(only?.name ?? null)},"products":[${ids}]`
  }
}

/** From the first start to the last end. */
export function periodOf(lists: Iterable<Bookable[]>): [first: number, last: number] {
  let [first, last] = [Number.POSITIVE_INFINITY, 0]
  for (const bookables of lists)
    for (const { start, end } of bookables) {
      first = Math.min(first, start)
      last = Math.max(last, end)
    }
  return [Math.min(first, last), last]
}

/** The text after the times of a slot, identified by its key; the same object while it stays the same. */
type Rest = { key: string; bytes: Buffer }
type Writer = {
  timesOf: (start: number, end: number) => Times
  restOf: (bookable: Bookable) => Rest
  formatKey: string
}

/** `times`: what Resources with the same zone and formats share. */
type Period = { first: number; last: number; times: Map<string, Writer['timesOf']> }

function slotWriter(
  loaded: ResourceWindow,
  formats: ListFormats,
  write: typeof productsPart,
  { first, last, times }: Period,
): Writer {
  const { timeZone: zone, language } = loaded.provider
  const { group, time, groupFormat, timeFormat, languageTag } = formats
  const spoken = languageTag && namesFor(languageTag) ? languageTag : language
  const key = JSON.stringify([zone, spoken, groupFormat, timeFormat])
  const writing = { zone, group, time, names: namesFor(spoken)!, key }
  const timesOf = times.get(key) ?? timesIn(writing, first, last)
  times.set(key, timesOf)
  return { timesOf, restOf: restWriter(loaded, write), formatKey: key }
}

/** The text after the times: equal for consecutive slots of a Timeslot. */
function restWriter({ resource, provider }: ResourceWindow, write: typeof productsPart) {
  const contactPart = (contact: Contact) => {
    const [channel] = shownContact(contact, provider).channels
    return JSON.stringify(channel ? { type: channel.type, value: channel.value } : null)
  }
  const names = `,"resource_uuid":"${resource.uuid}","resource_name":${JSON.stringify(resource.name)}`
  const ofResource = contactPart(resource.contact)
  const textsOf = productTexts(write)
  let known: Bookable | null = null
  let products = { text: '', key: '' }
  let rest: Rest = { key: '', bytes: Buffer.alloc(0) }
  return (bookable: Bookable) => {
    if (known && isAlike(known, bookable)) return rest
    const { timeslotUuid, appointment, capacity, capacityLeft } = bookable
    if (!known || !areSame(known.products, bookable.products)) products = textsOf(bookable.products)
    known = bookable
    const before = `,"timeslot_uuid":"${timeslotUuid}"${appointment ? `,"appointment_uuid":"${appointment.uuid}"` : ''}`
    const after = `${pricePart(appointment)}${names},"contact_channel":${
      appointment?.contact ? contactPart(appointment.contact) : ofResource
    },"capacity":${capacity},"capacity_left":${capacityLeft},"kind":"${
      appointment ? 'models.LotAppointment' : 'models.Bookable'
    }"}`
    rest = {
      key: `${before}${products.key}${after}`,
      bytes: Buffer.from(`${before}${products.text}${after}`),
    }
    return rest
  }
}

/** The slots of all days have the same few sets of Products: a long text is written and hashed once for each. */
function productTexts(write: typeof productsPart) {
  const known = new Map<Product[], { text: string; key: string }>()
  return (products: Product[]) => {
    const made = known.get(products)
    if (made) return made
    const text = write(products)
    const isLong = products.length > 1
    const texts = { text, key: isLong ? hash('sha1', text, 'base64url') : text }
    if (isLong) known.set(products, texts)
    return texts
  }
}

/** Only if set: some group Appointments have a price, slots never do. */
function pricePart(appointment: Bookable['appointment']): string {
  return appointment?.price ? `,"price":${JSON.stringify(appointment.price)}` : ''
}

function isAlike(one: Bookable, other: Bookable): boolean {
  return (
    one.timeslotUuid === other.timeslotUuid &&
    one.appointment === other.appointment &&
    one.capacity === other.capacity &&
    one.capacityLeft === other.capacityLeft &&
    areSame(one.products, other.products)
  )
}

const areSame = (some: Product[], others: Product[]) =>
  some === others || (some.length === others.length && some.every((one, index) => one === others[index]))

function productsPart(products: Bookable['products']): string {
  const only = products.length === 1 ? products[0]! : null
  const names = products.map(product => product.name).join(', ')
  return (
    `,"product_uuid":${JSON.stringify(only?.uuid ?? null)},"product_name":${JSON.stringify(names)}` +
    `,"products":${JSON.stringify(products.map(({ uuid, name }) => ({ uuid, name })))}`
  )
}
