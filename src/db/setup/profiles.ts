import sql from 'sql-template-tag'
import type { ContactChannel } from '../../rules/people/contacts.ts'
import type { Queryable } from '../base/pool.ts'

export type ProfileRow = {
  id: number
  providerId: number | null
  userId: number
  reference: string | null
  name: string
  userReference: string | null
  providerReference: string | null
  channels: ContactChannel[]
}

const profile = sql`
  select contact_profile.id, contact_profile.provider_id, contact_profile.user_id, contact_profile.reference,
    contact_profile.name, app_user.reference as user_reference, provider.reference as provider_reference,
    coalesce((
      select json_agg(json_build_object('label', label, 'type', type, 'value', value) order by position)
      from contact_channel where profile_id = contact_profile.id
    ), '[]') as channels
  from contact_profile
  join app_user on app_user.id = contact_profile.user_id
  left join provider on provider.id = contact_profile.provider_id
`

export const findGeneralProfile = (db: Queryable, userId: number) =>
  db.first<ProfileRow>(sql`
    ${profile} where contact_profile.user_id = ${userId} and contact_profile.provider_id is null
  `)

export const findProviderProfile = (db: Queryable, providerId: number, reference: string) =>
  db.first<ProfileRow>(sql`
    ${profile} where contact_profile.provider_id = ${providerId} and contact_profile.reference = ${reference}
  `)

/** All profiles of this Provider, for any User. */
export const listProviderProfiles = (db: Queryable, providerId: number) =>
  db.query<ProfileRow>(sql`
    ${profile} where contact_profile.provider_id = ${providerId} order by contact_profile.id limit 1000
  `)

/** Whether the profile belongs to another Provider of the CRM, for a more helpful error. */
export const isProfileElsewhere = (db: Queryable, crmId: number, reference: string) =>
  db.any(sql`
    select from contact_profile where crm_id = ${crmId} and reference = ${reference} limit 1
  `)

export const upsertGeneralProfile = (tx: Queryable, crmId: number, userId: number, name: string) =>
  tx.value<number>(sql`
    insert into contact_profile (crm_id, user_id, name) values (${crmId}, ${userId}, ${name})
    on conflict (user_id) where provider_id is null do update set name = excluded.name
    returning id
  `)

/** Returns null if the reference is taken. */
export const insertProviderProfile = (
  tx: Queryable,
  to: { crmId: number; providerId: number; userId: number },
  reference: string,
  name: string,
) =>
  tx.value<number | null>(sql`
    insert into contact_profile (crm_id, provider_id, user_id, reference, name)
    values (${to.crmId}, ${to.providerId}, ${to.userId}, ${reference}, ${name})
    on conflict on constraint contact_profile_reference do nothing
    returning id
  `)

/** Prevents other changes until the transaction ends. */
export async function lockProfile(tx: Queryable, providerId: number, reference: string) {
  await tx.query(sql`
    select from contact_profile where provider_id = ${providerId} and reference = ${reference} for update
  `)
}

export async function lockGeneralProfile(tx: Queryable, crmId: number, userReference: string) {
  await tx.query(sql`
    select from contact_profile
    where provider_id is null
      and user_id = (select id from app_user where crm_id = ${crmId} and reference = ${userReference})
    for update
  `)
}

/** Prevents its deletion until the transaction has linked it. */
export async function lockProfileForUse(tx: Queryable, providerId: number, reference: string) {
  await tx.query(sql`
    select from contact_profile where provider_id = ${providerId} and reference = ${reference} for key share
  `)
}

export async function renameProfile(tx: Queryable, id: number, name: string) {
  await tx.query(sql`update contact_profile set name = ${name} where id = ${id}`)
}

/** Adds new types, updates known ones and removes absent ones. */
export async function mergeChannels(
  tx: Queryable,
  crmId: number,
  profileId: number,
  channels: ContactChannel[],
) {
  const types = channels.map(channel => channel.type)
  await tx.query(
    sql`delete from contact_channel where profile_id = ${profileId} and type <> all (${types}::text[])`,
  )
  await tx.query(sql`
    insert into contact_channel (crm_id, profile_id, type, label, value, position)
    select ${crmId}, ${profileId}, type, label, value, position
    from unnest(${types}::text[], ${channels.map(channel => channel.label)}::text[],
      ${channels.map(channel => channel.value)}::text[]) with ordinality sent (type, label, value, position)
    on conflict (profile_id, type) do update
    set label = excluded.label, value = excluded.value, position = excluded.position
  `)
}

export const profilesById = (db: Queryable, ids: number[]) =>
  db.query<ProfileRow>(sql`${profile} where contact_profile.id = any (${ids}::bigint[])`)

/** Contacts presented by this profile fall back to the general one. */
export async function deleteProfile(tx: Queryable, id: number) {
  await tx.query(sql`update resource set contact_profile_id = null where contact_profile_id = ${id}`)
  await tx.query(sql`update appointment set contact_profile_id = null where contact_profile_id = ${id}`)
  await tx.query(sql`delete from contact_profile where id = ${id}`)
}
