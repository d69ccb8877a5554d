import { isDeepStrictEqual } from 'node:util'
// Settings that staff change in the console. Each change raises the revision of the Resources it affects.

import { lockById } from '../../db/base/ledger.ts'
import type { Queryable } from '../../db/base/pool.ts'
import { markZoneChanged } from '../../db/scheduling/hours.ts'
import { type ChannelRecord, listChannels, productsByUuid, updateChannel } from '../../db/setup/channels.ts'
import {
  deleteLogo,
  lockProvider,
  type ProviderRow,
  putLogo,
  updateProvider,
} from '../../db/setup/providers.ts'
import type { ResourceRow } from '../../db/setup/resources.ts'
import { bumpForProvider } from '../../db/setup/revisions.ts'
import { invalidField, notFound } from '../../errors.ts'
import { pictureType } from '../../rules/image-types.ts'
import type { Actor } from '../../rules/messages/events.ts'
import type { BookingProcess, ChannelKey } from '../../rules/offers/channels.ts'
import { logoAddress, logoPath } from '../../rules/theme.ts'
import type { Service } from '../../service.ts'
import { recordEvents } from '../record-events.ts'
import { rollbackIfUnchanged } from '../rollback-if-unchanged.ts'
import { rebuildClosuresForZone } from '../scheduling/closures.ts'
import { rebuildHoursForZone } from '../scheduling/hours.ts'
import { checkTimeZone } from '../setup/create-provider.ts'

/** Runs under the lock and throws if the row is not what the caller read. */
type Check<Row> = (current: Row) => void

/** Only the fields sent; a null clears. */
type ProviderChange = Partial<Omit<ProviderRow, 'id' | 'uuid'>>

const maxLogoBytes = 256 * 1024

/** Stores an uploaded logo, instead of linking to one elsewhere. */
export async function saveLogo(
  service: Service,
  actor: Actor,
  provider: ProviderRow,
  bytes: Buffer,
  check: Check<ProviderRow> = () => {},
) {
  const type = pictureType(bytes)
  if (!type) throw invalidField('data', 'data must be a picture: PNG, JPEG, WebP or GIF, in Base64.')
  if (bytes.length > maxLogoBytes)
    throw invalidField('data', 'data must be a picture of 256 KB at the most. Make it smaller first.')
  return change(service, actor, provider, check, async (tx, locked) => {
    const uuid = await putLogo(tx, provider.id, { type, bytes })
    return updateProvider(tx, { ...locked, logoUrl: logoPath(uuid) })
  })
}

export async function changeProvider(
  service: Service,
  actor: Actor,
  provider: ProviderRow,
  input: ProviderChange,
  check: Check<ProviderRow> = () => {},
) {
  if (input.timeZone !== undefined) checkTimeZone(input.timeZone)
  let isMoved = false
  const changed = await change(service, actor, provider, check, async (tx, locked) => {
    const logoUrl = input.logoUrl === undefined ? locked.logoUrl : keptLogo(service, locked, input.logoUrl)
    const saved = await updateProvider(tx, { ...locked, ...input, logoUrl })
    if (saved.logoUrl !== locked.logoUrl) await deleteLogo(tx, provider.id)
    isMoved = saved.timeZone !== locked.timeZone
    if (isMoved) {
      await markZoneChanged(tx, provider.id)
      await rebuildClosuresForZone(tx, saved)
    }
    return saved
  })
  if (isMoved) await rebuildHoursForZone(service, provider.id, answerMs)
  return changed
}

/** Long enough for hundreds of Resources. With more, the response does not wait for all of them. */
const answerMs = 5_000

/** Sending back the address that we returned keeps the stored logo. */
const keptLogo = ({ baseUrl }: Service, { logoUrl }: ProviderRow, input: string | null) =>
  input !== null && input === logoAddress(baseUrl, logoUrl) ? logoUrl : input

async function change(
  service: Service,
  actor: Actor,
  provider: ProviderRow,
  check: Check<ProviderRow>,
  write: (tx: Queryable, locked: ProviderRow) => Promise<ProviderRow>,
) {
  return service.db.transaction(async tx => {
    const locked = await lockProvider(tx, provider.id)
    check(locked)
    const saved = await write(tx, locked)
    if (isDeepStrictEqual(saved, locked)) return saved
    await bumpForProvider(tx, provider.id)
    await recordEvents(tx, service, { actor, provider, events: { 'provider.changed': [provider.id] } })
    return saved
  })
}

type ChannelSettings = {
  visible?: boolean
  customersOnly?: boolean
  bookingProcess?: BookingProcess
  products?: string[] | null
  minimumNoticeMinutes?: number
  horizonDays?: number | null
  showFull?: boolean
  reminderHours?: number
  changeNoticeMinutes?: number
  waitingList?: boolean
  seriesMax?: number
  agentBooking?: boolean
  agentHoldMinutes?: number
}

export async function changeChannel(
  service: Service,
  actor: Actor,
  resource: ResourceRow,
  key: ChannelKey,
  change: ChannelSettings,
  check: Check<ChannelRecord> = () => {},
): Promise<ChannelRecord> {
  const channels = await changeChannels(service, actor, resource, [key], change, check)
  return channels.find(one => one.key === key)!
}

/** Changes several channels of the Resource at once and returns all of them. */
export async function changeChannels(
  service: Service,
  actor: Actor,
  resource: ResourceRow,
  keys: readonly ChannelKey[],
  change: ChannelSettings,
  check: Check<ChannelRecord> = () => {},
): Promise<ChannelRecord[]> {
  return rollbackIfUnchanged(service.db, async (tx, same) => {
    const { isDeleted } = await lockById(tx, resource.id)
    if (isDeleted) throw notFound('Resource', resource.uuid)
    const all = await listChannels(tx, resource.id)
    const channels = all.filter(one => keys.includes(one.key))
    const changedChannels = []
    for (const channel of channels) {
      check(channel)
      const changed = await withSettings(tx, channel, resource.providerId, change)
      if (isDeepStrictEqual(changed, channel)) continue
      await updateChannel(tx, changed)
      changedChannels.push({ subject: resource.id, detail: channel.key })
    }
    if (changedChannels.length === 0) same(all)
    const provider = { id: resource.providerId }
    const events = { 'settings.changed': changedChannels }
    await recordEvents(tx, service, { actor, provider, events })
    return listChannels(tx, resource.id)
  })
}

async function withSettings(
  tx: Queryable,
  channel: ChannelRecord,
  providerId: number,
  change: ChannelSettings,
): Promise<ChannelRecord> {
  return {
    ...channel,
    visible: change.visible ?? channel.visible,
    customersOnly: change.customersOnly ?? channel.customersOnly,
    bookingProcess: change.bookingProcess ?? channel.bookingProcess,
    minimumNoticeMinutes: change.minimumNoticeMinutes ?? channel.minimumNoticeMinutes,
    horizonDays: change.horizonDays === undefined ? channel.horizonDays : change.horizonDays,
    showFull: change.showFull ?? channel.showFull,
    reminderHours: change.reminderHours ?? channel.reminderHours,
    changeNoticeMinutes: change.changeNoticeMinutes ?? channel.changeNoticeMinutes,
    waitingList: change.waitingList ?? channel.waitingList,
    seriesMax: change.seriesMax ?? channel.seriesMax,
    agentBooking: change.agentBooking ?? channel.agentBooking,
    agentHoldMinutes: change.agentHoldMinutes ?? channel.agentHoldMinutes,
    productIds:
      change.products === undefined ? channel.productIds : await productIds(tx, providerId, change.products),
  }
}

async function productIds(
  tx: Queryable,
  providerId: number,
  uuids: string[] | null,
): Promise<number[] | null> {
  if (uuids === null) return null
  const found = await productsByUuid(tx, providerId, uuids)
  const unknown = uuids.find(uuid => !found.some(product => product.uuid === uuid.toLowerCase()))
  if (unknown !== undefined) throw invalidField('products', `There is no Product with the uuid ${unknown}.`)
  return found.map(product => product.id)
}
