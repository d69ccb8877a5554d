import type { Language } from './texts/index.ts'

type SeriesTexts = {
  rhythm: string
  once: string
  rhythms: Record<(typeof rhythms)[number], string>
  count: string
  dates: string
  taken: string
  instead: string
  nothing: string
  noneChosen: string
  lost: string
  wrong: string
}

export const rhythms = ['1 week', '2 week', '1 day', '1 month'] as const

/** Several dates in one booking, on the booking page and in the widget. */
export const seriesTexts: Record<Language, SeriesTexts> = {
  en: {
    rhythm: 'How often',
    once: 'Just once',
    rhythms: {
      '1 week': 'Every week',
      '2 week': 'Every two weeks',
      '1 day': 'Every day',
      '1 month': 'Every month',
    },
    count: 'Number of dates',
    dates: 'We’ve reserved these dates for you. Untick those you don’t want.',
    taken: 'not available',
    instead: 'Instead',
    nothing: 'Skip this date',
    noneChosen: 'Choose at least one date.',
    lost: 'A date is no longer reserved. Please choose again.',
    wrong: 'This can’t be booked as a series. Check the number of dates.',
  },
  de: {
    rhythm: 'Wie oft',
    once: 'Einmalig',
    rhythms: {
      '1 week': 'Jede Woche',
      '2 week': 'Alle zwei Wochen',
      '1 day': 'Jeden Tag',
      '1 month': 'Jeden Monat',
    },
    count: 'Anzahl der Termine',
    dates: 'Diese Termine sind für Sie reserviert. Wählen Sie ab, was Sie nicht möchten.',
    taken: 'nicht verfügbar',
    instead: 'Stattdessen',
    nothing: 'Weglassen',
    noneChosen: 'Wählen Sie mindestens einen Termin.',
    lost: 'Ein Termin ist nicht mehr reserviert. Bitte wählen Sie noch einmal.',
    wrong: 'So lässt sich keine Serie buchen. Prüfen Sie die Anzahl der Termine.',
  },
  fr: {
    rhythm: 'Fréquence',
    once: 'Une seule fois',
    rhythms: {
      '1 week': 'Chaque semaine',
      '2 week': 'Toutes les deux semaines',
      '1 day': 'Chaque jour',
      '1 month': 'Chaque mois',
    },
    count: 'Nombre de dates',
    dates: 'Ces dates vous sont réservées. Décochez celles dont vous ne voulez pas.',
    taken: 'non disponible',
    instead: 'À la place',
    nothing: 'Ne pas réserver',
    noneChosen: 'Choisissez au moins une date.',
    lost: 'Une date n’est plus réservée. Veuillez choisir à nouveau.',
    wrong: 'Cette série ne peut pas être réservée. Vérifiez le nombre de dates.',
  },
  es: {
    rhythm: 'Frecuencia',
    once: 'Solo una vez',
    rhythms: {
      '1 week': 'Cada semana',
      '2 week': 'Cada dos semanas',
      '1 day': 'Cada día',
      '1 month': 'Cada mes',
    },
    count: 'Número de fechas',
    dates: 'Le hemos reservado estas fechas. Desmarque las que no quiera.',
    taken: 'no disponible',
    instead: 'En su lugar',
    nothing: 'Omitirla',
    noneChosen: 'Elija al menos una fecha.',
    lost: 'Una fecha ya no está reservada. Elija de nuevo.',
    wrong: 'Esta serie no se puede reservar. Revise el número de fechas.',
  },
  it: {
    rhythm: 'Frequenza',
    once: 'Una sola volta',
    rhythms: {
      '1 week': 'Ogni settimana',
      '2 week': 'Ogni due settimane',
      '1 day': 'Ogni giorno',
      '1 month': 'Ogni mese',
    },
    count: 'Numero di date',
    dates: 'Queste date sono riservate per lei. Deselezioni quelle che non desidera.',
    taken: 'non disponibile',
    instead: 'In alternativa',
    nothing: 'Salta',
    noneChosen: 'Scelga almeno una data.',
    lost: 'Una data non è più riservata. Scelga di nuovo.',
    wrong: 'Questa serie non può essere prenotata. Controlli il numero di date.',
  },
}
