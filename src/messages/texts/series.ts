import type { Language } from '../../languages.ts'
import type { BookingKind } from '../../rules/messages/messages.ts'
import type { BookingTexts, Facts } from './facts.ts'

/** `count` dates in one email; `when` is the first of them. */
type SeriesFacts = Facts & { count: number }
type SeriesText = Omit<BookingTexts, 'subject' | 'lead'> & {
  subject: (facts: SeriesFacts) => string
  lead: (facts: SeriesFacts) => string
}

type SeriesTexts = {
  dates: string
  /** A date that moved: the time before. */
  before: (when: string) => string
  /** The dates are links. */
  hint: string
  mails: Record<SeriesKind, SeriesText>
}
/** A reminder of several dates is the list that staff send to a customer. Messages and changes of places go out one by one. */
export type SeriesKind = Exclude<BookingKind, 'changed' | 'change-notice' | 'message'>

export const seriesTexts: Record<Language, SeriesTexts> = {
  en: {
    dates: 'Dates',
    before: when => `previously ${when}`,
    hint: 'Something came up? Select a date to reschedule or cancel it.',
    mails: {
      reminder: {
        subject: ({ count, when }) =>
          count === 1 ? `Your appointment: ${when}` : `Your ${count} appointments, from ${when}`,
        heading: 'Your upcoming appointments',
        lead: ({ count, provider }) =>
          count === 1
            ? `You have 1 appointment with ${provider}.`
            : `You have ${count} appointments with ${provider}.`,
      },
      booked: {
        subject: ({ count, when, what }) => `${count} appointments confirmed, starting ${when} – ${what}`,
        heading: 'Your appointments are confirmed',
        lead: ({ count, provider }) => `Your ${count} appointments with ${provider} are booked.`,
      },
      'booking-notice': {
        subject: ({ count, when, what, consumer }) =>
          `New booking: ${count} appointments from ${when} – ${what}, ${consumer}`,
        heading: 'New booking',
        lead: ({ count, consumer }) => `${consumer} has booked ${count} appointments.`,
      },
      requested: {
        subject: ({ count, when, what }) => `Request received: ${count} appointments from ${when} – ${what}`,
        heading: 'We’ve received your request',
        lead: ({ count, provider }) =>
          `Thank you for requesting ${count} appointments. ${provider} will let you know by email. ` +
          'They are not final until confirmed.',
      },
      'request-notice': {
        subject: ({ count, when, what, consumer }) =>
          `Request, please reply: ${count} appointments from ${when} – ${what}, ${consumer}`,
        heading: 'New request for several appointments',
        lead: ({ count, consumer }) =>
          `${consumer} would like ${count} appointments. Please reply to each of them in the console.`,
      },
      declined: {
        subject: ({ count, when, what }) => `${count} requests not confirmed, from ${when} – ${what}`,
        heading: 'Your requests were not confirmed',
        lead: ({ count, provider }) =>
          `The ${count} appointments you requested with ${provider} will not go ahead. We’ve released these times.`,
      },
      cancelled: {
        subject: ({ count, when, what }) => `${count} appointments cancelled, from ${when} – ${what}`,
        heading: 'Your appointments are cancelled',
        lead: ({ count, provider }) =>
          `${count} of your appointments with ${provider} have been cancelled. You don’t need to do anything else.`,
      },
      'cancel-notice': {
        subject: ({ count, when, what, consumer }) =>
          `Cancellation: ${count} appointments from ${when} – ${what}, ${consumer}`,
        heading: 'Several appointments were cancelled',
        lead: ({ count, consumer }) => `${consumer} has cancelled ${count} appointments.`,
      },
      moved: {
        subject: ({ count, when, what }) =>
          `${count} appointments rescheduled, the first to ${when} – ${what}`,
        heading: 'Your appointments have been rescheduled',
        lead: ({ count, provider }) => `${count} of your appointments with ${provider} have changed.`,
      },
      'move-notice': {
        subject: ({ count, when, what, consumer }) =>
          `${count} appointments rescheduled, the first to ${when} – ${what}, ${consumer}`,
        heading: 'Several appointments were rescheduled',
        lead: ({ count, consumer }) => `${consumer} has rescheduled ${count} appointments.`,
      },
    },
  },
  de: {
    dates: 'Termine',
    before: when => `bisher ${when}`,
    hint: 'Etwas dazwischengekommen? Wählen Sie einen Termin aus, um ihn zu verlegen oder abzusagen.',
    mails: {
      reminder: {
        subject: ({ count, when }) =>
          count === 1 ? `Ihr Termin: ${when}` : `Ihre ${count} Termine, ab ${when}`,
        heading: 'Ihre nächsten Termine',
        lead: ({ count, provider }) =>
          count === 1
            ? `Ihr Termin bei ${provider} im Überblick.`
            : `Ihre ${count} Termine bei ${provider} im Überblick.`,
      },
      booked: {
        subject: ({ count, when, what }) => `${count} Termine bestätigt, ab ${when} – ${what}`,
        heading: 'Ihre Termine sind bestätigt',
        lead: ({ count, provider }) => `Ihre ${count} Termine bei ${provider} sind verbindlich gebucht.`,
      },
      'booking-notice': {
        subject: ({ count, when, what, consumer }) =>
          `Neue Buchung: ${count} Termine ab ${when} – ${what}, ${consumer}`,
        heading: 'Neue Buchung',
        lead: ({ count, consumer }) => `${consumer} hat ${count} Termine gebucht.`,
      },
      requested: {
        subject: ({ count, when, what }) => `Anfrage eingegangen: ${count} Termine ab ${when} – ${what}`,
        heading: 'Ihre Anfrage ist eingegangen',
        lead: ({ count, provider }) =>
          `vielen Dank für Ihre Anfrage nach ${count} Terminen. ${provider} gibt Ihnen per E-Mail Bescheid. ` +
          'Die Termine sind erst mit der Bestätigung verbindlich.',
      },
      'request-notice': {
        subject: ({ count, when, what, consumer }) =>
          `Anfrage, bitte antworten: ${count} Termine ab ${when} – ${what}, ${consumer}`,
        heading: 'Neue Anfrage nach mehreren Terminen',
        lead: ({ count, consumer }) =>
          `${consumer} bittet um ${count} Termine. Bitte beantworten Sie jeden davon in der Konsole.`,
      },
      declined: {
        subject: ({ count, when, what }) => `${count} Anfragen nicht bestätigt, ab ${when} – ${what}`,
        heading: 'Ihre Anfragen wurden nicht bestätigt',
        lead: ({ count, provider }) =>
          `die ${count} angefragten Termine bei ${provider} kommen nicht zustande. Wir haben die Zeiten wieder freigegeben.`,
      },
      cancelled: {
        subject: ({ count, when, what }) => `${count} Termine abgesagt, ab ${when} – ${what}`,
        heading: 'Ihre Termine wurden abgesagt',
        lead: ({ count, provider }) =>
          `${count} Ihrer Termine bei ${provider} wurden abgesagt. Sie müssen nichts weiter tun.`,
      },
      'cancel-notice': {
        subject: ({ count, when, what, consumer }) =>
          `Absage: ${count} Termine ab ${when} – ${what}, ${consumer}`,
        heading: 'Mehrere Termine wurden abgesagt',
        lead: ({ count, consumer }) => `${consumer} hat ${count} Termine abgesagt.`,
      },
      moved: {
        subject: ({ count, when, what }) => `${count} Termine verlegt, der erste auf ${when} – ${what}`,
        heading: 'Ihre Termine wurden verlegt',
        lead: ({ count, provider }) => `${count} Ihrer Termine bei ${provider} haben sich geändert.`,
      },
      'move-notice': {
        subject: ({ count, when, what, consumer }) =>
          `${count} Termine verlegt, der erste auf ${when} – ${what}, ${consumer}`,
        heading: 'Mehrere Termine wurden verlegt',
        lead: ({ count, consumer }) => `${consumer} hat ${count} Termine verlegt.`,
      },
    },
  },
  fr: {
    dates: 'Dates',
    before: when => `auparavant ${when}`,
    hint: 'Un imprévu\u00a0? Choisissez une date pour la déplacer ou l’annuler.',
    mails: {
      reminder: {
        subject: ({ count, when }) =>
          count === 1 ? `Votre rendez-vous\u00a0: ${when}` : `Vos ${count} rendez-vous, à partir du ${when}`,
        heading: 'Vos prochains rendez-vous',
        lead: ({ count, provider }) =>
          count === 1
            ? `Vous avez 1 rendez-vous avec ${provider}.`
            : `Vous avez ${count} rendez-vous avec ${provider}.`,
      },
      booked: {
        subject: ({ count, when, what }) => `${count} rendez-vous confirmés, à partir du ${when} – ${what}`,
        heading: 'Vos rendez-vous sont confirmés',
        lead: ({ count, provider }) => `Vos ${count} rendez-vous avec ${provider} sont réservés.`,
      },
      'booking-notice': {
        subject: ({ count, when, what, consumer }) =>
          `Nouvelle réservation\u00a0: ${count} rendez-vous à partir du ${when} – ${what}, ${consumer}`,
        heading: 'Nouvelle réservation',
        lead: ({ count, consumer }) => `${consumer} a réservé ${count} rendez-vous.`,
      },
      requested: {
        subject: ({ count, when, what }) =>
          `Demande reçue\u00a0: ${count} rendez-vous à partir du ${when} – ${what}`,
        heading: 'Nous avons bien reçu votre demande',
        lead: ({ count, provider }) =>
          `Merci pour votre demande de ${count} rendez-vous. ${provider} vous répondra par e-mail. ` +
          'Ils ne sont définitifs qu’une fois confirmés.',
      },
      'request-notice': {
        subject: ({ count, when, what, consumer }) =>
          `Demande, merci de répondre\u00a0: ${count} rendez-vous à partir du ${when} – ${what}, ${consumer}`,
        heading: 'Nouvelle demande de plusieurs rendez-vous',
        lead: ({ count, consumer }) =>
          `${consumer} souhaite ${count} rendez-vous. Merci de répondre à chacun d’eux dans la console.`,
      },
      declined: {
        subject: ({ count, when, what }) => `${count} demandes non confirmées, à partir du ${when} – ${what}`,
        heading: 'Vos demandes n’ont pas été confirmées',
        lead: ({ count, provider }) =>
          `Les ${count} rendez-vous demandés avec ${provider} n’auront pas lieu. Nous avons libéré ces horaires.`,
      },
      cancelled: {
        subject: ({ count, when, what }) => `${count} rendez-vous annulés, à partir du ${when} – ${what}`,
        heading: 'Vos rendez-vous sont annulés',
        lead: ({ count, provider }) =>
          `${count} de vos rendez-vous avec ${provider} ont été annulés. Vous n’avez rien d’autre à faire.`,
      },
      'cancel-notice': {
        subject: ({ count, when, what, consumer }) =>
          `Annulation\u00a0: ${count} rendez-vous à partir du ${when} – ${what}, ${consumer}`,
        heading: 'Plusieurs rendez-vous ont été annulés',
        lead: ({ count, consumer }) => `${consumer} a annulé ${count} rendez-vous.`,
      },
      moved: {
        subject: ({ count, when, what }) => `${count} rendez-vous déplacés, le premier au ${when} – ${what}`,
        heading: 'Vos rendez-vous ont été déplacés',
        lead: ({ count, provider }) => `${count} de vos rendez-vous avec ${provider} ont changé.`,
      },
      'move-notice': {
        subject: ({ count, when, what, consumer }) =>
          `${count} rendez-vous déplacés, le premier au ${when} – ${what}, ${consumer}`,
        heading: 'Plusieurs rendez-vous ont été déplacés',
        lead: ({ count, consumer }) => `${consumer} a déplacé ${count} rendez-vous.`,
      },
    },
  },
  es: {
    dates: 'Fechas',
    before: when => `antes ${when}`,
    hint: '¿Le ha surgido un imprevisto? Seleccione una fecha para cambiarla o cancelarla.',
    mails: {
      reminder: {
        subject: ({ count, when }) =>
          count === 1 ? `Su cita: ${when}` : `Sus ${count} citas, desde ${when}`,
        heading: 'Sus próximas citas',
        lead: ({ count, provider }) =>
          count === 1 ? `Tiene 1 cita con ${provider}.` : `Tiene ${count} citas con ${provider}.`,
      },
      booked: {
        subject: ({ count, when, what }) => `${count} citas confirmadas, desde ${when} – ${what}`,
        heading: 'Sus citas están confirmadas',
        lead: ({ count, provider }) => `Sus ${count} citas con ${provider} están reservadas.`,
      },
      'booking-notice': {
        subject: ({ count, when, what, consumer }) =>
          `Nueva reserva: ${count} citas desde ${when} – ${what}, ${consumer}`,
        heading: 'Nueva reserva',
        lead: ({ count, consumer }) => `${consumer} ha reservado ${count} citas.`,
      },
      requested: {
        subject: ({ count, when, what }) => `Solicitud recibida: ${count} citas desde ${when} – ${what}`,
        heading: 'Hemos recibido su solicitud',
        lead: ({ count, provider }) =>
          `Gracias por solicitar ${count} citas. ${provider} le responderá por correo. ` +
          'No son definitivas hasta que se confirmen.',
      },
      'request-notice': {
        subject: ({ count, when, what, consumer }) =>
          `Solicitud, responda por favor: ${count} citas desde ${when} – ${what}, ${consumer}`,
        heading: 'Nueva solicitud de varias citas',
        lead: ({ count, consumer }) =>
          `${consumer} desea ${count} citas. Responda a cada una de ellas en la consola.`,
      },
      declined: {
        subject: ({ count, when, what }) => `${count} solicitudes no confirmadas, desde ${when} – ${what}`,
        heading: 'Sus solicitudes no se han confirmado',
        lead: ({ count, provider }) =>
          `Las ${count} citas que solicitó con ${provider} no tendrán lugar. Hemos liberado esos horarios.`,
      },
      cancelled: {
        subject: ({ count, when, what }) => `${count} citas canceladas, desde ${when} – ${what}`,
        heading: 'Sus citas se han cancelado',
        lead: ({ count, provider }) =>
          `Se han cancelado ${count} de sus citas con ${provider}. No tiene que hacer nada más.`,
      },
      'cancel-notice': {
        subject: ({ count, when, what, consumer }) =>
          `Cancelación: ${count} citas desde ${when} – ${what}, ${consumer}`,
        heading: 'Se han cancelado varias citas',
        lead: ({ count, consumer }) => `${consumer} ha cancelado ${count} citas.`,
      },
      moved: {
        subject: ({ count, when, what }) => `${count} citas cambiadas, la primera al ${when} – ${what}`,
        heading: 'Sus citas han cambiado',
        lead: ({ count, provider }) => `Han cambiado ${count} de sus citas con ${provider}.`,
      },
      'move-notice': {
        subject: ({ count, when, what, consumer }) =>
          `${count} citas cambiadas, la primera al ${when} – ${what}, ${consumer}`,
        heading: 'Se han cambiado varias citas',
        lead: ({ count, consumer }) => `${consumer} ha cambiado ${count} citas.`,
      },
    },
  },
  it: {
    dates: 'Date',
    before: when => `prima ${when}`,
    hint: 'Un imprevisto? Selezioni una data per spostarla o annullarla.',
    mails: {
      reminder: {
        subject: ({ count, when }) =>
          count === 1 ? `Il suo appuntamento: ${when}` : `I suoi ${count} appuntamenti, da ${when}`,
        heading: 'I suoi prossimi appuntamenti',
        lead: ({ count, provider }) =>
          count === 1 ? `ha 1 appuntamento con ${provider}.` : `ha ${count} appuntamenti con ${provider}.`,
      },
      booked: {
        subject: ({ count, when, what }) => `${count} appuntamenti confermati, da ${when} – ${what}`,
        heading: 'I suoi appuntamenti sono confermati',
        lead: ({ count, provider }) => `i suoi ${count} appuntamenti con ${provider} sono prenotati.`,
      },
      'booking-notice': {
        subject: ({ count, when, what, consumer }) =>
          `Nuova prenotazione: ${count} appuntamenti da ${when} – ${what}, ${consumer}`,
        heading: 'Nuova prenotazione',
        lead: ({ count, consumer }) => `${consumer} ha prenotato ${count} appuntamenti.`,
      },
      requested: {
        subject: ({ count, when, what }) => `Richiesta ricevuta: ${count} appuntamenti da ${when} – ${what}`,
        heading: 'Abbiamo ricevuto la sua richiesta',
        lead: ({ count, provider }) =>
          `grazie per aver richiesto ${count} appuntamenti. ${provider} le risponderà via e-mail. ` +
          'Non sono definitivi fino alla conferma.',
      },
      'request-notice': {
        subject: ({ count, when, what, consumer }) =>
          `Richiesta, si prega di rispondere: ${count} appuntamenti da ${when} – ${what}, ${consumer}`,
        heading: 'Nuova richiesta di più appuntamenti',
        lead: ({ count, consumer }) =>
          `${consumer} desidera ${count} appuntamenti. Risponda a ciascuno di essi nella console.`,
      },
      declined: {
        subject: ({ count, when, what }) => `${count} richieste non confermate, da ${when} – ${what}`,
        heading: 'Le sue richieste non sono state confermate',
        lead: ({ count, provider }) =>
          `i ${count} appuntamenti richiesti con ${provider} non avranno luogo. Abbiamo liberato questi orari.`,
      },
      cancelled: {
        subject: ({ count, when, what }) => `${count} appuntamenti annullati, da ${when} – ${what}`,
        heading: 'I suoi appuntamenti sono stati annullati',
        lead: ({ count, provider }) =>
          `${count} dei suoi appuntamenti con ${provider} sono stati annullati. Non deve fare altro.`,
      },
      'cancel-notice': {
        subject: ({ count, when, what, consumer }) =>
          `Annullamento: ${count} appuntamenti da ${when} – ${what}, ${consumer}`,
        heading: 'Più appuntamenti sono stati annullati',
        lead: ({ count, consumer }) => `${consumer} ha annullato ${count} appuntamenti.`,
      },
      moved: {
        subject: ({ count, when, what }) => `${count} appuntamenti spostati, il primo a ${when} – ${what}`,
        heading: 'I suoi appuntamenti sono stati spostati',
        lead: ({ count, provider }) => `${count} dei suoi appuntamenti con ${provider} sono cambiati.`,
      },
      'move-notice': {
        subject: ({ count, when, what, consumer }) =>
          `${count} appuntamenti spostati, il primo a ${when} – ${what}, ${consumer}`,
        heading: 'Più appuntamenti sono stati spostati',
        lead: ({ count, consumer }) => `${consumer} ha spostato ${count} appuntamenti.`,
      },
    },
  },
}
