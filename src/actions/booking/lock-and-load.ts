import { inTurn } from '../../db/base/in-turn.ts'
import type { Queryable } from '../../db/base/pool.ts'
import { BeginAnew } from '../../db/base/postgres-errors.ts'
import { type Found, findRefs } from '../../db/booking/refs.ts'
import {
  type LockedTarget,
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
import { meant } from './find-ref.ts'

type Looking = {
  target: Target
  /** What the caller calls the Resource or its channel; it must belong to the Provider of the target. */
  refs: string[]
  channelKey: ChannelKey
  placeholder: string | null
  /** The uuid of the Participation that the caller moves out of. */
  leaving?: string
}

/** What a wish is decided on: locked and read; not there; or locked by somebody else, if we do not wait for them. */
export type Picture =
  | { kind: 'loaded'; loaded: TargetWindow }
  | { kind: 'unknown' }
  | { kind: 'locked' }
  | { kind: 'refused'; refusal: Refusal }

/** Locks the Resources of the wishes. Who waits does so in turn, with those who want the same. */
export const lockFor = (tx: Queryable, wishes: Looking[], how: Locking) =>
  how.waiting
    ? inTurn(wishes[0]!.refs.join(' '), () => lockTargets(tx, wishes, how))
    : lockTargets(tx, wishes, how)

/**
 * What is read behind the lock, which is on its way already (`locking`): lock and reading travel in one round trip, for
 * several wishes as for one, for nothing of it depends on an earlier answer.
 */
export async function loadPictures(
  tx: Queryable,
  wishes: Looking[],
  locking: Promise<Map<number, LockedTarget>>,
  { waiting }: { waiting: boolean },
): Promise<Picture[]> {
  const [locked, asked, windows] = await Promise.all([
    locking,
    findNamed(tx, wishes),
    loadTargets(tx, wishes.map(asLoading)),
  ])
  if (waiting) await refuseUnlocked(tx, windows, locked)
  const isOwn = (index: number) => isNamedBy(wishes[index]!.refs, windows[index]!)
  const found = asked ?? (windows.some((_, index) => !isOwn(index)) ? await findAll(tx, wishes) : [])
  return wishes.map(({ refs }, index) => {
    const loaded = windows[index]
    const refused = isOwn(index) ? null : whyNotTheirs(found[index]!, refs, loaded?.provider.id)
    if (refused) return refused
    if (!loaded) return { kind: 'unknown' }
    if (locked.has(loaded.resource.id)) return { kind: 'loaded', loaded }
    // Whoever waited for the lock and did not get it came too late: the Resource is deleted.
    return { kind: waiting ? 'unknown' : 'locked' }
  })
}

/** The Appointment that is meant was moved to another Resource while we waited for the lock of the one that it was at. */
async function refuseUnlocked(
  tx: Queryable,
  windows: (TargetWindow | null)[],
  locked: Map<number, LockedTarget>,
) {
  const unlocked = windows.flatMap(one => (one && !locked.has(one.resource.id) ? one.resource.id : []))
  if (unlocked.length === 0) return
  const found = await resourcesById(tx, unlocked)
  if (found.some(one => one.deletedAt === null)) throw new BeginAnew()
}

const asLoading = ({ target, refs, channelKey, placeholder, leaving }: Looking) => ({
  target,
  channel: { key: channelKey, uuids: refs.filter(isUuid) },
  ignoring: placeholder,
  ...(leaving ? { leaving } : {}),
})

type Refs = Pick<Looking, 'refs'>

/** What the refs mean, if some are names. Uuids speak for themselves. */
export const findNamed = (tx: Queryable, wishes: Refs[]): Promise<Found[][]> | null =>
  wishes.every(({ refs }) => refs.every(isUuid)) ? null : findAll(tx, wishes)

async function findAll(tx: Queryable, wishes: Refs[]): Promise<Found[][]> {
  const { found } = await findRefs(
    tx,
    wishes.flatMap(one => one.refs),
  )
  let before = 0
  return wishes.map(({ refs }) => {
    const from = before
    before += refs.length
    const mine = found.filter(one => one.position > from && one.position <= before)
    return mine.map(one => ({ ...one, position: one.position - from }))
  })
}

/** By its own uuid or that of its channel: then there is nothing to look up. */
export function isNamedBy(
  refs: string[],
  loaded: Pick<TargetWindow, 'resource' | 'channel'> | null,
): boolean {
  const own = [loaded?.resource.uuid, loaded?.channel.uuid]
  return refs.every(ref => own.includes(ref.toLowerCase()))
}

/** Null if every ref is the Provider's; unknown for somebody else's, whose existence is nobody's business. */
export function whyNotTheirs(
  found: Found[],
  refs: string[],
  providerId: number | undefined,
): Extract<Picture, { kind: 'refused' | 'unknown' }> | null {
  try {
    const named = refs.map((ref, index) => meant(found, ref, index + 1))
    return named.every(one => one.providerId === providerId) ? null : { kind: 'unknown' }
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', refusal: error }
    throw error
  }
}
