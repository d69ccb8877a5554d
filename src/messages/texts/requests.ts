import type { Language } from '../../languages.ts'
import type { BookingTexts } from './facts.ts'

/**
 * Emails about requests: to reschedule a booking (which stays until the request is answered), with a changed time, or withdrawn.
 * Each says what it is, so that it is not mistaken for a new appointment or a cancellation.
 */
export type RequestTexts = {
  /** To the customer who asked to reschedule. */
  requested: BookingTexts
  'request-notice': BookingTexts
  declined: BookingTexts
  withdrawn: BookingTexts
  /** To the provider, when a request to reschedule is withdrawn, and when a request for an appointment is. */
  withdrawnNotice: BookingTexts
  plainWithdrawnNotice: BookingTexts
  /** The time of an open request was changed. */
  changed: BookingTexts
  changedNotice: BookingTexts
}

export const requestTexts: Record<Language, RequestTexts> = {
  de: {
    requested: {
      subject: ({ when, what }) => `Verlegung angefragt: ${when} – ${what}`,
      heading: 'Ihre Anfrage zur Verlegung ist eingegangen',
      lead: ({ provider }) =>
        `Sie möchten Ihren Termin verlegen. ${provider} prüft die neue Zeit und antwortet Ihnen per E-Mail.`,
    },
    'request-notice': {
      subject: ({ when, what, consumer }) =>
        `Anfrage zur Verlegung, bitte antworten: ${when} – ${what}, ${consumer}`,
      heading: 'Anfrage zur Verlegung',
      lead: ({ consumer }) =>
        `${consumer} möchte einen Termin auf die folgende Zeit verlegen und wartet auf Ihre Antwort.`,
    },
    declined: {
      subject: ({ when, what }) => `Verlegung nicht bestätigt: ${when} – ${what}`,
      heading: 'Ihr Termin wurde nicht verlegt',
      lead: ({ provider }) => `die neue Zeit ist leider nicht möglich (${provider}).`,
    },
    withdrawn: {
      subject: ({ when, what }) => `Anfrage zur Verlegung zurückgezogen: ${when} – ${what}`,
      heading: 'Ihre Anfrage zur Verlegung wurde zurückgezogen',
      lead: ({ provider }) => `Sie haben Ihre Anfrage zur Verlegung zurückgezogen (${provider}).`,
    },
    withdrawnNotice: {
      subject: ({ when, what, consumer }) =>
        `Anfrage zur Verlegung zurückgezogen: ${when} – ${what}, ${consumer}`,
      heading: 'Eine Anfrage zur Verlegung wurde zurückgezogen',
      lead: ({ consumer }) =>
        `${consumer} möchte den Termin nicht mehr verlegen. Der Termin bleibt unverändert, die angefragte Zeit ist wieder frei.`,
    },
    plainWithdrawnNotice: {
      subject: ({ when, what, consumer }) => `Anfrage zurückgezogen: ${when} – ${what}, ${consumer}`,
      heading: 'Eine Anfrage wurde zurückgezogen',
      lead: ({ consumer }) => `${consumer} hat die folgende Anfrage zurückgezogen. Die Zeit ist wieder frei.`,
    },
    changed: {
      subject: ({ when, what }) => `Terminanfrage geändert: ${when} – ${what}`,
      heading: 'Ihre Anfrage gilt jetzt für eine andere Zeit',
      lead: ({ provider }) =>
        `Sie haben für Ihre Anfrage eine andere Zeit gewählt. ${provider} antwortet Ihnen per E-Mail.`,
    },
    changedNotice: {
      subject: ({ when, what, consumer }) =>
        `Terminanfrage geändert, bitte antworten: ${when} – ${what}, ${consumer}`,
      heading: 'Eine Anfrage wurde geändert',
      lead: ({ consumer }) =>
        `${consumer} hat die Anfrage auf die folgende Zeit geändert und wartet auf Ihre Antwort.`,
    },
  },
  en: {
    requested: {
      subject: ({ when, what }) => `New time requested: ${when} – ${what}`,
      heading: 'We’ve received your request to reschedule',
      lead: ({ provider }) =>
        `You asked to reschedule your appointment. ${provider} will let you know by email.`,
    },
    'request-notice': {
      subject: ({ when, what, consumer }) =>
        `Request to reschedule, please reply: ${when} – ${what}, ${consumer}`,
      heading: 'Request to reschedule an appointment',
      lead: ({ consumer }) =>
        `${consumer} would like to reschedule an appointment to the following time and is waiting for your reply.`,
    },
    declined: {
      subject: ({ when, what }) => `New time not confirmed: ${when} – ${what}`,
      heading: 'Your appointment was not rescheduled',
      lead: ({ provider }) => `Unfortunately, ${provider} can’t offer you the new time.`,
    },
    withdrawn: {
      subject: ({ when, what }) => `Request to reschedule withdrawn: ${when} – ${what}`,
      heading: 'Your request to reschedule has been withdrawn',
      lead: ({ provider }) =>
        `You’ve withdrawn your request to reschedule your appointment with ${provider}.`,
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
      subject: ({ when, what }) => `Request changed: ${when} – ${what}`,
      heading: 'Your request is now for a different time',
      lead: ({ provider }) =>
        `You’ve changed the time of your request. ${provider} will let you know by email.`,
    },
    changedNotice: {
      subject: ({ when, what, consumer }) => `Request changed, please reply: ${when} – ${what}, ${consumer}`,
      heading: 'A request was changed',
      lead: ({ consumer }) =>
        `${consumer} is now asking for the following time and is waiting for your reply.`,
    },
  },
  fr: {
    requested: {
      subject: ({ when, what }) => `Déplacement demandé\u00a0: ${when} – ${what}`,
      heading: 'Nous avons reçu votre demande de déplacement',
      lead: ({ provider }) =>
        `Vous souhaitez déplacer votre rendez-vous. ${provider} vous répondra par e-mail.`,
    },
    'request-notice': {
      subject: ({ when, what, consumer }) =>
        `Demande de déplacement, merci de répondre\u00a0: ${when} – ${what}, ${consumer}`,
      heading: 'Demande de déplacement d’un rendez-vous',
      lead: ({ consumer }) =>
        `${consumer} souhaite déplacer un rendez-vous à l’horaire suivant et attend votre réponse.`,
    },
    declined: {
      subject: ({ when, what }) => `Déplacement non confirmé\u00a0: ${when} – ${what}`,
      heading: 'Votre rendez-vous n’a pas été déplacé',
      lead: ({ provider }) => `Malheureusement, le nouvel horaire n’est pas possible (${provider}).`,
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
        `${consumer} ne souhaite plus déplacer le rendez-vous. Celui-ci reste inchangé et l’horaire demandé est de nouveau disponible.`,
    },
    plainWithdrawnNotice: {
      subject: ({ when, what, consumer }) => `Demande retirée\u00a0: ${when} – ${what}, ${consumer}`,
      heading: 'Une demande a été retirée',
      lead: ({ consumer }) =>
        `${consumer} a retiré la demande suivante. L’horaire est de nouveau disponible.`,
    },
    changed: {
      subject: ({ when, what }) => `Demande modifiée\u00a0: ${when} – ${what}`,
      heading: 'Votre demande porte désormais sur un autre horaire',
      lead: ({ provider }) =>
        `Vous avez choisi un autre horaire pour votre demande. ${provider} vous répondra par e-mail.`,
    },
    changedNotice: {
      subject: ({ when, what, consumer }) =>
        `Demande modifiée, merci de répondre\u00a0: ${when} – ${what}, ${consumer}`,
      heading: 'Une demande a été modifiée',
      lead: ({ consumer }) =>
        `${consumer} a modifié sa demande pour l’horaire suivant et attend votre réponse.`,
    },
  },
  es: {
    requested: {
      subject: ({ when, what }) => `Cambio de cita solicitado: ${when} – ${what}`,
      heading: 'Hemos recibido su solicitud de cambio',
      lead: ({ provider }) => `Ha pedido cambiar su cita. ${provider} le responderá por correo.`,
    },
    'request-notice': {
      subject: ({ when, what, consumer }) =>
        `Solicitud de cambio, responda por favor: ${when} – ${what}, ${consumer}`,
      heading: 'Solicitud de cambio de cita',
      lead: ({ consumer }) =>
        `${consumer} quiere cambiar una cita a la hora siguiente y espera su respuesta.`,
    },
    declined: {
      subject: ({ when, what }) => `Cambio de cita no confirmado: ${when} – ${what}`,
      heading: 'Su cita no se ha cambiado',
      lead: ({ provider }) => `Lamentablemente, la nueva hora no es posible (${provider}).`,
    },
    withdrawn: {
      subject: ({ when, what }) => `Solicitud de cambio retirada: ${when} – ${what}`,
      heading: 'Su solicitud de cambio se ha retirado',
      lead: ({ provider }) => `Ha retirado su solicitud de cambio (${provider}).`,
    },
    withdrawnNotice: {
      subject: ({ when, what, consumer }) => `Solicitud de cambio retirada: ${when} – ${what}, ${consumer}`,
      heading: 'Se ha retirado una solicitud de cambio',
      lead: ({ consumer }) =>
        `${consumer} ya no quiere cambiar la cita. La cita no cambia y la hora solicitada vuelve a estar disponible.`,
    },
    plainWithdrawnNotice: {
      subject: ({ when, what, consumer }) => `Solicitud retirada: ${when} – ${what}, ${consumer}`,
      heading: 'Se ha retirado una solicitud',
      lead: ({ consumer }) =>
        `${consumer} ha retirado la siguiente solicitud. La hora vuelve a estar disponible.`,
    },
    changed: {
      subject: ({ when, what }) => `Solicitud modificada: ${when} – ${what}`,
      heading: 'Su solicitud es ahora para otra hora',
      lead: ({ provider }) => `Ha elegido otra hora para su solicitud. ${provider} le responderá por correo.`,
    },
    changedNotice: {
      subject: ({ when, what, consumer }) =>
        `Solicitud modificada, responda por favor: ${when} – ${what}, ${consumer}`,
      heading: 'Se ha modificado una solicitud',
      lead: ({ consumer }) =>
        `${consumer} ha cambiado su solicitud a la hora siguiente y espera su respuesta.`,
    },
  },
  it: {
    requested: {
      subject: ({ when, what }) => `Spostamento richiesto: ${when} – ${what}`,
      heading: 'Abbiamo ricevuto la sua richiesta di spostamento',
      lead: ({ provider }) =>
        `ha chiesto di spostare il suo appuntamento. ${provider} le risponderà via e-mail.`,
    },
    'request-notice': {
      subject: ({ when, what, consumer }) =>
        `Richiesta di spostamento, si prega di rispondere: ${when} – ${what}, ${consumer}`,
      heading: 'Richiesta di spostamento di un appuntamento',
      lead: ({ consumer }) =>
        `${consumer} desidera spostare un appuntamento all’orario seguente e attende la sua risposta.`,
    },
    declined: {
      subject: ({ when, what }) => `Spostamento non confermato: ${when} – ${what}`,
      heading: 'Il suo appuntamento non è stato spostato',
      lead: ({ provider }) => `purtroppo il nuovo orario non è possibile (${provider}).`,
    },
    withdrawn: {
      subject: ({ when, what }) => `Richiesta di spostamento ritirata: ${when} – ${what}`,
      heading: 'La sua richiesta di spostamento è stata ritirata',
      lead: ({ provider }) => `ha ritirato la sua richiesta di spostamento (${provider}).`,
    },
    withdrawnNotice: {
      subject: ({ when, what, consumer }) =>
        `Richiesta di spostamento ritirata: ${when} – ${what}, ${consumer}`,
      heading: 'Una richiesta di spostamento è stata ritirata',
      lead: ({ consumer }) =>
        `${consumer} non desidera più spostare l’appuntamento. L’appuntamento resta invariato e l’orario richiesto è di nuovo disponibile.`,
    },
    plainWithdrawnNotice: {
      subject: ({ when, what, consumer }) => `Richiesta ritirata: ${when} – ${what}, ${consumer}`,
      heading: 'Una richiesta è stata ritirata',
      lead: ({ consumer }) =>
        `${consumer} ha ritirato la richiesta seguente. L’orario è di nuovo disponibile.`,
    },
    changed: {
      subject: ({ when, what }) => `Richiesta modificata: ${when} – ${what}`,
      heading: 'La sua richiesta è ora per un altro orario',
      lead: ({ provider }) =>
        `ha scelto un altro orario per la sua richiesta. ${provider} le risponderà via e-mail.`,
    },
    changedNotice: {
      subject: ({ when, what, consumer }) =>
        `Richiesta modificata, si prega di rispondere: ${when} – ${what}, ${consumer}`,
      heading: 'Una richiesta è stata modificata',
      lead: ({ consumer }) =>
        `${consumer} ha modificato la richiesta per l’orario seguente e attende la sua risposta.`,
    },
  },
}
