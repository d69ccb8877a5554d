import sql, { type Sql } from 'sql-template-tag'

/**
 * `exists`, evaluated per row through an index. Without the fence (`offset 0`) PostgreSQL may choose to read
 * the whole table once and keep that plan.
 */
export const hasAny = (rows: Sql): Sql => sql`exists (${rows} offset 0)`

/** A Resource that links no Product supports every Product of its Provider. */
export const linksNoProduct = sql`not ${hasAny(sql`select from resource_product where resource_id = resource.id`)}`

// Jobs skip suspended CRMs by a condition in their own statements, so they need no cached state.

/** The ids of the Providers of suspended CRMs. Usually empty, and computed once per statement. */
export const suspendedProviders = sql`array(
  select provider.id from crm join provider on provider.crm_id = crm.id
  where suspended_until is not null and suspended_until > now()
)`

/** The ids of suspended CRMs. */
export const suspendedCrms = sql`array(
  select crm.id from crm where suspended_until is not null and suspended_until > now()
)`

/** A tsquery for `name_words()`: each typed word begins a word of the name. Null if nothing was typed. */
export function beginningsOf(text: string): string | null {
  const words = text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')
  return words.length === 0 ? null : words.map(word => `'${word.slice(0, 200)}':*`).join(' & ')
}

/**
 * The earliest possible start of an Appointment that is still running at this moment, given the longest
 * block. Limited to 1899, because no Appointment starts earlier and PostgreSQL's range of timestamps is
 * finite.
 */
export const earliestStart = (moment: Date, longestBlock: Sql): Sql => sql`
  ${moment}::timestamptz - least(${longestBlock}, ${moment}::timestamptz - timestamptz '1899-01-01 00:00Z')
`

/** How long before the start the consumer can still change the booking, by its channel. */
export const changeNotice = sql`(
  select change_notice_minutes from channel
  where channel.resource_id = appointment.resource_id
    and channel.key = coalesce(participation.channel_key, 'RESOURCE_PUBLIC')
)`
