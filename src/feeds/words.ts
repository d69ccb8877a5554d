import type { Language } from '../languages.ts'

/** What a calendar without names shows. */
export const busyIn: Record<Language, string> = {
  de: 'Belegt',
  en: 'Busy',
  fr: 'Occupé',
  es: 'Ocupado',
  it: 'Occupato',
}
