import type { Language } from '../../languages.ts'

type Texts = {
  title: string
  lead: string
  until: (when: string) => string
  message: string
  confirm: string
  request: string
  decline: string
  overTitle: string
  lapsed: string
  declined: string
  alreadyBooked: string
  notInvited: string
}

/** The page on which a person confirms what an agent proposed. */
export const confirmTexts: Record<Language, Texts> = {
  en: {
    title: 'Confirm this appointment?',
    lead: 'A digital assistant has chosen it for you. It isn’t booked yet.',
    until: when => `We’re holding it for you until ${when}.`,
    message: 'Message',
    confirm: 'Book appointment',
    request: 'Request appointment',
    decline: 'Don’t book',
    overTitle: 'This time is no longer held',
    lapsed: 'The time to confirm has passed, so nothing was booked.',
    declined: 'We’ve released the time. Nothing was booked.',
    alreadyBooked: 'You’re already booked for this appointment.',
    notInvited: 'Only existing customers can book here.',
  },
  de: {
    title: 'Diesen Termin bestätigen?',
    lead: 'Ein digitaler Assistent hat ihn für Sie ausgesucht. Er ist noch nicht gebucht.',
    until: when => `Wir halten ihn bis ${when} für Sie frei.`,
    message: 'Nachricht',
    confirm: 'Termin buchen',
    request: 'Termin anfragen',
    decline: 'Nicht buchen',
    overTitle: 'Dieser Termin ist nicht mehr reserviert',
    lapsed: 'Die Zeit zum Bestätigen ist abgelaufen. Es wurde nichts gebucht.',
    declined: 'Wir haben den Termin wieder freigegeben. Es wurde nichts gebucht.',
    alreadyBooked: 'Sie haben diesen Termin bereits gebucht.',
    notInvited: 'Hier können nur bestehende Kunden buchen.',
  },
  fr: {
    title: 'Confirmer ce rendez-vous\u00a0?',
    lead: 'Un assistant numérique l’a choisi pour vous. Il n’est pas encore réservé.',
    until: when => `Nous vous le gardons jusqu’au ${when}.`,
    message: 'Message',
    confirm: 'Réserver le rendez-vous',
    request: 'Demander le rendez-vous',
    decline: 'Ne pas réserver',
    overTitle: 'Ce créneau n’est plus réservé pour vous',
    lapsed: 'Le délai de confirmation est passé. Rien n’a été réservé.',
    declined: 'Nous avons libéré le créneau. Rien n’a été réservé.',
    alreadyBooked: 'Vous avez déjà réservé ce rendez-vous.',
    notInvited: 'Seuls les clients existants peuvent réserver ici.',
  },
  es: {
    title: '¿Confirmar esta cita?',
    lead: 'Un asistente digital la ha elegido para usted. Todavía no está reservada.',
    until: when => `Se la guardamos hasta el ${when}.`,
    message: 'Mensaje',
    confirm: 'Reservar la cita',
    request: 'Solicitar la cita',
    decline: 'No reservar',
    overTitle: 'Ya no le guardamos esta hora',
    lapsed: 'El plazo para confirmar ha terminado. No se ha reservado nada.',
    declined: 'Hemos liberado la hora. No se ha reservado nada.',
    alreadyBooked: 'Ya tiene reservada esta cita.',
    notInvited: 'Aquí solo pueden reservar los clientes existentes.',
  },
  it: {
    title: 'Confermare questo appuntamento?',
    lead: 'Un assistente digitale lo ha scelto per Lei. Non è ancora prenotato.',
    until: when => `Lo teniamo per Lei fino a ${when}.`,
    message: 'Messaggio',
    confirm: 'Prenota l’appuntamento',
    request: 'Richiedi l’appuntamento',
    decline: 'Non prenotare',
    overTitle: 'Questo orario non è più riservato per Lei',
    lapsed: 'Il tempo per confermare è scaduto. Non è stato prenotato nulla.',
    declined: 'Abbiamo liberato l’orario. Non è stato prenotato nulla.',
    alreadyBooked: 'Ha già prenotato questo appuntamento.',
    notInvited: 'Qui possono prenotare solo i clienti esistenti.',
  },
}
