import sql, { type Sql } from 'sql-template-tag'
import { product, publicProductFields } from '../../entities/product.ts'
import { type PublicResource, publicResource, resource } from '../../entities/resource.ts'
import type { Language } from '../../languages.ts'
import type { PhoneField } from '../../rules/offers/booking-settings.ts'
import type { ChannelKey } from '../../rules/offers/channels.ts'
import { parseRef, uuidOfMadeUp } from '../../rules/references.ts'
import { jsonPartsOf } from '../base/columns.ts'
import { hasAny, linksNoProduct } from '../base/conditions.ts'
import type { Queryable } from '../base/pool.ts'
import { type ContactPerson, contactOfAppointment } from '../setup/contacts.ts'
import { isOfCrm, namedCrm } from '../setup/crms.ts'
import type { PublicProduct } from '../setup/products.ts'
import { questionsOfProduct } from '../setup/questions.ts'

/** What a Resource shows to the public through one channel. */
export type Offer = {
  resourceId: number
  resource: PublicResource
  address: unknown
  crm: string
  providerName: string
  providerDescription: string | null
  providerEmail: string | null
  providerPhone: string | null
  providerMobile: string | null
  timeZone: string
  language: Language
  impressum: string | null
  accentColor: string | null
  logoUrl: string | null
  privacyUrl: string | null
  terms: string | null
  termsRequired: boolean
  resourceWord: string | null
  channelUuid: string
  channelKey: ChannelKey
  visible: boolean
  bookingProcess: 'IMMEDIATE' | 'REQUESTED'
  customersOnly: boolean
  changeNoticeMinutes: number
  waitingList: boolean
  seriesMax: number
  phoneField: PhoneField
  askMessage: boolean
  contact: ContactPerson | null
  products: PublicProduct[]
  closures: { from: number; to: number; reason: string }[]
}

/** Closures that consumers may see; staff blocks are private. Limited to how far ahead calendars look. */
const closures = sql`
  select coalesce(json_agg(json_build_object('from', (date_part('epoch', closed_time.from_at) * 1000)::bigint,
    'to', (date_part('epoch', closed_time.to_at) * 1000)::bigint, 'reason', reason) order by closed_time.from_at), '[]'::json)
  from (
    select * from (
      ${closedTimes(sql`resource_id is null`)} union all ${closedTimes(sql`resource_id = resource.id`)} offset 0
    ) as both_kinds order by from_at limit 200
  ) as closed_time
  cross join lateral (select * from closure where id = closure_id offset 0) as closure
  where not is_block
`

function closedTimes(whose: Sql): Sql {
  return sql`
    select * from closed_time where provider_id = resource.provider_id and ${whose}
      and to_at > app_now() and from_at < app_now() + interval '400 days'
  `
}

const channelWithout = sql`
  select from channel as other where other.resource_id = resource.id and other.product_ids is not null
    and product.id <> all (other.product_ids)
`

const offered = jsonPartsOf(product, [
  'id',
  'uuid',
  'reference',
  'name',
  'description',
  ...publicProductFields,
])

export const loadOffers = (
  db: Queryable,
  /** If set, returns the offer of this Appointment. */
  wanted: { resourceId: number; channelKey: ChannelKey; appointmentUuid: string | null }[],
) =>
  db.query<Offer>(sql`
    select resource.id as resource_id, json_build_object(${jsonPartsOf(resource, publicResource.fields)}) as resource,
      resource.address, (select name from crm where id = provider.crm_id) as crm, provider.name as provider_name,
      provider.description as provider_description, provider.email as provider_email, provider.phone as provider_phone,
      provider.mobile as provider_mobile, provider.time_zone, provider.language, provider.impressum,
      provider.accent_color, provider.logo_url, provider.privacy_url, provider.terms, provider.terms_required,
      provider.resource_word, channel.uuid as channel_uuid, channel.key as channel_key, channel.visible,
      channel.booking_process, channel.customers_only, channel.change_notice_minutes, channel.waiting_list, channel.series_max,
      channel.phone_field, channel.ask_message,
      ${contactOfAppointment()} as contact, (${closures}) as closures,
      coalesce((
        select json_agg(json_build_object(${offered},
          'questions', ${questionsOfProduct}, 'providerLanguage', provider.language,
          'offered', channel.product_ids is null or product.id = any (channel.product_ids),
          'exclusive', ${hasAny(channelWithout)}) order by position, product.id)
        from product left join resource_product on resource_product.product_id = product.id and resource_product.resource_id = resource.id
        where product.provider_id = resource.provider_id and (
          product.deleted_at is null and (resource_product.resource_id is not null or ${linksNoProduct})
            or product.id = appointment.product_id
        )
      ), '[]'::json) as products
    from unnest(${wanted.map(one => one.resourceId)}::bigint[], ${wanted.map(one => one.channelKey)}::text[],
      ${wanted.map(one => one.appointmentUuid)}::uuid[])
      with ordinality as wanted (resource_id, channel_key, appointment_uuid, position)
    left join lateral (
      select * from appointment where uuid = wanted.appointment_uuid offset 0
    ) as appointment on true
    cross join lateral (select * from resource where id = wanted.resource_id offset 0) as resource
    cross join lateral (select * from provider where id = resource.provider_id offset 0) as provider
    cross join lateral (
      select * from channel where resource_id = resource.id and key = wanted.channel_key offset 0
    ) as channel
    where resource.deleted_at is null
    order by wanted.position
  `)

export type FoundSlot = {
  position: number
  rank: number
  resourceId: number
  providerId: number
  crmId: number
  /** The Product of an Appointment. */
  productId: number | null
  timeslotUuid: string | null
  appointmentUuid: string | null
}

const crmOfName = namedCrm(sql`
  select provider_id, created_at from timeslot as bearer where reference = wanted.text
  union all
  select provider_id, created_at from appointment as bearer where reference = wanted.text and deleted_at is null
`)

/**
 * Finds Timeslots and Appointments by uuid, `id@providerUuid@platform` or reference, as Resources are. Up to
 * 0.4.0 the reference of consumer Appointments contained their uuid; that form still works.
 */
export async function findSlotRefs(db: Queryable, refs: string[]): Promise<FoundSlot[]> {
  const parsed = refs.map(parseRef)
  const uuids = parsed.map(({ uuid, short }, index) => uuid ?? uuidOfMadeUp(short ?? refs[index]!))
  const called = (slot: Sql) => sql`
    cross join lateral (
      select case when ${slot}.uuid = wanted.uuid then 1 when ${slot}.reference = wanted.short then 2 else 3 end as rank
    ) as called
    where ${slot}.uuid = wanted.uuid or (
      ${slot}.reference = wanted.text and ${isOfCrm(sql`${slot}.provider_id`, crmOfName)}
    ) or (
      ${slot}.reference = wanted.short
      and ${slot}.provider_id = (select id from provider where uuid = wanted.provider_uuid)
    )
  `
  return db.query<FoundSlot>(sql`
    select wanted.position::int, found.*, provider.crm_id
    from unnest(${uuids}::uuid[], ${parsed.map(one => one.providerUuid)}::uuid[],
      ${parsed.map(one => one.short)}::text[], ${refs}::text[], ${parsed.map(one => one.platform)}::text[])
      with ordinality as wanted (uuid, provider_uuid, short, text, platform, position)
    cross join lateral (
      select rank, resource_id, provider_id, null::bigint as product_id, uuid as timeslot_uuid,
        null::uuid as appointment_uuid
      from timeslot ${called(sql`timeslot`)}
      union all
      select rank, resource_id, provider_id, product_id, null, uuid
      from appointment ${called(sql`appointment`)} and deleted_at is null
    ) as found
    join resource on resource.id = found.resource_id and resource.deleted_at is null
    join provider on provider.id = found.provider_id
    order by wanted.position, found.rank, found.timeslot_uuid is null
  `)
}
