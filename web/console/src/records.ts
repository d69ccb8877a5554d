import type { components } from '../../../clients/ts/src/schema.ts'

// What the console API answers, as far as several pages use it.

/** What the service answers, by the names of its own document. */
export type Schemas = components['schemas']
export type Product = Schemas['Product']
export type Resource = Schemas['Resource']
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
/** `products`: none named means all. */
export type CalendarResource = Schemas['CalendarResource']
export type OpenTime = Schemas['CalendarTimeslot']
/** `resources`: null means all of them. */
export type CalendarPeriod = Schemas['CalendarPeriod']

/** They take a place: booked, asked for, or held just now. */
export const isIn = ({ state }: Person) => state === 'BOOKED' || state === 'REQUESTED' || state === 'RESERVED'
export const peopleIn = ({ people }: Entry) => people.filter(isIn)

/** So long a courtesy lasts. */
const graceMinutes = 5

/** By how many minutes somebody is late who should be there by now; null: they are not. After its end it is no longer late, but missed. */
export function lateBy({ start, end, state }: Entry, person: Person, now: number): number | null {
  if (state !== 'ACTIVE' || person.state !== 'BOOKED' || person.attendance || now >= Date.parse(end))
    return null
  const minutes = Math.floor((now - Date.parse(start)) / 60_000)
  return minutes >= graceMinutes ? minutes : null
}
