// A copy of the service that is kept by events alone, as docs/events.md describes it.

import type { Caller } from './service.ts'

// biome-ignore lint/suspicious/noExplicitAny: records of all kinds
export type Copied = Record<string, any>
type Participation = { state: string; customerReference: string | null }
export type MirroredEvent = { kind: string; sequence: number; data: Copied }

const copiedNouns = ['appointment', 'customer', 'timeslot', 'resource', 'product'] as const
type Noun = (typeof copiedNouns)[number]

/** A visitor holds the place for a few minutes. It ends without an event. */
export const isVisitorsHold = ({ state, customerReference }: Participation) =>
  state === 'RESERVED' && customerReference === null

export function startMirror(read: (appointmentReference: string) => Promise<Copied>) {
  const copies = Object.fromEntries(copiedNouns.map(noun => [noun, new Map()])) as Record<
    Noun,
    Map<string, Copied>
  >
  /** The sequence of the last event about each record. */
  const reached = new Map<string, number>()
  const deletedResources = new Map<string, number>()
  const renamed = new Map<string, string>()

  async function apply({ kind, sequence, data }: MirroredEvent) {
    const [noun, verb] = kind.split('.') as [string, string]
    if (noun === 'participation') {
      if (data.appointment) await save('appointment', data.appointment.uuid, sequence, data)
      return
    }
    if (!copiedNouns.includes(noun as Noun) || !data.uuid) return
    await save(noun as Noun, data.uuid, sequence, data)
    if (data.mergedUuid) await save('customer', data.mergedUuid, sequence, { customer: null })
    if (kind === 'customer.changed' && data.formerReference) renamed.set(data.formerReference, data.uuid)
    if (noun === 'resource' && verb === 'deleted') deletedResources.set(data.reference, sequence)
  }

  async function save(noun: Noun, uuid: string, sequence: number, data: Copied) {
    if (sequence < (reached.get(uuid) ?? 0)) return
    reached.set(uuid, sequence)
    const record = noun === 'appointment' ? await completed(data) : data[noun]
    if (record) copies[noun].set(uuid, record)
    else copies[noun].delete(uuid)
  }

  /** A large group is not listed as a whole. */
  async function completed({ appointment, participationsTotal }: Copied) {
    const isWhole = !appointment || appointment.participations.length === participationsTotal
    return isWhole ? appointment : read(appointment.reference)
  }

  const referenceNow = (reference: string | null) =>
    reference !== null && renamed.has(reference)
      ? (copies.customer.get(renamed.get(reference)!)?.customerReference ?? reference)
      : reference

  const isGoneWith = (uuid: string, { resourceReference }: Copied) =>
    reached.get(uuid)! < (deletedResources.get(resourceReference) ?? 0)

  /** As the API lists them, by uuid. */
  function list(noun: Noun): Copied[] {
    const all = [...copies[noun]].sort(([one], [other]) => (one < other ? -1 : 1))
    if (noun === 'timeslot') return all.filter(one => !isGoneWith(...one)).map(([, record]) => record)
    if (noun !== 'appointment') return all.map(([, record]) => record)
    return all.map(([uuid, record]) => ({
      ...record,
      archived: record.archived || isGoneWith(uuid, record),
      participations: record.participations
        .filter((one: Participation) => !isVisitorsHold(one))
        .map((one: Participation) => ({ ...one, customerReference: referenceNow(one.customerReference) })),
    }))
  }

  return { apply, list }
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
