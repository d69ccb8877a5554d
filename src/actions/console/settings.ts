import { isDeepStrictEqual } from 'node:util'
import type { CrmCaller, ProviderContext } from '../../callers.ts'
import { lockById } from '../../db/base/ledger.ts'
import type { Queryable } from '../../db/base/pool.ts'
import { type CrmRetention, lockRetention, type Retention, updateRetention } from '../../db/retention.ts'
import { markZoneChanged } from '../../db/scheduling/hours.ts'
import {
  type ChannelRecord,
  listChannels,
  passOnSettings,
  productsByUuid,
  readBookingSettings,
  updateChannel,
  writeBookingSettings,
} from '../../db/setup/channels.ts'
import {
  deleteLogo,
  lockProvider,
  type ProviderRow,
  putLogo,
  updateProvider,
} from '../../db/setup/providers.ts'
import { passOnQuestions, saveForms } from '../../db/setup/questions.ts'
import type { ResourceRow } from '../../db/setup/resources.ts'
import { bumpForProvider } from '../../db/setup/revisions.ts'
import { invalidField, notFound } from '../../errors.ts'
import type { Actor } from '../../rules/messages/events.ts'
import {
  type BookingSetting,
  type BookingSettings,
  type BusinessSettings,
  bookingSettings,
} from '../../rules/offers/booking-settings.ts'
import type { ChannelKey } from '../../rules/offers/channels.ts'
import { logoAddress, logoPath, pictureType } from '../../rules/theme.ts'
import type { Service } from '../../service.ts'
import { recordEvents } from '../record-events.ts'
import { rollbackIfUnchanged } from '../rollback-if-unchanged.ts'
import { rebuildClosuresForZone } from '../scheduling/hours/closures.ts'
import { rebuildHoursForZone } from '../scheduling/hours/hours.ts'
import { claimSlug } from '../setup/claim-slug.ts'
import { checkTimeZone } from '../setup/providers.ts'
import { checkQuestionKeys } from '../setup/questions.ts'

// Settings that staff change in the console. Each change raises the revision of the Resources it affects.

/** Runs under the lock and throws if the row is not what the caller read. */
type Check<Row> = (current: Row) => void

/** Only the fields sent; a null clears. */
type ProviderChange = Partial<Omit<ProviderRow, 'id' | 'uuid'>>

const maxLogoBytes = 256 * 1024

/** Stores an uploaded logo, instead of linking to one elsewhere. */
export async function saveLogo(
  context: ProviderContext,
  bytes: Buffer,
  check: Check<ProviderRow> = () => {},
) {
  const type = pictureType(bytes)
  if (!type) throw invalidField('data', 'picture')
  if (bytes.length > maxLogoBytes) throw invalidField('data', 'picture-size')
  return change(context, check, async (tx, locked) => {
    const uuid = await putLogo(tx, context.provider.id, { type, bytes })
    return updateProvider(tx, { ...locked, logoUrl: logoPath(uuid) })
  })
}

export async function changeProvider(
  { service, actor, provider }: ProviderContext,
  input: ProviderChange,
  check: Check<ProviderRow> = () => {},
) {
  if (input.timeZone !== undefined) checkTimeZone(input.timeZone)
  let isMoved = false
  const changed = await change({ service, actor, provider }, check, async (tx, locked) => {
    const logoUrl = input.logoUrl === undefined ? locked.logoUrl : keptLogo(service, locked, input.logoUrl)
    if (input.slug !== undefined) await claimSlug(tx, locked, input.slug)
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
  { service, actor, provider }: ProviderContext,
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

type ChannelSettings = Partial<BookingSettings> & {
  visible?: boolean
  products?: string[] | null
  /** Settings that follow those of the business; all others become the channel's own. */
  inherited?: BookingSetting[]
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
    ...ownAndInherited(channel, change),
    visible: change.visible ?? channel.visible,
    productIds:
      change.products === undefined ? channel.productIds : await productIds(tx, providerId, change.products),
  }
}

/** A setting that is sent becomes the channel's own. */
function ownAndInherited(channel: ChannelRecord, change: ChannelSettings) {
  const sent = bookingSettings.filter(name => change[name] !== undefined)
  const inherited = change.inherited ?? channel.inherited.filter(name => !sent.includes(name))
  const values = bookingSettings.map(name => {
    const own = change[name] === undefined ? channel[name] : change[name]
    return [name, inherited.includes(name) ? channel.defaults[name] : own]
  })
  const known = new Set([...channel.ownSettings, ...sent, ...(change.inherited ? bookingSettings : [])])
  const ownSettings = bookingSettings.filter(name => known.has(name) && !inherited.includes(name))
  return { ...(Object.fromEntries(values) as BookingSettings), ownSettings }
}

/** Changes the settings of the business, and of all channels that follow them. */
export async function changeBookingSettings(
  { service, actor, provider }: ProviderContext,
  change: Partial<BusinessSettings>,
  check: Check<BusinessSettings> = () => {},
): Promise<BusinessSettings> {
  return service.db.transaction(async tx => {
    await checkQuestionKeys(tx, provider.id, change.questions)
    await lockProvider(tx, provider.id)
    const before = await readBookingSettings(tx, provider.id)
    check(before)
    const after = { ...before, ...change }
    if (isDeepStrictEqual(after, before)) return before
    await writeBookingSettings(tx, provider.id, after)
    // Products are locked before Resources, as everywhere.
    const asking = await passOnQuestions(tx, provider.id, before.questions, after.questions)
    // Locks the Resources, and with them their channels.
    await bumpForProvider(tx, provider.id)
    if (asking.length > 0) await saveForms(tx, provider.id)
    const changed = await passOnSettings(tx, provider.id, before, after)
    const events = {
      'provider.changed': [provider.id],
      'product.changed': asking,
      'settings.changed': changed.map(({ resourceId, key }) => ({ subject: resourceId, detail: key })),
    }
    await recordEvents(tx, service, { actor, provider, events })
    return after
  })
}

async function productIds(
  tx: Queryable,
  providerId: number,
  uuids: string[] | null,
): Promise<number[] | null> {
  if (uuids === null) return null
  const found = await productsByUuid(tx, providerId, uuids)
  const unknown = uuids.find(uuid => !found.some(product => product.uuid === uuid.toLowerCase()))
  if (unknown !== undefined) throw invalidField('products', 'known-name:product', { uuid: unknown })
  return found.map(product => product.id)
}

/** Applies from the next run of the daily job. */
export function changeRetention(
  service: Service,
  { crm, actor }: Pick<CrmCaller, 'crm' | 'actor'>,
  change: Partial<Retention>,
  check: (current: CrmRetention) => void,
): Promise<CrmRetention> {
  return service.db.transaction(async tx => {
    const locked = await lockRetention(tx, crm.id)
    check(locked)
    const changed = { ...locked, ...change }
    if (isDeepStrictEqual(changed, locked)) return locked
    await updateRetention(tx, changed)
    const events = { 'settings.changed': [{ detail: 'retention' }] }
    await recordEvents(tx, service, { actor, crmId: crm.id, events })
    return changed
  })
}
