import { isDeepStrictEqual } from 'node:util'
import type { ProviderContext } from '../../../callers.ts'
import type { Queryable } from '../../../db/base/pool.ts'
import {
  type ClosureRecord,
  closuresByIds,
  deleteClosure,
  findClosure,
  insertClosures,
  moveClosures,
  upcomingClosures,
  updateClosure,
} from '../../../db/scheduling/closures.ts'
import { type DiaryEntry, loadDiary } from '../../../db/scheduling/diary.ts'
import { lockProvider, type ProviderRow } from '../../../db/setup/providers.ts'
import { resourcesByUuid } from '../../../db/setup/resources.ts'
import { bumpResources } from '../../../db/setup/revisions.ts'
import { invalidField, notFound } from '../../../errors.ts'
import { type ClosureInput, readClosure, spanIn } from '../../../rules/offers/closures.ts'
import { isUuid } from '../../../rules/references.ts'
import type { Service } from '../../../service.ts'
import { recordEvents } from '../../record-events.ts'

/** New closures, and the Appointments inside them, which stay until they are moved or cancelled. */
type Closed = { closures: ClosureRecord[]; appointments: DiaryEntry[] }

type NewClosures = { inputs: ClosureInput[]; resources: string[] | null; isBlock?: boolean }

/**
 * Takes time off offer. Raising the revisions first locks the Resources: a concurrent booking either commits
 * before and is listed in the answer, or finds the time closed.
 */
export async function createClosures(
  { service, actor, provider: { id: providerId } }: ProviderContext,
  { inputs, resources, isBlock = false }: NewClosures,
): Promise<Closed> {
  const { closures, resourceIds } = await service.db.transaction(async tx => {
    const provider = await lockProvider(tx, providerId)
    const resourceIds = resources && (await idsOf(tx, providerId, resources))
    const wanted = inputs.map(input => ({ ...readClosure(input, provider.timeZone), isBlock }))
    await bumpResources(tx, providerId, resourceIds)
    const closures = await closuresByIds(tx, await insertClosures(tx, providerId, resourceIds, wanted))
    if (closures.length > 0) await recordClosure(tx, { service, actor, provider }, resourceIds)
    return { closures, resourceIds }
  })
  return { closures, appointments: await appointmentsIn(service.db, providerId, resourceIds, closures) }
}

type ClosureChange = Partial<Omit<ClosureInput, 'holiday'>> & { resources?: string[] | null }

/** Changes time, reason or Resources. Locks both the Resources that were closed and those that will be. */
export async function changeClosure(
  { service, actor, provider: { id: providerId } }: ProviderContext,
  uuid: string,
  { resources, ...change }: ClosureChange,
  check: (current: ClosureRecord) => void,
): Promise<{ closure: ClosureRecord; appointments: DiaryEntry[] }> {
  const { closure, resourceIds } = await service.db.transaction(async tx => {
    const provider = await lockProvider(tx, providerId)
    const { id, resourceIds: before } = await closureOf(tx, providerId, uuid)
    const [known] = await closuresByIds(tx, [id])
    check(known!)
    const now = resources === undefined ? before : resources && (await idsOf(tx, providerId, resources))
    const input = { from: known!.fromText, to: known!.toText, reason: known!.reason, ...change }
    const span = readClosure(input, provider.timeZone)
    const wanted = { ...known!, ...span, holiday: known!.holiday }
    if (isDeepStrictEqual([wanted, idSet(now)], [known, idSet(before)]))
      return { closure: known!, resourceIds: before }
    const concerned = before && now && [...new Set([...before, ...now])]
    await bumpResources(tx, providerId, concerned)
    await updateClosure(tx, id, now, span)
    await recordClosure(tx, { service, actor, provider }, concerned)
    const [closure] = await closuresByIds(tx, [id])
    return { closure: closure!, resourceIds: now }
  })
  return { closure, appointments: await appointmentsIn(service.db, providerId, resourceIds, [closure]) }
}

const idSet = (ids: number[] | null) => ids && new Set(ids)

/** One closure, and the Appointments inside it. */
export async function findClosureWithAppointments({ db }: Service, { id }: ProviderRow, uuid: string) {
  const { id: closureId, resourceIds } = await closureOf(db, id, uuid)
  const [closure] = await closuresByIds(db, [closureId])
  return { closure: closure!, appointments: await appointmentsIn(db, id, resourceIds, [closure!]) }
}

async function closureOf(db: Queryable, providerId: number, uuid: string, blockOf: number | null = null) {
  const closure = isUuid(uuid) ? await findClosure(db, { providerId, uuid, blockOf }) : null
  if (!closure) throw notFound(blockOf === null ? 'Closure' : 'Block', uuid)
  return closure
}

/** Puts the time back on offer. */
export async function removeClosure(
  { service, actor, provider: { id: providerId } }: ProviderContext,
  uuid: string,
  blockOf: number | null = null,
) {
  await service.db.transaction(async tx => {
    const provider = await lockProvider(tx, providerId)
    const closure = await closureOf(tx, providerId, uuid, blockOf)
    await bumpResources(tx, providerId, closure.resourceIds)
    await deleteClosure(tx, closure.id)
    await recordClosure(tx, { service, actor, provider }, closure.resourceIds)
  })
}

/**
 * In another time zone, whole days start at other instants. The caller must have raised all revisions of the
 * Provider.
 */
export async function rebuildClosuresForZone(tx: Queryable, { id, timeZone }: ProviderRow) {
  const coming = await upcomingClosures(tx, id)
  await moveClosures(
    tx,
    coming.map(closure => ({ id: closure.id, ...spanIn(closure, timeZone) })),
  )
}

async function idsOf(tx: Queryable, providerId: number, uuids: string[]): Promise<number[]> {
  const found = await resourcesByUuid(tx, providerId, uuids.filter(isUuid))
  const ids = new Map(found.map(({ id, uuid }) => [uuid, id]))
  return uuids.map((uuid, index) => {
    const id = ids.get(uuid.toLowerCase())
    if (id === undefined) throw invalidField(`resources[${index}]`, 'known-name:resource', { uuid })
    return id
  })
}

/** Appointments with participants, or created by the provider. Holds are not bookings yet. */
async function appointmentsIn(
  db: Queryable,
  providerId: number,
  resourceIds: number[] | null,
  closures: ClosureRecord[],
): Promise<DiaryEntry[]> {
  const days = closures.map(({ from, to }) => loadDiary(db, providerId, from, to, resourceIds))
  const found = (await Promise.all(days)).flat().filter(isBooked)
  // An Appointment that spans two closures is listed once.
  return [...new Map(found.map(entry => [entry.uuid, entry])).values()]
}

export const isBooked = ({ state, origin, people }: DiaryEntry) =>
  state === 'ACTIVE' &&
  (origin === 'provider' || people.some(one => one.state === 'BOOKED' || one.state === 'REQUESTED'))

const recordClosure = (
  tx: Queryable,
  { service, actor, provider }: ProviderContext,
  resourceIds: number[] | null,
) =>
  recordEvents(tx, service, {
    actor,
    provider,
    events: {
      'settings.changed': (resourceIds ?? [null]).map(subject => ({ subject, detail: 'closures' })),
    },
  })
