import { isDeepStrictEqual } from 'node:util'
import type { Queryable } from '../../db/base/pool.ts'
import {
  type ClosureRecord,
  closuresByIds,
  closuresToCome,
  deleteClosure,
  findClosure,
  insertClosures,
  moveClosures,
  updateClosure,
} from '../../db/scheduling/closures.ts'
import { type DiaryEntry, loadDiary } from '../../db/scheduling/diary.ts'
import { lockProvider, type ProviderRow } from '../../db/setup/providers.ts'
import { resourcesByUuid } from '../../db/setup/resources.ts'
import { bumpResources } from '../../db/setup/revisions.ts'
import { invalidField, notFound } from '../../errors.ts'
import type { Actor } from '../../rules/news/events.ts'
import { type ClosureWish, readClosure, spanIn } from '../../rules/offers/closures.ts'
import { isUuid } from '../../rules/references.ts'
import type { Service } from '../../service.ts'
import { happened } from '../happened.ts'

/** New closures, and the Appointments that lie in them: they stay until somebody moves or cancels them. */
type Closed = { closures: ClosureRecord[]; appointments: DiaryEntry[] }

type Closing = { wishes: ClosureWish[]; resources: string[] | null; isBlock?: boolean }

/**
 * Takes time off offer. The revisions are raised first, which locks the Resources: whoever books meanwhile has either booked
 * before, and is named in the answer, or finds them closed.
 */
export async function closeTimes(
  service: Service,
  actor: Actor,
  { id: providerId }: ProviderRow,
  { wishes, resources, isBlock = false }: Closing,
): Promise<Closed> {
  const { closures, resourceIds } = await service.db.transaction(async tx => {
    const provider = await lockProvider(tx, providerId)
    const resourceIds = resources && (await idsOf(tx, providerId, resources))
    const wanted = wishes.map(wish => ({ ...readClosure(wish, provider.timeZone), isBlock }))
    await bumpResources(tx, providerId, resourceIds)
    const closures = await closuresByIds(tx, await insertClosures(tx, providerId, resourceIds, wanted))
    if (closures.length > 0) await tellClosed(tx, service, actor, provider, resourceIds)
    return { closures, resourceIds }
  })
  return { closures, appointments: await appointmentsIn(service.db, providerId, resourceIds, closures) }
}

type ClosureChange = Partial<Omit<ClosureWish, 'holiday'>> & { resources?: string[] | null }

/** Another time, reason or choice of Resources; all that were or are concerned are locked as by a new one. */
export async function changeClosure(
  service: Service,
  actor: Actor,
  { id: providerId }: ProviderRow,
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
    const wish = { from: known!.fromText, to: known!.toText, reason: known!.reason, ...change }
    const span = readClosure(wish, provider.timeZone)
    const wanted = { ...known!, ...span, holiday: known!.holiday }
    if (isDeepStrictEqual([wanted, idSet(now)], [known, idSet(before)]))
      return { closure: known!, resourceIds: before }
    const concerned = before && now && [...new Set([...before, ...now])]
    await bumpResources(tx, providerId, concerned)
    await updateClosure(tx, id, now, span)
    await tellClosed(tx, service, actor, provider, concerned)
    const [closure] = await closuresByIds(tx, [id])
    return { closure: closure!, resourceIds: now }
  })
  return { closure, appointments: await appointmentsIn(service.db, providerId, resourceIds, [closure]) }
}

const idSet = (ids: number[] | null) => ids && new Set(ids)

/** One closure, and the Appointments that lie in it. */
export async function findClosed({ db }: Service, { id }: ProviderRow, uuid: string) {
  const { id: closureId, resourceIds } = await closureOf(db, id, uuid)
  const [closure] = await closuresByIds(db, [closureId])
  return { closure: closure!, appointments: await appointmentsIn(db, id, resourceIds, [closure!]) }
}

async function closureOf(db: Queryable, providerId: number, uuid: string, blockOf: number | null = null) {
  const closure = isUuid(uuid) ? await findClosure(db, { providerId, uuid, blockOf }) : null
  if (!closure) throw notFound(blockOf === null ? 'Closure' : 'Block', uuid)
  return closure
}

/** Brings the time back. */
export async function reopen(
  service: Service,
  actor: Actor,
  { id: providerId }: ProviderRow,
  uuid: string,
  blockOf: number | null = null,
) {
  await service.db.transaction(async tx => {
    const provider = await lockProvider(tx, providerId)
    const closure = await closureOf(tx, providerId, uuid, blockOf)
    await bumpResources(tx, providerId, closure.resourceIds)
    await deleteClosure(tx, closure.id)
    await tellClosed(tx, service, actor, provider, closure.resourceIds)
  })
}

/** The Provider moved to another zone: its days begin at another moment. Only where all its revisions are raised. */
export async function readClosuresAnew(tx: Queryable, { id, timeZone }: ProviderRow) {
  const coming = await closuresToCome(tx, id)
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
    if (id === undefined)
      throw invalidField(`resources[${index}]`, `The Provider has no Resource with the uuid ${uuid}.`)
    return id
  })
}

/** Those in which somebody is, or that the provider made. Holds are no bookings yet. */
async function appointmentsIn(
  db: Queryable,
  providerId: number,
  resourceIds: number[] | null,
  closures: ClosureRecord[],
): Promise<DiaryEntry[]> {
  const days = closures.map(({ from, to }) => loadDiary(db, providerId, from, to, resourceIds))
  const found = (await Promise.all(days)).flat().filter(isBooked)
  // One that reaches from one closure into the next is named once.
  return [...new Map(found.map(entry => [entry.uuid, entry])).values()]
}

const isBooked = ({ state, origin, people }: DiaryEntry) =>
  state === 'ACTIVE' &&
  (origin === 'provider' || people.some(one => one.state === 'BOOKED' || one.state === 'REQUESTED'))

const tellClosed = (
  tx: Queryable,
  service: Service,
  actor: Actor,
  provider: ProviderRow,
  resourceIds: number[] | null,
) =>
  happened(tx, service, {
    actor,
    provider,
    news: {
      'settings.changed': (resourceIds ?? [null]).map(subject => ({ subject, detail: 'closures' })),
    },
  })
