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
