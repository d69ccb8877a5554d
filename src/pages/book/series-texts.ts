import type { Language } from '../../languages.ts'

type Texts = {
  title: string
  intro: (max: number) => string
  rhythm: string
  rhythms: Record<'1 week' | '2 week' | '1 day' | '1 month', string>
  count: string
  first: string
  check: string
  dates: string
  taken: string
  instead: string
  nothing: string
  noneChosen: string
  lost: string
  wrong: string
  book: string
  doneTitle: string
  requestedTitle: string
  done: (email: string) => string
  closed: string
}

export const seriesPageTexts: Record<Language, Texts> = {
  en: {
    title: 'Book several dates',
    intro: max => `Choose how often, how many (up to ${max}) and the first time.`,
    rhythm: 'How often',
    rhythms: {
      '1 week': 'Every week',
      '2 week': 'Every two weeks',
      '1 day': 'Every day',
      '1 month': 'Every month',
    },
    count: 'Number of dates',
    first: 'First date',
    check: 'Your dates',
    dates: 'We’ve reserved these dates for you. Untick those you don’t want.',
    taken: 'not available',
    instead: 'Instead',
    nothing: 'Leave it out',
    noneChosen: 'Choose at least one date.',
    lost: 'A date is no longer reserved. Please choose again.',
    wrong: 'This can’t be booked as a series. Check the number of dates.',
    book: 'Book dates',
    doneTitle: 'You’re booked',
    requestedTitle: 'Request sent',
    done: email => `We’ve sent an email with all dates to ${email}.`,
    closed: 'Several dates at once can’t be booked here.',
  },
  de: {
    title: 'Mehrere Termine buchen',
    intro: max => `Wählen Sie, wie oft, wie viele (bis zu ${max}) und den ersten Termin.`,
    rhythm: 'Wie oft',
    rhythms: {
      '1 week': 'Jede Woche',
      '2 week': 'Alle zwei Wochen',
      '1 day': 'Jeden Tag',
      '1 month': 'Jeden Monat',
    },
    count: 'Anzahl der Termine',
    first: 'Erster Termin',
    check: 'Ihre Termine',
    dates: 'Diese Termine sind für Sie reserviert. Wählen Sie ab, was Sie nicht möchten.',
    taken: 'nicht verfügbar',
    instead: 'Stattdessen',
    nothing: 'Weglassen',
    noneChosen: 'Wählen Sie mindestens einen Termin.',
    lost: 'Ein Termin ist nicht mehr reserviert. Bitte wählen Sie noch einmal.',
    wrong: 'So lässt sich keine Serie buchen. Prüfen Sie die Anzahl der Termine.',
    book: 'Termine buchen',
    doneTitle: 'Ihre Termine sind gebucht',
    requestedTitle: 'Anfrage gesendet',
    done: email => `Wir haben eine E-Mail mit allen Terminen an ${email} gesendet.`,
    closed: 'Mehrere Termine auf einmal können hier nicht gebucht werden.',
  },
  fr: {
    title: 'Réserver plusieurs dates',
    intro: max => `Choisissez la fréquence, le nombre (jusqu’à ${max}) et la première date.`,
    rhythm: 'Fréquence',
    rhythms: {
      '1 week': 'Chaque semaine',
      '2 week': 'Toutes les deux semaines',
      '1 day': 'Chaque jour',
      '1 month': 'Chaque mois',
    },
    count: 'Nombre de dates',
    first: 'Première date',
    check: 'Vos dates',
    dates: 'Ces dates vous sont réservées. Décochez celles dont vous ne voulez pas.',
    taken: 'non disponible',
    instead: 'À la place',
    nothing: 'Ne pas réserver',
    noneChosen: 'Choisissez au moins une date.',
    lost: 'Une date n’est plus réservée. Veuillez choisir à nouveau.',
    wrong: 'Cette série ne peut pas être réservée. Vérifiez le nombre de dates.',
    book: 'Réserver les dates',
    doneTitle: 'C’est réservé',
    requestedTitle: 'Demande envoyée',
    done: email => `Nous avons envoyé un e-mail avec toutes les dates à ${email}.`,
    closed: 'Il n’est pas possible de réserver plusieurs dates à la fois ici.',
  },
  es: {
    title: 'Reservar varias fechas',
    intro: max => `Elija la frecuencia, el número (hasta ${max}) y la primera fecha.`,
    rhythm: 'Frecuencia',
    rhythms: {
      '1 week': 'Cada semana',
      '2 week': 'Cada dos semanas',
      '1 day': 'Cada día',
      '1 month': 'Cada mes',
    },
    count: 'Número de fechas',
    first: 'Primera fecha',
    check: 'Sus fechas',
    dates: 'Le hemos reservado estas fechas. Desmarque las que no quiera.',
    taken: 'no disponible',
    instead: 'En su lugar',
    nothing: 'Omitirla',
    noneChosen: 'Elija al menos una fecha.',
    lost: 'Una fecha ya no está reservada. Elija de nuevo.',
    wrong: 'Esta serie no se puede reservar. Revise el número de fechas.',
    book: 'Reservar fechas',
    doneTitle: 'Reserva confirmada',
    requestedTitle: 'Solicitud enviada',
    done: email => `Hemos enviado un correo con todas las fechas a ${email}.`,
    closed: 'Aquí no se pueden reservar varias fechas a la vez.',
  },
  it: {
    title: 'Prenota più date',
    intro: max => `Scelga la frequenza, il numero (fino a ${max}) e la prima data.`,
    rhythm: 'Frequenza',
    rhythms: {
      '1 week': 'Ogni settimana',
      '2 week': 'Ogni due settimane',
      '1 day': 'Ogni giorno',
      '1 month': 'Ogni mese',
    },
    count: 'Numero di date',
    first: 'Prima data',
    check: 'Le sue date',
    dates: 'Queste date sono riservate per lei. Deselezioni quelle che non desidera.',
    taken: 'non disponibile',
    instead: 'In alternativa',
    nothing: 'Ometti',
    noneChosen: 'Scelga almeno una data.',
    lost: 'Una data non è più riservata. Scelga di nuovo.',
    wrong: 'Questa serie non può essere prenotata. Controlli il numero di date.',
    book: 'Prenota le date',
    doneTitle: 'Prenotazione confermata',
    requestedTitle: 'Richiesta inviata',
    done: email => `Abbiamo inviato un’e-mail con tutte le date a ${email}.`,
    closed: 'Qui non è possibile prenotare più date in una volta.',
  },
}
