import sql from 'sql-template-tag'
import type { MemberRole } from '../../rules/access.ts'
import type { Queryable } from '../base/pool.ts'
import type { UserRow } from './users.ts'

export async function listStaff(db: Queryable, providerId: number): Promise<UserRow[]> {
  return db.query<UserRow>(sql`
    select app_user.* from staff join app_user on app_user.id = staff.user_id
    where staff.provider_id = ${providerId} order by staff.attached_at, app_user.id
  `)
}

/** Returns false if the User is already attached. */
export async function attachStaff(
  tx: Queryable,
  providerId: number,
  userId: number,
  { role, resourceIds }: Membership = { role: 'staff', resourceIds: [] },
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into staff (provider_id, user_id, role, resource_ids)
    values (${providerId}, ${userId}, ${role}, ${resourceIds}::bigint[])
    on conflict do nothing returning 1 as done
  `)
  return rows.length > 0
}

export async function detachStaff(tx: Queryable, providerId: number, userId: number): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from staff where provider_id = ${providerId} and user_id = ${userId} returning 1 as done
  `)
  return rows.length > 0
}

/** Returns the ids of the Users. */
export async function detachAllStaff(tx: Queryable, providerId: number): Promise<number[]> {
  const rows = await tx.query<{ userId: number }>(
    sql`delete from staff where provider_id = ${providerId} returning user_id`,
  )
  return rows.map(row => row.userId)
}

/** `resourceIds`: the calendars of a practitioner. */
export type Membership = { role: MemberRole; resourceIds: number[] }

/** Returns false if nothing changes, or the User is not on the staff. */
export async function setStaffRole(
  tx: Queryable,
  providerId: number,
  userId: number,
  { role, resourceIds }: Membership,
) {
  const rows = await tx.query(sql`
    update staff set role = ${role}, resource_ids = ${resourceIds}::bigint[]
    where provider_id = ${providerId} and user_id = ${userId}
      and (role, resource_ids) <> (${role}, ${resourceIds}::bigint[]) returning 1 as done
  `)
  return rows.length > 0
}

export type PersonRow = UserRow & {
  isOwner: boolean
  role: MemberRole
  /** The Resources of a practitioner. */
  resourceUuids: string[]
  hasLogin: boolean
  lastLoginAt: number | null
}

/** The owner first, then in order of joining. */
export async function listPeople(db: Queryable, providerId: number): Promise<PersonRow[]> {
  return db.query<PersonRow>(sql`
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
}

export async function isStaff(tx: Queryable, providerId: number, userId: number): Promise<boolean> {
  const rows = await tx.query(sql`
    select from staff where provider_id = ${providerId} and user_id = ${userId} for key share
  `)
  return rows.length > 0
}
