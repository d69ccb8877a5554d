import { setTimeout as pause } from 'node:timers/promises'
import type { Arrival } from './mail-sink.ts'
import { asIntegrator, product, provider, providerPath, resources } from './seed.ts'
import { readAppointments } from './verdict.ts'

// The practice books series over several Resources, in changing order, and cancels some of them, while everything
// is killed. Each series has all of its dates or none.

export type SeriesBookers = {
  /** How many places each email address must have; null while a request has no definite response. */
  places: Map<string, number | null>
  booked: Set<string>
  end(): Promise<void>
}

const everyMs = 300
const perSeries = 3
type Slot = { start: string; end: string; resourceReference: string }

export function startSeriesBookers(origin: string): SeriesBookers {
  const places = new Map<string, number | null>()
  const booked = new Set<string>()
  const made: { email: string; seriesId: string }[] = []
  let isEnding = false

  async function book(count: number) {
    const email = `s${count}@torture.example`
    const customerReference = `s${count}@torture`
    const person = { customerReference, providerReference: provider, userName: `Sue ${count}`, email }
    await ask(origin, 'POST', `${providerPath}/customers`, person)
    const dates = await someSlots(origin)
    if (dates.length === 0) return
    places.set(email, null)
    const body = { productReference: product, customerReference, dates }
    const answer = await ask(origin, 'POST', `${providerPath}/series`, body, `series-${count}`)
    places.set(email, answer.status === 201 ? dates.length : 0)
    if (answer.status !== 201) return
    booked.add(email)
    made.push({ email, seriesId: answer.body.seriesId })
  }

  /** Cancelling again is harmless, so a lost answer is simply asked again. */
  async function cancelOldest() {
    const { email, seriesId } = made.shift()!
    places.set(email, null)
    const { status } = await ask(origin, 'POST', `${providerPath}/series/${seriesId}/cancel`, {})
    if (status === 200) places.set(email, 0)
  }

  async function run() {
    for (let count = 1; !isEnding; count++) {
      await book(count)
      if (made.length > 2) await cancelOldest()
      await pause(everyMs)
    }
  }
  const running = run()
  // Reported by end().
  running.catch(() => {})
  return {
    places,
    booked,
    end() {
      isEnding = true
      return running
    },
  }
}

/** Free a moment ago, of several Resources, in no order; others want them too. */
async function someSlots(origin: string): Promise<Slot[]> {
  const found: Slot[] = []
  for (const { reference } of resources.filter(one => !one.isOwn)) {
    const { body } = await ask(origin, 'GET', `/resources/${reference}/upcoming_bookables`)
    const slots = Object.values(body ?? {})
      .flat()
      .filter(one => (one as Slot | null)?.start) as Slot[]
    for (const { start, end } of slots) found.push({ start, end, resourceReference: reference })
  }
  const chosen: Slot[] = []
  for (const slot of found.sort(() => Math.random() - 0.5))
    if (chosen.length < perSeries && chosen.every(one => one.start !== slot.start)) chosen.push(slot)
  return chosen
}

/** Series with some of their dates only, and emails that are missing or came twice. */
export async function judgeSeries(
  origin: string,
  { places, booked }: SeriesBookers,
  arrivals: Arrival[],
): Promise<{ complaints: string[]; doubleMails: number }> {
  const taken = (await readAppointments(origin))
    .filter(one => one.state === 'ACTIVE')
    .flatMap(one => one.participations.filter(({ state }) => state === 'BOOKED'))
  const count = (email: string) => taken.filter(one => one.email === email).length
  const wrong = [...places].filter(([email, wanted]) => wanted !== null && count(email) !== wanted)
  const mailsOf = (email: string) =>
    new Set(arrivals.filter(one => one.to === email && one.kind === 'booked').map(one => one.messageId)).size
  return {
    complaints: [
      ...wrong.map(
        ([email, wanted]) => `${email} has ${count(email)} dates of a series instead of ${wanted}`,
      ),
      ...[...booked]
        .filter(email => mailsOf(email) === 0)
        .map(email => `${email} got no email about a series`),
    ],
    doubleMails: [...booked].filter(email => mailsOf(email) > 1).length,
  }
}

/** Retries until there is a definite response: the service is being killed. */
async function ask(origin: string, method: string, path: string, body?: object, key?: string) {
  for (;;) {
    try {
      const response = await fetch(origin + path, {
        method,
        headers: { ...asIntegrator, ...(key && { 'idempotency-key': key }) },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(20_000),
      })
      const text = await response.text()
      const isOpen = response.status >= 500 || response.status === 429
      const answer = JSON.parse(text || 'null')
      if (!isOpen && answer?.errors?.[0]?.errorCode !== 'in-progress')
        return { status: response.status, body: answer }
    } catch {
      // Cut off: asked again.
    }
    await pause(200)
  }
}
