import type { Language, Texts } from '#shared/texts/index.ts'
import type { Api } from './api.ts'
import type { Moving } from './state.ts'
import type { Words } from './words.ts'

// For somebody who has a booking and wants another time: which booking, and what is said then. A file of its own that is
// fetched when a page brings a token, and only then. So it imports nothing but types.

type Names = Pick<Moving, 'name' | 'askedName' | 'other'>

const names: Record<Language, Names> = {
  de: { name: 'Bisher', askedName: 'Angefragt', other: 'Andere Zeit wählen' },
  en: { name: 'Until now', askedName: 'Asked for', other: 'Choose another time' },
  fr: { name: 'Jusqu’ici', askedName: 'Demandé', other: 'Choisir un autre horaire' },
  es: { name: 'Hasta ahora', askedName: 'Solicitada', other: 'Elegir otra hora' },
  it: { name: 'Finora', askedName: 'Richiesto', other: 'Scegli un altro orario' },
}

/** The booking behind the token. It stays where it is and how it was booked, unless the page says otherwise. */
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
    isRequest,
    isLate: !mine.changeable,
    asked: mine.requested && Date.parse(mine.requested.start),
    ...names[language],
  }
}

/** In place of what is said to whoever books. A request has no time that stays while the answer is awaited. */
function moveTexts(language: Language, isRequest: boolean): Partial<Texts> {
  const { requested, stays, ...texts } = all[language]
  const { lostHint: lostHintNew } = texts
  return { ...texts, lostHintNew, requestedHint: () => (isRequest ? requested : `${requested} ${stays}`) }
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
  | 'lostHint'
  | 'unknown'
> & { requested: string; stays: string }

const all: Record<Language, Said> = {
  de: {
    title: 'Termin verlegen',
    chooseTime: 'Neue Zeit wählen',
    yourDetails: 'Auf diese Zeit verlegen?',
    book: 'Termin verlegen',
    booking: 'Wird verlegt …',
    request: 'Um diese Zeit bitten',
    confirmed: 'Ihr Termin ist verlegt',
    confirmedHint: () => 'Eine E-Mail mit der neuen Zeit ist unterwegs.',
    requested: 'Noch nicht bestätigt: Der Anbieter antwortet per E-Mail.',
    stays: 'Bis dahin bleibt Ihr Termin, wie er war.',
    lostHint: 'Ihr Termin bleibt, wie er ist. Die nächstgelegenen freien Zeiten:',
    unknown:
      'Dieser Termin lässt sich hier nicht mehr verlegen. Er ist vorbei, abgesagt, oder der Link ist unvollständig.',
  },
  en: {
    title: 'Move an appointment',
    chooseTime: 'Choose a new time',
    yourDetails: 'Move to this time?',
    book: 'Move appointment',
    booking: 'Moving …',
    request: 'Ask for this time',
    confirmed: 'Your appointment is moved',
    confirmedHint: () => 'An email with the new time is on its way.',
    requested: 'Not confirmed yet: the provider answers by email.',
    stays: 'Until then your appointment stays as it was.',
    lostHint: 'Your appointment stays as it is. The nearest free times:',
    unknown:
      'This appointment cannot be moved here any more. It is over, was cancelled, or the link is incomplete.',
  },
  fr: {
    title: 'Déplacer un rendez-vous',
    chooseTime: 'Choisir un nouvel horaire',
    yourDetails: 'Déplacer à cet horaire\u00a0?',
    book: 'Déplacer le rendez-vous',
    booking: 'Déplacement …',
    request: 'Demander cet horaire',
    confirmed: 'Votre rendez-vous est déplacé',
    confirmedHint: () => 'Un e-mail avec le nouvel horaire est en route.',
    requested: 'Pas encore confirmé\u00a0: le prestataire répond par e-mail.',
    stays: 'D’ici là, votre rendez-vous reste inchangé.',
    lostHint: 'Votre rendez-vous reste inchangé. Les horaires libres les plus proches\u00a0:',
    unknown: 'Ce rendez-vous ne peut plus être déplacé ici. Il est passé, annulé, ou le lien est incomplet.',
  },
  es: {
    title: 'Cambiar una cita',
    chooseTime: 'Elegir una nueva hora',
    yourDetails: '¿Cambiar a esta hora?',
    book: 'Cambiar la cita',
    booking: 'Cambiando …',
    request: 'Pedir esta hora',
    confirmed: 'Su cita ha sido cambiada',
    confirmedHint: () => 'Un correo con la nueva hora está en camino.',
    requested: 'Aún sin confirmar: el proveedor responde por correo.',
    stays: 'Hasta entonces su cita sigue como estaba.',
    lostHint: 'Su cita sigue como está. Las horas libres más cercanas:',
    unknown: 'Esta cita ya no se puede cambiar aquí. Ya pasó, fue cancelada o el enlace está incompleto.',
  },
  it: {
    title: 'Sposta un appuntamento',
    chooseTime: 'Scelga un nuovo orario',
    yourDetails: 'Spostare a questo orario?',
    book: 'Sposta l’appuntamento',
    booking: 'Spostamento in corso …',
    request: 'Chiedi questo orario',
    confirmed: 'Il suo appuntamento è spostato',
    confirmedHint: () => 'Un’e-mail con il nuovo orario è in arrivo.',
    requested: 'Non ancora confermato: il fornitore risponde via e-mail.',
    stays: 'Fino ad allora il suo appuntamento resta com’era.',
    lostHint: 'Il suo appuntamento resta com’è. Gli orari liberi più vicini:',
    unknown:
      'Questo appuntamento non può più essere spostato qui. È passato, annullato o il link è incompleto.',
  },
}
