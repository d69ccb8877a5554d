import type { Language } from '../languages.ts'

type Texts = {
  later: string
  earlier: string
  heldUntil: (time: string) => string
  notFoundTitle: string
  cancelLink: string
}

/** What the booking page says beyond the widget's words. */
export const bookTexts: Record<Language, Texts> = {
  de: {
    later: 'Spätere Termine',
    earlier: 'Von vorn',
    heldUntil: time => `Für Sie reserviert bis ${time}.`,
    notFoundTitle: 'Hier gibt es nichts zu buchen',
    cancelLink: 'Termin absagen',
  },
  en: {
    later: 'Later times',
    earlier: 'Back to the first',
    heldUntil: time => `Held for you until ${time}.`,
    notFoundTitle: 'Nothing to book here',
    cancelLink: 'Cancel this appointment',
  },
  fr: {
    later: 'Horaires suivants',
    earlier: 'Revenir au début',
    heldUntil: time => `Réservé pour vous jusqu’à ${time}.`,
    notFoundTitle: 'Rien à réserver ici',
    cancelLink: 'Annuler ce rendez-vous',
  },
  es: {
    later: 'Horas posteriores',
    earlier: 'Volver al principio',
    heldUntil: time => `Reservada para usted hasta las ${time}.`,
    notFoundTitle: 'Aquí no hay nada que reservar',
    cancelLink: 'Cancelar esta cita',
  },
  it: {
    later: 'Orari successivi',
    earlier: 'Torna all’inizio',
    heldUntil: time => `Riservato per lei fino alle ${time}.`,
    notFoundTitle: 'Nulla da prenotare qui',
    cancelLink: 'Annulla questo appuntamento',
  },
}
