import type { Language, Texts } from '#shared/texts/index.ts'
import type { Api } from './api.ts'
import type { Moving } from './state.ts'
import type { Words } from './words.ts'

// For a visitor who moves a booking: the booking, and the texts for it. A separate file that is loaded only
// if the page has a move token, so it imports only types.

type Names = Pick<Moving, 'name' | 'before' | 'askedName' | 'other'>

const names: Record<Language, Names> = {
  de: { name: 'Aktueller Termin', before: 'Bisher', askedName: 'Angefragt', other: 'Andere Zeit auswählen' },
  en: {
    name: 'Current appointment',
    before: 'Previously',
    askedName: 'Requested',
    other: 'Choose another time',
  },
  fr: {
    name: 'Rendez-vous actuel',
    before: 'Ancien horaire',
    askedName: 'Demandé',
    other: 'Choisir un autre horaire',
  },
  es: { name: 'Cita actual', before: 'Antes', askedName: 'Solicitada', other: 'Elegir otra hora' },
  it: {
    name: 'Appuntamento attuale',
    before: 'Prima',
    askedName: 'Richiesto',
    other: 'Scegli un altro orario',
  },
}

/** The booking behind the token. Resource and channel stay, unless the page sets others. */
export async function openBooking({ ask, signed, refs, channel }: Api, words: Words): Promise<Moving> {
  const { language } = words
  words.texts = { ...words.texts, ...moveTexts(language, false) }
  const days = await ask('get', '/bookables/cancelable_bookable', signed)
  const mine = Object.values(days)[0]![0]!
  if (refs.length === 0) refs.push(mine.resource_uuid)
  if (mine.channel_key) channel.channelKey ??= mine.channel_key
  const isRequest = mine.state === 'REQUESTED'
  words.texts = { ...words.texts, ...moveTexts(language, isRequest) }
  return {
    start: Date.parse(mine.start),
    end: Date.parse(mine.end),
    product: mine.product_uuid,
    questions: mine.questions,
    isRequest,
    isLate: !mine.changeable,
    asked: mine.requested && Date.parse(mine.requested.start),
    ...names[language],
    stays: isRequest ? '' : all[language].still,
  }
}

/** Replaces the texts for new bookings. A request has no booked time to keep while it is open. */
function moveTexts(language: Language, isRequest: boolean): Partial<Texts> {
  const { awaits, stays, still, sent, ...texts } = all[language]
  const { nearestHint: nearestTimes } = texts
  const requestedHint = () => (isRequest ? awaits : `${awaits} ${stays}`)
  // A request with a new time is still only a request.
  return { ...texts, nearestTimes, requestedHint, ...(isRequest ? {} : { requested: sent }) }
}

type Said = Pick<
  Texts,
  | 'title'
  | 'chooseTime'
  | 'yourDetails'
  | 'book'
  | 'booking'
  | 'request'
  | 'confirmed'
  | 'confirmedHint'
  | 'nearestHint'
  | 'notFound'
> & { awaits: string; stays: string; still: string; sent: string }

const all: Record<Language, Said> = {
  de: {
    title: 'Termin verlegen',
    chooseTime: 'Neuen Termin auswählen',
    yourDetails: 'Auf diese Zeit verlegen?',
    book: 'Termin verlegen',
    booking: 'Wird verlegt …',
    request: 'Diese Zeit anfragen',
    confirmed: 'Ihr Termin wurde verlegt',
    confirmedHint: () => 'Eine E-Mail mit der neuen Zeit ist unterwegs.',
    awaits: 'Noch nicht bestätigt. Sie erhalten eine E-Mail.',
    stays: 'Bis dahin bleibt Ihr Termin unverändert.',
    still: 'Ihr Termin bleibt unverändert.',
    sent: 'Ihre Anfrage zur Verlegung wurde gesendet',
    nearestHint: 'Ihr Termin bleibt unverändert. Die nächstgelegenen freien Termine:',
    notFound:
      'Dieser Termin kann nicht mehr verlegt werden. Er ist vorbei oder abgesagt, oder der Link ist unvollständig.',
  },
  en: {
    title: 'Reschedule an appointment',
    chooseTime: 'Choose a new time',
    yourDetails: 'Reschedule to this time?',
    book: 'Reschedule appointment',
    booking: 'Rescheduling…',
    request: 'Request this time',
    confirmed: 'Your appointment has been rescheduled',
    confirmedHint: () => 'An email with the new time is on its way.',
    awaits: 'Not confirmed yet. We’ll email you.',
    stays: 'Until then, your appointment stays as it is.',
    still: 'Your appointment stays as it is.',
    sent: 'Your request to reschedule has been sent',
    nearestHint: 'Your appointment stays as it is. The nearest available times:',
    notFound:
      'This appointment can no longer be rescheduled. It is over or cancelled, or the link is incomplete.',
  },
  fr: {
    title: 'Déplacer un rendez-vous',
    chooseTime: 'Choisir un nouvel horaire',
    yourDetails: 'Déplacer à cet horaire\u00a0?',
    book: 'Déplacer le rendez-vous',
    booking: 'Déplacement en cours…',
    request: 'Demander cet horaire',
    confirmed: 'Votre rendez-vous a été déplacé',
    confirmedHint: () => 'Vous allez recevoir un e-mail avec le nouvel horaire.',
    awaits: 'Pas encore confirmé. Nous vous écrirons par e-mail.',
    stays: 'D’ici là, votre rendez-vous reste inchangé.',
    still: 'Votre rendez-vous reste inchangé.',
    sent: 'Votre demande de déplacement a été envoyée',
    nearestHint: 'Votre rendez-vous reste inchangé. Les horaires disponibles les plus proches\u00a0:',
    notFound: 'Ce rendez-vous ne peut plus être déplacé ici. Il est passé, annulé, ou le lien est incomplet.',
  },
  es: {
    title: 'Cambiar una cita',
    chooseTime: 'Elegir una nueva hora',
    yourDetails: '¿Cambiar a esta hora?',
    book: 'Cambiar la cita',
    booking: 'Cambiando…',
    request: 'Solicitar esta hora',
    confirmed: 'Su cita se ha cambiado',
    confirmedHint: () => 'Recibirá un correo con la nueva hora.',
    awaits: 'Aún sin confirmar. Le escribiremos por correo.',
    stays: 'Hasta entonces, su cita no cambia.',
    still: 'Su cita no cambia.',
    sent: 'Su solicitud de cambio se ha enviado',
    nearestHint: 'Su cita no cambia. Las horas disponibles más cercanas:',
    notFound:
      'Esta cita ya no se puede cambiar aquí. Ya ha pasado, se ha cancelado o el enlace está incompleto.',
  },
  it: {
    title: 'Sposta un appuntamento',
    chooseTime: 'Scelga un nuovo orario',
    yourDetails: 'Spostare a questo orario?',
    book: 'Sposta l’appuntamento',
    booking: 'Spostamento in corso…',
    request: 'Richiedi questo orario',
    confirmed: 'Il suo appuntamento è stato spostato',
    confirmedHint: () => 'Riceverà un’e-mail con il nuovo orario.',
    awaits: 'Non ancora confermato. Le scriveremo via e-mail.',
    stays: 'Fino ad allora il suo appuntamento resta invariato.',
    still: 'Il suo appuntamento resta invariato.',
    sent: 'La sua richiesta di spostamento è stata inviata',
    nearestHint: 'Il suo appuntamento resta invariato. Gli orari disponibili più vicini:',
    notFound:
      'Questo appuntamento non può più essere spostato qui. È passato, è stato annullato o il link è incompleto.',
  },
}
