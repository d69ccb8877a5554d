// Every mail Holdfast writes, in one list: whom it goes to, what it is made from, and its calendar part.
export const mails = {
  verification: { to: 'user', data: 'verification', ics: null },
  booked: { to: 'consumer', data: 'booking', ics: 'REQUEST' },
  'booking-notice': { to: 'provider', data: 'booking', ics: null },
  requested: { to: 'consumer', data: 'booking', ics: null },
  'request-notice': { to: 'provider', data: 'booking', ics: null },
  declined: { to: 'consumer', data: 'booking', ics: null },
  cancelled: { to: 'consumer', data: 'booking', ics: 'CANCEL' },
  'cancel-notice': { to: 'provider', data: 'booking', ics: null },
  reminder: { to: 'consumer', data: 'booking', ics: null },
} as const satisfies Record<string, Mail>

export type Mail = { to: Audience; data: keyof DataTypes; ics: IcsMethod | null }
export type Audience = 'consumer' | 'provider' | 'user'
export type IcsMethod = 'REQUEST' | 'CANCEL'

export type MailKind = keyof typeof mails
export type MailData = { [K in MailKind]: DataTypes[(typeof mails)[K]['data']] }
export type BookingKind = Exclude<MailKind, 'verification'>
export const mailKinds = Object.keys(mails) as MailKind[]

type DataTypes = { verification: VerificationData; booking: BookingData }

export type VerificationData = { name: string; link: string }

export type BookingData = {
  consumer: { name: string; email: string | null; mobile: string | null }
  provider: {
    name: string
    email: string | null
    impressum: string | null
    accentColor?: string | null
    logoUrl?: string | null
  }
  resourceName: string
  productName: string | null
  /** The product's hints for the customer. */
  description: string | null
  /** Instants in ISO form, with Z. */
  start: string
  end: string
  /** The Provider's zone. */
  timeZone: string
  /** One line: an address or free text. */
  place: string | null
  contact: Contact | null
  /** The provider's words (confirm, decline, cancel); in a cancel-notice the consumer's reason. */
  message: string | null
  /** The consumer's own message, for the provider's eyes. */
  note: string | null
  cancelLink: string | null
  acceptLink: string | null
  declineLink: string | null
  uid: string
  sequence: number
  organizerEmail: string
  /** When the mail was written: an input, so that every rendering of a mail is the same to the byte. */
  stamp: string
}

export type Contact = { name: string; channels: ContactChannel[] }
export type ContactChannel = { type: ChannelType; label: string | null; value: string }
export type ChannelType = 'mobile' | 'phone' | 'email' | 'video' | 'messenger' | 'link' | 'location'
