import sql from 'sql-template-tag'
import type { BookingProcess, ChannelKey } from '../../rules/offers/channels.ts'
import type { Queryable } from '../base/pool.ts'

type ChannelRow = {
  id: number
  uuid: string
  resourceId: number
  key: ChannelKey
  visible: boolean
  customersOnly: boolean
  bookingProcess: BookingProcess
  productIds: number[] | null
  minimumNoticeMinutes: number
  horizonDays: number | null
  showFull: boolean
  reminderHours: number
  changeNoticeMinutes: number
  /** Consumers may join the waiting list. */
  waitingList: boolean
  /** How many dates consumers may book at once; 0 for none. */
  seriesMax: number
  /** Agents with a key may book without the person's confirmation. */
  agentBooking: boolean
  /** How long a proposal of an agent is held for the person. */
  agentHoldMinutes: number
}

export type ChannelRecord = ChannelRow & { productUuids: string[] | null }

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
    update channel set visible = ${channel.visible}, customers_only = ${channel.customersOnly},
      booking_process = ${channel.bookingProcess}, product_ids = ${channel.productIds},
      minimum_notice_minutes = ${channel.minimumNoticeMinutes}, horizon_days = ${channel.horizonDays},
      show_full = ${channel.showFull}, reminder_hours = ${channel.reminderHours},
      change_notice_minutes = ${channel.changeNoticeMinutes}, waiting_list = ${channel.waitingList},
      series_max = ${channel.seriesMax}, agent_booking = ${channel.agentBooking},
      agent_hold_minutes = ${channel.agentHoldMinutes}
    where id = ${channel.id}
  `)
}

export async function productsByUuid(db: Queryable, providerId: number, uuids: string[]) {
  return db.query<{ id: number; uuid: string }>(sql`
    select id, uuid from product
    where provider_id = ${providerId} and uuid::text = any (${uuids.map(uuid => uuid.toLowerCase())}) and deleted_at is null
  `)
}
