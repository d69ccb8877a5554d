import type { Language } from '../../languages.ts'
import type { BookingTexts } from './shape.ts'

/**
 * Of requests to move a booking, which stands until it is answered; of requests that get another time; and of those that are
 * withdrawn. Each says what it is: it must not be taken for a new appointment, or for a cancellation.
 */
export type RequestTexts = {
  /** To the customer who asked to reschedule. */
  requested: BookingTexts
  'request-notice': BookingTexts
  declined: BookingTexts
  withdrawn: BookingTexts
  /** To the provider, when the request to move is withdrawn, and when one for an appointment is. */
  withdrawnNotice: BookingTexts
  plainWithdrawnNotice: BookingTexts
  /** A request that was not answered yet has another time. */
  changed: BookingTexts
  changedNotice: BookingTexts
}

export const requestTexts: Record<Language, RequestTexts> = {
  de: {
    requested: {
      subject: ({ when, what }) => `Verlegung angefragt: ${when} – ${what}`,
      heading: 'Ihre Bitte um Verlegung ist eingegangen',
      lead: ({ provider }) =>
        `Sie möchten Ihren Termin verlegen. ${provider} prüft die neue Zeit und antwortet Ihnen per E-Mail.`,
    },
    'request-notice': {
      subject: ({ when, what, consumer }) =>
        `Bitte um Verlegung, bitte antworten: ${when} – ${what}, ${consumer}`,
      heading: 'Bitte um Verlegung',
      lead: ({ consumer }) =>
        `${consumer} möchte einen Termin auf die folgende Zeit verlegen und wartet auf Ihre Antwort.`,
    },
    declined: {
      subject: ({ when, what }) => `Verlegung nicht bestätigt: ${when} – ${what}`,
      heading: 'Ihr Termin wurde nicht verlegt',
      lead: ({ provider }) => `die neue Zeit ist leider nicht möglich (${provider}).`,
    },
    withdrawn: {
      subject: ({ when, what }) => `Bitte um Verlegung zurückgezogen: ${when} – ${what}`,
      heading: 'Ihre Bitte um Verlegung wurde zurückgezogen',
      lead: ({ provider }) => `Sie haben Ihre Bitte um Verlegung zurückgezogen (${provider}).`,
    },
    withdrawnNotice: {
      subject: ({ when, what, consumer }) =>
        `Bitte um Verlegung zurückgezogen: ${when} – ${what}, ${consumer}`,
      heading: 'Eine Bitte um Verlegung wurde zurückgezogen',
      lead: ({ consumer }) =>
        `${consumer} möchte den Termin nicht mehr verlegen. Der Termin bleibt unverändert, die angefragte Zeit ist wieder frei.`,
    },
    plainWithdrawnNotice: {
      subject: ({ when, what, consumer }) => `Anfrage zurückgezogen: ${when} – ${what}, ${consumer}`,
      heading: 'Eine Anfrage wurde zurückgezogen',
      lead: ({ consumer }) => `${consumer} hat die folgende Anfrage zurückgezogen. Die Zeit ist wieder frei.`,
    },
    changed: {
      subject: ({ when, what }) => `Terminanfrage verlegt: ${when} – ${what}`,
      heading: 'Ihre Anfrage gilt für eine andere Zeit',
      lead: ({ provider }) =>
        `Sie haben Ihre Anfrage auf eine andere Zeit verlegt. ${provider} antwortet Ihnen per E-Mail.`,
    },
    changedNotice: {
      subject: ({ when, what, consumer }) =>
        `Terminanfrage verlegt, bitte antworten: ${when} – ${what}, ${consumer}`,
      heading: 'Eine Anfrage wurde verlegt',
      lead: ({ consumer }) =>
        `${consumer} hat eine Anfrage auf die folgende Zeit verlegt und wartet auf Ihre Antwort.`,
    },
  },
  en: {
    requested: {
      subject: ({ when, what }) => `New time requested: ${when} – ${what}`,
      heading: 'We have received your request to reschedule',
      lead: ({ provider }) =>
        `You asked to reschedule your appointment. ${provider} will let you know by email.`,
    },
    'request-notice': {
      subject: ({ when, what, consumer }) =>
        `Request to reschedule, please answer: ${when} – ${what}, ${consumer}`,
      heading: 'Request to reschedule an appointment',
      lead: ({ consumer }) =>
        `${consumer} would like to reschedule an appointment to the following time and is waiting for your answer.`,
    },
    declined: {
      subject: ({ when, what }) => `New time not confirmed: ${when} – ${what}`,
      heading: 'Your appointment was not rescheduled',
      lead: ({ provider }) => `Unfortunately, the new time is not possible (${provider}).`,
    },
    withdrawn: {
      subject: ({ when, what }) => `Request to reschedule withdrawn: ${when} – ${what}`,
      heading: 'Your request to reschedule has been withdrawn',
      lead: ({ provider }) => `You have withdrawn your request to reschedule (${provider}).`,
    },
    withdrawnNotice: {
      subject: ({ when, what, consumer }) =>
        `Request to reschedule withdrawn: ${when} – ${what}, ${consumer}`,
      heading: 'A request to reschedule was withdrawn',
      lead: ({ consumer }) =>
        `${consumer} no longer wants to reschedule. The appointment stays as it is, and the requested time is available again.`,
    },
    plainWithdrawnNotice: {
      subject: ({ when, what, consumer }) => `Request withdrawn: ${when} – ${what}, ${consumer}`,
      heading: 'A request was withdrawn',
      lead: ({ consumer }) => `${consumer} has withdrawn the following request. The time is available again.`,
    },
    changed: {
      subject: ({ when, what }) => `Request rescheduled: ${when} – ${what}`,
      heading: 'Your request is for another time',
      lead: ({ provider }) =>
        `You changed your request to another time. ${provider} will let you know by email.`,
    },
    changedNotice: {
      subject: ({ when, what, consumer }) =>
        `Request rescheduled, please answer: ${when} – ${what}, ${consumer}`,
      heading: 'A request was rescheduled',
      lead: ({ consumer }) =>
        `${consumer} has changed a request to the following time and is waiting for your answer.`,
    },
  },
  fr: {
    requested: {
      subject: ({ when, what }) => `Déplacement demandé\u00a0: ${when} – ${what}`,
      heading: 'Nous avons reçu votre demande de déplacement',
      lead: ({ provider }) =>
        `Vous souhaitez déplacer votre rendez-vous. ${provider} examine le nouvel horaire et vous répondra par e-mail.`,
    },
    'request-notice': {
      subject: ({ when, what, consumer }) =>
        `Demande de déplacement, merci de répondre\u00a0: ${when} – ${what}, ${consumer}`,
      heading: 'Demande de déplacement',
      lead: ({ consumer }) =>
        `${consumer} souhaite déplacer un rendez-vous à l’horaire suivant et attend votre réponse.`,
    },
    declined: {
      subject: ({ when, what }) => `Déplacement non confirmé\u00a0: ${when} – ${what}`,
      heading: 'Votre rendez-vous n’a pas été déplacé',
      lead: ({ provider }) => `Le nouvel horaire n’est malheureusement pas possible (${provider}).`,
    },
    withdrawn: {
      subject: ({ when, what }) => `Demande de déplacement retirée\u00a0: ${when} – ${what}`,
      heading: 'Votre demande de déplacement a été retirée',
      lead: ({ provider }) => `Vous avez retiré votre demande de déplacement (${provider}).`,
    },
    withdrawnNotice: {
      subject: ({ when, what, consumer }) =>
        `Demande de déplacement retirée\u00a0: ${when} – ${what}, ${consumer}`,
      heading: 'Une demande de déplacement a été retirée',
      lead: ({ consumer }) =>
        `${consumer} ne souhaite plus déplacer le rendez-vous. Il reste inchangé\u00a0; seul l’horaire demandé est de nouveau libre.`,
    },
    plainWithdrawnNotice: {
      subject: ({ when, what, consumer }) => `Demande retirée\u00a0: ${when} – ${what}, ${consumer}`,
      heading: 'Une demande a été retirée',
      lead: ({ consumer }) => `${consumer} a retiré la demande suivante. L’horaire est de nouveau libre.`,
    },
    changed: {
      subject: ({ when, what }) => `Demande déplacée\u00a0: ${when} – ${what}`,
      heading: 'Votre demande porte sur un autre horaire',
      lead: ({ provider }) =>
        `Vous avez déplacé votre demande à un autre horaire. ${provider} vous répondra par e-mail.`,
    },
    changedNotice: {
      subject: ({ when, what, consumer }) =>
        `Demande déplacée, merci de répondre\u00a0: ${when} – ${what}, ${consumer}`,
      heading: 'Une demande a été déplacée',
      lead: ({ consumer }) =>
        `${consumer} a déplacé une demande à l’horaire suivant et attend votre réponse.`,
    },
  },
  es: {
    requested: {
      subject: ({ when, what }) => `Cambio de hora solicitado: ${when} – ${what}`,
      heading: 'Hemos recibido su solicitud de cambio',
      lead: ({ provider }) =>
        `Quiere cambiar la hora de su cita. ${provider} revisará la nueva hora y le responderá por correo.`,
    },
    'request-notice': {
      subject: ({ when, what, consumer }) =>
        `Solicitud de cambio de hora, responda por favor: ${when} – ${what}, ${consumer}`,
      heading: 'Solicitud de cambio de hora',
      lead: ({ consumer }) =>
        `${consumer} quiere cambiar una cita a la hora siguiente y espera su respuesta.`,
    },
    declined: {
      subject: ({ when, what }) => `Cambio de hora no confirmado: ${when} – ${what}`,
      heading: 'Su cita no se ha cambiado',
      lead: ({ provider }) => `Lamentablemente, la nueva hora no es posible (${provider}).`,
    },
    withdrawn: {
      subject: ({ when, what }) => `Solicitud de cambio retirada: ${when} – ${what}`,
      heading: 'Su solicitud de cambio ha sido retirada',
      lead: ({ provider }) => `Ha retirado su solicitud de cambio de hora (${provider}).`,
    },
    withdrawnNotice: {
      subject: ({ when, what, consumer }) => `Solicitud de cambio retirada: ${when} – ${what}, ${consumer}`,
      heading: 'Se ha retirado una solicitud de cambio',
      lead: ({ consumer }) =>
        `${consumer} ya no quiere cambiar la cita. La cita sigue como está; solo la hora solicitada vuelve a estar libre.`,
    },
    plainWithdrawnNotice: {
      subject: ({ when, what, consumer }) => `Solicitud retirada: ${when} – ${what}, ${consumer}`,
      heading: 'Se ha retirado una solicitud',
      lead: ({ consumer }) => `${consumer} ha retirado la siguiente solicitud. La hora vuelve a estar libre.`,
    },
    changed: {
      subject: ({ when, what }) => `Solicitud cambiada de hora: ${when} – ${what}`,
      heading: 'Su solicitud es para otra hora',
      lead: ({ provider }) => `Ha cambiado su solicitud a otra hora. ${provider} le responderá por correo.`,
    },
    changedNotice: {
      subject: ({ when, what, consumer }) =>
        `Solicitud cambiada de hora, responda por favor: ${when} – ${what}, ${consumer}`,
      heading: 'Una solicitud ha cambiado de hora',
      lead: ({ consumer }) =>
        `${consumer} ha cambiado una solicitud a la hora siguiente y espera su respuesta.`,
    },
  },
  it: {
    requested: {
      subject: ({ when, what }) => `Spostamento richiesto: ${when} – ${what}`,
      heading: 'Abbiamo ricevuto la sua richiesta di spostamento',
      lead: ({ provider }) =>
        `Desidera spostare il suo appuntamento. ${provider} valuterà il nuovo orario e le risponderà via e-mail.`,
    },
    'request-notice': {
      subject: ({ when, what, consumer }) =>
        `Richiesta di spostamento, si prega di rispondere: ${when} – ${what}, ${consumer}`,
      heading: 'Richiesta di spostamento',
      lead: ({ consumer }) =>
        `${consumer} desidera spostare un appuntamento all’orario seguente e attende la sua risposta.`,
    },
    declined: {
      subject: ({ when, what }) => `Spostamento non confermato: ${when} – ${what}`,
      heading: 'Il suo appuntamento non è stato spostato',
      lead: ({ provider }) => `Purtroppo il nuovo orario non è possibile (${provider}).`,
    },
    withdrawn: {
      subject: ({ when, what }) => `Richiesta di spostamento ritirata: ${when} – ${what}`,
      heading: 'La sua richiesta di spostamento è ritirata',
      lead: ({ provider }) => `Ha ritirato la sua richiesta di spostamento (${provider}).`,
    },
    withdrawnNotice: {
      subject: ({ when, what, consumer }) =>
        `Richiesta di spostamento ritirata: ${when} – ${what}, ${consumer}`,
      heading: 'Una richiesta di spostamento è stata ritirata',
      lead: ({ consumer }) =>
        `${consumer} non desidera più spostare l’appuntamento. L’appuntamento resta com’è; solo l’orario richiesto è di nuovo libero.`,
    },
    plainWithdrawnNotice: {
      subject: ({ when, what, consumer }) => `Richiesta ritirata: ${when} – ${what}, ${consumer}`,
      heading: 'Una richiesta è stata ritirata',
      lead: ({ consumer }) => `${consumer} ha ritirato la richiesta seguente. L’orario è di nuovo libero.`,
    },
    changed: {
      subject: ({ when, what }) => `Richiesta spostata: ${when} – ${what}`,
      heading: 'La sua richiesta è per un altro orario',
      lead: ({ provider }) =>
        `Ha spostato la sua richiesta a un altro orario. ${provider} le risponderà via e-mail.`,
    },
    changedNotice: {
      subject: ({ when, what, consumer }) =>
        `Richiesta spostata, si prega di rispondere: ${when} – ${what}, ${consumer}`,
      heading: 'Una richiesta è stata spostata',
      lead: ({ consumer }) =>
        `${consumer} ha spostato una richiesta all’orario seguente e attende la sua risposta.`,
    },
  },
}
