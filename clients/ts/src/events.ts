import { HoldfastError, unwrap } from './answers.ts'
import type { HoldfastClient } from './client.ts'
import { backOff, pause } from './retry.ts'
import type { operations } from './schema.ts'
import type { Schemas } from './schemas.ts'

/** An entry of the event log. `kind` tells which records `data` has. */
export type Event = Schemas['Event']
export type EventKind = Event['kind']
/** `EventOf<'participation.booked'>`. */
export type EventOf<Kind extends EventKind, One = Event> = One extends { kind: infer Kinds }
  ? Kind extends Kinds
    ? One
    : never
  : never

export type EventOptions = {
  crmId: string
  /** The cursor of your last checkpoint. Without it, the log starts with the oldest event; `now` for new ones. */
  after?: string
  kinds?: EventKind[]
  /** Reference of a Provider, for its events only. */
  provider?: string
  limit?: number
  /** Wait for new events at the end of the log. False ends there. Default: true. */
  follow?: boolean
  /** Stores the cursor. Called when all events up to it have been processed. */
  checkpoint?: (next: string) => void | Promise<void>
  signal?: AbortSignal
}

/**
 * The log, event by event. The cursor is handed to `checkpoint` after the loop's body has finished with the
 * last event of a page, so a crash repeats events but never skips one. While following, an outage is waited for.
 */
export async function* readEvents(
  client: HoldfastClient,
  { crmId, checkpoint, follow = true, signal, after, kinds, ...filter }: EventOptions,
): AsyncGenerator<Event, void, undefined> {
  let place = after
  while (!signal?.aborted) {
    const query = { ...filter, kinds: kinds ?? [], after: place, wait: follow ? 25 : 0 }
    const page = await readPage(client, { params: { path: { crmId }, query }, signal }, follow)
    if (!page) return
    yield* page.events
    if (page.next !== place) await checkpoint?.(page.next)
    place = page.next
    if (!page.more && !follow) return
  }
}

type EventCall = {
  params: { path: { crmId: string }; query: operations['getEvents']['parameters']['query'] }
  signal?: AbortSignal
}

/** Null if the signal ended the call. */
async function readPage(client: HoldfastClient, call: EventCall, isPatient: boolean) {
  for (let failures = 1; ; failures++) {
    try {
      return await unwrap(client.GET('/crms/{crmId}/events', call))
    } catch (error) {
      if (call.signal?.aborted) return null
      if (!isPatient || !isPassing(error)) throw error
      await pause(backOff(failures + 1), call.signal).catch(() => {})
    }
  }
}

/** No connection, or a failure that ends by itself. */
const isPassing = (error: unknown) =>
  error instanceof HoldfastError
    ? [429, 502, 503, 504].includes(error.status)
    : error instanceof TypeError && /fetch|network|load failed/i.test(error.message)
