/** Chapters of the document, in the order a new integrator needs them; monitoring comes last. */
export const tags = {
  'A. Setup': 'Users, Accounts, Providers and their staff: created once, in this order.',
  'B1. Products': 'The services a Provider offers, and how long they take.',
  'B2. Resources': 'What can be booked: rooms, vehicles, people.',
  'B3. Contact Profiles': 'How Users are presented to customers.',
  'B4. Timeslots': 'When a Resource can be booked.',
  'B5. Appointments': 'Booked times, single or in a series.',
  'B6. Participations': 'Places of people in an Appointment.',
  'B7. Customers': 'The people who book with a Provider.',
  'B8. Events': 'An event log to read, webhooks that deliver its events, and the log of your own calls.',
  'B9. Waiting list': 'People who wait for a time to become free.',
  'B10. Reports': 'Numbers about bookings, by week or month.',
  'C. Booking': 'For consumers: list, reserve, complete. No key required.',
  'C. Widgets': 'Further requests of embedded booking widgets. No key required.',
  Console: 'Settings, emails and explanations, as used by the web console.',
  Operations: 'For monitoring.',
} as const

export type Tag = keyof typeof tags
