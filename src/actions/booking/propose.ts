import { randomUUID } from 'node:crypto'
import { lockById, markChangedHolds } from '../../db/base/ledger.ts'
import type { Transaction } from '../../db/base/pool.ts'
import { findBookingsById } from '../../db/booking/bookings.ts'
import { findHeld, type Held } from '../../db/booking/held.ts'
import { resourceOfHold } from '../../db/booking/holds.ts'
import {
  countProposalsTo,
  findProposed,
  placeholdersProposedTo,
  writeProposal,
} from '../../db/booking/proposals.ts'
import { queueMessages } from '../../db/mails.ts'
import { findInvitedCustomer } from '../../db/scheduling/customers.ts'
import {
  agentNotAllowed,
  invalidField,
  invalidToken,
  notInvited,
  slotTaken,
  tooManyOpen,
} from '../../errors.ts'
import { type Language, pickLanguage } from '../../languages.ts'
import { pseudonym, sha256 } from '../../lib/hash.ts'
import { proposalEmail } from '../../messages/compose-waiting.ts'
import { type Actor, proposedActor } from '../../rules/messages/events.ts'
import { mailboxOf } from '../../rules/people/clients.ts'
import { countryOfZone, mobileKey } from '../../rules/people/phones.ts'
import { forConsumer, inLanguage, onForm } from '../../rules/questions/define.ts'
import { checkAnswers, type FormQuestion } from '../../rules/questions/questions.ts'
import { takeAnswers } from '../../rules/questions/sent.ts'
import type { Service } from '../../service.ts'
import { completeIn, isRivalPerson } from './complete.ts'
import { countProposed } from './limits.ts'
import { refuseConstraint } from './refuse-slot.ts'
import type { Completion, TargetedRequest } from './requests.ts'
import { release } from './reserve.ts'

// An agent holds a time and proposes it to a person, who confirms it on a page. The proposal is kept with the hold, so it lapses
// with it.

const maxProposals = 2

export type ProposeRequest = {
  placeholder: string
  email: string
  firstName: string
  lastName: string
  mobile: string | null
  message: string | null
  answers: Record<string, unknown>
  language: string | null
  locale: string | null
  timeZone: string | null
  /** Null if it is not counted. */
  client: string | null
}

/** Emails the person a link and holds the time until they confirm. Repeating it sends nothing again. */
export async function propose(service: Service, request: ProposeRequest): Promise<Held> {
  const work = async (tx: Transaction) => {
    const own = await lockHold(tx, service, request.placeholder)
    if (own.proposal) {
      if (own.email?.toLowerCase() !== request.email.toLowerCase()) throw slotTaken('proposed')
      return own
    }
    await checkProposal(tx, own, request)
    const mailbox = mailboxKey(service, request.email)
    if ((await countProposalsTo(tx, mailbox)) >= maxProposals) throw tooManyOpen('proposals', maxProposals)
    if (request.client !== null) await countProposed(tx, service, request.email)
    const { firstName, lastName, answers } = request
    await writeProposal(tx, own.participationId, {
      ...request,
      name: `${firstName} ${lastName}`,
      minutes: channelOf(own).agentHoldMinutes,
      proposal: { firstName, lastName, answers, mailbox },
    })
    await markChangedHolds(tx, [request.placeholder])
    const [[held], [booking]] = await Promise.all([
      findHeld(tx, [request.placeholder]),
      findBookingsById(tx, [own.participationId]),
    ])
    await queueMessages(tx, proposalEmail(service, booking!, held!.expiresAt!, own.now))
    return held!
  }
  return service.db.transaction(work).catch(refuseConstraint)
}

const mailboxKey = ({ signer }: Service, email: string) => pseudonym(signer.key('client'), mailboxOf(email))

/** What agents have proposed to a person and what is still kept of it. */
export async function proposalsTo(service: Service, providerId: number, emails: string[]): Promise<Held[]> {
  const addresses = emails.map(one => one.toLowerCase())
  const mailboxes = addresses.map(one => mailboxKey(service, one))
  const found = await findHeld(
    service.db,
    await placeholdersProposedTo(service.db, providerId, mailboxes, addresses),
  )
  return found.filter(one => one !== null)
}

/** Under the lock of its Resource, so that its expiry, release or completion cannot come between. */
async function lockHold(tx: Transaction, service: Service, placeholder: string): Promise<Held> {
  const resourceId = await resourceOfHold(tx, placeholder)
  if (resourceId === null) throw slotTaken('hold-expired')
  await lockById(tx, resourceId)
  const [own] = await findHeld(tx, [placeholder])
  if (!own || !isOpen(own)) throw slotTaken('hold-expired')
  service.suspensions.refuseProvider(own.providerId)
  return own
}

const isOpen = (own: Held) =>
  own.live &&
  own.state === 'RESERVED' &&
  own.appointmentState === 'ACTIVE' &&
  !own.resourceArchived &&
  own.startAt > own.now

const channelOf = (own: Held) => own.channels.find(one => one.key === own.channelKey)!

/** The person answers what is missing, and gives their consent themselves. */
async function checkProposal(tx: Transaction, own: Held, request: ProposeRequest) {
  refuseConsents(own, request.answers)
  const form = bookingForm(own, request.language)
  const sent = { answers: { ...request.answers }, fields: {} }
  const missing = checkAnswers(form.now, request.answers).problems.filter(one => one.problem === 'missing')
  const isMissing = new Set(missing.map(one => one.key))
  takeAnswers(sent, { ...form, now: form.now.filter(one => !isMissing.has(one.key)), held: null }, own.now)
  if (channelOf(own).customersOnly && !(await isInvited(tx, own, request))) throw notInvited()
}

const isInvited = (tx: Transaction, own: Held, { email, mobile }: ProposeRequest) =>
  findInvitedCustomer(tx, own.providerId, email, keyOf(mobile, own))

const keyOf = (mobile: string | null, { timeZone }: Held) => mobileKey(mobile, countryOfZone(timeZone))

function refuseConsents(own: Held, answers: Record<string, unknown>) {
  const consent = (own.questions ?? []).find(
    one => one.type === 'consent' && answers[one.key] !== undefined && answers[one.key] !== null,
  )
  if (consent) throw invalidField(`answers.${consent.key}`, 'consent')
}

function bookingForm(own: Held, language: string | null) {
  return {
    now: forConsumer(onForm(own.questions ?? [])),
    held: null,
    answersRequired: own.answersRequired,
    language: language as Language | null,
    providerLanguage: own.providerLanguage,
  }
}

/** Books without asking the person, where the channel allows it. Terms and consents need the person. */
export function bookDirectly(service: Service, request: ProposeRequest, actor: Actor): Promise<Completion> {
  const work = async (tx: Transaction) => {
    const [known] = await findHeld(tx, [request.placeholder])
    const own = known && known.state !== 'RESERVED' ? known : await lockHold(tx, service, request.placeholder)
    if (!channelOf(own).agentBooking) throw agentNotAllowed()
    refuseConsents(own, request.answers)
    const digest = `agent:${sha256(JSON.stringify({ ...request, client: null })).toString('base64url')}`
    return completeIn(tx, service, asCompletion(own, request, { digest }), false, actor)
  }
  return service.db.transaction(work, isRivalPerson).catch(refuseConstraint)
}

function asCompletion(
  own: Held,
  { placeholder, email, firstName, lastName, mobile, answers, ...rest }: ProposeRequest,
  { digest, hasAgreed = false }: { digest: string; hasAgreed?: boolean },
): TargetedRequest {
  const consumer = { email, firstName, lastName, mobile, mobileKey: keyOf(mobile, own) }
  const asked = (own.questions ?? []).length > 0
  return {
    ...rest,
    refs: [own.resourceUuid],
    channelKey: own.channelKey!,
    targetUuid: own.appointmentUuid,
    target: { uuid: own.appointmentUuid, from: own.startAt, to: own.endAt, itsOwnTimes: false },
    productUuid: own.productUuid,
    start: own.startAt,
    end: own.endAt,
    placeholder,
    consumer,
    contact: { ...consumer, language: rest.language },
    customerReference: null,
    hasAgreed,
    places: null,
    placeNames: [],
    sent: { answers: asked ? answers : null, fields: {} },
    digest,
    bookingUuid: randomUUID(),
  }
}

/** What the link is about: a proposal, the booking made from it, or a hold that is over. Null if nothing is left of it. */
export async function proposalOfToken(service: Service, token: string): Promise<Held | null> {
  const uuid = service.signer.open('confirm', token)
  const placeholder = uuid && (await findProposed(service.db, uuid))
  if (!placeholder) return null
  const [own] = await findHeld(service.db, [placeholder])
  service.suspensions.refuseProvider(own?.providerId)
  return own ?? null
}

export const isProposed = (own: Held): own is Held & { proposal: object } =>
  own.proposal !== null && isOpen(own)

/** The questions of the booking form, for the person who confirms. */
export const proposalForm = (own: Held, language: Language): FormQuestion[] =>
  bookingForm(own, language).now.map(one => inLanguage(one, language, own.providerLanguage))

type Confirmation = { answers: Record<string, unknown>; hasAgreed: boolean }

/** The person's own decision. Of two at once, or one that races with the expiry, the lock of the Resource decides. */
export async function confirmProposal(
  service: Service,
  token: string,
  { answers, hasAgreed }: Confirmation,
): Promise<Completion> {
  const seen = await proposalOfToken(service, token)
  if (!seen) throw invalidToken()
  const work = async (tx: Transaction) => {
    const own = await lockHold(tx, service, seen.placeholder)
    const { proposal, email, mobile, note, locale, consumerZone } = own
    if (!proposal || !email) throw slotTaken('hold-expired')
    const request = {
      placeholder: own.placeholder,
      email,
      mobile,
      firstName: proposal.firstName,
      lastName: proposal.lastName,
      message: note,
      answers,
      language: pickLanguage(own.language, own.providerLanguage),
      locale,
      timeZone: consumerZone,
      client: null,
    }
    const digest = `proposal:${own.participationUuid}`
    return completeIn(tx, service, asCompletion(own, request, { digest, hasAgreed }), false, proposedActor)
  }
  return service.db.transaction(work, isRivalPerson).catch(refuseConstraint)
}

export async function declineProposal(service: Service, token: string) {
  const own = await proposalOfToken(service, token)
  if (own && isProposed(own)) await release(service, own.placeholder)
}
