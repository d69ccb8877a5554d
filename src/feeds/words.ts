import type { Language } from '../languages.ts'

/** The title of entries in a calendar without names. */
export const busyIn: Record<Language, string> = {
  de: 'Belegt',
  en: 'Busy',
  fr: 'Occupé',
  es: 'Ocupado',
  it: 'Occupato',
}

/** "Ann Winter (3 places)": a booking of several. */
export const placesIn: Record<Language, string> = {
  de: 'Plätze',
  en: 'places',
  fr: 'places',
  es: 'plazas',
  it: 'posti',
}
