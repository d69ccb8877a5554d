import type { Queryable } from '../../db/base/pool.ts'
import type { Booking } from '../../db/booking/bookings.ts'
import type { Held } from '../../db/booking/held.ts'
import type { ResourceWindow } from '../../db/booking/windows.ts'
import { findProductForm } from '../../db/setup/questions.ts'
import { type Language, pickLanguage } from '../../languages.ts'
import type { Placement } from '../../rules/offers/slots.ts'
import { forConsumer, fromStored, isConsent, onForm } from '../../rules/questions/define.ts'
import { checkAnswers } from '../../rules/questions/questions.ts'
import { type TakenAnswers, takeAnswers } from '../../rules/questions/sent.ts'
import type { CompleteRequest, MoveRequest } from './requests.ts'

const none: TakenAnswers = { answers: null, answersMissing: false }

/** For a hold that becomes a booking unchanged: it was read with its questions. */
export function answersForHold(request: CompleteRequest, own: Held): TakenAnswers {
  const { questions, heldQuestions, answersRequired, providerLanguage } = own
  if (!questions && !heldQuestions && request.sent.answers === null) return none
  const form = {
    now: forConsumer(onForm(questions ?? [])),
    held: heldQuestions && forConsumer(heldQuestions),
    answersRequired,
    language: request.language as Language | null,
    providerLanguage,
  }
  return takeAnswers(request.sent, form, own.now)
}

/** For a booking at another place than the hold's, or without a hold. */
export async function answersForPlace(
  tx: Queryable,
  request: CompleteRequest,
  own: Held | null,
  { product }: Placement,
  { provider, now }: ResourceWindow,
): Promise<TakenAnswers> {
  if (!product.asks && request.sent.answers === null) return none
  const { questions, answersRequired } = await findProductForm(tx, product.id)
  const isOfHold = own !== null && own.state === 'RESERVED' && own.productId === product.id
  const form = {
    now: forConsumer(questions ?? []),
    held: isOfHold && own.heldQuestions ? forConsumer(own.heldQuestions) : null,
    answersRequired,
    language: request.language as Language | null,
    providerLanguage: pickLanguage(provider.language, 'de'),
  }
  return takeAnswers(request.sent, form, now)
}

/**
 * What a move adds to the answers of the booking; null if it adds nothing. A client that sends none may know
 * nothing of questions: its move is refused only if the new Product requires answers.
 */
export async function answersForMove(
  tx: Queryable,
  { answers: sent, language }: MoveRequest,
  booking: Booking,
  own: Held | null,
  product: { id: number; uuid: string },
  now: number,
): Promise<TakenAnswers | null> {
  if (sent === null && product.uuid === booking.productUuid) return null
  const { questions, answersRequired } = await findProductForm(tx, product.id)
  if (sent === null && !answersRequired) return null
  const form = {
    now: forConsumer(questions ?? []),
    held: own?.productId === product.id && own.heldQuestions ? forConsumer(own.heldQuestions) : null,
    answersRequired,
    language: language ?? pickLanguage(booking.language, booking.providerLanguage),
    providerLanguage: booking.providerLanguage,
  }
  const kept = checkAnswers(form.now, fromStored(booking.answers)).answers
  const taken = takeAnswers({ answers: { ...kept, ...sent }, fields: {} }, form, now)
  const added = Object.entries(taken.answers ?? {}).filter(
    ([key, value]) =>
      Object.hasOwn(sent ?? {}, key) && !(isConsent(value) && isConsent(booking.answers?.[key])),
  )
  return { ...taken, answers: Object.fromEntries(added) }
}
