import type { EventKind } from './events.ts'

/** One sentence for each kind, for the OpenAPI document and the guide. */
export const eventMeanings: Record<EventKind, string> = {
  'appointment.created':
    'An Appointment was created by the CRM, the console or a consumer who booked a free slot.',
  'appointment.moved': 'An Appointment was moved to another time or Resource.',
  'appointment.changed': 'Another property of an Appointment changed.',
  'appointment.cancelled': 'An Appointment was cancelled, or its last consumer left it.',
  'appointment.deleted': 'An Appointment was deleted without notification.',
  'participation.requested': 'A consumer requested a place and awaits the provider’s answer.',
  'participation.booked': 'A place was booked: at once, by confirming a request, or by the provider.',
  'participation.declined': 'A request was declined, or withdrawn by the consumer; see the actor.',
  'participation.cancelled': 'A booking was cancelled by either side; see the actor.',
  'participation.moved': 'A person’s place moved to another Appointment.',
  'participation.changed':
    'The answers to the questions of the booking form changed: filled in later, or removed after their time.',
  'participation.deleted': 'A Participation was removed without notification.',
  'participation.attended': 'The person attended.',
  'participation.missed': 'The person did not attend.',
  'participation.reminded':
    'A reminder was sent, or a consumer asked for the links to a booking again; see the actor.',
  'participation.messaged': 'Staff sent everyone in an Appointment a message; one event for each person.',
  'customer.created': 'A Customer was created, directly or through a booking.',
  'customer.changed': 'A Customer changed, including a change of its reference.',
  'customer.merged':
    'Another Customer (`mergedUuid`, `formerReference`) was merged into this one. Its bookings are this Customer’s now.',
  'customer.unmerged':
    'A merge was undone: this Customer is back, separate from the one with the uuid `separatedFrom`.',
  'customer.erased': 'A Customer was erased. Delete your copy of their data.',
  'waiting.joined':
    'A person joined the waiting list. A consumer counts once they have confirmed their address.',
  'waiting.changed': 'An entry of the waiting list changed: what the person waits for, or its priority.',
  'waiting.offered': 'A free time is held for a person on the waiting list.',
  'waiting.taken': 'A person on the waiting list took the time that was offered.',
  'waiting.declined': 'A person on the waiting list declined an offer and waits on.',
  'waiting.lapsed': 'An offer ended without an answer, or staff removed its hold.',
  'waiting.left': 'A person left the waiting list, or staff took them off it.',
  'waiting.ended': 'An entry ended by itself: its period is over, or three offers had no answer.',
  'timeslot.created': 'A Timeslot was created.',
  'timeslot.changed': 'A Timeslot changed.',
  'timeslot.deleted': 'A Timeslot was deleted.',
  'resource.created': 'A Resource was created.',
  'resource.changed': 'A Resource changed, or was archived or activated.',
  'resource.extended':
    'Opening hours added Timeslots, as every day, or rewrote them for another time zone. One event stands for all Timeslots of the Resource between `from` and `to`; they have none of their own.',
  'resource.deleted': 'A Resource was deleted with its Timeslots; its future Appointments were cancelled.',
  'product.created': 'A Product was created.',
  'product.changed': 'A Product changed, including its buffers.',
  'product.deleted': 'A Product was deleted and is no longer offered. Existing bookings stay.',
  'question.created': 'A question of the booking form was created.',
  'question.changed': 'A question of the booking form changed.',
  'question.deleted': 'A question is no longer asked. Earlier answers stay.',
  'provider.created': 'A Provider was created.',
  'provider.changed': 'A Provider changed.',
  'staff.added': 'A User was attached to a Provider, with this `role`.',
  'staff.changed': 'A staff member got another `role` at a Provider.',
  'staff.removed': 'A User was detached from a Provider.',
  'user.created': 'A User was created, or a consumer became one.',
  'user.changed': 'A User changed.',
  'account.created': 'An Account was created.',
  'profile.changed': 'A Contact Profile was created or changed.',
  'profile.removed':
    'A Contact Profile was removed; Resources and Appointments that used it show the User’s general profile.',
  'mail.failed': 'An email could not be delivered and was given up.',
  'mail.purged': 'The content of `count` old emails was deleted.',
  'webhook.created': 'A webhook was created.',
  'webhook.changed': 'A webhook changed, or was switched on or off by the CRM.',
  'webhook.removed': 'A webhook was removed.',
  'webhook.disabled': 'A webhook was switched off because its receiver answered 410 or failed for days.',
  'calendar.connected': 'An external calendar was connected to a Resource.',
  'calendar.changed': 'The settings of an external calendar changed, or it was paused or resumed.',
  'calendar.removed': 'An external calendar was removed; its busy times are on offer again.',
  'calendar.imported':
    'Busy times in an external calendar changed. Slot lists of its Resource may have changed.',
  'calendar.stale': 'An external calendar has not been readable for its `staleHours`.',
  'calendar.recovered': 'An external calendar that was stale can be read again.',
  'calendar.rewritten':
    'Bookings that were changed or deleted in an external calendar are written there again.',
  'key.created': 'An API key was created.',
  'key.revoked': 'An API key was revoked.',
  'settings.changed':
    'A console setting changed: the booking channel `channelKey` of a Resource, or what `channelKey` names instead (`hours`, `closures`, `calendar`, `retention`, `logins`, `second-factor`).',
}
