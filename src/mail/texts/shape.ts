import type { BookingKind } from '../../rules/messages/emails.ts'
import type { ContactChannel } from '../../rules/people/contacts.ts'

/** What a sentence can mention. Each value is a single line. */
export type Facts = { what: string; when: string; consumer: string; provider: string }

export type BookingTexts = {
  subject: (facts: Facts) => string
  heading: string
  lead: (facts: Facts) => string
}

/**
 * Sentences never inflect a name, and no name follows a French 'de', which would need an elision. The
 * declined and cancelled emails also reach customers who withdrew, so they do not say who did it.
 */
export type Texts = {
  locale: string
  time: (clock: string) => string
  timeRange: (from: string, to: string) => string
  colon: string
  greeting: (name: string | null) => string
  closing: string
  unnamedCustomer: string
  verification: { subject: string; lead: string; button: string; ignore: string }
  login: { subject: string; lead: string; button: string; ignore: string }
  factorReset: { subject: string; lead: string; button: string; ignore: string }
  invitation: {
    subject: string
    lead: (place: string | null) => string
    button: string
    validity: string
  }
  webhookDisabled: {
    subject: (crm: string) => string
    gone: string
    failing: string
    howToResume: string
    address: string
  }
  calendarStale: {
    subject: (resource: string) => string
    lead: (hours: number) => string
    open: string
    closed: string
    whatToDo: string
    calendar: string
  }
  mails: Record<BookingKind, BookingTexts>
  withdrawn: BookingTexts
  /** For a customer who asked to reschedule: what happens to the booking they have. */
  currentBooking: { until: string; still: string }
  labels: {
    when: string
    previous: string
    kept: string
    appointment: string
    places: string
    place: string
    contact: string
    name: string
    email: string
    mobile: string
    hints: string
    messageFrom: (name: string) => string
    reason: string
    details: string
    answers: string
  }
  channels: Record<ContactChannel['type'], string>
  buttons: {
    answers: string
    details: string
    move: string
    cancel: string
    withdraw: string
    accept: string
    decline: string
    my: string
  }
  /** The line above the buttons. */
  hints: {
    details: string
    answers: string
    change: string
    withdraw: string
    answer: string
    until: (when: string) => string
  }
  reasonForEmail: { consumer: string; provider: (provider: string) => string; user: string }
}
