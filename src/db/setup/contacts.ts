import sql, { type Sql } from 'sql-template-tag'
import type { Language } from '../../languages.ts'
import type { ContactChannel } from '../../rules/people/contacts.ts'

export type ContactPerson = {
  firstName: string | null
  lastName: string | null
  email: string | null
  phone: string | null
  mobile: string | null
  language: Language
  profile: { name: string; channels: ContactChannel[] } | null
}

/** Details entered by a stranger are not shown. */
const confirmed = (column: Sql) =>
  sql`case when ${column.sql}::text = any (person.unconfirmed) then null else person.${column} end`

/** The contact of an Appointment: its own, else the Resource's. Both tables must be in the query. */
export const contactOfAppointment = () =>
  contactPerson(
    sql`coalesce(appointment.contact_user_id, resource.contact_user_id)`,
    sql`case when appointment.contact_user_id is null then resource.contact_profile_id else appointment.contact_profile_id end`,
  )

/** The person as JSON, with the chosen or their general profile; null without a user id. */
export function contactPerson(userId: Sql, profileId: Sql): Sql {
  return sql`
    (select json_build_object(
        'firstName', ${confirmed(sql`first_name`)}, 'lastName', ${confirmed(sql`last_name`)},
        'email', person.email, 'phone', person.phone, 'mobile', ${confirmed(sql`mobile`)}, 'language', person.language,
        'profile', (
          select json_build_object('name', profile.name, 'channels', coalesce((
            select json_agg(json_build_object('label', label, 'type', type, 'value', value) order by position)
            from contact_channel where profile_id = profile.id
          ), '[]'::json))
          from contact_profile profile
          where profile.id = coalesce(${profileId},
            (select id from contact_profile general where general.user_id = person.id and general.provider_id is null))
        )
      )
      from app_user person where person.id = ${userId})
  `
}
