// The job behind the waiting list: offers that lapsed, time that opened in bulk, and entries that are over.

import { cleanUpIdle, expiredHoldsWaitedFor, lockById, markChangedRange } from '../../../db/base/ledger.ts'
import { readPause } from '../../../db/base/outgoing-pause.ts'
import type { Queryable } from '../../../db/base/pool.ts'
import { isConnectionLoss } from '../../../db/base/postgres-errors.ts'
import { fromNow, loadWindows } from '../../../db/booking/windows.ts'
import {
  deleteUnconfirmed,
  entriesById,
  findOverEntries,
  listUnconfirmedCustomers,
  setEntryState,
} from '../../../db/scheduling/waiting-entries.ts'
import {
  channelsWaitedFor,
  endOffer,
  type LiveOffer,
  lockForOffers,
  offersOfResource,
  periodWaitedFor,
  recordSearch,
  resourcesToSearch,
  resourcesWithEndedOffers,
  returnToLine,
  searchAgainFor,
  startSearch,
  waitsForEmail,
} from '../../../db/scheduling/waiting-line.ts'
import { findWanted } from '../../../db/scheduling/waiting-takers.ts'
import { findProviderById } from '../../../db/setup/providers.ts'
import { endedEmail } from '../../../messages/compose-waiting.ts'
import { serviceActor } from '../../../rules/messages/events.ts'
import { day } from '../../../rules/offers/window.ts'
import type { Service } from '../../../service.ts'
import { recordEvents } from '../../record-events.ts'
import { eraseIf } from '../customers/erase-if.ts'
import { type Candidate, candidatesIn } from './candidates.ts'
import { passOn } from './entries.ts'
import { offerFreedTimes } from './offer-freed.ts'

const batch = 100
/** After so many offers without an answer the entry ends. */
const maxUnanswered = 3

/** One round. Several instances may run it at the same time: locks and unique indexes decide. */
export const runWaitingList = (service: Service) =>
  runEach([
    () => settleEnded(service),
    () => endEntries(service),
    () => forgetUnconfirmed(service),
    () => freeLapsedHolds(service),
    () => searchChanged(service),
  ])

/**
 * Runs all of them, and throws the errors at the end: what one business cannot do must not stop all others.
 * Without the database, the rest would fail too.
 */
async function runEach(steps: (() => Promise<void>)[]) {
  const errors: unknown[] = []
  for (const step of steps)
    await step().catch(error => {
      if (isConnectionLoss(error)) throw error
      errors.push(...errorsIn(error))
    })
  if (errors.length > 1) throw new AggregateError(errors, (errors[0] as Error).message)
  if (errors.length > 0) throw errors[0]
}

/** Each error of a round that failed in several places. */
export const errorsIn = (error: unknown): unknown[] =>
  error instanceof AggregateError ? error.errors : [error]

async function settleEnded(service: Service) {
  const resources = await resourcesWithEndedOffers(service.db, batch)
  await runEach(resources.map(id => () => service.db.transaction(tx => settleOffers(tx, service, id))))
}

/** Raises the revisions of their Resources: time alone does not. */
async function freeLapsedHolds({ db }: Service) {
  const lapsed = await expiredHoldsWaitedFor(db, batch)
  if (lapsed.length > 0) await db.transaction(tx => cleanUpIdle(tx, lapsed))
}

/** While emails are paused, no offer would arrive: a time that was found is offered later. */
async function searchChanged(service: Service) {
  if (await readPause(service.db)) return
  const found = await resourcesToSearch(service.db, batch)
  await runEach(found.map(one => () => search(service, one)))
}

/** Ends lapsed offers of a Resource and passes their times on, in one transaction. */
async function settleOffers(tx: Queryable, service: Service, resourceId: number) {
  await lockById(tx, resourceId)
  // Lists ignore expired holds already.
  await markChangedRange(tx, [{ resourceId, from: 0, to: 0 }])
  const offers = await offersOfResource(tx, resourceId)
  for (const offer of offers) await settleOffer(tx, service, offer)
  const people = offers.map(one => one.customerId)
  if (offers[0]) await searchAgainFor(tx, offers[0].providerId, people)
}

/** Call with its Resource locked. */
async function settleOffer(tx: Queryable, service: Service, offer: LiveOffer) {
  const { providerId, crmId, entryId, participationState } = offer
  const provider = { id: providerId, crmId }
  if (participationState === 'BOOKED' || participationState === 'REQUESTED') {
    if (!(await endOffer(tx, offer.id, 'TAKEN'))) return
    await setEntryState(tx, [entryId], 'BOOKED')
    await recordEvents(tx, service, { actor: serviceActor, provider, events: { 'waiting.taken': [entryId] } })
    return
  }
  if (offer.isPointless) return endPointless(tx, service, offer)
  // A hold that is gone before its time was removed by staff: that is no missing answer. Nor is one to an email that was
  // not sent.
  const isUnanswered = offer.isDue && !(await waitsForEmail(tx, offer))
  if (!(await endOffer(tx, offer.id, isUnanswered ? 'LAPSED' : 'WITHDRAWN'))) return
  const state = await returnToLine(tx, entryId, { isUnanswered, most: maxUnanswered })
  const isOver = state === 'ENDED'
  await recordEvents(tx, service, {
    actor: serviceActor,
    provider,
    events: { 'waiting.lapsed': [entryId], 'waiting.ended': isOver ? [entryId] : [] },
    extraEmails: isOver ? await endedEmails(tx, service, [entryId]) : [],
  })
  // The search after the pause finds the time.
  if (await readPause(tx)) return
  const { resourceId, startAt, endAt } = offer
  await offerFreedTimes(tx, service, providerId, [{ resourceId, from: startAt, to: endAt }])
}

/** Who cancels the booking wants nothing earlier either. */
async function endPointless(tx: Queryable, service: Service, offer: LiveOffer) {
  const { providerId, crmId, entryId } = offer
  if (!(await endOffer(tx, offer.id, 'WITHDRAWN'))) return
  await setEntryState(tx, [entryId], 'ENDED', 'over')
  await recordEvents(tx, service, {
    actor: serviceActor,
    provider: { id: providerId, crmId },
    events: { 'waiting.ended': [entryId] },
  })
  await passOn(tx, service, offer)
}

async function endedEmails(tx: Queryable, service: Service, ids: number[]) {
  const entries = await entriesById(tx, ids)
  const emails = []
  for (const entry of entries) {
    const provider = await findProviderById(tx, entry.providerId)
    emails.push(...endedEmail(service, provider!, entry))
  }
  return emails
}

/** Entries whose period is over. A person who wanted an earlier time has an appointment, and gets no email. */
async function endEntries(service: Service) {
  await service.db.transaction(async tx => {
    const over = await findOverEntries(tx, batch)
    if (over.length > 0) {
      await setEntryState(
        tx,
        over.map(one => one.id),
        'ENDED',
        'over',
      )
      for (const { id, providerId, state, replaces } of over)
        await recordEvents(tx, service, {
          actor: serviceActor,
          provider: { id: providerId },
          events: { 'waiting.ended': [id] },
          extraEmails: state === 'WAITING' && replaces === null ? await endedEmails(tx, service, [id]) : [],
        })
    }
  })
}

/** Perhaps it was not the owner of the address who typed it: a Customer who came with it goes with it. */
async function forgetUnconfirmed(service: Service) {
  for (const one of await listUnconfirmedCustomers(service.db, batch))
    await eraseIf(service, one, async (tx, id) => (await listUnconfirmedCustomers(tx, batch, id)).length > 0)
  await deleteUnconfirmed(service.db, batch)
}

const chunk = 28 * day
const maxRounds = 50

/**
 * Looks through everything that is free at a Resource, without a lock. What a person would take is offered
 * under the lock; what the public books before that stands.
 */
async function search(
  service: Service,
  { providerId, resourceId }: { providerId: number; resourceId: number },
) {
  for (let round = 0; round < maxRounds; round++) {
    const { mark } = await startSearch(service.db, providerId, resourceId)
    const { found, revision } = await findSomething(service, providerId, resourceId)
    if (!found) {
      if (revision !== null) await recordSearch(service.db, resourceId, mark, revision)
      return
    }
    const freed = { resourceId, from: found.start, to: found.end }
    const made = await service.db.transaction(async tx =>
      (await lockForOffers(tx, resourceId)) ? offerFreedTimes(tx, service, providerId, [freed]) : 0,
    )
    // Another transaction was faster; the next round of the job looks again.
    if (made === 0) return
  }
}

async function findSomething({ db }: Service, providerId: number, resourceId: number) {
  const channels = await channelsWaitedFor(db, providerId)
  const period = await periodWaitedFor(db, providerId)
  const provider = await findProviderById(db, providerId)
  const wanted = channels.map(channelKey => ({ resourceId, channelKey }))
  let revision: number | null = null
  if (!provider || period === null || wanted.length === 0) return { found: null, revision }
  for (let { from } = period; from < period.to; from += chunk) {
    const span = { from, to: Math.min(from + chunk, period.to) }
    const windows = await loadWindows(db, wanted, fromNow(span.from - day, span.to))
    // The first one counts: what changes during the search is searched again.
    revision ??= windows[0]?.resource.revision ?? null
    const found = await firstWanted(db, providerId, candidatesIn(provider, windows, [span]))
    if (found) return { found, revision }
  }
  return { found: null, revision }
}

async function firstWanted(db: Queryable, providerId: number, candidates: Candidate[]) {
  const next = await findWanted(db, providerId, candidates)
  return next && candidates[next.position]!
}
