import { lockByIds } from '../../../db/base/ledger.ts'
import type { Queryable } from '../../../db/base/pool.ts'
import {
  type AppointmentTimes,
  moveAppointment,
  type NewPlace,
  readAppointmentTimes,
  setClaim,
} from '../../../db/scheduling/appointment-moves.ts'
import { type AppointmentRow, findAppointment } from '../../../db/scheduling/appointments.ts'
import type { ProviderRow } from '../../../db/setup/providers.ts'
import { cannotRestore, invalidField, movedSince, notFound, Refusal } from '../../../errors.ts'
import { blockedSpan } from '../../../rules/offers/window.ts'
import { swapped } from '../../../rules/time/swap.ts'
import { appointmentKey, rememberMove, wasMovedSince } from '../../recent-moves.ts'
import { restartIfMoved } from './cancel-appointments.ts'
import {
  checkConflicts,
  isUnchangedSpot,
  type MoveContext,
  type MoveFlags,
  recordMove,
} from './move-appointment.ts'

type Swap = { reference: string; otherReference: string; message: string | null }
type Pair = readonly [AppointmentRow, AppointmentRow]
type Placed = { found: AppointmentRow; before: AppointmentTimes; place: NewPlace }

/**
 * Two Appointments trade places, with all their participants, or nothing changes: neither is ever without a
 * place.
 */
export async function swapAppointments(context: MoveContext, swap: Swap, flags: MoveFlags) {
  const { service, provider } = context
  if (swap.reference === swap.otherReference) throw invalidField('withUuid', 'itself')
  // A restarted transaction is still checked against what the caller saw first.
  let first: Pair | undefined
  const moved = await service.db.transaction(async tx => {
    const seen = await readPair(tx, provider, [swap.reference, swap.otherReference])
    first ??= seen
    const { found, now } = await lockPair(tx, provider, seen)
    refuseStalePair(context, first[0], found[0])
    refuseStalePair(context, first[1], found[1])
    const pair = await placesOf(tx, found)
    const moving = pair.filter(isElsewhere)
    if (moving.length === 0) return []
    const areForced = await inTheWay(tx, pair, flags)
    await tradePlaces(tx, pair, areForced)
    const names: string[] = []
    for (const { found, before } of moving) {
      const options = { before, now, sendMails: flags.sendMails }
      const people = await recordMove(tx, context, found.id, swap.message, options)
      names.push(appointmentKey(found.id), ...people)
    }
    return names
  })
  rememberMove(...moved)
}

async function readPair(
  tx: Queryable,
  provider: ProviderRow,
  [one, other]: readonly [string, string],
): Promise<Pair> {
  const read = async (reference: string) => {
    const found = await findAppointment(tx, provider.id, reference)
    if (!found || found.archived) throw notFound('Appointment', reference, 'withUuid')
    return found
  }
  return [await read(one), await read(other)]
}

/** Locks the Resources of both, then reads both. */
async function lockPair(tx: Queryable, provider: ProviderRow, [one, other]: Pair) {
  const { now } = await lockByIds(tx, [one.resourceId, other.resourceId])
  const found = await readPair(tx, provider, [one.reference, other.reference])
  restartIfMoved(one, found[0])
  restartIfMoved(other, found[1])
  if (found.some(({ state }) => state === 'CANCELLED')) throw cannotRestore()
  return { found, now }
}

function refuseStalePair({ arrived }: MoveContext, seen: AppointmentRow, found: AppointmentRow) {
  if (!isUnchangedSpot(seen, found) || wasMovedSince(arrived, appointmentKey(found.id)))
    throw movedSince(found)
}

async function placesOf(tx: Queryable, [one, other]: Pair): Promise<Placed[]> {
  const isSamePlace = one.resourceId === other.resourceId
  const spanOf = ({ startAt, endAt }: AppointmentRow) => ({ start: startAt, end: endAt })
  const [mine, theirs] = swapped(spanOf(one), spanOf(other), isSamePlace)
  const placed = async (found: AppointmentRow, resourceId: number, { start, end }: typeof mine) => {
    const before = await readAppointmentTimes(tx, found.id)
    return { found, before, place: { resourceId, start, end, blocked: blockedSpan(start, end, before) } }
  }
  return [await placed(one, other.resourceId, mine), await placed(other, one.resourceId, theirs)]
}

/** Two Appointments at the same time and place do not move, so no email is sent. */
const isElsewhere = ({ found, place: { resourceId, start, end } }: Placed) =>
  !isUnchangedSpot(found, { resourceId, startAt: start, endAt: end })

/** Whether each of them overlaps a third Appointment, or they overlap each other. */
async function inTheWay(tx: Queryable, pair: Placed[], flags: MoveFlags) {
  const ids = pair.map(({ found }) => found.id)
  const [one, other] = pair.map(({ place }) => place)
  const doCollide =
    one!.resourceId === other!.resourceId &&
    one!.blocked.from < other!.blocked.to &&
    other!.blocked.from < one!.blocked.to
  if (doCollide && !flags.ignoreConflicts) throw new Refusal('conflict', { rule: 'swap' })
  const areForced: boolean[] = []
  for (const { place } of pair) areForced.push((await checkConflicts(tx, ids, place, flags)) || doCollide)
  return areForced
}

/**
 * Between the two moves both occupy the same time, which the constraint allows only within one claim. The
 * first gets a new claim as it moves: at its old place it may share its time with a request to move by one of
 * its participants.
 */
async function tradePlaces(tx: Queryable, [one, other]: Placed[], areForced: boolean[]) {
  const claim = other!.before.claim ?? other!.found.id
  await moveAppointment(tx, one!.found.id, one!.place, areForced[0]!, claim)
  await moveAppointment(tx, other!.found.id, other!.place, areForced[1]!)
  await setClaim(tx, one!.found.id, one!.before.claim)
}
