import { lockInTurn } from '../../db/base/lock-queue.ts'
import type { Queryable } from '../../db/base/pool.ts'
import { RestartTransaction } from '../../db/base/postgres-errors.ts'
import { type Found, findRefs } from '../../db/booking/refs.ts'
import {
  type LockedTargets,
  type Locking,
  loadTargets,
  lockTargets,
  type Target,
  type TargetWindow,
} from '../../db/booking/targets.ts'
import { resourcesById } from '../../db/setup/resources.ts'
import { Refusal } from '../../errors.ts'
import type { ChannelKey } from '../../rules/offers/channels.ts'
import { isUuid } from '../../rules/references.ts'
import { resolveRef } from './resolve-ref.ts'

type SnapshotRequest = {
  target: Target
  /** The caller's names for the Resource or its channel; they must belong to the Provider of the target. */
  refs: string[]
  channelKey: ChannelKey
  placeholder: string | null
  /** The uuid of the Participation that is moved away. */
  leaving?: string
}

/**
 * What a request is decided on: locked and read; unknown; or locked by another transaction, if we do not
 * wait.
 */
export type Snapshot =
  | { kind: 'loaded'; loaded: TargetWindow }
  | { kind: 'unknown' }
  | { kind: 'locked' }
  | { kind: 'refused'; refusal: Refusal }

/** Locks the Resources of the requests. Waiting requests for the same target queue in this process first. */
export const lockForRequests = (tx: Queryable, requests: SnapshotRequest[], how: Locking) =>
  how.waiting
    ? lockInTurn(requests[0]!.refs.join(' '), () => lockTargets(tx, requests, how))
    : lockTargets(tx, requests, how)

/**
 * Reads under a lock that is already on its way (`locking`). Nothing depends on an earlier answer, so locking
 * and reading share one round trip, for one request or several.
 */
export async function readSnapshots(
  tx: Queryable,
  requests: SnapshotRequest[],
  locking: Promise<LockedTargets>,
  { waiting }: { waiting: boolean },
): Promise<Snapshot[]> {
  const [locked, named, windows] = await Promise.all([
    locking,
    findNamedRefs(tx, requests),
    loadTargets(tx, requests.map(asLoading)),
  ])
  if (waiting) await refuseUnlocked(tx, windows, locked)
  const isOwn = (index: number) => isNamedBy(requests[index]!.refs, windows[index]!)
  const found = named ?? (windows.some((_, index) => !isOwn(index)) ? await findAll(tx, requests) : [])
  return requests.map(({ refs }, index) => {
    const loaded = windows[index]
    const refused = isOwn(index) ? null : checkOwnership(found[index]!, refs, loaded?.provider.id)
    if (refused) return refused
    if (!loaded) return { kind: 'unknown' }
    if (locked.has(loaded.resource.id)) return { kind: 'loaded', loaded }
    // Waited for the lock and did not get it: the Resource has been deleted.
    return { kind: waiting ? 'unknown' : 'locked' }
  })
}

/** Restarts if the Appointment was moved to another Resource while we waited for the lock of its old one. */
async function refuseUnlocked(tx: Queryable, windows: (TargetWindow | null)[], locked: LockedTargets) {
  const unlocked = windows.flatMap(one => (one && !locked.has(one.resource.id) ? one.resource.id : []))
  if (unlocked.length === 0) return
  const found = await resourcesById(tx, unlocked)
  if (found.some(one => one.deletedAt === null)) throw new RestartTransaction()
}

const asLoading = ({ target, refs, channelKey, placeholder, leaving }: SnapshotRequest) => ({
  target,
  channel: { key: channelKey, uuids: refs.filter(isUuid) },
  ignoring: placeholder,
  ...(leaving ? { leaving } : {}),
})

type Refs = Pick<SnapshotRequest, 'refs'>

/** Resolves the refs if any of them are names. Uuids need no lookup. */
export const findNamedRefs = (tx: Queryable, requests: Refs[]): Promise<Found[][]> | null =>
  requests.every(({ refs }) => refs.every(isUuid)) ? null : findAll(tx, requests)

async function findAll(tx: Queryable, requests: Refs[]): Promise<Found[][]> {
  const { found } = await findRefs(
    tx,
    requests.flatMap(one => one.refs),
  )
  let before = 0
  return requests.map(({ refs }) => {
    const from = before
    before += refs.length
    const mine = found.filter(one => one.position > from && one.position <= before)
    return mine.map(one => ({ ...one, position: one.position - from }))
  })
}

/** Named by its own uuid or that of its channel, so nothing has to be looked up. */
function isNamedBy(refs: string[], loaded: Pick<TargetWindow, 'resource' | 'channel'> | null): boolean {
  const own = [loaded?.resource.uuid, loaded?.channel.uuid]
  return refs.every(ref => own.includes(ref.toLowerCase()))
}

/**
 * Null if every ref belongs to the Provider. Refs of other Providers are unknown, so that the answer does not
 * reveal them.
 */
export function checkOwnership(
  found: Found[],
  refs: string[],
  providerId: number | undefined,
): Extract<Snapshot, { kind: 'refused' | 'unknown' }> | null {
  try {
    const named = refs.map((ref, index) => resolveRef(found, ref, index + 1))
    return named.every(one => one.providerId === providerId) ? null : { kind: 'unknown' }
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', refusal: error }
    throw error
  }
}
