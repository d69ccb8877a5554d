import type { Queryable } from '../../db/base/pool.ts'
import type { Held } from '../../db/booking/held.ts'
import type { ResourceWindow } from '../../db/booking/windows.ts'
import { findProductForm } from '../../db/setup/questions.ts'
import { type Language, pickLanguage } from '../../languages.ts'
import type { Placement } from '../../rules/offers/slots.ts'
import { forConsumer, onForm } from '../../rules/questions/define.ts'
import { type TakenAnswers, takeAnswers } from '../../rules/questions/sent.ts'
import type { CompleteRequest } from './requests.ts'

const none: TakenAnswers = { answers: null, answersMissing: false }

/** For a hold that becomes a booking unchanged: it was read with its questions. */
export function answersForHold(request: CompleteRequest, own: Held): TakenAnswers {
  const { questions, heldQuestions, answersRequired, providerLanguage } = own
  if (!questions && !heldQuestions && request.sent.answers === null) return none
  const form = {
    now: forConsumer(onForm(questions ?? [])),
    held: forConsumer(heldQuestions ?? []),
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
    held: isOfHold ? forConsumer(own.heldQuestions ?? []) : null,
    answersRequired,
    language: request.language as Language | null,
    providerLanguage: pickLanguage(provider.language, 'de'),
  }
  return takeAnswers(request.sent, form, now)
}
