// A copy of the service that is kept by events alone: the code of docs/mirror.md itself, which this runs.

import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import type { Caller } from './service.ts'

// biome-ignore lint/suspicious/noExplicitAny: records of all kinds
export type Copied = Record<string, any>
type Participation = { state: string; customerReference: string | null }
export type MirroredEvent = { kind: string; sequence: number; data: Copied }

const copiedNouns = ['appointment', 'customer', 'timeslot', 'resource', 'product'] as const
type Noun = (typeof copiedNouns)[number]

export type Reader = {
  appointment: (reference: string) => Promise<Copied>
  timeslots: (resourceReference: string, from: string, to: string) => Promise<Copied[]>
}
type Copy = {
  tables: Record<Noun, Map<string, Copied>>
  apply: (event: MirroredEvent) => Promise<void>
  appointments: () => Copied[]
  timeslots: () => Copied[]
}

const page = await readFile(new URL('../../docs/mirror.md', import.meta.url), 'utf8')
const code = /^```ts\n(\/\/ copy\.ts\n[\s\S]*?)^```/m.exec(page)![1]!
const recipe = `data:text/javascript,${encodeURIComponent(stripTypeScriptTypes(code))}`
const { makeCopy } = (await import(/* @vite-ignore */ recipe)) as { makeCopy: (read: Reader) => Copy }

/** A visitor holds the place for a few minutes. It ends without an event. */
const isVisitorsHold = ({ state, customerReference }: Participation) =>
  state === 'RESERVED' && customerReference === null

export function startMirror(read: Reader) {
  const copy = makeCopy(read)
  const rows = (noun: Noun) => {
    if (noun === 'appointment') return copy.appointments()
    return noun === 'timeslot' ? copy.timeslots() : [...copy.tables[noun].values()]
  }
  const list = (noun: Noun) => rows(noun).toSorted((one, other) => (one.uuid < other.uuid ? -1 : 1))
  return { apply: copy.apply, list }
}

export type Mirror = ReturnType<typeof startMirror>

/** What the service shows, without visitors' holds and Appointments that have only those. */
export async function listed(crm: Caller, path: string): Promise<Record<Noun, Copied[]>> {
  const get = async (rest: string): Promise<Copied[]> => {
    const { status, body } = await crm.get(`${path}/${rest}`)
    if (status === 204) return []
    if (status !== 200) throw new Error(`${rest}: ${status} ${JSON.stringify(body)}`)
    return Array.isArray(body) ? body : (body[rest.split('?')[0]!] ?? [])
  }
  const resource = await get('resources')
  const timeslots = await Promise.all(
    resource.map(one =>
      get(
        `resource/${encodeURIComponent(one.reference)}/timeslots?from=2020-01-01T00:00&to=2040-01-01T00:00`,
      ),
    ),
  )
  const appointment = (await get('appointments?includeArchived=true')).flatMap(one => {
    const participations = one.participations.filter((each: Participation) => !isVisitorsHold(each))
    const isOnlyHeld = participations.length === 0 && one.participations.length > 0
    return isOnlyHeld && one.reference.endsWith('@consumer') ? [] : [{ ...one, participations }]
  })
  const all = { appointment, customer: await get('customers'), timeslot: timeslots.flat(), resource }
  return sorted({ ...all, product: await get('products') })
}

function sorted<T extends Record<string, Copied[]>>(lists: T): T {
  for (const list of Object.values(lists)) list.sort((one, other) => (one.uuid < other.uuid ? -1 : 1))
  return lists
}

export { copiedNouns }
