import sql, { join, raw, type Sql } from 'sql-template-tag'
import {
  type BookingSetting,
  type BookingSettings,
  type BusinessSettings,
  bookingSettings,
  usualSettings,
} from '../../rules/offers/booking-settings.ts'
import type { ChannelKey } from '../../rules/offers/channels.ts'
import { columnOf } from '../base/driver/names.ts'
import type { Queryable } from '../base/pool.ts'

type ChannelRow = BookingSettings & {
  id: number
  uuid: string
  resourceId: number
  key: ChannelKey
  visible: boolean
  productIds: number[] | null
  /** Settings that stay as they are if the business changes its own. */
  ownSettings: BookingSetting[]
}

export type ChannelRecord = ChannelRow & {
  productUuids: string[] | null
  /** The settings of the business. */
  defaults: BookingSettings
  /** Settings that follow those of the business. */
  inherited: BookingSetting[]
}

const inColumns = (settings: Partial<BookingSettings>) =>
  JSON.stringify(Object.fromEntries(Object.entries(settings).map(([name, value]) => [columnOf(name), value])))

/** As a row of channel with the settings only. */
const defaultsOf = (provider: Sql) =>
  sql`jsonb_populate_record(null::channel, ${inColumns(usualSettings)}::jsonb || ${provider})`

const settingColumns = raw(bookingSettings.map(columnOf).join(', '))

/** A JSON object under the names that the program uses. */
const asJson = (row: string) =>
  raw(`json_build_object(${bookingSettings.map(name => `'${name}', ${row}.${columnOf(name)}`).join(', ')})`)

/** A setting that differs is the channel's own in any case: an earlier version may have written it. */
const inherited = raw(
  `array_remove(array[${bookingSettings
    .map(
      name => `case when '${name}' <> all (channel.own_settings)
      and channel.${columnOf(name)} is not distinct from defaults.${columnOf(name)} then '${name}' end`,
    )
    .join(', ')}], null)`,
)

export const listChannels = (db: Queryable, resourceId: number) =>
  db.query<ChannelRecord>(sql`
    select channel.*, ${asJson('defaults')} as defaults, ${inherited} as inherited,
      case when channel.product_ids is not null then
        array(select uuid::text from product where id = any (channel.product_ids) order by id)
      end as product_uuids
    from (select * from channel where resource_id = ${resourceId} offset 0) as channel
    cross join lateral (select * from provider where id = channel.provider_id offset 0) as provider
    cross join lateral ${defaultsOf(sql`provider.booking_defaults`)} as defaults
    order by channel.id
  `)

export async function updateChannel(tx: Queryable, channel: ChannelRow) {
  const settings = bookingSettings.map(name => sql`${raw(columnOf(name))} = ${channel[name]}`)
  await tx.query(sql`
    update channel set visible = ${channel.visible}, product_ids = ${channel.productIds},
      own_settings = ${channel.ownSettings}, ${join(settings)}
    where id = ${channel.id}
  `)
}

/**
 * For new Resources of the table `made`: channels with the settings of the business. Locks the Provider, so that no
 * change to its settings misses them.
 */
export const insertChannelsOfMade = (channelKeys: readonly string[]): Sql => sql`
  insert into channel (provider_id, resource_id, key, own_settings, ${settingColumns})
  select made.provider_id, made.id, new_key, '{}', ${raw(bookingSettings.map(name => `defaults.${columnOf(name)}`).join(', '))}
  from made
  cross join lateral (select booking_defaults from provider where id = made.provider_id for share) as provider
  cross join lateral ${defaultsOf(sql`provider.booking_defaults`)} as defaults
  cross join unnest(${channelKeys}::text[]) as new_key
`

export async function readBookingSettings(db: Queryable, providerId: number): Promise<BusinessSettings> {
  const { settings, questions } = await db.one<{ settings: BookingSettings; questions: string[] }>(sql`
    select ${asJson('defaults')} as settings, provider.question_keys as questions
    from (select * from provider where id = ${providerId} offset 0) as provider
    cross join lateral ${defaultsOf(sql`provider.booking_defaults`)} as defaults
  `)
  return { ...settings, questions }
}

export async function writeBookingSettings(
  tx: Queryable,
  providerId: number,
  { questions, ...settings }: BusinessSettings,
) {
  await tx.query(sql`
    update provider set booking_defaults = ${inColumns(settings)}::jsonb, question_keys = ${questions}::text[]
    where id = ${providerId}
  `)
}

/** Passes a change on to the channels that follow the business, and returns those. */
export async function passOnSettings(
  tx: Queryable,
  providerId: number,
  before: BookingSettings,
  after: BookingSettings,
) {
  const changed = bookingSettings.filter(name => before[name] !== after[name])
  if (changed.length === 0) return []
  const follows = (name: BookingSetting) =>
    raw(
      `('${name}' <> all (channel.own_settings) and channel.${columnOf(name)} is not distinct from former.${columnOf(name)})`,
    )
  const assigned = changed.map(name => {
    const column = raw(columnOf(name))
    return sql`${column} = case when ${follows(name)} then latter.${column} else channel.${column} end`
  })
  return tx.query<{ resourceId: number; key: ChannelKey }>(sql`
    update channel set ${join(assigned)}
    from jsonb_populate_record(null::channel, ${inColumns(before)}::jsonb) as former,
      jsonb_populate_record(null::channel, ${inColumns(after)}::jsonb) as latter
    where channel.resource_id = any (array (
      select id from resource where provider_id = ${providerId} and deleted_at is null
    )) and (${join(changed.map(follows), ' or ')})
    returning channel.resource_id, channel.key
  `)
}

type Exception = { resourceUuid: string; channelKey: ChannelKey; settings: BookingSetting[] }

/** Channels with settings of their own, by the name of their Resource. */
export async function listExceptions(db: Queryable, providerId: number): Promise<Exception[]> {
  const rows = await db.query<{
    resourceUuid: string
    channelKey: ChannelKey
    inherited: BookingSetting[]
  }>(sql`
    select resource.uuid as resource_uuid, channel.key as channel_key, ${inherited} as inherited
    from (select * from provider where id = ${providerId} offset 0) as provider
    cross join lateral ${defaultsOf(sql`provider.booking_defaults`)} as defaults
    cross join lateral (
      select * from resource where provider_id = provider.id and deleted_at is null and not archived offset 0
    ) as resource
    cross join lateral (select * from channel where resource_id = resource.id offset 0) as channel
    order by resource.internal_name, resource.id, channel.id
  `)
  return rows
    .filter(({ inherited }) => inherited.length < bookingSettings.length)
    .map(({ inherited, ...of }) => ({
      ...of,
      settings: bookingSettings.filter(name => !inherited.includes(name)),
    }))
}

export const productsByUuid = (db: Queryable, providerId: number, uuids: string[]) =>
  db.query<{ id: number; uuid: string }>(sql`
    select id, uuid from product
    where provider_id = ${providerId} and uuid::text = any (${uuids.map(uuid => uuid.toLowerCase())}) and deleted_at is null
  `)
