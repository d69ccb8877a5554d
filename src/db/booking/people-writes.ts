import sql from 'sql-template-tag'
import { orderedUuidReference } from '../../lib/ordered-reference.ts'
import { jsonRows } from '../base/json.ts'
import type { Queryable } from '../base/pool.ts'
import { type Booker, isNewCustomer } from './people.ts'

/**
 * Inserts new people and saves new details of known ones, ordered by address so that two batches cannot
 * deadlock.
 */
export async function saveBookers(tx: Queryable, bookers: Booker[]) {
  const all = bookers.toSorted(byAddress)
  const isNewUser = ({ known }: Booker) => known.userUuid === null
  await Promise.all([
    insertUsers(tx, all.filter(isNewUser)),
    completeUsers(
      tx,
      all.filter(one => !isNewUser(one) && isUserIncomplete(one)),
    ),
    insertCustomers(tx, all.filter(isNewCustomer)),
    completeCustomers(
      tx,
      all.filter(one => !isNewCustomer(one) && isCustomerIncomplete(one)),
    ),
  ])
}

/** Whether this booking fills in details that the person can confirm from the email. */
export const fillsInUnconfirmed = (booker: Booker) =>
  booker.known.isOwnAddress &&
  (fillsInUser(booker) ||
    (booker.known.isInvited && booker.known.customerMobile === null && booker.contact.mobile !== null))

const byAddress = (a: Booker, b: Booker) =>
  a.contact.email.toLowerCase().localeCompare(b.contact.email.toLowerCase())

const isUserIncomplete = ({ contact, known }: Booker) =>
  !known.hasAllNames || (known.userMobile === null && contact.mobile !== null)

const isCustomerIncomplete = (booker: Booker) => !booker.known.isLinked || fillsInCustomer(booker)

/** Whether readers of the Customer see new data. */
export const fillsInCustomer = (booker: Booker) => {
  const { contact, known } = booker
  return (
    !isNewCustomer(booker) &&
    ((known.customerMobile === null && contact.mobile !== null) ||
      (known.customerLanguage === null && contact.language !== null))
  )
}

/** The same for a User created by the CRM; the CRM does not read other Users. */
export const fillsInUser = (booker: Booker) => booker.known.isOfCrm && isUserIncomplete(booker)

async function insertUsers(tx: Queryable, bookers: Booker[]) {
  if (bookers.length === 0) return
  await tx.query(sql`
    insert into app_user (crm_id, uuid, email, first_name, last_name, mobile, mobile_key, language)
    select crm_id, user_uuid, email, first_name, last_name, mobile, mobile_key, coalesce(language, provider_language)
    from ${asRows(bookers)}
  `)
}

/**
 * Details that a stranger fills in for a User of the CRM are marked, because their source is not verified.
 */
async function completeUsers(tx: Queryable, bookers: Booker[]) {
  if (bookers.length === 0) return
  await tx.query(sql`
    update app_user set first_name = coalesce(app_user.first_name, one.first_name),
      last_name = coalesce(app_user.last_name, one.last_name), mobile = coalesce(app_user.mobile, one.mobile),
      mobile_key = case when app_user.mobile is null then one.mobile_key else app_user.mobile_key end,
      unconfirmed = case when app_user.reference is null then app_user.unconfirmed else
        app_user.unconfirmed || array_remove(array [case when app_user.first_name is null then 'first_name' end,
          case when app_user.last_name is null then 'last_name' end,
          case when app_user.mobile is null and one.mobile is not null then 'mobile' end], null) end
    from ${asRows(bookers)}
    where app_user.uuid = user_uuid
  `)
}

async function insertCustomers(tx: Queryable, bookers: Booker[]) {
  if (bookers.length === 0) return
  await tx.query(sql`
    insert into customer (provider_id, uuid, reference, user_id, name, email, mobile, mobile_key, language)
    select provider_id, customer_uuid, reference,
      (select id from app_user where uuid = user_uuid), concat_ws(' ', first_name, last_name), email, mobile,
      mobile_key, language
    from ${asRows(bookers)}
  `)
}

async function completeCustomers(tx: Queryable, bookers: Booker[]) {
  if (bookers.length === 0) return
  await tx.query(sql`
    update customer set user_id = coalesce(user_id, (select id from app_user where uuid = user_uuid)),
      mobile = coalesce(customer.mobile, one.mobile), language = coalesce(customer.language, one.language),
      mobile_key = case when customer.mobile is null then one.mobile_key else customer.mobile_key end,
      unconfirmed = case when customer.mobile is null and one.mobile is not null and customer.invited
        then array ['mobile'] else customer.unconfirmed end
    from ${asRows(bookers)}
    where customer.uuid = customer_uuid
  `)
}

const asRows = (bookers: Booker[]) => sql`
  jsonb_to_recordset(${jsonRows(bookers.map(asRow))}::jsonb) as one (provider_id bigint, crm_id bigint, provider_language text,
    user_uuid uuid, customer_uuid uuid, reference text, email text, mobile text, mobile_key text, first_name text, last_name text, language text)
`

const asRow = ({ contact, known, userUuid, customerUuid }: Booker) => ({
  providerId: known.providerId,
  crmId: known.crmId,
  providerLanguage: known.providerLanguage,
  userUuid,
  customerUuid,
  reference: orderedUuidReference(),
  email: contact.email,
  mobile: contact.mobile,
  mobileKey: contact.mobileKey,
  firstName: contact.firstName,
  lastName: contact.lastName,
  language: contact.language,
})
