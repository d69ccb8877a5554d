import type { Queryable } from '../../../db/base/pool.ts'
import { moveAppointment, movePeople } from '../../../db/scheduling/appointment-moves.ts'
import { setProduct } from '../../../db/scheduling/appointments.ts'
import { membersOfSeries, type SeriesMember } from '../../../db/scheduling/series.ts'
import { type ProductRow, productsById } from '../../../db/setup/products.ts'
import { resourcesById } from '../../../db/setup/resources.ts'
import { cannotRestore, invalidField, movedSince, notFound } from '../../../errors.ts'
import { shiftedStart } from '../../../rules/offers/repeat.ts'
import { blockedSpan } from '../../../rules/offers/window.ts'
import { toUtcText } from '../../../rules/time/time.ts'
import { appointmentKey, participationKey, rememberMove, wasMovedSince } from '../../recent-moves.ts'
import { recordEvents } from '../../record-events.ts'
import type { MoveContext } from '../move-appointment.ts'
import { othersBooked, type StaffConflict } from '../staff-conflicts.ts'
import { offerFreedTimes } from '../waiting/offer-freed.ts'
import { type ChosenDate, refuseConflicts, refuseOverlaps } from './book.ts'
import { checkDate, type WantedDate } from './check.ts'
import { isActive, lockSeries } from './members.ts'
import { type PlannedDate, planSeries } from './plan.ts'

/** One date and where it goes; the others follow by the wall clock. */
export type SeriesShift = {
  scope: 'later' | 'all'
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
  const moved = members.filter(
    one => isActive(one) && !one.isPast && (scope === 'all' || one.startAt >= anchor.startAt),
  )
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
  const planned = await planSeries(service, provider, question, dates, { ids: idsOf(moved), isFixed: true })
  return planned.map((date, index) => ({
    ...date,
    appointmentReference: moved[index]!.appointmentReference,
    conflicts: [...date.conflicts, ...sharedWith(moved[index]!)],
  }))
}

export type ChosenMove = ChosenDate & { appointmentReference: string }
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
        throw invalidField(`dates[${index}].appointmentReference`, 'It is already in the list.')
      if (!isActive(member)) throw cannotRestore()
      if (wasMovedSince(context.arrived, appointmentKey(member.appointmentId)))
        throw movedSince(toUtcText(member.startAt), toUtcText(member.endAt))
      return { date, member }
    })
    const moving = { ids: idsOf(moves.map(one => one.member)) }
    const products = await productsById(
      tx,
      moves.map(one => one.member.productId),
    )
    const productOf = ({ productId }: SeriesMember) => product ?? products.find(one => one.id === productId)!
    const checked = await Promise.all(
      moves.map(async ({ date, member }) => {
        const question = { product: productOf(member), who: whoOf(member), now, moving }
        const found = await checkDate(tx, date, question)
        return { ...found, conflicts: [...found.conflicts, ...sharedWith(member)] }
      }),
    )
    refuseConflicts(dates, checked)
    const changes = moves.map((one, index) => ({
      ...one,
      product: productOf(one.member),
      ...checked[index]!,
    }))
    return writeMoves(tx, context, changes.filter(isChange), { message, now, sendMails })
  })
  rememberMove(...keys)
}

type Change = {
  member: SeriesMember
  product: ProductRow
  start: number
  end: number
  resource: WantedDate['resource']
  conflicts: StaffConflict[]
}

const isChange = ({ member, product, start, end, resource }: Change) =>
  member.startAt !== start ||
  member.endAt !== end ||
  member.resourceId !== resource.id ||
  member.productId !== product.id

async function writeMoves(
  tx: Queryable,
  context: MoveContext,
  changes: Change[],
  { message, now, sendMails }: { message: string | null; now: number; sendMails: boolean },
): Promise<string[]> {
  const { service, provider } = context
  const people: { id: number; state: string; member: SeriesMember }[] = []
  const changed: number[] = []
  for (const { member, product, start, end, resource, conflicts } of inFreeOrder(changes)) {
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
  await recordEvents(tx, service, {
    ...context,
    events: {
      'appointment.changed': changed,
      'appointment.moved': idsOf(changes.map(one => one.member)),
      'participation.moved': people.map(one => one.id),
      'participation.requested': people.filter(one => one.state === 'REQUESTED').map(one => one.id),
    },
    previousTimes: id => before.get(id),
    message,
    now,
    sendMails,
    inOneEmail: true,
  })
  const freed = changes.map(({ member, product }) => ({
    resourceId: member.resourceId,
    ...blockedSpan(member.startAt, member.endAt, product),
  }))
  await offerFreedTimes(tx, service, provider.id, freed)
  return [
    ...changes.map(one => appointmentKey(one.member.appointmentId)),
    ...people.map(one => participationKey(one.id)),
  ]
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
const sharedWith = ({ others }: SeriesMember) => (others > 0 ? [othersBooked(others)] : [])
