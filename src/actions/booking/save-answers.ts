import { isDeepStrictEqual } from 'node:util'
import { lockRecords } from '../../db/base/ledger.ts'
import type { Queryable } from '../../db/base/pool.ts'
import { type Booking, findBookingsByUuid } from '../../db/booking/bookings.ts'
import { lockParticipation, writeAnswers } from '../../db/scheduling/answers.ts'
import { invalidField, invalidToken, notBooked, notFound, throwRefusals } from '../../errors.ts'
import { type Language, pickLanguage } from '../../languages.ts'
import { type Actor, consumerActor } from '../../rules/messages/events.ts'
import {
  forConsumer,
  isConsent,
  onForm,
  type PlacedQuestion,
  type StoredAnswers,
} from '../../rules/questions/define.ts'
import { checkAnswers } from '../../rules/questions/questions.ts'
import { problemRefusal, stored, takeAnswers } from '../../rules/questions/sent.ts'
import type { Service } from '../../service.ts'
import { recordEvents } from '../record-events.ts'
import { isActive } from './consumer-cancel.ts'

// Answers that are given after the booking, by the consumer or by staff.

/** The booking of the link, while its questions can be answered. */
export async function bookingToAnswer(service: Service, token: string): Promise<Booking | null> {
  const uuid = service.signer.open('answers', token)
  const [booking] = uuid ? await findBookingsByUuid(service.db, uuid) : []
  return booking && isActive(booking) ? booking : null
}

export const consumerForm = ({ questions }: Booking) => forConsumer(onForm(questions ?? []))

/** By the consumer: everything required must be answered. */
export async function answerLater(
  service: Service,
  token: string,
  given: Record<string, unknown>,
  language: Language | null,
): Promise<Booking> {
  const uuid = service.signer.open('answers', token)
  if (!uuid) throw invalidToken()
  return service.db.transaction(async tx => {
    const booking = await readLocked(tx, uuid)
    if (!booking || !isActive(booking)) throw invalidToken()
    const { providerLanguage } = booking
    const form = { now: consumerForm(booking), held: null, answersRequired: true, language, providerLanguage }
    const known = Object.fromEntries(form.now.map(one => [one.key, given[one.key]]))
    const { answers } = takeAnswers({ answers: known, fields: {} }, form, booking.now)
    return save(tx, service, consumerActor, booking, form.now, answers ?? {}, false)
  })
}

/** By staff: nothing is required, and their own questions are on the form too. */
export async function answerAsStaff(
  service: Service,
  actor: Actor,
  participationUuid: string,
  given: Record<string, unknown>,
): Promise<Booking> {
  return service.db.transaction(async tx => {
    const booking = await readLocked(tx, participationUuid)
    if (!booking || booking.name === null) throw notFound('Participation', participationUuid)
    if (booking.state !== 'BOOKED' && booking.state !== 'REQUESTED') throw notBooked(booking.state)
    const form = onForm(booking.questions ?? [])
    const checked = checkAnswers(form, given)
    refuseInvalid(form, given, checked.problems, booking)
    const language = pickLanguage(booking.language, booking.providerLanguage)
    const languages = { language, providerLanguage: booking.providerLanguage }
    const answers = stored(form, checked.answers, languages, booking.now) ?? {}
    const isMissing = checkAnswers(forConsumer(form), given).problems.length > 0
    return save(tx, service, actor, booking, form, answers, isMissing)
  })
}

function refuseInvalid(
  form: PlacedQuestion[],
  given: Record<string, unknown>,
  problems: ReturnType<typeof checkAnswers>['problems'],
  { providerLanguage }: Booking,
) {
  const unknown = Object.keys(given).filter(key => !form.some(one => one.key === key))
  const wrong = problems.filter(one => one.problem !== 'missing')
  throwRefusals([
    ...unknown.map(key => invalidField(`answers.${key}`, 'known-name:question', { key: key.slice(0, 50) })),
    ...wrong.map(problem => problemRefusal(form, problem, `answers.${problem.key}`, providerLanguage)),
  ])
}

async function readLocked(tx: Queryable, uuid: string): Promise<(Booking & { now: number }) | null> {
  const [seen] = await findBookingsByUuid(tx, uuid)
  if (!seen) return null
  await lockRecords(tx, [seen.participationId])
  const now = await lockParticipation(tx, uuid)
  const [booking] = now === null ? [] : await findBookingsByUuid(tx, uuid)
  return booking ? { ...booking, now: now! } : null
}

/** Answers to other questions stay, and a consent that was given before keeps its wording and time. */
async function save(
  tx: Queryable,
  service: Service,
  actor: Actor,
  booking: Booking,
  form: PlacedQuestion[],
  answers: StoredAnswers,
  isMissing: boolean,
): Promise<Booking> {
  const before = booking.answers ?? {}
  const asked = new Set(form.map(one => one.key))
  const kept = Object.entries(before).filter(([key]) => !asked.has(key))
  const given = Object.entries(answers).map(([key, value]) => [
    key,
    isConsent(value) && isConsent(before[key]) ? before[key] : value,
  ])
  const all: StoredAnswers = Object.fromEntries([...kept, ...given])
  const wanted = Object.keys(all).length > 0 ? all : null
  if (isDeepStrictEqual(wanted, booking.answers) && isMissing === booking.answersMissing) return booking
  const ids = await writeAnswers(tx, booking.participationId, wanted, isMissing)
  const provider = { id: booking.providerId, crmId: booking.crmId }
  await recordEvents(tx, service, { actor, provider, events: { 'participation.changed': ids } })
  return { ...booking, answers: wanted, answersMissing: isMissing }
}
