import type { Profile } from '../people/contacts.ts'
import type { Actor, EventKind } from './events.ts'

/** Nothing to click, and nothing in a calendar. */
const plain = { ics: null, over: false, buttons: [], hint: null } as const

/** Tells the provider's contact about a booking. */
const notice = { to: 'provider', data: 'booking', ...plain } as const

/** Tells a consumer about a booking that they may change. */
const changeable = {
  to: 'consumer',
  data: 'booking',
  ics: 'REQUEST',
  over: false,
  buttons: ['answers', 'calendar', 'move', 'cancel', 'my'],
  hint: 'change',
} as const

// Every message that Holdfast sends: its recipient, data, calendar part, buttons and the hint above them.
// `over`: the appointment does not take place. The texts are in src/messages/texts under the same names.
export const messages = {
  verification: { ...plain, to: 'user', data: 'verification' },
  login: { ...plain, to: 'login', data: 'login' },
  invitation: { ...plain, to: 'login', data: 'login' },
  'factor-reset': { ...plain, to: 'login', data: 'login' },
  booked: { ...changeable, buttons: ['answers', 'calendar', 'move', 'cancel', 'details', 'my'] },
  'booking-notice': notice,
  requested: {
    ...changeable,
    ics: null,
    buttons: ['answers', 'move', 'withdraw', 'details', 'my'],
    hint: 'withdraw',
  },
  'request-notice': { ...notice, buttons: ['accept', 'decline'], hint: 'answer' },
  declined: { ...changeable, ics: null, over: true, buttons: ['again', 'my'], hint: null },
  cancelled: { ...changeable, ics: 'CANCEL', over: true, buttons: ['again', 'my'], hint: null },
  'cancel-notice': { ...notice, over: true },
  moved: changeable,
  'move-notice': notice,
  changed: changeable,
  'change-notice': notice,
  message: { ...changeable, ics: null, buttons: ['move', 'cancel', 'my'] },
  offer: { ...plain, to: 'consumer', data: 'offer' },
  proposal: { ...plain, to: 'consumer', data: 'offer' },
  'waiting-confirm': { ...plain, to: 'consumer', data: 'waiting' },
  'waiting-ended': { ...plain, to: 'consumer', data: 'waiting' },
  'my-link': { ...plain, to: 'consumer', data: 'own-page' },
  'erasure-notice': { ...plain, to: 'provider', data: 'own-page' },
  'webhook-off': { ...plain, to: 'login', data: 'webhook' },
  'calendar-stale': { ...plain, to: 'provider', data: 'calendar' },
  reminder: { ...changeable, ics: null },
} as const satisfies Record<string, Message>

export type Message = {
  to: Audience
  /** The channels it is sent through, if not by email only. */
  via?: readonly Channel[]
  data: keyof DataTypes
  ics: IcsMethod | null
  over: boolean
  buttons: readonly MessageButton[]
  hint: MessageHint | null
}
type Audience = 'consumer' | 'provider' | 'user' | 'login'
export type IcsMethod = 'REQUEST' | 'CANCEL'
export type MessageButton =
  | 'answers'
  | 'calendar'
  | 'move'
  | 'cancel'
  | 'withdraw'
  | 'again'
  | 'details'
  | 'accept'
  | 'decline'
  | 'my'
type MessageHint = 'change' | 'withdraw' | 'answer'

/**
 * How messages travel: which detail of a person is the address, and which job delivers them. A job kind per channel keeps a previous
 * version, which does not know the channel, from taking its messages.
 */
export const channels = {
  email: { address: 'email', job: 'deliver-mail' },
} as const satisfies Record<string, { address: 'email' | 'mobile'; job: string }>

export type Channel = keyof typeof channels
export type DeliveryJob = (typeof channels)[Channel]['job']
export const deliveryJobs: readonly DeliveryJob[] = Object.values(channels).map(one => one.job)

/** The addresses at which a person gets a message: one per channel, if there is one. */
export function addressesFor(kind: MessageKind, person: Addressee): { channel: Channel; to: string }[] {
  const { via = ['email'] }: Message = messages[kind]
  return via.flatMap(channel => {
    const to = person[channels[channel].address]
    return to ? [{ channel, to }] : []
  })
}

type Addressee = { email?: string | null; mobile?: string | null }

/**
 * Which event causes which emails. The provider's contact is also notified of what a consumer does.
 * `letters`: emails whose recipients only the action knows.
 */
const causes: { [K in EventKind]?: Cause } = {
  'user.created': { extra: ['verification'] },
  'webhook.disabled': { extra: ['webhook-off'] },
  'calendar.stale': { extra: ['calendar-stale'] },
  'participation.requested': { always: ['requested'], byConsumer: ['request-notice'] },
  'participation.booked': { always: ['booked'], byConsumer: ['booking-notice'] },
  'participation.declined': { always: ['declined'], byConsumer: ['cancel-notice'] },
  'participation.cancelled': { always: ['cancelled'], byConsumer: ['cancel-notice'] },
  // Only a change of the places; answers that are added go unmentioned.
  'participation.changed': { extra: ['changed', 'change-notice', 'requested', 'request-notice'] },
  'participation.messaged': { always: ['message'] },
  'participation.moved': { always: ['moved'], byConsumer: ['move-notice'] },
  'waiting.offered': { extra: ['offer'] },
  'waiting.ended': { extra: ['waiting-ended'] },
  // Resends the links: as a request while the booking is still one.
  'participation.reminded': { always: ['reminder'], extra: ['reminder', 'requested'] },
  // After a correction of a mistyped address, the first emails are sent again with the right one.
  'customer.changed': { extra: ['booked', 'booking-notice', 'requested', 'request-notice'] },
}

/** An agent books for a consumer, who gets the same emails. */
const isForConsumer = ({ kind }: Actor) => kind === 'consumer' || kind === 'agent'

type Cause = { always?: MessageKind[]; byConsumer?: MessageKind[]; extra?: MessageKind[] }

export function messagesCausedBy(kind: EventKind, actor: Actor): MessageKind[] {
  const { always = [], byConsumer = [] } = causes[kind] ?? {}
  return isForConsumer(actor) ? [...always, ...byConsumer] : always
}

export const extraMessagesCausedBy = (kind: EventKind): MessageKind[] => causes[kind]?.extra ?? []

export type MessageKind = keyof typeof messages
export type MessageData = { [K in MessageKind]: DataTypes[(typeof messages)[K]['data']] }
type KindWith<Data extends keyof DataTypes> = {
  [K in MessageKind]: (typeof messages)[K]['data'] extends Data ? K : never
}[MessageKind]
export type LoginKind = KindWith<'login'>
export type WaitingKind = KindWith<'waiting'>
export type OwnPageKind = KindWith<'own-page'>
export type BookingKind = KindWith<'booking'>
export const messageKinds = Object.keys(messages) as MessageKind[]

export const isAboutBooking = (kind: MessageKind): kind is BookingKind => messages[kind].data === 'booking'

type DataTypes = {
  verification: VerificationData
  login: LoginData
  webhook: WebhookData
  calendar: CalendarData
  booking: BookingData
  offer: OfferData
  waiting: WaitingData
  'own-page': OwnPageData
}

export type VerificationData = { name: string; link: string }

/** `place`: the business that the person is invited to; null for the operator of the service. */
export type LoginData = { name: string; link: string; place?: string | null }

/** A webhook was stopped: its receiver answered 410, or has not answered for days. */
export type WebhookData = { name: string; crm: string; url: string; reason: 'gone' | 'failing' }

/** An external calendar could not be read for this many hours. `isClosed`: its Resource is not bookable meanwhile. */
export type CalendarData = {
  name: string
  provider: string
  resource: string
  calendar: string
  hours: number
  isClosed?: boolean
}

/** For JSON.stringify: omits null and false, which read the same as missing, to keep stored emails small. */
export const leaveOutEmpty = (_key: string, value: unknown) =>
  value === null || value === false ? undefined : value

export type EmailAnswer = {
  label: string
  text: string
  /** In the Provider's language, if that is another one. */
  provider?: { label: string; text: string }
  /** The consumer's emails show it too. */
  inEmails?: boolean
}

/** Fields may be missing when read back, because empty ones are not stored. */
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
  /** As it was when the email was written. */
  priceText?: string | null
  /** The product's hints for the customer. */
  description?: string | null
  /** Instants in ISO form, with Z. */
  start: string
  end: string
  /** The Provider's zone. */
  timeZone: string
  /** The zone in which the consumer saw the time when they booked. */
  consumerZone?: string | null
  locale?: string | null
  /** In person: the local time of the place is shown first. */
  isVisit?: boolean
  /** One line: an address or free text. */
  place?: string | null
  contact?: Profile | null
  /** The provider's message (confirm, decline, cancel); in a cancel-notice the consumer's reason. */
  message?: string | null
  /** The consumer withdrew the request; the email must not call it declined. */
  withdrawn?: boolean
  /** The consumer's message; only the provider sees it. */
  note?: string | null
  /** Set if the booking takes several, or has taken another number. */
  places?: number | null
  placesBefore?: number | null
  placeNames?: string[] | null
  /** The answers to the questions of the booking form. */
  answers?: EmailAnswer[] | null
  /** Set while answers are missing. */
  answersLink?: string | null
  cancelLink?: string | null
  moveLink?: string | null
  /** The calendar file. */
  calendarLink?: string | null
  /** To book the same again; set once the booking is over. */
  againLink?: string | null
  /** Set where this booking filled in details that the person must confirm. */
  detailsLink?: string | null
  /** The person's own page. */
  myLink?: string | null
  /** From this time the consumer can no longer cancel or reschedule; null if that is the start. */
  changeUntil?: string | null
  /** The time before the move, or the current one until the provider agrees. */
  previous?: { start: string; end: string } | null
  /** `previous` was only requested, never confirmed. */
  onlyAsked?: boolean
  acceptLink?: string | null
  declineLink?: string | null
  /** All dates of a series; the other fields are those of the first. */
  dates?: SeriesDate[]
  /** The page of the booking; only in `dates`. */
  pageLink?: string | null
  uid: string
  sequence: number
  organizerEmail: string
  /** When the email was written. An input, so that rendering it again gives the same bytes. */
  stamp: string
}

const datePart = [
  'start',
  'end',
  'uid',
  'sequence',
  'resourceName',
  'productName',
  'place',
  'cancelLink',
  'moveLink',
  'pageLink',
  'previous',
] as const
export type SeriesDate = Pick<BookingData, (typeof datePart)[number]>

/** One email for several dates of one person. */
export function mergeDates(all: BookingData[]): BookingData {
  const sorted = all.toSorted((one, other) => one.start.localeCompare(other.start))
  const dates = sorted.map(
    data => Object.fromEntries(datePart.map(field => [field, data[field]])) as SeriesDate,
  )
  return { ...sorted[0]!, dates }
}

/** A hold that a person may take, and until when it lasts. */
export type OfferData = BookingData & { offerLink: string; offerUntil: string }

/** What a person waits for; `because` is set when the entry has ended. */
export type WaitingData = {
  /** The uuid of the entry. */
  entry: string
  name: string
  provider: BookingData['provider']
  productName: string
  wish: { fromDate: string; toDate: string; weekdays: number; fromMinute: number; toMinute: number }
  because?: string | null
  link: string
  /** The person's own page. */
  myLink?: string | null
}

/** The link to a person's own page; or, for the provider, to the Customer who asks to be erased. */
export type OwnPageData = { name: string; provider: BookingData['provider']; link: string }

export * from '../../../web/shared/placeholders.ts'

// Paragraphs that a business adds to its emails: those to customers about one time.

export const textKinds: MessageKind[] = messageKinds.filter(
  kind => messages[kind].to === 'consumer' && ['booking', 'offer'].includes(messages[kind].data),
)
