import sql from 'sql-template-tag'
import type { BookingProcess, ChannelKey } from '../../rules/channels.ts'
import type { Queryable } from '../base/pool.ts'

export type ChannelRow = {
  id: number
  uuid: string
  resource_id: number
  key: ChannelKey
  visible: boolean
  customers_only: boolean
  booking_process: BookingProcess
  product_ids: number[] | null
  minimum_notice_minutes: number
  horizon_days: number | null
  show_full: boolean
  reminder_hours: number
  change_notice_minutes: number
}

export type ChannelRecord = ChannelRow & { product_uuids: string[] | null }

const record = sql`
  select channel.*,
    case when product_ids is not null then
      array(select uuid::text from product where id = any (product_ids) order by id)
    end as product_uuids
  from channel
`

export async function listChannels(db: Queryable, resourceId: number): Promise<ChannelRecord[]> {
  return db.query<ChannelRecord>(sql`${record} where resource_id = ${resourceId} order by id`)
}

export async function updateChannel(tx: Queryable, channel: ChannelRow) {
  await tx.query(sql`
    update channel set visible = ${channel.visible}, customers_only = ${channel.customers_only},
      booking_process = ${channel.booking_process}, product_ids = ${channel.product_ids},
      minimum_notice_minutes = ${channel.minimum_notice_minutes}, horizon_days = ${channel.horizon_days},
      show_full = ${channel.show_full}, reminder_hours = ${channel.reminder_hours},
      change_notice_minutes = ${channel.change_notice_minutes}
    where id = ${channel.id}
  `)
}

export async function productsByUuid(db: Queryable, providerId: number, uuids: string[]) {
  return db.query<{ id: number; uuid: string }>(sql`
    select id, uuid from product
    where provider_id = ${providerId} and uuid::text = any (${uuids.map(uuid => uuid.toLowerCase())})
  `)
}
