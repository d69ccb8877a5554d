import { setTimeout as pause } from 'node:timers/promises'
import type { Arrival, MailSink } from './mail-sink.ts'
import { asIntegrator, day, product, provider, providerPath, resources } from './seed.ts'
import { readAppointments, type SoldAppointment } from './verdict.ts'

// People on the waiting list. They join while slots are contested, and take, decline or leave when an offer
// arrives by email, while everything is killed.

type Offer = { resourceReference: string; start: string; outcome: string | null }
type WaitingEntry = {
  uuid: string
  state: string
  resourceReferences: string[] | null
  offers: Offer[]
}

export type Waiters = {
  /** Email addresses of people whose offer was confirmed as taken. */
  taken: Set<string>
  /** Offers that were refused although they were live. */
  refused: string[]
  /** The entry of each email address. */
  entries: Map<string, string>
  end(): Promise<void>
}

/** More would hold every slot, and leave nothing to the others. */
const most = 12
const everyMs = 150

export function startWaiters(origin: string, sink: MailSink): Waiters {
  const taken = new Set<string>()
  const refused: string[] = []
  const entries = new Map<string, string>()
  const open = new Set<string>()
  const answered = new Set<string>()
  let isEnding = false

  async function join(count: number) {
    const email = `w${count}@torture.example`
    const customerReference = `w${count}@torture`
    const person = { customerReference, providerReference: provider, userName: `Wim ${count}`, email }
    await ask(origin, 'POST', `${providerPath}/customers`, person)
    const room = resources[count % (resources.length * 2)]
    const wish = { customerReference, productReference: product, from: day, to: day }
    const resourceReferences = room ? { resourceReferences: [room.reference] } : {}
    const { body } = await ask(origin, 'POST', `${providerPath}/waiting_list`, {
      ...wish,
      ...resourceReferences,
    })
    entries.set(email, body.entry.uuid)
    open.add(email)
  }

  async function respond({ to, link }: Arrival) {
    const dice = Math.random()
    if (dice > 0.85) {
      open.delete(to)
      await ask(origin, 'DELETE', `${providerPath}/waiting_list/${entries.get(to)}`)
      return
    }
    const answer = dice < 0.5 ? 'take' : 'decline'
    const { status, wasUnsure } = await ask(origin, 'POST', link!, { answer })
    if (answer === 'decline') return
    open.delete(to)
    // After a lost answer, the first request may have taken it.
    const isTaken =
      status === 303 || (wasUnsure && (await entryOf(origin, entries.get(to)!)).state === 'BOOKED')
    if (isTaken) taken.add(to)
    else refused.push(`${to} was offered a time and did not get it`)
  }

  async function run() {
    for (let count = 1; !isEnding; ) {
      if (open.size < most) await join(count++)
      const fresh = sink.arrivals.filter(
        one => one.kind === 'offer' && !answered.has(one.messageId) && open.has(one.to),
      )
      for (const arrival of fresh) {
        answered.add(arrival.messageId)
        await respond(arrival)
      }
      await pause(everyMs)
    }
  }
  const running = run()
  // Reported by end().
  running.catch(() => {})
  return {
    taken,
    refused,
    entries,
    end() {
      isEnding = true
      return running
    },
  }
}

const entryOf = async (origin: string, uuid: string): Promise<WaitingEntry> =>
  (await ask(origin, 'GET', `${providerPath}/waiting_list/${uuid}`)).body.entry

/** Retries until there is a definite response: the service is being killed. */
async function ask(origin: string, method: string, path: string, body?: object) {
  const isForm = path.startsWith('/offer/')
  for (let wasUnsure = false; ; wasUnsure = true) {
    try {
      const response = await fetch(origin + path, {
        method,
        redirect: 'manual',
        headers: isForm ? { 'content-type': 'application/x-www-form-urlencoded' } : asIntegrator,
        ...(body && { body: isForm ? new URLSearchParams({ ...body }).toString() : JSON.stringify(body) }),
        signal: AbortSignal.timeout(20_000),
      })
      const text = await response.text()
      if (response.status < 500)
        return { status: response.status, body: isForm ? null : JSON.parse(text || 'null'), wasUnsure }
    } catch {
      // Cut off: asked again.
    }
    await pause(200)
  }
}

/** How long the job may take to offer what has become free. */
const patienceMs = 30_000

/**
 * Offers for which there is no place, people with several offers at once, live offers that were refused, free
 * times that were not offered to those who wait for them, and offer emails that came twice.
 */
export async function judgeWaiters(origin: string, waiters: Waiters, arrivals: Arrival[]) {
  for (const deadline = Date.now() + patienceMs; ; await pause(1_000)) {
    const entries = new Map<string, WaitingEntry>()
    for (const [email, uuid] of waiters.entries) entries.set(email, await entryOf(origin, uuid))
    const missed = await notOffered(origin, [...entries.values()])
    if (missed.length > 0 && Date.now() < deadline) continue
    const live = [...entries].map(([email, entry]) => ({ email, offers: entry.offers.filter(isLive) }))
    const several = live
      .filter(one => one.offers.length > 1)
      .map(({ email }) => `${email} has several offers at once`)
    return {
      complaints: [...waiters.refused, ...missed, ...several],
      oversold: overOffered(
        await readAppointments(origin),
        live.flatMap(one => one.offers),
      ),
      offers: [...entries.values()].reduce((sum, one) => sum + one.offers.length, 0),
      doubleMails: [...entries].filter(([email, { offers }]) => offerMails(arrivals, email) > offers.length)
        .length,
    }
  }
}

const isLive = ({ outcome }: Offer) => outcome === null

const offerMails = (arrivals: Arrival[], email: string) =>
  new Set(arrivals.filter(one => one.to === email && one.kind === 'offer').map(one => one.messageId)).size

/** Live offers and bookings beyond the places of a time. */
function overOffered(appointments: SoldAppointment[], offers: Offer[]): number {
  const placeOf = (one: { resourceReference: string; start: string }) =>
    `${one.resourceReference} ${Date.parse(one.start)}`
  const capacities = new Map(resources.map(one => [one.reference, one.capacity]))
  let over = 0
  for (const [place, held] of Map.groupBy(offers, placeOf)) {
    const booked = appointments
      .filter(one => one.state === 'ACTIVE' && placeOf(one) === place)
      .flatMap(one => one.participations.filter(({ state }) => state === 'BOOKED'))
    over += Math.max(0, held.length + booked.length - capacities.get(held[0]!.resourceReference)!)
  }
  return over
}

type Listed = { start: string }

async function notOffered(origin: string, entries: WaitingEntry[]): Promise<string[]> {
  const missed: string[] = []
  for (const { reference } of resources) {
    const { body } = await ask(origin, 'GET', `/resources/${reference}/upcoming_bookables`)
    const starts = Object.values(body ?? {})
      .flat()
      .filter(one => (one as Listed | null)?.start)
      .map(one => Date.parse((one as Listed).start))
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
