import { type Answer, ask, slotsIn } from './ask.ts'
import { type Crowd, type CrowdVerdict, repeat } from './crowd.ts'
import type { Arrival } from './mail-sink.ts'
import { asIntegrator, product, provider, providerPath, resources } from './seed.ts'
import { bookedIn, mailsOf, readAppointments } from './verdict.ts'

// The practice books series over several Resources, in changing order, and cancels some of them, while everything
// is killed. Each series has all of its dates or none.

const everyMs = 300
const perSeries = 3
type Slot = { start: string; end: string; resourceReference: string }

export function startSeriesBookers(origin: string): Crowd {
  /** How many places each email address must have; null while a request has no definite response. */
  const places = new Map<string, number | null>()
  const booked = new Set<string>()
  const made: { email: string; seriesId: string }[] = []
  const post = (path: string, body: object, key?: string) =>
    ask(origin, 'POST', providerPath + path, {
      body,
      headers: { ...asIntegrator, ...(key && { 'idempotency-key': key }) },
      isOpen,
    })

  async function book(count: number) {
    const email = `s${count}@torture.example`
    const customerReference = `s${count}@torture`
    const person = { customerReference, providerReference: provider, userName: `Sue ${count}`, email }
    await post('/customers', person)
    const dates = await someSlots(origin)
    if (dates.length === 0) return
    places.set(email, null)
    const body = { productReference: product, customerReference, dates }
    const answer = await post('/series', body, `series-${count}`)
    places.set(email, answer.status === 201 ? dates.length : 0)
    if (answer.status !== 201) return
    booked.add(email)
    made.push({ email, seriesId: answer.body.seriesId })
  }

  /** Cancelling again is harmless, so a lost answer is simply asked again. */
  async function cancelOldest() {
    const { email, seriesId } = made.shift()!
    places.set(email, null)
    const { status } = await post(`/series/${seriesId}/cancel`, {})
    if (status === 200) places.set(email, 0)
  }

  async function step(count: number) {
    await book(count)
    if (made.length > 2) await cancelOldest()
  }

  /** Series with some of their dates only, and emails that are missing or came twice. */
  async function judge(arrivals: Arrival[]): Promise<CrowdVerdict> {
    const taken = Map.groupBy(bookedIn(await readAppointments(origin)), one => one.email)
    const count = (email: string) => taken.get(email)?.length ?? 0
    const wrong = [...places].filter(([email, wanted]) => wanted !== null && count(email) !== wanted)
    const mails = [...booked].map(email => ({ email, count: mailsOf(arrivals, email, 'booked').size }))
    return {
      complaints: [
        ...wrong.map(
          ([email, wanted]) => `${email} has ${count(email)} dates of a series instead of ${wanted}`,
        ),
        ...mails.filter(one => one.count === 0).map(one => `${one.email} got no email about a series`),
      ],
      doubleMails: mails.filter(one => one.count > 1).length,
      summary: `${places.size} series tried, ${booked.size} booked.`,
    }
  }
  // Judged by their dates: one email lists all of them.
  return { booked: new Set(), cancelled: new Set(), judge, ...repeat(everyMs, step) }
}

/** Also while another request with the same key is in progress. */
const isOpen = ({ status, body }: Answer) => status === 429 || body?.errors?.[0]?.errorCode === 'in-progress'

/** Free a moment ago, of several Resources, in no order; others want them too. */
async function someSlots(origin: string): Promise<Slot[]> {
  const found: Slot[] = []
  for (const { reference } of resources.filter(one => !one.isOwn)) {
    const { body } = await ask(origin, 'GET', `/resources/${reference}/upcoming_bookables`)
    for (const { start, end } of slotsIn<Slot>(body)) found.push({ start, end, resourceReference: reference })
  }
  const chosen: Slot[] = []
  for (const slot of found.sort(() => Math.random() - 0.5))
    if (chosen.length < perSeries && chosen.every(one => one.start !== slot.start)) chosen.push(slot)
  return chosen
}
