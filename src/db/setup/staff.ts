import sql from 'sql-template-tag'
import type { MemberRole } from '../../rules/access.ts'
import type { Queryable } from '../base/pool.ts'
import type { UserRow } from './users.ts'

export const listStaff = (db: Queryable, providerId: number) =>
  db.query<UserRow>(sql`
    select app_user.* from staff join app_user on app_user.id = staff.user_id
    where staff.provider_id = ${providerId} order by staff.attached_at, app_user.id
  `)

/** Returns false if the User is already attached. */
export const attachStaff = (
  tx: Queryable,
  providerId: number,
  userId: number,
  { role, resourceIds }: Membership = { role: 'staff', resourceIds: [] },
) =>
  tx.any(sql`
    insert into staff (provider_id, user_id, role, resource_ids)
    values (${providerId}, ${userId}, ${role}, ${resourceIds}::bigint[])
    on conflict do nothing returning 1 as done
  `)

export const detachStaff = (tx: Queryable, providerId: number, userId: number) =>
  tx.any(sql`
    delete from staff where provider_id = ${providerId} and user_id = ${userId} returning 1 as done
  `)

/** Returns the ids of the Users. */
export const detachAllStaff = (tx: Queryable, providerId: number) =>
  tx.column<number>(sql`delete from staff where provider_id = ${providerId} returning user_id`)

/** `resourceIds`: the calendars of a practitioner. */
export type Membership = { role: MemberRole; resourceIds: number[] }

/** Returns false if nothing changes, or the User is not on the staff. */
export const setStaffRole = (
  tx: Queryable,
  providerId: number,
  userId: number,
  { role, resourceIds }: Membership,
) =>
  tx.any(sql`
    update staff set role = ${role}, resource_ids = ${resourceIds}::bigint[]
    where provider_id = ${providerId} and user_id = ${userId}
      and (role, resource_ids) <> (${role}, ${resourceIds}::bigint[]) returning 1 as done
  `)

export type PersonRow = UserRow & {
  isOwner: boolean
  role: MemberRole
  /** The Resources of a practitioner. */
  resourceUuids: string[]
  hasLogin: boolean
  lastLoginAt: number | null
}

/** The owner first, then in order of joining. */
export const listPeople = (db: Queryable, providerId: number) =>
  db.query<PersonRow>(sql`
    select app_user.*, coalesce(console_user.email, invitation.email, app_user.email) as email,
      provider.owner_id = app_user.id as is_owner, staff.role,
      array(select uuid from resource where id = any (staff.resource_ids) and deleted_at is null) as resource_uuids,
      console_user.id is not null or invitation.user_id is not null as has_login, console_user.last_login_at
    from staff join app_user on app_user.id = staff.user_id join provider on provider.id = staff.provider_id
    left join console_user on console_user.user_id = app_user.id
    left join invitation on invitation.user_id = app_user.id
    where staff.provider_id = ${providerId}
    order by is_owner desc, staff.attached_at, app_user.id
  `)

export const isStaff = (tx: Queryable, providerId: number, userId: number) =>
  tx.any(sql`
    select from staff where provider_id = ${providerId} and user_id = ${userId} for key share
  `)
