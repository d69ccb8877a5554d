import type { components } from '../../../clients/ts/src/schema.ts'

// Types of the console API that several pages share.

/** Named as in the OpenAPI document. */
export type Schemas = components['schemas']
export type Product = Schemas['Product']
export type Resource = Schemas['Resource']
export type ListedResource = Schemas['ListedResource']
export type Channel = Schemas['Channel']
export type OpeningHours = Schemas['OpeningHours']
export type OpeningRule = Schemas['OpeningRule']
export type Contacts = Schemas['Contacts']
export type Profile = Schemas['ProviderProfile']
export type Closure = Schemas['Closure']
export type ProviderSettings = Schemas['ProviderSettings']

export type Person = Schemas['DiaryPerson']
export type Entry = Schemas['DiaryEntry']
export type Diary = Schemas['Diary']
export type CalendarProduct = Schemas['CalendarProduct']
/** An empty `products` means all. */
export type CalendarResource = Schemas['CalendarResource']
export type OpenTime = Schemas['CalendarTimeslot']
/** `resources: null` means all. */
export type CalendarPeriod = Schemas['CalendarPeriod']

export type HistoryLine = Schemas['AppointmentHistoryLine']
export type MailLine = Schemas['AppointmentMail']
export type AppointmentPage = Schemas['AppointmentPage']
export type ImportPage = Schemas['ImportPage']

/** They take up a place: booked, requested or on hold. */
export const isIn = ({ state }: Person) => state === 'BOOKED' || state === 'REQUESTED' || state === 'RESERVED'
export const peopleIn = ({ people }: Entry) => people.filter(isIn)

/** People may have several places each. */
export const placesTaken = (entry: Entry) => peopleIn(entry).reduce((sum, { places }) => sum + places, 0)

/** It has not started, and no customer has arrived. */
export const isToCome = (entry: Entry, now = Date.now()) =>
  Date.parse(entry.start) > now && peopleIn(entry).every(one => one.attendance !== 'ATTENDED')

/** Customers count as late only after this. */
const graceMinutes = 5

/** Minutes by which a customer is late, or null. After the end they count as a no-show instead. */
export function lateBy({ start, end, state }: Entry, person: Person, now: number): number | null {
  if (state !== 'ACTIVE' || person.state !== 'BOOKED' || person.attendance || now >= Date.parse(end))
    return null
  const minutes = Math.floor((now - Date.parse(start)) / 60_000)
  return minutes >= graceMinutes ? minutes : null
}

/** A Resource that names no Product offers all. */
export const offers = ({ products }: CalendarResource, product: Pick<CalendarProduct, 'uuid'>) =>
  products.length === 0 || products.includes(product.uuid)

type Address = { street?: string; number?: string; zip?: string; city?: string }

/** An address, structured or free text, on one line. */
export function addressLine(address: unknown): string {
  if (typeof address === 'string') return address
  if (typeof address !== 'object' || address === null) return ''
  const { street = '', number = '', zip = '', city = '' } = address as Address
  return [`${street} ${number}`.trim(), `${zip} ${city}`.trim()].filter(part => part !== '').join(', ')
}

/** The name shown for an Appointment. */
export const nameOf = (entry: Entry): string =>
  peopleIn(entry)
    .map(one => one.name)
    .filter(Boolean)
    .join(', ') || entry.product.name
