import sql, { type Sql } from 'sql-template-tag'
import type { StoredAnswers } from '../../rules/questions/define.ts'
import type { Attendance } from '../../rules/states/participations.ts'
import { earliestStart, hasAny } from '../base/conditions.ts'
import type { Queryable } from '../base/pool.ts'

// The view for staff: the Appointments of a period with their people.

export type DiaryPerson = {
  uuid: string
  reference: string
  customer: { uuid: string; reference: string } | null
  name: string | null
  email: string | null
  mobile: string | null
  note: string | null
  state: 'RESERVED' | 'REQUESTED' | 'BOOKED' | 'CANCELED' | 'DELETED'
  attendance: Attendance | null
  expiresAt: number | null
  answers: StoredAnswers | null
  answersMissing: boolean
  places: number
  placeNames: string[]
}

export type DiaryEntry = {
  uuid: string
  reference: string
  origin: 'consumer' | 'provider'
  state: 'ACTIVE' | 'CANCELLED'
  start: number
  end: number
  blockedFrom: number
  blockedTo: number
  capacity: number
  acceptBookings: boolean
  resourceUuid: string
  resourceName: string
  productUuid: string
  productName: string
  description: string | null
  notes: string | null
  address: unknown
  seriesId: string | null
  people: DiaryPerson[]
}

/** Leaves out expired holds and removed people. */
const people = sql`
  select coalesce(json_agg(json_build_object(
    'uuid', participation.uuid,
    'reference', participation.reference,
    'customer', case when customer.id is null then null
      else json_build_object('uuid', customer.uuid, 'reference', customer.reference) end,
    'name', participation.name, 'email', participation.email, 'mobile', participation.mobile,
    'note', participation.note, 'state', participation.state,
    'attendance', participation.attendance,
    'answers', participation.answers, 'answersMissing', participation.answers_missing,
    'places', participation.places, 'placeNames', coalesce(participation.place_names, '{}'),
    'expiresAt', (extract(epoch from participation.expires_at) * 1000)::bigint
  ) order by participation.id), '[]')
  from (select * from participation where appointment_id = appointment.id offset 0) as participation
  left join customer on customer.id = participation.customer_id
  where participation.deleted_at is null
    and participation.state <> 'DELETED'
    and (participation.expires_at is null or participation.expires_at > app_now())
`

const columns = sql`
  appointment.uuid, appointment.reference, appointment.origin, appointment.state,
  appointment.start_at as start, appointment.end_at as end,
  appointment.blocked_from, appointment.blocked_to,
  appointment.capacity, appointment.accept_bookings,
  resource.uuid as resource_uuid, resource.internal_name as resource_name,
  product.uuid as product_uuid, coalesce(appointment.product_name, product.name) as product_name,
  appointment.description, appointment.notes, coalesce(appointment.address, resource.address) as address,
  appointment.series_id, (${people}) as people
`

/** Each Resource is queried through its own index for Appointments that reach into the period. */
const entriesWithin = (providerId: number, from: number, to: number, isShown: Sql) => sql`
  select ${columns} from resource
  cross join lateral (
    select * from appointment
    where resource_id = resource.id and start_at < ${new Date(to)}
      and start_at > ${earliestStart(new Date(from), sql`resource.longest_block`)} and end_at > ${new Date(from)}
      and deleted_at is null and ${isShown}
    offset 0
  ) as appointment
  join product on product.id = appointment.product_id
  where resource.provider_id = ${providerId}
`

/** Ordered by time. */
export const loadDiary = (
  db: Queryable,
  providerId: number,
  from: number,
  to: number,
  resourceIds: number[] | null = null,
) =>
  db.query<DiaryEntry>(sql`
    ${entriesWithin(providerId, from, to, sql`not archived`)}
      and (${resourceIds}::bigint[] is null or resource.id = any (${resourceIds}::bigint[]))
    order by appointment.start_at, resource.internal_name, appointment.id
  `)

/** Appointments in the period with a live hold. */
export function heldEntries(db: Queryable, providerId: number, from: number, to: number) {
  const isHeld = hasAny(sql`
    select from participation
    where appointment_id = appointment.id and state = 'RESERVED' and expires_at > app_now()
  `)
  return db.query<DiaryEntry>(sql`
    ${entriesWithin(providerId, from, to, sql`state = 'ACTIVE' and ${isHeld}`)}
    order by appointment.start_at, appointment.id
  `)
}

/** The Appointments with these ids, or with these Participations. Deleted ones are left out. */
export const diaryEntriesOf = (
  db: Queryable,
  providerId: number,
  { appointments, participations }: { appointments: number[]; participations: number[] },
) =>
  db.query<DiaryEntry>(sql`
    select ${columns} from appointment
    join resource on resource.id = appointment.resource_id
    join product on product.id = appointment.product_id
    where appointment.id = any (array (
        select unnest(${appointments}::bigint[])
        union select appointment_id from participation where id = any (${participations}::bigint[])
      ))
      and appointment.provider_id = ${providerId} and appointment.deleted_at is null and not appointment.archived
  `)

export const findDiaryEntry = (db: Queryable, uuid: string) =>
  db.first<DiaryEntry & { providerId: number }>(sql`
    select appointment.provider_id, ${columns} from appointment
    join resource on resource.id = appointment.resource_id
    join product on product.id = appointment.product_id
    where appointment.uuid = ${uuid} and appointment.deleted_at is null
  `)
