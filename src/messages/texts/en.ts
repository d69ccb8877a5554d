import type { BookingKind } from '../../rules/messages/messages.ts'
import type { ContactChannel } from '../../rules/people/contacts.ts'
import type { BookingTexts } from './facts.ts'

/**
 * Sentences never inflect a name, and no name follows a French 'de', which would need an elision. The
 * declined and cancelled emails also reach customers who withdrew, so they do not say who did it.
 */
export const en = {
  locale: 'en-GB',
  time: (clock: string) => clock,
  timeRange: (from: string, to: string) => `${from} – ${to}`,
  colon: ':',
  greeting: (name: string | null) => (name ? `Hello ${name},` : 'Hello,'),
  closing: 'Kind regards',
  ignore: 'Not you? You can ignore this email.',
  unnamedCustomer: 'A customer (no name given)',
  verification: {
    subject: 'Please confirm your email address',
    lead: 'Please confirm that this email address belongs to you.',
    button: 'Confirm email address',
  },
  login: {
    subject: 'Your login link',
    lead: 'This link logs you in to the console. It works once and expires after 15 minutes.',
    button: 'Log in',
  },
  factorReset: {
    subject: 'Your two-factor authentication was reset',
    lead: 'An operator turned off two-factor authentication for your login. You can now log in without a code. Please set it up again under “My login”.',
    button: 'Open the console',
    ignore: 'Didn’t expect this? Contact the operator of this service right away.',
  },
  invitation: {
    subject: 'Your access to the console',
    lead: (place: string | null) =>
      place
        ? `You can now manage appointments for ${place} in the console.`
        : 'You can now log in to the console.',
    button: 'Open the console',
    validity:
      'This link works once and expires after 24 hours. After that, request a new one on the login page.',
  },
  webhookDisabled: {
    subject: (crm: string) => `Webhook turned off: ${crm}`,
    gone: 'The receiver no longer accepts this webhook (status 410), so we turned it off.',
    failing: 'The receiver hasn’t accepted any events for five days, so we turned the webhook off.',
    howToResume:
      'No events are lost. Once the receiver works again, turn the webhook back on to pick up where it left off.',
    address: 'Address',
  },
  calendarStale: {
    subject: (resource: string) => `Calendar not readable: ${resource}`,
    lead: (hours: number) =>
      `We haven’t been able to read this external calendar for ${hours === 1 ? 'an hour' : `${hours} hours`}.`,
    open: 'Customers can still book. The busy times we last read still count.',
    closed: 'Until we can read it again, customers can’t book.',
    whatToDo: 'Please check its address and password in the console under Services, Calendars.',
    calendar: 'Calendar',
  },
  mails: {
    booked: {
      subject: ({ when, what }) => `Appointment confirmed: ${when} – ${what}`,
      heading: 'You’re booked',
      lead: ({ provider }) => `Your appointment with ${provider} is confirmed.`,
    },
    'booking-notice': {
      subject: ({ when, what, consumer }) => `New booking: ${when} – ${what}, ${consumer}`,
      heading: 'New booking',
      lead: ({ consumer }) => `${consumer} has booked an appointment.`,
    },
    requested: {
      subject: ({ when, what }) => `Appointment request received: ${when} – ${what}`,
      heading: 'We’ve received your request',
      lead: ({ provider }) =>
        `Thank you for your request. ${provider} will let you know by email. ` +
        'The appointment is not final until confirmed.',
    },
    'request-notice': {
      subject: ({ when, what, consumer }) =>
        `Appointment request, please reply: ${when} – ${what}, ${consumer}`,
      heading: 'New appointment request',
      lead: ({ consumer }) => `${consumer} would like an appointment and is waiting for your reply.`,
    },
    declined: {
      subject: ({ when, what }) => `Appointment request not confirmed: ${when} – ${what}`,
      heading: 'Your request was not confirmed',
      lead: ({ provider }) =>
        `The appointment you requested with ${provider} will not go ahead. We’ve released your time.`,
    },
    cancelled: {
      subject: ({ when, what }) => `Appointment cancelled: ${when} – ${what}`,
      heading: 'Your appointment is cancelled',
      lead: ({ provider }) =>
        `Your appointment with ${provider} has been cancelled. You don’t need to do anything else.`,
    },
    'cancel-notice': {
      subject: ({ when, what, consumer }) => `Cancellation: ${when} – ${what}, ${consumer}`,
      heading: 'An appointment was cancelled',
      lead: ({ consumer }) => `${consumer} has cancelled the following appointment.`,
    },
    moved: {
      subject: ({ when, what }) => `Appointment rescheduled: ${when} – ${what}`,
      heading: 'Your appointment has been rescheduled',
      lead: ({ provider }) => `Your appointment with ${provider} has a new time.`,
    },
    'move-notice': {
      subject: ({ when, what, consumer }) => `Appointment rescheduled: ${when} – ${what}, ${consumer}`,
      heading: 'An appointment was rescheduled',
      lead: ({ consumer }) => `${consumer} has rescheduled the following appointment.`,
    },
    changed: {
      subject: ({ when, what }) => `Booking changed: ${when} – ${what}`,
      heading: 'Your booking has changed',
      lead: ({ provider }) => `Your booking with ${provider} has changed. Here are the current details.`,
    },
    'change-notice': {
      subject: ({ when, what, consumer }) => `Booking changed: ${when} – ${what}, ${consumer}`,
      heading: 'A booking was changed',
      lead: ({ consumer }) => `${consumer} has changed the following booking.`,
    },
    message: {
      subject: ({ when, what }) => `About your appointment: ${when} – ${what}`,
      heading: 'A message about your appointment',
      lead: ({ provider }) => `${provider} has sent you a message about this appointment.`,
    },
    reminder: {
      subject: ({ when, what }) => `Reminder: your appointment, ${when} – ${what}`,
      heading: 'Your appointment is coming up',
      lead: ({ provider }) => `This is a reminder of your appointment with ${provider}.`,
    },
  } satisfies Record<BookingKind, BookingTexts>,
  withdrawn: {
    subject: ({ when, what }) => `Request withdrawn: ${when} – ${what}`,
    heading: 'Your request has been withdrawn',
    lead: ({ provider }) => `You’ve withdrawn your request to ${provider}. We’ve released your time.`,
  } satisfies BookingTexts,
  /** For a customer who asked to reschedule: what happens to the booking they have. */
  currentBooking: {
    until: 'Until then, your current appointment stays as it is.',
    still: 'Your current appointment stays as it is.',
  },
  labels: {
    when: 'When',
    previous: 'Previously',
    current: 'Currently',
    kept: 'Still booked',
    appointment: 'Appointment',
    places: 'Places',
    place: 'Where',
    joinOnline: 'Join online',
    price: 'Price',
    contact: 'Contact',
    name: 'Name',
    email: 'Email',
    mobile: 'Mobile',
    hints: 'Please note',
    messageFrom: (name: string) => `Message from ${name}`,
    reason: 'Reason for the cancellation',
    details: 'Your details',
    answers: 'One more thing',
  },
  channels: {
    mobile: 'Mobile',
    phone: 'Phone',
    email: 'Email',
    video: 'Video',
    messenger: 'Messenger',
    link: 'Link',
    location: 'Location',
  } satisfies Record<ContactChannel['type'], string>,
  buttons: {
    calendar: 'Add to calendar',
    again: 'Book again',
    answers: 'Answer questions',
    details: 'Check details',
    move: 'Reschedule appointment',
    cancel: 'Cancel appointment',
    withdraw: 'Withdraw request',
    accept: 'Accept',
    decline: 'Decline',
    my: 'All my bookings',
  },
  /** The line above the buttons. */
  hints: {
    answers: 'We still need a few answers from you before your appointment.',
    details: 'This booking added a name or number to your account. It stays hidden until you confirm it.',
    change: 'Something came up? Please reschedule or cancel in good time.',
    until: (when: string) => `You can do so online until ${when}.`,
    withdraw: 'No longer need the appointment? Please withdraw your request.',
    keep: 'Prefer to keep your current appointment? Please withdraw your request.',
    answer: 'Each button opens a page where you confirm your decision.',
  },
  reasonForEmail: {
    consumer: 'You’re receiving this email because an appointment was booked or requested with this address.',
    provider: (provider: string) => `You’re receiving this email as the contact for ${provider}.`,
    user: 'You’re receiving this email because this address is linked to an account.',
  },
}
