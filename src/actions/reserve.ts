import { randomUUID } from 'node:crypto'
import { countHolds, insertHold, loadTarget, lockTarget, releaseHold, type Target } from '../db/holds.ts'
import type { Queryable, Transaction } from '../db/pool.ts'
import { findProductByUuid } from '../db/products.ts'
import { type Found, findRefs } from '../db/refs.ts'
import type { ResourceWindow } from '../db/windows.ts'
import { notFound, slotTaken, tooManyRequests } from '../errors.ts'
import type { ChannelKey } from '../rules/channels.ts'
import { isUuid } from '../rules/references.ts'
import { type Placement, place } from '../rules/slots.ts'
import { minute, type Timeslot } from '../rules/window.ts'
import type { Service } from '../service.ts'
import { meant } from './find-ref.ts'
import { asRefusal, refuseConstraint } from './refuse-slot.ts'

export type Span = { from: number; to: number }

export type ReserveWish = {
  /** That of the path, and a Resource or channel named beside it. */
  refs: string[]
  channelKey: ChannelKey
  timeslotUuid: string | null
  appointmentUuid: string | null
  productUuid: string
  /**
   * The times as they may have been meant, the likelier reading first; the Provider's zone decides. A reading has
   * several spans where the clock strikes an hour twice.
   */
  readings: (zone: string) => Span[][]
  /** The earliest and the latest moment that a reading can give. */
  period: Span
  /** The caller's earlier hold, which this one replaces. */
  placeholder: string | null
  /** Who asks, for the cap on live holds; null when nobody counts. */
  client: string | null
}

export type Reserved = {
  loaded: ResourceWindow
  placement: Placement
  participationUuid: string
  appointmentUuid: string
  placeholder: string
  expiresAt: number
  address: unknown
}

/** Holds a place for some minutes. Only whoever knows the placeholder can book it meanwhile. */
export async function reserve(service: Service, wish: ReserveWish): Promise<Reserved> {
  const uuid = (wish.appointmentUuid ?? wish.timeslotUuid!).toLowerCase()
  const placeholder = wish.placeholder && isUuid(wish.placeholder) ? wish.placeholder : null
  const unknown = () => (wish.appointmentUuid ? slotTaken(gone) : notFound('Timeslot', uuid, 'timeslot_uuid'))
  if (!isUuid(uuid)) throw unknown()
  return service.db
    .transaction(async tx => {
      const target = { uuid, ...wish.period }
      const loaded = await lockAndLoad(tx, target, wish, placeholder, async () =>
        releaseHold(tx, placeholder),
      )
      if (!loaded) throw unknown()
      await refuseTooManyHolds(tx, wish.client)
      return hold(service, tx, loaded, await choose(tx, loaded, uuid, wish), wish)
    })
    .catch(refuseConstraint)
}

const gone = 'This Appointment is gone or cancelled. Load the list again.'

/** Lock and read in one round trip: nothing of it depends on an earlier answer. */
export async function lockAndLoad(
  tx: Queryable,
  target: Target,
  { refs, channelKey }: { refs: string[]; channelKey: ChannelKey },
  placeholder: string | null,
  underLock: () => Promise<unknown>,
): Promise<ResourceWindow | null> {
  const uuids = refs.filter(isUuid)
  const [locked, , asked, loaded] = await Promise.all([
    lockTarget(tx, target.uuid, placeholder),
    underLock(),
    uuids.length < refs.length ? findRefs(tx, refs) : null,
    loadTarget(tx, target, { key: channelKey, uuids }, placeholder),
  ])
  const isOurs =
    isNamedBy(uuids, refs, loaded) || isSameProvider(asked ?? (await findRefs(tx, refs)), refs, loaded)
  return isOurs && locked.some(one => one.isTarget) ? loaded : null
}

/** By its own uuid or that of its channel: then there is nothing to look up. */
function isNamedBy(uuids: string[], refs: string[], loaded: ResourceWindow | null): boolean {
  const own = [loaded?.resource.uuid, loaded?.channel.uuid]
  return uuids.length === refs.length && uuids.every(uuid => own.includes(uuid.toLowerCase()))
}

function isSameProvider(
  { found }: { found: Found[] },
  refs: string[],
  loaded: ResourceWindow | null,
): boolean {
  const named = refs.map((ref, index) => meant(found, ref, index + 1))
  return named.every(one => one.provider_id === loaded?.provider.id)
}

async function choose(
  tx: Queryable,
  loaded: ResourceWindow,
  uuid: string,
  wish: ReserveWish,
): Promise<Placement> {
  const { window, now } = loaded
  const productId = (await productOf(tx, loaded, wish.productUuid)).id
  const appointment = window.appointments.find(one => one.uuid === uuid)
  if (appointment) return granted(place(window, { appointment, productId }, now))
  const timeslot = window.timeslots.find(one => one.uuid === uuid)
  if (!timeslot) throw slotTaken(wish.appointmentUuid ? gone : undefined)
  const results = likeliest(timeslot, wish.readings(loaded.provider.timeZone)).map(({ from, to }) =>
    place(window, { timeslot, productId, start: from, end: to }, now),
  )
  return granted(results.find(result => !('reason' in result)) ?? results[0]!)
}

export function granted(result: ReturnType<typeof place>): Placement {
  if ('reason' in result) throw asRefusal(result)
  return result
}

/** The first reading that falls on a raster line of the Timeslot, else the last one. */
function likeliest(timeslot: Timeslot, readings: Span[][]): Span[] {
  const fits = ({ from }: Span) =>
    from >= timeslot.start &&
    from < timeslot.end &&
    (from - timeslot.start) % (timeslot.raster * minute) === 0
  return readings.find(spans => spans.some(fits)) ?? readings.at(-1)!
}

/** Unknown is 404; known to the Provider, but not offered here, is as good as taken. */
export async function productOf(tx: Queryable, { window, provider }: ResourceWindow, uuid: string) {
  const offered = window.products.find(one => one.uuid === uuid.toLowerCase())
  if (offered) return offered
  const elsewhere = isUuid(uuid) ? await findProductByUuid(tx, uuid) : null
  if (elsewhere?.provider_id !== provider.id) throw notFound('Product', uuid, 'product_uuid')
  throw asRefusal({ reason: 'product' })
}

async function hold(
  service: Service,
  tx: Transaction,
  loaded: ResourceWindow,
  placement: Placement,
  wish: ReserveWish,
): Promise<Reserved> {
  const participationUuid = randomUUID()
  const placeholder = randomUUID()
  const appointmentUuid = placement.kind === 'join' ? placement.appointment.uuid : randomUUID()
  const writing = insertHold(tx, loaded, placement, appointmentUuid, {
    uuid: participationUuid,
    placeholder,
    holdSeconds: service.config.holdSeconds,
    channelKey: loaded.channel.key,
    client: wish.client,
  })
  const { expires_at, address } = await tx.last(writing)
  return {
    loaded,
    placement,
    participationUuid,
    appointmentUuid,
    placeholder,
    expiresAt: expires_at,
    address,
  }
}

const maximumHolds = 20

async function refuseTooManyHolds(tx: Queryable, client: string | null) {
  if (client !== null && (await countHolds(tx, client)) >= maximumHolds) throw tooManyRequests(60)
}
