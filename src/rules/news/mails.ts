import type { Profile } from '../people/contacts.ts'
import type { Actor, EventKind } from './events.ts'

// Every mail Holdfast writes, in one list: whom it goes to, what it is made from, its calendar part, which buttons it has
// and the hint above them. `over`: what it speaks of does not take place. Texts stand in mail/texts, by the same names.
export const mails = {
  verification: { to: 'user', data: 'verification', ics: null, over: false, buttons: [], hint: null },
  login: { to: 'login', data: 'login', ics: null, over: false, buttons: [], hint: null },
  invitation: { to: 'login', data: 'login', ics: null, over: false, buttons: [], hint: null },
  booked: {
    to: 'consumer',
    data: 'booking',
    ics: 'REQUEST',
    over: false,
    buttons: ['move', 'cancel', 'details'],
    hint: 'change',
  },
  'booking-notice': { to: 'provider', data: 'booking', ics: null, over: false, buttons: [], hint: null },
  requested: {
    to: 'consumer',
    data: 'booking',
    ics: null,
    over: false,
    buttons: ['move', 'withdraw', 'details'],
    hint: 'withdraw',
  },
  'request-notice': {
    to: 'provider',
    data: 'booking',
    ics: null,
    over: false,
    buttons: ['accept', 'decline'],
    hint: 'answer',
  },
  declined: { to: 'consumer', data: 'booking', ics: null, over: true, buttons: [], hint: null },
  cancelled: { to: 'consumer', data: 'booking', ics: 'CANCEL', over: true, buttons: [], hint: null },
  'cancel-notice': { to: 'provider', data: 'booking', ics: null, over: true, buttons: [], hint: null },
  moved: {
    to: 'consumer',
    data: 'booking',
    ics: 'REQUEST',
    over: false,
    buttons: ['move', 'cancel'],
    hint: 'change',
  },
  'move-notice': { to: 'provider', data: 'booking', ics: null, over: false, buttons: [], hint: null },
  'webhook-off': { to: 'login', data: 'webhook', ics: null, over: false, buttons: [], hint: null },
  reminder: {
    to: 'consumer',
    data: 'booking',
    ics: null,
    over: false,
    buttons: ['move', 'cancel'],
    hint: 'change',
  },
} as const satisfies Record<string, Mail>

export type Mail = {
  to: Audience
  data: keyof DataTypes
  ics: IcsMethod | null
  over: boolean
  buttons: readonly MailButton[]
  hint: MailHint | null
}
type Audience = 'consumer' | 'provider' | 'user' | 'login'
export type IcsMethod = 'REQUEST' | 'CANCEL'
export type MailButton = 'details' | 'move' | 'cancel' | 'withdraw' | 'accept' | 'decline'
type MailHint = 'change' | 'withdraw' | 'answer'

/**
 * Which event causes which mails; what a consumer does themselves, the provider's contact hears of as well. `letters` are
 * those that only the action knows whom to write to, and whether.
 */
const causes: { [K in EventKind]?: Cause } = {
  'user.created': { letters: ['verification'] },
  'webhook.disabled': { letters: ['webhook-off'] },
  'participation.requested': { always: ['requested'], byConsumer: ['request-notice'] },
  'participation.booked': { always: ['booked'], byConsumer: ['booking-notice'] },
  'participation.declined': { always: ['declined'], byConsumer: ['cancel-notice'] },
  'participation.cancelled': { always: ['cancelled'], byConsumer: ['cancel-notice'] },
  'participation.moved': { always: ['moved'], byConsumer: ['move-notice'] },
  // Who has lost the mail with their links gets one of the two again: as a request while it is one.
  'participation.reminded': { always: ['reminder'], letters: ['reminder', 'requested'] },
  // Who puts their own mistyped address right is told there what they were told before, and so is the provider's contact.
  'customer.changed': { letters: ['booked', 'booking-notice', 'requested', 'request-notice'] },
}

type Cause = { always?: MailKind[]; byConsumer?: MailKind[]; letters?: MailKind[] }

export function mailsCausedBy(kind: EventKind, actor: Actor): MailKind[] {
  const { always = [], byConsumer = [] } = causes[kind] ?? {}
  return actor.kind === 'consumer' ? [...always, ...byConsumer] : always
}

export const lettersCausedBy = (kind: EventKind): MailKind[] => causes[kind]?.letters ?? []

export type MailKind = keyof typeof mails
export type MailData = { [K in MailKind]: DataTypes[(typeof mails)[K]['data']] }
export type BookingKind = Exclude<MailKind, 'verification' | 'webhook-off' | 'login' | 'invitation'>
export const mailKinds = Object.keys(mails) as MailKind[]

export const isAboutBooking = (kind: MailKind): kind is BookingKind => mails[kind].data === 'booking'

type DataTypes = {
  verification: VerificationData
  login: LoginData
  webhook: WebhookData
  booking: BookingData
}

export type VerificationData = { name: string; link: string }

/** `place`: for whom the invited person may work; null: for whoever runs the service. */
export type LoginData = { name: string; link: string; place?: string | null }

/** A webhook gets nothing any more: the receiver said so, or has not answered for days. */
export type WebhookData = { name: string; crm: string; url: string; reason: 'gone' | 'failing' }

/**
 * For JSON.stringify: what is null or false reads the same where it is not there, and much of what a mail could tell is not
 * given.
 */
export const leaveOutEmpty = (_key: string, value: unknown) =>
  value === null || value === false ? undefined : value

/** As it is made, and as it is read again without what was empty. */
export type BookingData = {
  consumer: { name: string; email?: string | null; mobile?: string | null }
  provider: {
    name: string
    email?: string | null
    impressum?: string | null
    accentColor?: string | null
    logoUrl?: string | null
  }
  resourceName: string
  productName?: string | null
  /** The product's hints for the customer. */
  description?: string | null
  /** Instants in ISO form, with Z. */
  start: string
  end: string
  /** The Provider's zone. */
  timeZone: string
  /** As the consumer saw the time when they booked. */
  consumerZone?: string | null
  locale?: string | null
  /** One goes there: the clock of the place comes first. */
  isVisit?: boolean
  /** One line: an address or free text. */
  place?: string | null
  contact?: Profile | null
  /** The provider's words (confirm, decline, cancel); in a cancel-notice the consumer's reason. */
  message?: string | null
  /** A request that its consumer took back, which the mail must not call a refusal. */
  withdrawn?: boolean
  /** The consumer's own message, for the provider's eyes. */
  note?: string | null
  cancelLink?: string | null
  moveLink?: string | null
  /** Where this booking filled something in that only the person themselves can confirm. */
  detailsLink?: string | null
  /** From when on the consumer can no longer cancel or move it, where that is before the start. */
  changeUntil?: string | null
  /** When it was before it moved, or is until the provider agrees. */
  previous?: { start: string; end: string } | null
  /** They had asked for `previous`, and never had it. */
  onlyAsked?: boolean
  acceptLink?: string | null
  declineLink?: string | null
  uid: string
  sequence: number
  organizerEmail: string
  /** When the mail was written: an input, so that every rendering of a mail is the same to the byte. */
  stamp: string
}
