import type { Language } from '../../languages.ts'

type Texts = {
  requestButton: string
  sentTitle: string
  withdrawTitle: string
  withdrawQuestion: string
  withdrawnTitle: string
  notMovedTitle: string
  unchanged: string
  currentTitle: string
  acceptTitle: string
  acceptQuestion: string
  acceptedTitle: string
  accepted: string
  declineTitle: string
  declineQuestion: string
  declinedTitle: string
  declined: string
}

/** Texts for requests to move: the booking stays until the request is answered. */
export const moveTexts: Record<Language, Texts> = {
  de: {
    requestButton: 'Diese Zeit anfragen',
    sentTitle: 'Ihre Anfrage zur Verlegung wurde gesendet',
    withdrawTitle: 'Anfrage zur Verlegung zurückziehen',
    withdrawQuestion: 'Möchten Sie Ihre Anfrage zur Verlegung zurückziehen? Ihr Termin bleibt unverändert.',
    withdrawnTitle: 'Ihre Anfrage zur Verlegung wurde zurückgezogen',
    notMovedTitle: 'Ihr Termin wurde nicht verlegt',
    unchanged: 'Ihr Termin bleibt unverändert.',
    currentTitle: 'Ihr Termin',
    acceptTitle: 'Verlegung annehmen',
    acceptQuestion: 'Möchten Sie diesen Termin auf die neue Zeit verlegen?',
    acceptedTitle: 'Termin wurde verlegt',
    accepted: 'Der Termin wurde auf die neue Zeit verlegt. Der Kunde erhält eine E-Mail.',
    declineTitle: 'Verlegung ablehnen',
    declineQuestion: 'Möchten Sie diese Verlegung ablehnen? Der Termin bleibt unverändert.',
    declinedTitle: 'Verlegung abgelehnt',
    declined: 'Der Termin bleibt unverändert. Der Kunde erhält eine E-Mail.',
  },
  en: {
    requestButton: 'Request this time',
    sentTitle: 'Your request to reschedule has been sent',
    withdrawTitle: 'Withdraw request to reschedule',
    withdrawQuestion: 'Withdraw your request to reschedule? Your appointment stays as it is.',
    withdrawnTitle: 'Your request to reschedule has been withdrawn',
    notMovedTitle: 'Your appointment was not rescheduled',
    unchanged: 'Your appointment stays as it is.',
    currentTitle: 'Your appointment',
    acceptTitle: 'Accept new time',
    acceptQuestion: 'Reschedule this appointment to the new time?',
    acceptedTitle: 'Appointment rescheduled',
    accepted: 'The appointment has a new time. We’ve emailed the customer.',
    declineTitle: 'Decline new time',
    declineQuestion: 'Decline the new time? The appointment stays as it is.',
    declinedTitle: 'New time declined',
    declined: 'The appointment stays as it is. We’ve emailed the customer.',
  },
  fr: {
    requestButton: 'Demander cet horaire',
    sentTitle: 'Votre demande de déplacement a été envoyée',
    withdrawTitle: 'Retirer la demande de déplacement',
    withdrawQuestion:
      'Voulez-vous retirer votre demande de déplacement\u00a0? Votre rendez-vous reste inchangé.',
    withdrawnTitle: 'Votre demande de déplacement a été retirée',
    notMovedTitle: 'Votre rendez-vous n’a pas été déplacé',
    unchanged: 'Votre rendez-vous reste inchangé.',
    currentTitle: 'Votre rendez-vous',
    acceptTitle: 'Accepter le déplacement',
    acceptQuestion: 'Voulez-vous déplacer ce rendez-vous au nouvel horaire\u00a0?',
    acceptedTitle: 'Rendez-vous déplacé',
    accepted: 'Le rendez-vous a un nouvel horaire. Nous avons prévenu le client par e-mail.',
    declineTitle: 'Refuser le déplacement',
    declineQuestion: 'Voulez-vous refuser ce déplacement\u00a0? Le rendez-vous reste inchangé.',
    declinedTitle: 'Déplacement refusé',
    declined: 'Le rendez-vous reste inchangé. Nous avons prévenu le client par e-mail.',
  },
  es: {
    requestButton: 'Pedir esta hora',
    sentTitle: 'Su solicitud de cambio se ha enviado',
    withdrawTitle: 'Retirar la solicitud de cambio',
    withdrawQuestion: '¿Quiere retirar su solicitud de cambio? Su cita no cambia.',
    withdrawnTitle: 'Su solicitud de cambio se ha retirado',
    notMovedTitle: 'Su cita no se ha cambiado',
    unchanged: 'Su cita no cambia.',
    currentTitle: 'Su cita',
    acceptTitle: 'Aceptar el cambio',
    acceptQuestion: '¿Quiere cambiar esta cita a la nueva hora?',
    acceptedTitle: 'Cita cambiada',
    accepted: 'La cita tiene una nueva hora. Hemos avisado al cliente por correo.',
    declineTitle: 'Rechazar el cambio',
    declineQuestion: '¿Quiere rechazar este cambio? La cita no cambia.',
    declinedTitle: 'Cambio rechazado',
    declined: 'La cita no cambia. Hemos avisado al cliente por correo.',
  },
  it: {
    requestButton: 'Chiedi questo orario',
    sentTitle: 'La sua richiesta di spostamento è stata inviata',
    withdrawTitle: 'Ritira la richiesta di spostamento',
    withdrawQuestion: 'Vuole ritirare la sua richiesta di spostamento? Il suo appuntamento resta invariato.',
    withdrawnTitle: 'La sua richiesta di spostamento è stata ritirata',
    notMovedTitle: 'Il suo appuntamento non è stato spostato',
    unchanged: 'Il suo appuntamento resta invariato.',
    currentTitle: 'Il suo appuntamento',
    acceptTitle: 'Accetta lo spostamento',
    acceptQuestion: 'Vuole spostare questo appuntamento al nuovo orario?',
    acceptedTitle: 'Appuntamento spostato',
    accepted: 'L’appuntamento ha un nuovo orario. Abbiamo avvisato il cliente via e-mail.',
    declineTitle: 'Rifiuta lo spostamento',
    declineQuestion: 'Vuole rifiutare questo spostamento? L’appuntamento resta invariato.',
    declinedTitle: 'Spostamento rifiutato',
    declined: 'L’appuntamento resta invariato. Abbiamo avvisato il cliente via e-mail.',
  },
}
