import type { Schemas } from '../../records.ts'

export type Kind = NonNullable<Schemas['Webhook']['kinds']>[number]

/** Every kind of event; a missing one is a type error. */
const all: Record<Kind, true> = {
  'appointment.created': true,
  'appointment.moved': true,
  'appointment.changed': true,
  'appointment.cancelled': true,
  'appointment.deleted': true,
  'participation.requested': true,
  'participation.booked': true,
  'participation.declined': true,
  'participation.cancelled': true,
  'participation.moved': true,
  'participation.deleted': true,
  'participation.attended': true,
  'participation.missed': true,
  'participation.reminded': true,
  'customer.created': true,
  'customer.changed': true,
  'customer.erased': true,
  'timeslot.created': true,
  'timeslot.changed': true,
  'timeslot.deleted': true,
  'resource.created': true,
  'resource.changed': true,
  'resource.deleted': true,
  'product.created': true,
  'product.changed': true,
  'product.deleted': true,
  'provider.created': true,
  'provider.changed': true,
  'staff.added': true,
  'staff.changed': true,
  'staff.removed': true,
  'user.created': true,
  'user.changed': true,
  'account.created': true,
  'profile.changed': true,
  'profile.removed': true,
  'mail.failed': true,
  'mail.purged': true,
  'webhook.created': true,
  'webhook.changed': true,
  'webhook.removed': true,
  'webhook.disabled': true,
  'key.created': true,
  'key.revoked': true,
  'settings.changed': true,
}

export const kinds = Object.keys(all) as Kind[]
/** The word before the dot. */
export const nouns = [...new Set(kinds.map(kind => kind.slice(0, kind.indexOf('.'))))]
