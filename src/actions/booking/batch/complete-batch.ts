import type { Queryable } from '../../../db/base/pool.ts'
import { findHeld, type Held } from '../../../db/booking/held.ts'
import { type Booker, findBookers } from '../../../db/booking/people.ts'
import { lockHolds } from '../../../db/booking/targets.ts'
import { Refusal } from '../../../errors.ts'
import { isUuid } from '../../../rules/references.ts'
import type { Service } from '../../../service.ts'
import { completeAlone } from '../complete.ts'
import { completeHeld, type HeldBy } from '../complete-held.ts'
import { decideCompletion } from '../decide-completion.ts'
import { completionAnsweredBefore } from '../finish-booking.ts'
import { checkOwnership, findNamedRefs } from '../lock-and-read.ts'
import type { Completion, TargetedRequest } from '../requests.ts'
import { requiresKnownCustomer, resolveBookerFrom } from '../resolve-booker.ts'
import { answersForHold } from '../take-answers.ts'
import { namesForHold } from '../take-places.ts'
import { type BatchResult, commitGranted, runBatch } from './run-batch.ts'

// Batches the common case: the caller's live hold becomes a booking unchanged. The holds alone decide that;
// everything else runs alone.

export const completeBatch = (service: Service) =>
  runBatch<TargetedRequest, Completion>({
    all: requests => completeAll(service, requests),
    one: request => completeAlone(service, request),
    retryLostCommit: request => completeAlone(service, request, { again: true }),
  })

type Decision = { kind: 'ready'; held: HeldBy } | BatchResult<Completion>
type Ready = Extract<Decision, { kind: 'ready' }>

const isReady = (decision: Decision): decision is Ready => decision.kind === 'ready'

const completeAll = (service: Service, requests: TargetedRequest[]) =>
  commitGranted<Ready, Completion>(
    service.db,
    tx => decideAll(tx, service, requests),
    isReady,
    (tx, ready) =>
      completeHeld(
        tx,
        service,
        ready.map(one => one.held),
      ),
  )

const alone = { kind: 'alone' } as const

async function decideAll(tx: Queryable, service: Service, requests: TargetedRequest[]): Promise<Decision[]> {
  const placeholders = requests.map(one => one.placeholder)
  const [locked, holds, bookers, named] = await Promise.all([
    lockHolds(tx, placeholders),
    findHeld(tx, placeholders),
    findBookers(tx, requests),
    findNamedRefs(tx, requests),
  ])
  const isFirst = firstOnes()
  return requests.map((request, index) => {
    const own = holds[index] ?? null
    const booker = bookers[index] ?? null
    if (!own || !booker || !isFirst(own, booker)) return alone
    if (named && checkOwnership(named[index]!, request.refs, own.providerId)) return alone
    return locked.has(own.resourceId) ? decide(service, request, own, booker) : { kind: 'locked' }
  })
}

/** A second booking in the same Appointment or by the same person depends on the first, so it runs alone. */
function firstOnes() {
  const seen = new Set<string | number>()
  return ({ appointmentId }: Held, { contact }: Booker) => {
    const marks = [
      appointmentId,
      contact.email.toLowerCase(),
      ...(contact.mobileKey ? [contact.mobileKey] : []),
    ]
    const isFirst = marks.every(mark => !seen.has(mark))
    for (const mark of marks) seen.add(mark)
    return isFirst
  }
}

function decide(service: Service, request: TargetedRequest, own: Held, booker: Booker): Decision {
  const channel = channelFor(request, own)
  if (!channel) return alone
  const verdict = decideCompletion({ request, own, around: { kind: 'channel', channel } })
  if (verdict.kind === 'repeated')
    return { kind: 'done', done: completionAnsweredBefore(service, verdict.own, request) }
  if (verdict.kind === 'refused') return verdict
  if (verdict.kind !== 'held' || requiresKnownCustomer(channel, request)) return alone
  const taken = answersOf(request, verdict.own)
  if (taken instanceof Refusal) return { kind: 'refused', refusal: taken }
  const party = resolveBookerFrom(booker, channel, request, own, taken)
  return { kind: 'ready', held: { own: verdict.own, ...party } }
}

function answersOf(request: TargetedRequest, own: Held) {
  try {
    return { ...answersForHold(request, own), ...namesForHold(request, own) }
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** The channel by its key or its uuid in the path; undefined if a uuid names another Resource. */
function channelFor({ refs, channelKey }: TargetedRequest, { resourceUuid, channels }: Held) {
  const others = refs
    .filter(isUuid)
    .map(ref => ref.toLowerCase())
    .filter(ref => ref !== resourceUuid)
  if (others.length === 0) return channels.find(one => one.key === channelKey)
  return others.length === 1 ? channels.find(one => one.uuid === others[0]) : undefined
}
