import type { Language } from '../../src/languages.ts'
import { renderEmail } from '../../src/messages/email/render.ts'
import {
  type BookingData,
  type MessageData,
  type MessageKind,
  messages,
} from '../../src/rules/messages/messages.ts'

const full: BookingData = {
  consumer: { name: 'Anna Weber', email: 'anna@example.org', mobile: '+49 170 1234567' },
  provider: {
    name: 'Praxis am Park',
    email: 'praxis@example.org',
    impressum: 'Praxis am Park GmbH\nHRB 12345',
    accentColor: '#7c3aed',
    logoUrl: 'https://example.org/logo.png',
  },
  resourceName: 'Dr. Köhler',
  productName: 'Checkup',
  priceText: '€45',
  isVisit: true,
  description: 'Bring your card.\nCome early.',
  start: '2026-03-03T09:00:00Z',
  end: '2026-03-03T09:30:00Z',
  timeZone: 'Europe/Berlin',
  place: 'Hauptstr. 5, 10115 Berlin, DE',
  contact: {
    name: 'Front desk',
    channels: [
      { type: 'phone', label: null, value: '+49 30 123-456' },
      { type: 'email', label: null, value: 'desk@example.org' },
      { type: 'video', label: 'Room', value: 'https://meet.example.org/abc' },
    ],
  },
  message: 'See you soon',
  note: 'Is there a lift?',
  cancelLink: 'https://book.example.org/cancel/k1',
  moveLink: 'https://book.example.org/move/k5',
  calendarLink: 'https://book.example.org/booked/k8/appointment.ics',
  againLink: 'https://book.example.org/book/k9',
  myLink: 'https://book.example.org/my/k7',
  previous: { start: '2026-03-02T13:00:00Z', end: '2026-03-02T13:30:00Z' },
  acceptLink: 'https://book.example.org/accept/k2',
  declineLink: 'https://book.example.org/decline/k3',
  uid: 'participation-1@book.example.org',
  sequence: 2,
  organizerEmail: 'praxis@example.org',
  stamp: '2026-02-01T08:00:00Z',
}

export function booking(change: Partial<BookingData> = {}): BookingData {
  return { ...full, ...change }
}

/** A booking with only the required values. */
export function bareBooking(): BookingData {
  return booking({
    consumer: { name: '', email: null, mobile: null },
    provider: { name: 'Praxis', email: null, impressum: null },
    productName: null,
    description: null,
    place: null,
    contact: null,
    message: null,
    note: null,
    cancelLink: null,
    moveLink: null,
    calendarLink: null,
    againLink: null,
    myLink: null,
    previous: null,
    acceptLink: null,
    declineLink: null,
  })
}

export function dataFor<K extends MessageKind>(kind: K, data = booking()): MessageData[K] {
  const { name } = data.consumer
  const link = 'https://book.example.org/verify/k4'
  const others = {
    verification: { name, link },
    login: { name, link, place: data.provider.name },
    webhook: { name, crm: data.provider.name, url: 'https://hooks.example.org/', reason: 'gone' },
    calendar: {
      name,
      provider: data.provider.name,
      resource: data.resourceName,
      calendar: 'Private',
      hours: 24,
    },
    booking: data,
    offer: { ...data, offerLink: 'https://book.example.org/offer/k6', offerUntil: '2026-03-01T14:00:00Z' },
    'own-page': { name, provider: data.provider, link },
    waiting: {
      entry: '3f1c7a52-0000-4000-8000-000000000000',
      name,
      provider: data.provider,
      productName: data.productName ?? 'Checkup',
      wish: { fromDate: '2026-03-02', toDate: '2026-03-13', weekdays: 31, fromMinute: 480, toMinute: 720 },
      because: 'over',
      link,
      myLink: data.myLink,
    },
  }
  return others[messages[kind].data] as MessageData[K]
}

export const write = (kind: MessageKind, data = booking(), language: Language = 'en') =>
  renderEmail(kind, language, dataFor(kind, data))
