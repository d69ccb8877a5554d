import { ask } from './ask.ts'
import { type Crowd, type CrowdVerdict, mailReader, repeat } from './crowd.ts'
import type { Arrival, MailSink } from './mail-sink.ts'
import { asIntegrator, providerPath, resources } from './seed.ts'
import { bookedIn, mailsOf, readAppointments } from './verdict.ts'

// Agents hold and propose times over /mcp, for people who confirm, decline or ignore the email, while everything is
// killed.

/** Each unanswered proposal takes a place until the end, and so does each booking. */
const maxIgnored = 3
const maxKept = 4
const everyMs = 250

export function startAgents(origin: string, sink: MailSink): Crowd {
  const booked = new Set<string>()
  const cancelled = new Set<string>()
  /** People who got a proposal and did not confirm it. */
  const unconfirmed = new Set<string>()
  /** Live proposals that could not be confirmed. */
  const refused: string[] = []
  const open = new Set<string>()
  const readMails = mailReader(sink, 'proposal', open)
  let ignored = 0

  async function propose(count: number) {
    const ref = resources[count % resources.length]!.reference
    const { services } = await useTool(origin, 'find_services', { ref })
    const service = services?.[0]?.id
    const { times = [] } = await useTool(origin, 'find_times', { ref, service, zone: 'UTC', limit: 50 })
    const time = times[Math.floor(Math.random() * times.length)]
    if (!time) return
    const { slot, start, end } = time
    const wanted = { ref, service, slot, start: start.instant, end: end.instant }
    const { hold_id } = await useTool(origin, 'hold_time', wanted)
    // Refused, or the answer was lost; or the agent forgets about it.
    if (!hold_id || Math.random() < 0.15) return
    const email = `a${count}@torture.example`
    const person = { hold_id, first_name: 'Ada', last_name: `Agent ${count}`, email }
    unconfirmed.add(email)
    const { status } = await useTool(origin, 'propose_booking', person)
    if (status === 'awaiting_confirmation') open.add(email)
  }

  async function respond({ to, link }: Arrival) {
    open.delete(to)
    const dice = Math.random()
    if (dice > 0.85 && ignored++ < maxIgnored) return
    const answer = dice < 0.6 ? 'confirm' : 'decline'
    const { status } = await ask(origin, 'POST', link!, { body: new URLSearchParams({ answer }) })
    if (answer === 'decline') return
    if (status !== 303) return void refused.push(`${to} could not confirm a proposal: ${status}`)
    unconfirmed.delete(to)
    booked.add(to)
  }

  /** As the practice does it, so that slots stay contested. */
  async function cancelOldest() {
    const email = [...booked].find(one => !cancelled.has(one))!
    const places = (await readAppointments(origin).catch(() => [])).flatMap(one => one.participations)
    const place = places.find(one => one.email === email && one.state === 'BOOKED')
    if (!place) return
    const path = `${providerPath}/participations/${encodeURIComponent(place.reference!)}`
    const change = { body: { state: 'CANCELED' }, headers: asIntegrator }
    const { status } = await ask(origin, 'POST', path, change)
    if (status === 200) cancelled.add(email)
  }

  async function step(count: number) {
    await propose(count)
    await readMails(respond)
    if (booked.size - cancelled.size > maxKept) await cancelOldest()
  }

  /** Proposals that were refused or booked without a confirmation, and proposals that came by two emails. */
  async function judge(arrivals: Arrival[]): Promise<CrowdVerdict> {
    const taken = bookedIn(await readAppointments(origin)).map(one => one.email)
    const unwanted = [...unconfirmed].filter(email => taken.includes(email))
    return {
      complaints: [...refused, ...unwanted.map(email => `${email} is booked and did not confirm`)],
      doubleMails: [...booked, ...unconfirmed].filter(email => mailsOf(arrivals, email, 'proposal').size > 1)
        .length,
      summary: `${booked.size} proposals of agents confirmed, ${unconfirmed.size} not confirmed.`,
    }
  }
  return { booked, cancelled, judge, ...repeat(everyMs, step) }
}

const asAgent = { accept: 'application/json, text/event-stream' }

/** The result of a tool, or nothing if it was refused. Trouble of the service is tried again. */
// biome-ignore lint/suspicious/noExplicitAny: results of many shapes
async function useTool(origin: string, name: string, input: object): Promise<Record<string, any>> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }
  const resultIn = (text: string) => JSON.parse(text.replace(/^[\s\S]*?data: /, '')).result
  const { text } = await ask(origin, 'POST', '/mcp', {
    body,
    headers: asAgent,
    isOpen: ({ text }) => {
      const result = resultIn(text)
      return result?.isError && /unavailable|try again/i.test(result.content[0].text)
    },
  })
  const result = resultIn(text)
  return result?.isError ? {} : (result?.structuredContent ?? {})
}
