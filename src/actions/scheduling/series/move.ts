import { randomUUID } from 'node:crypto'
import type { Queryable } from '../../../db/base/pool.ts'
import { closeEmptied } from '../../../db/booking/moves.ts'
import { moveAppointment, movePeople, movePlace } from '../../../db/scheduling/appointment-moves.ts'
import { deleteAppointments, insertAppointments, setProduct } from '../../../db/scheduling/appointments.ts'
import { membersOfSeries, type SeriesMember } from '../../../db/scheduling/series.ts'
import { type ProductRow, productsById } from '../../../db/setup/products.ts'
import { resourcesById } from '../../../db/setup/resources.ts'
import { cannotRestore, invalidField, movedSince, notFound } from '../../../errors.ts'
import { shiftedStart } from '../../../rules/offers/repeat.ts'
import { blockedSpan } from '../../../rules/offers/window.ts'
import { appointmentKey, participationKey, rememberMove, wasMovedSince } from '../../recent-moves.ts'
import { recordEvents } from '../../record-events.ts'
import { placesIn } from '../appointments/book-walk-in.ts'
import { appointmentTemplate } from '../appointments/create-appointments.ts'
import type { MoveContext } from '../appointments/move-appointment.ts'
import { eventIfFirst, refuseTwice } from '../appointments/participations.ts'
import { offerFreedPlaces, offerFreedTimes } from '../waiting/offer-freed.ts'
import { type ChosenDate, refuseConflicts, refuseOverlaps } from './book.ts'
import { type CheckedDate, checkDate, type WantedDate } from './check.ts'
import { isActive, lockSeries } from './members.ts'
import { type PlannedDate, planSeries } from './plan.ts'

/** One date and where it goes; the others follow by the wall clock. */
type SeriesShift = {
  scope: 'this' | 'later' | 'all'
  appointmentReference: string
  /** Without a Resource, each date keeps its own. */
  to: Omit<WantedDate, 'resource'> & { resource: WantedDate['resource'] | null }
  /** Null: each date keeps its own. */
  product: ProductRow | null
}

export type PlannedMove = PlannedDate & { appointmentReference: string }

/** Where each date would go, and what is in the way there. */
export async function planMove(
  { service, provider }: Omit<MoveContext, 'actor' | 'arrived'>,
  seriesId: string,
  { scope, appointmentReference, to, product }: SeriesShift,
): Promise<PlannedMove[]> {
  const members = await membersOfSeries(service.db, provider.id, seriesId)
  const anchor = findMember(members, appointmentReference)
  const isIn = (one: SeriesMember) =>
    scope === 'this' ? one === anchor : scope === 'all' || one.startAt >= anchor.startAt
  const moved = members.filter(one => isActive(one) && !one.isPast && isIn(one))
  if (moved.length === 0) return []
  const own = await resourcesById(service.db, [...new Set(moved.map(one => one.resourceId))])
  const dates = moved.map(one => {
    const move = { from: anchor.startAt, to: to.start }
    const start = shiftedStart(one.startAt, move, provider.timeZone)
    const resource = to.resource ?? own.find(place => place.id === one.resourceId)!
    return { start, end: start + to.end - to.start, resource }
  })
  const places = [...new Map(dates.map(({ resource }) => [resource.id, resource])).values()]
  const question = {
    product: product ?? (await productsById(service.db, [anchor.productId]))[0]!,
    places,
    who: whoOf(anchor),
  }
  const planned = await planSeries(service, provider, question, dates, moved.map(movingOf(moved)))
  return planned.map((date, index) => ({
    ...date,
    appointmentReference: moved[index]!.appointmentReference,
  }))
}

type ChosenMove = ChosenDate & { appointmentReference: string }
type Moves = { dates: ChosenMove[]; product: ProductRow | null; message: string | null }

/** Moves every date as shown, or none, and sends one email. */
export async function moveSeries(
  context: MoveContext,
  seriesId: string,
  { dates, product, message }: Moves,
  { sendMails }: { sendMails: boolean },
) {
  const { service, provider } = context
  refuseOverlaps(dates)
  const keys = await service.db.transaction(async tx => {
    const targets = dates.map(one => one.resource.id)
    const { members, now } = await lockSeries(tx, provider, seriesId, targets)
    // Deleted while we waited for its lock.
    const gone = (await resourcesById(tx, targets)).find(one => one.deletedAt !== null)
    if (gone) throw notFound('Resource', gone.reference, 'resourceReference')
    const moves = dates.map((date, index) => {
      const member = findMember(members, date.appointmentReference)
      if (dates.findIndex(one => one.appointmentReference === date.appointmentReference) < index)
        throw invalidField(`dates[${index}].appointmentReference`, 'duplicate:list')
      if (!isActive(member)) throw cannotRestore()
      if (wasMovedSince(context.arrived, keyOf(member))) throw movedSince(member)
      return { date, member }
    })
    const moving = movingOf(moves.map(one => one.member))
    const products = await productsById(
      tx,
      moves.map(one => one.member.productId),
    )
    const productOf = ({ productId }: SeriesMember) => product ?? products.find(one => one.id === productId)!
    const checked = await Promise.all(
      moves.map(({ date, member }) =>
        checkDate(tx, date, {
          product: productOf(member),
          who: whoOf(member),
          now,
          moving: moving(member),
        }),
      ),
    )
    refuseConflicts(dates, checked)
    const changes = moves.map((one, index) => ({
      ...one,
      product: productOf(one.member),
      ...checked[index]!,
    }))
    return writeMoves(tx, context, changes.filter(isChange), { seriesId, message, now, sendMails })
  })
  rememberMove(...keys)
}

type Change = CheckedDate & { member: SeriesMember; product: ProductRow }
type Move = { seriesId: string; message: string | null; now: number; sendMails: boolean }

const isChange = ({ member, product, start, end, resource }: Change) =>
  member.startAt !== start ||
  member.endAt !== end ||
  member.resourceId !== resource.id ||
  member.productId !== product.id

async function writeMoves(
  tx: Queryable,
  context: MoveContext,
  changes: Change[],
  { seriesId, message, now, sendMails }: Move,
): Promise<string[]> {
  const { service, provider } = context
  const people: { id: number; state: string; member: SeriesMember }[] = []
  const changed: number[] = []
  const created: number[] = []
  const joined: number[] = []
  for (const change of inFreeOrder(changes)) {
    const { member, product, start, end, resource, conflicts } = change
    if (isPlace(member)) {
      const target = await groupFor(tx, context, change, seriesId)
      created.push(...target.created)
      joined.push(target.id)
      const moved = await movePlace(tx, member.participationId!, target.id, message).catch(refuseTwice)
      for (const one of moved) people.push({ ...one, member })
      continue
    }
    const place = { resourceId: resource.id, start, end, blocked: blockedSpan(start, end, product) }
    const isForced = conflicts.some(one => one.kind === 'overlap')
    await moveAppointment(tx, member.appointmentId, place, isForced)
    if (member.productId !== product.id) {
      await setProduct(tx, member.appointmentId, product.id)
      changed.push(member.appointmentId)
    }
    for (const one of await movePeople(tx, member.appointmentId, message)) people.push({ ...one, member })
  }
  const before = new Map(people.map(({ id, member }) => [id, member]))
  const places = changes.map(one => one.member).filter(isPlace)
  const whole = changes.filter(one => !isPlace(one.member))
  const closed = await closeEmptied(
    tx,
    places.map(one => ({ appointmentId: one.appointmentId, participationId: one.participationId! })),
  )
  // Made for this series, and empty now.
  const emptied = idsOf(
    places.filter(
      one => one.seriesId === seriesId && one.others === 0 && !joined.includes(one.appointmentId),
    ),
  ).filter(id => !closed.includes(id))
  await deleteAppointments(tx, emptied)
  const stay = idsOf(places).filter(id => !closed.includes(id) && !emptied.includes(id))
  await recordEvents(tx, service, {
    ...context,
    events: {
      'appointment.created': created,
      // Groups that the person leaves have one person less.
      'appointment.changed': [...changed, ...stay],
      'appointment.cancelled': closed,
      'appointment.deleted': emptied,
      'appointment.moved': idsOf(whole.map(one => one.member)),
      'participation.moved': people.map(one => one.id),
      'participation.requested': people.filter(one => one.state === 'REQUESTED').map(one => one.id),
    },
    previousTimes: id => before.get(id),
    message,
    now,
    sendMails,
    inOneEmail: true,
  })
  const freed = whole.map(({ member, product }) => ({
    resourceId: member.resourceId,
    ...blockedSpan(member.startAt, member.endAt, product),
  }))
  await offerFreedTimes(tx, service, provider.id, freed)
  await offerFreedPlaces(tx, service, stay)
  return [...changes.map(one => keyOf(one.member)), ...people.map(one => participationKey(one.id))]
}

/** In a group only this person moves. */
const isPlace = ({ participationId, others, capacity }: SeriesMember) =>
  participationId !== null && (others > 0 || capacity > 1)

const keyOf = (member: SeriesMember) =>
  isPlace(member) ? participationKey(member.participationId!) : appointmentKey(member.appointmentId)

/** Groups stay where they are, and are in the way of what moves next to them. */
const movingOf = (moved: SeriesMember[]) => {
  const ids = idsOf(moved.filter(one => !isPlace(one)))
  return (one: SeriesMember) => ({ ids, left: idsOf(moved), isPlace: isPlace(one), places: one.places })
}

/** The group at the new time, or a new one. */
async function groupFor(
  tx: Queryable,
  { provider }: MoveContext,
  { member, group, slot, product, resource, start, end }: Change,
  seriesId: string,
): Promise<{ id: number; created: number[] }> {
  if (group)
    return { id: group.id, created: group.origin === 'consumer' ? await eventIfFirst(tx, group.id) : [] }
  const { template } = await appointmentTemplate(tx, provider, {
    capacity: 1,
    acceptBookings: false,
    resourceReference: resource.reference,
    productReference: product.reference,
  })
  const reference = `${randomUUID()}@series`
  const [made] = await insertAppointments(tx, provider.id, [
    { ...template(start, end), ...placesIn(slot, member), reference, seriesId },
  ])
  return { id: made!.id, created: [made!.id] }
}

/** A date may take the old time of another, which must have left it: the constraint on consumers' Appointments is checked at once. */
function inFreeOrder(changes: Change[]): Change[] {
  const isLater = ({ member, start }: Change) => start > member.startAt
  const byTime = changes.toSorted((one, other) => one.member.startAt - other.member.startAt)
  return [...byTime.filter(one => !isLater(one)), ...byTime.filter(isLater).reverse()]
}

function findMember(members: SeriesMember[], reference: string): SeriesMember {
  const member = members.find(one => one.appointmentReference === reference)
  if (!member) throw notFound('Appointment', reference, 'appointmentReference')
  return member
}

const idsOf = (members: SeriesMember[]) => members.map(one => one.appointmentId)
const whoOf = ({ customerReference }: SeriesMember) =>
  customerReference === null ? null : { reference: customerReference }
