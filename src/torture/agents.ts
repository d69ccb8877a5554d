import { setTimeout as pause } from 'node:timers/promises'
import type { Arrival, MailSink } from './mail-sink.ts'
import { asIntegrator, providerPath, resources } from './seed.ts'
import { readAppointments } from './verdict.ts'

// Agents hold and propose times over /mcp, for people who confirm, decline or ignore the email, while everything is
// killed.

export type Agents = {
  /** Email addresses of people who confirmed, and of those whose booking was cancelled later. */
  booked: Set<string>
  cancelled: Set<string>
  /** People who got a proposal and did not confirm it. */
  unconfirmed: Set<string>
  /** Live proposals that could not be confirmed. */
  refused: string[]
  end(): Promise<void>
}

/** Each unanswered proposal takes a place until the end, and so does each booking. */
const maxIgnored = 3
const maxKept = 4
const everyMs = 250

export function startAgents(origin: string, sink: MailSink): Agents {
  const booked = new Set<string>()
  const cancelled = new Set<string>()
  const unconfirmed = new Set<string>()
  const refused: string[] = []
  const open = new Set<string>()
  const answered = new Set<string>()
  let ignored = 0
  let isEnding = false

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
    const { status } = await send(origin, link!, new URLSearchParams({ answer }).toString(), asForm)
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
    const { status } = await send(origin, path, '{"state":"CANCELED"}', asIntegrator)
    if (status === 200) cancelled.add(email)
  }

  async function run() {
    for (let count = 1; !isEnding; count++) {
      await propose(count)
      const isFresh = ({ kind, messageId, to }: Arrival) =>
        kind === 'proposal' && !answered.has(messageId) && open.has(to)
      for (const arrival of sink.arrivals.filter(isFresh)) {
        answered.add(arrival.messageId)
        await respond(arrival)
      }
      if (booked.size - cancelled.size > maxKept) await cancelOldest()
      await pause(everyMs)
    }
  }
  const running = run()
  // Reported by end().
  running.catch(() => {})
  return {
    booked,
    cancelled,
    unconfirmed,
    refused,
    end() {
      isEnding = true
      return running
    },
  }
}

/** Proposals that were refused or booked without a confirmation, and proposals that came by two emails. */
export async function judgeAgents(
  origin: string,
  { booked, unconfirmed, refused }: Agents,
  arrivals: Arrival[],
): Promise<{ complaints: string[]; doubleMails: number }> {
  const taken = (await readAppointments(origin))
    .flatMap(one => one.participations)
    .filter(({ state }) => state === 'BOOKED')
    .map(one => one.email)
  const mailsOf = (email: string) =>
    new Set(arrivals.filter(one => one.to === email && one.kind === 'proposal').map(one => one.messageId))
      .size
  return {
    complaints: [
      ...refused,
      ...[...unconfirmed]
        .filter(email => taken.includes(email))
        .map(email => `${email} is booked and did not confirm`),
    ],
    doubleMails: [...booked, ...unconfirmed].filter(email => mailsOf(email) > 1).length,
  }
}

const asForm = { 'content-type': 'application/x-www-form-urlencoded' }
const asAgent = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/** The result of a tool, or nothing if it was refused. Trouble of the service is tried again. */
// biome-ignore lint/suspicious/noExplicitAny: results of many shapes
async function useTool(origin: string, name: string, input: object): Promise<Record<string, any>> {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }
  for (;;) {
    const { text } = await send(origin, '/mcp', JSON.stringify(call), asAgent)
    const { result } = JSON.parse(text.replace(/^[\s\S]*?data: /, ''))
    if (!result?.isError) return result?.structuredContent ?? {}
    if (!/unavailable|try again/i.test(result.content[0].text)) return {}
    await pause(200)
  }
}

/** Retries until there is a definite response: the service is being killed. */
async function send(origin: string, path: string, body: string, headers: Record<string, string>) {
  for (;;) {
    try {
      const response = await fetch(origin + path, {
        method: 'POST',
        redirect: 'manual',
        headers,
        body,
        signal: AbortSignal.timeout(20_000),
      })
      const text = await response.text()
      if (response.status < 500) return { status: response.status, text }
    } catch {
      // Cut off: asked again.
    }
    await pause(200)
  }
}
