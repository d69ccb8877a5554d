import { seriesTexts } from '../../../web/shared/series-texts.ts'
import { type Language, translated } from '../../languages.ts'

const ofPage = translated({
  en: {
    title: 'Book several dates',
    intro: (max: number) => `Choose how often, how many dates (up to ${max}) and when to start.`,
    first: 'First date',
    check: 'Your dates',
    book: 'Book dates',
    doneTitle: 'You’re booked',
    requestedTitle: 'Request sent',
    done: (email: string) => `We’ve sent an email with all dates to ${email}.`,
    closed: 'You can’t book several dates at once here.',
  },
  de: {
    title: 'Mehrere Termine buchen',
    intro: max => `Wählen Sie, wie oft, wie viele (bis zu ${max}) und den ersten Termin.`,
    first: 'Erster Termin',
    check: 'Ihre Termine',
    book: 'Termine buchen',
    doneTitle: 'Ihre Termine sind gebucht',
    requestedTitle: 'Anfrage gesendet',
    done: email => `Wir haben eine E-Mail mit allen Terminen an ${email} gesendet.`,
    closed: 'Mehrere Termine auf einmal können hier nicht gebucht werden.',
  },
  fr: {
    title: 'Réserver plusieurs dates',
    intro: max => `Choisissez la fréquence, le nombre (jusqu’à ${max}) et la première date.`,
    first: 'Première date',
    check: 'Vos dates',
    book: 'Réserver les dates',
    doneTitle: 'C’est réservé',
    requestedTitle: 'Demande envoyée',
    done: email => `Nous avons envoyé un e-mail avec toutes les dates à ${email}.`,
    closed: 'Il n’est pas possible de réserver plusieurs dates à la fois ici.',
  },
  es: {
    title: 'Reservar varias fechas',
    intro: max => `Elija la frecuencia, el número (hasta ${max}) y la primera fecha.`,
    first: 'Primera fecha',
    check: 'Sus fechas',
    book: 'Reservar fechas',
    doneTitle: 'Reserva confirmada',
    requestedTitle: 'Solicitud enviada',
    done: email => `Hemos enviado un correo con todas las fechas a ${email}.`,
    closed: 'Aquí no se pueden reservar varias fechas a la vez.',
  },
  it: {
    title: 'Prenota più date',
    intro: max => `Scelga la frequenza, il numero (fino a ${max}) e la prima data.`,
    first: 'Prima data',
    check: 'Le sue date',
    book: 'Prenota le date',
    doneTitle: 'Prenotazione confermata',
    requestedTitle: 'Richiesta inviata',
    done: email => `Abbiamo inviato un’e-mail con tutte le date a ${email}.`,
    closed: 'Qui non è possibile prenotare più date in una volta.',
  },
})

/** Of the page, with those that the widget has too. */
export const seriesPageTexts = (language: Language) => ({ ...seriesTexts[language], ...ofPage[language] })
