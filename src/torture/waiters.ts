import { setTimeout as pause } from 'node:timers/promises'
import { ask, slotsIn } from './ask.ts'
import { type Crowd, type CrowdVerdict, mailReader, repeat } from './crowd.ts'
import type { Arrival, MailSink } from './mail-sink.ts'
import { asIntegrator, day, product, provider, providerPath, resources } from './seed.ts'
import { bookedIn, mailsOf, readAppointments, type SoldAppointment } from './verdict.ts'

// People on the waiting list. They join while slots are contested, and take, decline or leave when an offer
// arrives by email, while everything is killed.

type Offer = { resourceReference: string; start: string; outcome: string | null }
type WaitingEntry = {
  uuid: string
  state: string
  resourceReferences: string[] | null
  offers: Offer[]
}

/** More would hold every slot, and leave nothing to the others. */
const most = 12
const everyMs = 150

export function startWaiters(origin: string, sink: MailSink): Crowd {
  /** People whose offer was confirmed as taken. */
  const booked = new Set<string>()
  /** Offers that were refused although they were live. */
  const refused: string[] = []
  /** The entry of each email address. */
  const known = new Map<string, string>()
  const open = new Set<string>()
  const readMails = mailReader(sink, 'offer', open)

  const crm = (method: string, path: string, body?: object) =>
    ask(origin, method, providerPath + path, { body, headers: asIntegrator })

  const entryOf = async (uuid: string): Promise<WaitingEntry> =>
    (await crm('GET', `/waiting_list/${uuid}`)).body.entry

  async function join(count: number) {
    const email = `w${count}@torture.example`
    const customerReference = `w${count}@torture`
    const person = { customerReference, providerReference: provider, userName: `Wim ${count}`, email }
    await crm('POST', '/customers', person)
    const room = resources[count % (resources.length * 2)]
    const wish = { customerReference, productReference: product, from: day, to: day }
    const resourceReferences = room ? { resourceReferences: [room.reference] } : {}
    const { body } = await crm('POST', '/waiting_list', { ...wish, ...resourceReferences })
    known.set(email, body.entry.uuid)
    open.add(email)
  }

  async function respond({ to, link }: Arrival) {
    const dice = Math.random()
    if (dice > 0.85) {
      open.delete(to)
      await crm('DELETE', `/waiting_list/${known.get(to)}`)
      return
    }
    const answer = dice < 0.5 ? 'take' : 'decline'
    const { status, wasUnsure } = await ask(origin, 'POST', link!, {
      body: new URLSearchParams({ answer }),
    })
    if (answer === 'decline') return
    open.delete(to)
    // After a lost answer, the first request may have taken it.
    const isTaken = status === 303 || (wasUnsure && (await entryOf(known.get(to)!)).state === 'BOOKED')
    if (isTaken) booked.add(to)
    else refused.push(`${to} was offered a time and did not get it`)
  }

  async function step() {
    if (open.size < most) await join(known.size + 1)
    await readMails(respond)
  }

  /**
   * Offers for which there is no place, people with several offers at once, live offers that were refused, free
   * times that were not offered to those who wait for them, and offer emails that came twice.
   */
  async function judge(arrivals: Arrival[]): Promise<CrowdVerdict> {
    for (const deadline = Date.now() + patienceMs; ; await pause(1_000)) {
      const entries = new Map<string, WaitingEntry>()
      for (const [email, uuid] of known) entries.set(email, await entryOf(uuid))
      const missed = await notOffered(origin, [...entries.values()])
      if (missed.length > 0 && Date.now() < deadline) continue
      const live = [...entries].map(([email, entry]) => ({ email, offers: entry.offers.filter(isLive) }))
      const several = live
        .filter(one => one.offers.length > 1)
        .map(({ email }) => `${email} has several offers at once`)
      const isTwice = ([email, { offers }]: [string, WaitingEntry]) =>
        mailsOf(arrivals, email, 'offer').size > offers.length
      const count = [...entries.values()].reduce((sum, one) => sum + one.offers.length, 0)
      return {
        complaints: [...refused, ...missed, ...several],
        oversold: overOffered(
          await readAppointments(origin),
          live.flatMap(one => one.offers),
        ),
        doubleMails: [...entries].filter(isTwice).length,
        summary: `${known.size} people waited, ${count} offers, ${booked.size} taken.`,
      }
    }
  }
  return { booked, cancelled: new Set(), judge, ...repeat(everyMs, step) }
}

/** How long the job may take to offer what has become free. */
const patienceMs = 30_000

const isLive = ({ outcome }: Offer) => outcome === null

/** Live offers and bookings beyond the places of a time. */
function overOffered(appointments: SoldAppointment[], offers: Offer[]): number {
  const placeOf = (one: { resourceReference: string; start: string }) =>
    `${one.resourceReference} ${Date.parse(one.start)}`
  const capacities = new Map(resources.map(one => [one.reference, one.capacity]))
  let over = 0
  for (const [place, held] of Map.groupBy(offers, placeOf)) {
    const booked = bookedIn(appointments.filter(one => placeOf(one) === place))
    over += Math.max(0, held.length + booked.length - capacities.get(held[0]!.resourceReference)!)
  }
  return over
}

async function notOffered(origin: string, entries: WaitingEntry[]): Promise<string[]> {
  const missed: string[] = []
  for (const { reference } of resources) {
    const { body } = await ask(origin, 'GET', `/resources/${reference}/upcoming_bookables`)
    const starts = slotsIn<Offer>(body).map(one => Date.parse(one.start))
    const waiting = entries.filter(
      one => one.state === 'WAITING' && (one.resourceReferences?.includes(reference) ?? true),
    )
    for (const { uuid, offers } of waiting) {
      const offered = offers
        .filter(one => one.resourceReference === reference)
        .map(one => Date.parse(one.start))
      const count = starts.filter(start => !offered.includes(start)).length
      if (count > 0) missed.push(`${reference} has ${count} free times that entry ${uuid} waits for`)
    }
  }
  return missed
}
