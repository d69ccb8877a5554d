import { answeredText, besideRows, type Disturbance, loadBeside } from '../lib/beside.ts'
import { heavyLists, makeHeavyTenant, newKeys } from '../lib/heavy-tenant.ts'
import { type Row, reported } from '../lib/report.ts'
import { crm } from '../lib/service.ts'
import { onStage, type Stage } from '../lib/stage.ts'
import { visitor, visitSeconds } from '../lib/visits.ts'
import { requestText } from '../load/connection.ts'

const clients = 64
const providers = 20
const polls = 1_000
/** Until all of them wait. */
const connectingMs = 8_000
/** Fewer than a key may have waiting: refused requests would be sent again at once. */
const pollsPerKey = 50

/**
 * Lists and holds of one tenant while another tenant's heavy lists are requested as fast as possible, and
 * while 1,000 requests that wait for events are woken by each hold that is booked.
 */
export const heavyTenant = (): Promise<Row[]> =>
  onStage(
    async stage => {
      const { service } = stage
      const resources = await makeHeavyTenant(service, providers)
      const listed: Record<string, number> = {}
      const work = { kind: 'cycle' as const, requests: heavyLists(resources, 50_000) }
      const plan = { port: service.port, connections: clients, work }
      const polled: Record<string, number> = {}
      const rows = await besideRows(await visitor(stage), [
        loadBeside("another tenant's heavy lists", plan, visitSeconds, listed),
        await wokenPolls(stage, polled),
      ])
      return [
        ...rows,
        reported('heavy lists', answeredText(listed)),
        reported('requests that waited for events', answeredText(polled)),
      ]
    },
    { env: { TRUST_PROXY: 'true' } },
  )

/** Each poll asks again as soon as it is answered; a new Customer every second wakes all of them. */
async function wokenPolls({ service, seeded }: Stage, polled: Record<string, number>): Promise<Disturbance> {
  const keys = await newKeys(service, crm, polls / pollsPerKey)
  const requests = keys.map(key =>
    requestText('GET', `/crms/${crm}/events?after=now&wait=30`, { 'x-service-client-id': key }),
  )
  const plan = { port: service.port, connections: polls, work: { kind: 'cycle' as const, requests } }
  const waiting = loadBeside('1,000 requests woken by events', plan, visitSeconds, polled, connectingMs)
  let people = 0
  const makeEvent = () =>
    fetch(`${service.origin}/crms/${crm}${seeded.path}/customers`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-client-id': keys[0]! },
      body: JSON.stringify({
        customerReference: `woken-${++people}@bench`,
        providerReference: seeded.provider,
        userName: 'Ann Winter',
        email: `woken${people}@example.org`,
      }),
    }).then(answer => answer.body?.cancel())
  return {
    name: waiting.name,
    async during(work) {
      const waking = setInterval(() => void makeEvent().catch(() => {}), 1_000)
      try {
        return await waiting.during(work)
      } finally {
        clearInterval(waking)
      }
    },
  }
}
