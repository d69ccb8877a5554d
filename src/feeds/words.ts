import type { Language } from '../languages.ts'

/** The title of entries in a calendar without names. */
export const busyIn: Record<Language, string> = {
  de: 'Belegt',
  en: 'Busy',
  fr: 'Occupé',
  es: 'Ocupado',
  it: 'Occupato',
}
