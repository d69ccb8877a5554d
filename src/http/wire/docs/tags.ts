/** The chapters of the document, in the order in which somebody new needs them; what watches the service comes last. */
export const tags = {
  'A. Setup': 'Users, Accounts, Providers and their Staff: made once, in this order.',
  'B1. Products': 'What a Provider offers, and how long it takes.',
  'B2. Resources': 'What can be booked: rooms, vehicles, people.',
  'B3. Contact Profiles': 'How a User is presented to customers.',
  'B4. Timeslots': 'When a Resource can be booked.',
  'B5. Appointments': 'What is booked, single or in a series.',
  'B6. Participations': 'Who takes part in an Appointment.',
  'B7. Customers': 'The people who book with a Provider.',
  'B8. Events': 'What happened: a log to read from, and webhooks that bring it.',
  'C. Booking': 'What consumers do: list, reserve, complete. No key is needed.',
  'C. Widgets': 'What embedded booking widgets ask beyond the booking itself. No key is needed.',
  Console: 'Settings, mails and explanations, as the web console uses them.',
  Operations: 'For machines that watch the service.',
} as const

export type Tag = keyof typeof tags
