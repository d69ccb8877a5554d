import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { StartError } from '../lib/start-error.ts'
import type { EventWithData } from '../webhooks/log.ts'

// Follows the event log over HTTP with a key, like an integrator's program.

export const followOptions = {
  crm: { type: 'string' },
  key: { type: 'string' },
  url: { type: 'string' },
  kinds: { type: 'string' },
  after: { type: 'string' },
} as const

export const followHelp = {
  crm: 'name of the CRM',
  key: 'an API key of the CRM with the scope events or read (default: $HOLDFAST_KEY)',
  url: 'address of the service (default: BASE_URL, or this machine)',
  kinds: 'only these kinds, separated by commas',
  after: 'cursor to start after (default: now)',
}

type Values = Record<string, string | boolean | undefined>
type Page = { events: EventWithData[]; next: string }

/** Yields events forever, and retries while the service is unavailable. */
export async function* eventsOf(values: Values, config: Config): AsyncGenerator<EventWithData> {
  const crm = String(values.crm ?? '')
  const key = String(values.key ?? process.env.HOLDFAST_KEY ?? '')
  if (!crm || !key) throw new StartError('--crm and --key are required: the CRM whose events to follow.')
  const origin = String(values.url ?? config.baseUrl ?? `http://localhost:${config.port}`)
  for (let after = String(values.after ?? 'now'); ; ) {
    const query = new URLSearchParams({
      after,
      wait: '25',
      ...(values.kinds ? { kinds: String(values.kinds) } : {}),
    })
    const page = await ask(`${origin}/crms/${encodeURIComponent(crm)}/events?${query}`, key)
    if (!page) {
      await pause(1_000)
      continue
    }
    yield* page.events
    after = page.next
  }
}

/** Null if the request should be retried. */
async function ask(url: string, key: string): Promise<Page | null> {
  const response = await fetch(url, { headers: { 'x-service-client-id': key } }).catch(() => null)
  if (!response || response.status >= 500 || response.status === 429) return null
  const body = (await response.json()) as Page & { errors?: { message: string }[] }
  if (!response.ok)
    throw new StartError(body.errors?.[0]?.message ?? `The service answered ${response.status}.`)
  return body
}
