import { type Format, makeFormat } from '../../../web/shared/format.ts'
import { type Texts as WidgetTexts, texts as widgetTexts } from '../../../web/shared/texts/index.ts'
import type { Language } from '../../languages.ts'

type Texts = {
  later: string
  earlier: string
  heldUntil: (time: string) => string
  notFoundTitle: string
}

/** What the booking page says beyond the widget's words. */
const bookTexts: Record<Language, Texts> = {
  de: {
    later: 'Spätere Termine',
    earlier: 'Von vorn',
    heldUntil: time => `Für Sie reserviert bis ${time} Uhr.`,
    notFoundTitle: 'Hier gibt es nichts zu buchen',
  },
  en: {
    later: 'Later times',
    earlier: 'Back to the first',
    heldUntil: time => `Held for you until ${time}.`,
    notFoundTitle: 'Nothing to book here',
  },
  fr: {
    later: 'Horaires suivants',
    earlier: 'Revenir au début',
    heldUntil: time => `Réservé pour vous jusqu’à ${time}.`,
    notFoundTitle: 'Rien à réserver ici',
  },
  es: {
    later: 'Horas posteriores',
    earlier: 'Volver al principio',
    heldUntil: time => `Reservada para usted hasta las ${time}.`,
    notFoundTitle: 'Aquí no hay nada que reservar',
  },
  it: {
    later: 'Orari successivi',
    earlier: 'Torna all’inizio',
    heldUntil: time => `Riservato per lei fino alle ${time}.`,
    notFoundTitle: 'Nulla da prenotare qui',
  },
}

/** Everything that a booking page says, in the language and the formats of its reader. */
export type Words = { language: Language; texts: WidgetTexts; more: Texts; format: Format }

export function wordsIn(language: Language, acceptLanguage: string | undefined): Words {
  const format = makeFormat(formatTag(language, acceptLanguage))
  return { language, texts: widgetTexts[language], more: bookTexts[language], format }
}

/** The reader's own region where the language is theirs: it decides between 12 and 24 hours. */
function formatTag(language: Language, acceptLanguage = ''): string {
  const tags = acceptLanguage.split(',').map(part => part.split(';')[0]!.trim())
  const own = tags.find(tag => new RegExp(`^${language}-[A-Za-z]{2}$`).test(tag))
  return own ?? { de: 'de-DE', en: 'en-GB', fr: 'fr-FR', es: 'es-ES', it: 'it-IT' }[language]
}
