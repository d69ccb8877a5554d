import type { components } from '../../../clients/ts/src/schema.ts'

// What the console API answers, as far as several pages use it.

type Schemas = components['schemas']
export type Product = Schemas['Product']
export type Resource = Schemas['Resource']
export type Channel = Schemas['Channel']
export type OpeningHours = Schemas['OpeningHours']
export type OpeningRule = Schemas['OpeningRule']
export type Contacts = Schemas['Contacts']
export type Profile = Schemas['ProviderProfile']
export type Closure = Schemas['Closure']
export type ProviderSettings = Schemas['ProviderSettings']

export type PersonState = 'RESERVED' | 'REQUESTED' | 'BOOKED' | 'CANCELED' | 'DELETED'

export type Person = {
  uuid: string
  reference: string
  customer: { uuid: string; reference: string } | null
  name: string | null
  email: string | null
  mobile: string | null
  note: string | null
  state: PersonState
  attendance?: 'ATTENDED' | 'MISSED' | null
  expiresAt: string | null
}

export type Entry = {
  uuid: string
  reference: string
  origin: 'consumer' | 'provider'
  state: 'ACTIVE' | 'CANCELLED'
  start: string
  end: string
  blockedFrom: string
  blockedTo: string
  capacity: number
  acceptBookings: boolean
  resource: { uuid: string; name: string }
  product: { uuid: string; name: string }
  description: string | null
  notes: string | null
  address: unknown
  seriesId: string | null
  people: Person[]
}

export type Diary = { timeZone: string; now: string; entries: Entry[] }

export type CalendarProduct = {
  uuid: string
  name: string
  minDuration: number | null
  maxDuration: number | null
  leadTimeMinutes: number | null
  followUpTimeMinutes: number | null
}
/** `products`: none named means all. */
export type CalendarResource = { uuid: string; name: string; products: string[] }
export type OpenTime = {
  uuid: string
  resourceUuid: string
  start: string
  end: string
  raster: number
  capacity: number
  acceptBookings: boolean
  state: 'CREATED' | 'BOOKABLE'
}
/** `resources`: null means all of them. */
export type ClosedTime = {
  uuid: string
  from: string
  to: string
  reason: string
  resources: string[] | null
  isBlock: boolean
}

export type CalendarPeriod = {
  timeZone: string
  now: string
  next: string
  resources: CalendarResource[]
  products: CalendarProduct[]
  timeslots: OpenTime[]
  entries: Entry[]
  closures: ClosedTime[]
}

/** They take a place: booked, asked for, or held just now. */
export const isIn = ({ state }: Person) => state === 'BOOKED' || state === 'REQUESTED' || state === 'RESERVED'
export const peopleIn = ({ people }: Entry) => people.filter(isIn)
