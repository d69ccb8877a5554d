import { LRUCache } from 'lru-cache'
import { type Format, makeFormat } from '../../../web/shared/format.ts'
import { type Texts as WidgetTexts, texts as widgetTexts } from '../../../web/shared/texts/index.ts'
import { zoneNamesIn } from '../../../web/shared/zone-names.ts'
import { type Language, translated } from '../../languages.ts'

/** Texts of the booking page that the widget does not have. */
const bookTexts = translated({
  de: {
    laterTimes: 'Spätere Termine',
    earlierTimes: 'Frühere Termine',
    heldUntil: time => `Für Sie reserviert bis ${time} Uhr.`,
    detailsKept: 'Ihre Angaben bleiben erhalten.',
    notFoundTitle: 'Seite nicht gefunden',
    tooManyResources: most =>
      `Dieser Link enthält zu viele Kalender. Möglich sind höchstens ${most}. Bitte wenden Sie sich an den Anbieter.`,
  },
  en: {
    laterTimes: 'Later times',
    earlierTimes: 'Earlier times',
    heldUntil: (time: string) => `Reserved for you until ${time}.`,
    detailsKept: 'Your details are safe.',
    notFoundTitle: 'Page not found',
    tooManyResources: (most: number) =>
      `This link contains too many calendars. The limit is ${most}. Please contact the provider.`,
  },
  fr: {
    laterTimes: 'Horaires suivants',
    earlierTimes: 'Horaires précédents',
    heldUntil: time => `Réservé pour vous jusqu’à ${time}.`,
    detailsKept: 'Vos coordonnées sont conservées.',
    notFoundTitle: 'Page introuvable',
    tooManyResources: most =>
      `Ce lien contient trop de calendriers\u00a0: ${most} au maximum. Veuillez contacter le prestataire.`,
  },
  es: {
    laterTimes: 'Horas posteriores',
    earlierTimes: 'Horas anteriores',
    heldUntil: time => `Reservada para usted hasta las ${time}.`,
    detailsKept: 'Sus datos se conservan.',
    notFoundTitle: 'Página no encontrada',
    tooManyResources: most =>
      `Este enlace contiene demasiados calendarios. El máximo es ${most}. Póngase en contacto con el negocio.`,
  },
  it: {
    laterTimes: 'Orari successivi',
    earlierTimes: 'Orari precedenti',
    heldUntil: time => `Riservato per lei fino alle ${time}.`,
    detailsKept: 'I suoi dati sono al sicuro.',
    notFoundTitle: 'Pagina non trovata',
    tooManyResources: most =>
      `Questo link contiene troppi calendari. Il massimo è ${most}. Contatti la struttura.`,
  },
})

/** All texts of a booking page, in the visitor's language and formats. */
export type Words = {
  language: Language
  texts: WidgetTexts
  pageTexts: (typeof bookTexts)[Language]
  format: Format
}

const known = new LRUCache<string, Words>({ max: 200 })

/** Made once for each language and region: creating formats takes longer than using them. */
export function wordsIn(language: Language, acceptLanguage: string | undefined): Words {
  const tag = formatTag(language, acceptLanguage)
  const key = `${language} ${tag}`
  const words = known.get(key) ?? {
    language,
    texts: widgetTexts[language],
    pageTexts: bookTexts[language],
    format: makeFormat(tag, zoneNamesIn(language)),
  }
  known.set(key, words)
  return words
}

/** The visitor's own region if the language matches: it decides between 12 and 24 hours. */
export function formatTag(language: Language, acceptLanguage = ''): string {
  const tags = acceptLanguage.split(',').map(part => part.split(';')[0]!.trim())
  const own = tags.find(tag => new RegExp(`^${language}-[A-Za-z]{2}$`).test(tag))
  return own ?? { de: 'de-DE', en: 'en-GB', fr: 'fr-FR', es: 'es-ES', it: 'it-IT' }[language]
}
