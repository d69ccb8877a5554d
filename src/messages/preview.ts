import type { ProviderRow } from '../db/setup/providers.ts'
import type { Language } from '../languages.ts'
import { clockNow } from '../lib/clock.ts'
import type { MessageKind, OfferData } from '../rules/messages/messages.ts'
import { logoAddress } from '../rules/theme.ts'
import { toUtcText } from '../rules/time/time.ts'
import { instantOfWall, startOfNextLocalDay, wallOfInstant } from '../rules/time/zones.ts'
import { renderEmail } from './email/render.ts'

type Sample = { customer: string; place: string; person: string; service: string; message: string }

const samples: Record<Language, Sample> = {
  en: {
    customer: 'Emma Clarke',
    place: '12 Harbour Street, London',
    person: 'Dr Taylor',
    service: 'Consultation',
    message: 'Please use the side entrance today.',
  },
  de: {
    customer: 'Anna Weber',
    place: 'Hafenstraße 12, 20359 Hamburg',
    person: 'Dr. Schneider',
    service: 'Beratung',
    message: 'Bitte nutzen Sie heute den Seiteneingang.',
  },
  fr: {
    customer: 'Camille Martin',
    place: '12 rue du Port, 13002 Marseille',
    person: 'Dr Bernard',
    service: 'Consultation',
    message: 'Merci d’utiliser l’entrée latérale aujourd’hui.',
  },
  es: {
    customer: 'Lucía García',
    place: 'Calle del Puerto 12, 46021 Valencia',
    person: 'Dra. Martín',
    service: 'Consulta',
    message: 'Hoy use la entrada lateral, por favor.',
  },
  it: {
    customer: 'Giulia Rossi',
    place: 'Via del Porto 12, 16126 Genova',
    person: 'Dott.ssa Ricci',
    service: 'Consulenza',
    message: 'Oggi usi l’ingresso laterale, per favore.',
  },
}

const hour = 3_600_000

type Wanted = { kind: MessageKind; language: Language; text: string | null }
type Offer = { person?: string; service?: string }

/** The email about an invented booking of what the business offers. Its links lead to the service's first page. */
export function previewEmail(baseUrl: string, provider: ProviderRow, offer: Offer, wanted: Wanted) {
  const { kind, language, text } = wanted
  const { timeZone } = provider
  const sample = samples[language]
  const at = (days: number, hours: number) =>
    toUtcText(
      instantOfWall(
        wallOfInstant(startOfNextLocalDay(clockNow(), timeZone), timeZone) + (days * 24 + hours) * hour,
        timeZone,
      ),
    )
  const data: OfferData = {
    consumer: { name: sample.customer, email: 'customer@example.org' },
    provider: { ...provider, logoUrl: logoAddress(baseUrl, provider.logoUrl) },
    resourceName: offer.person ?? sample.person,
    productName: offer.service ?? sample.service,
    start: at(6, 10),
    end: at(6, 10.5),
    timeZone,
    isVisit: true,
    place: sample.place,
    message: kind === 'message' ? sample.message : null,
    calendarLink: baseUrl,
    againLink: baseUrl,
    moveLink: baseUrl,
    cancelLink: baseUrl,
    myLink: baseUrl,
    previous: kind === 'moved' ? { start: at(5, 14), end: at(5, 14.5) } : null,
    offerLink: baseUrl,
    offerUntil: at(0, 12),
    uid: 'preview',
    sequence: 0,
    organizerEmail: 'preview@example.org',
    stamp: toUtcText(clockNow()),
  }
  return renderEmail(kind, language, data, text)
}

/** The HTML as readers in light or dark mode see it, whatever mode the viewer has. */
export const inScheme = (html: string, scheme: 'light' | 'dark'): string =>
  html
    .replaceAll('(prefers-color-scheme: dark)', scheme === 'dark' ? 'all' : 'not all')
    .replaceAll('light dark', scheme)
