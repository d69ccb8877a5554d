import { useEffect, useRef } from 'preact/hooks'
import { address, api, Problem } from './api.ts'
import { inOrder } from './entry-order.ts'
import { useLoad } from './load.ts'
import type { Entry, Schemas } from './records.ts'
import { useSession } from './session.ts'

type Reader = {
  /** Receives the current state of changed Appointments. */
  apply: (entries: Entry[]) => void
  /** Called if more than Appointments changed, or too long ago to catch up: reload everything. */
  reload: () => void
  /** Set to also receive all Appointments of these days that currently have a hold. */
  holds?: {
    from: string
    to: string
    apply: (held: Entry[]) => void
    /** All Timeslots of these days, after some have changed. */
    applyTimeslots?: (timeslots: Schemas['CalendarTimeslot'][]) => void
  }
}

const pauseMs = 3000

/**
 * Follows changes at this Provider through server-sent events. `after` is the `next` of the last read, or null
 * for "from now on". A hidden page pauses and catches up when it is shown again.
 */
export function useChanges(providerUuid: string, after: string | null | undefined, reader: Reader) {
  const latest = useRef(reader)
  latest.current = reader
  useEffect(() => {
    if (after === undefined) return
    const stop = new AbortController()
    setFollowers(1)
    void listen(providerUuid, after, () => latest.current, stop.signal)
    return () => {
      stop.abort()
      setFollowers(-1)
    }
  }, [providerUuid, after, reader.holds?.from, reader.holds?.to])
}

/** How many parts of the page follow changes. Each has a connection, of which a browser opens only six. */
let followers = 0
const followersChanged = 'holdfast-followers'

function setFollowers(difference: 1 | -1) {
  followers += difference
  dispatchEvent(new Event(followersChanged))
}

const settleMs = 500

/** Follows changes for the count of requests while the page itself follows none. */
function useChangesOfRequests(providerUuid: string | null) {
  useEffect(() => {
    if (providerUuid === null) return
    const reader = { apply: () => {}, reload: requestsChanged }
    let own: AbortController | null = null
    let timer: ReturnType<typeof setTimeout> | undefined
    const follow = () => {
      own = new AbortController()
      // Requests may have come in while nothing followed.
      requestsChanged()
      void listen(providerUuid, null, () => reader, own.signal)
    }
    const check = () => {
      clearTimeout(timer)
      if (followers > 0) {
        own?.abort()
        own = null
      } else if (!own) timer = setTimeout(follow, settleMs)
    }
    addEventListener(followersChanged, check)
    check()
    return () => {
      clearTimeout(timer)
      removeEventListener(followersChanged, check)
      own?.abort()
    }
  }, [providerUuid])
}

async function listen(uuid: string, from: string | null, reader: () => Reader, signal: AbortSignal) {
  let after = from
  let pulse: string | null = null
  const see = (changes: Schemas['CalendarChanges']) => {
    after = changes.next
    pulse = changes.pulse
    if (changes.entries.length > 0) {
      reader().apply(changes.entries)
      requestsChanged()
    }
    if (changes.gone || changes.background) return reader().reload()
    if (changes.holds) reader().holds?.apply(changes.holds)
    if (changes.timeslots) reader().holds?.applyTimeslots?.(changes.timeslots)
  }
  while (!signal.aborted) {
    await whenVisible(signal)
    try {
      const { holds } = reader()
      const days = holds ? { from: holds.from, to: holds.to } : {}
      // An event source does not say why it was refused, so a plain request comes first.
      see(
        await api.get(`/providers/${uuid}/changes`, {
          query: { after, ...days, ...(holds && { pulse }) },
          signal,
        }),
      )
      if (signal.aborted) return
      const query = { stream: true, after: after!, ...days }
      if (!(await followed(address(`/providers/${uuid}/changes`, query), see, signal)))
        await pause(pauseMs, signal)
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof Problem && (error.status === 401 || error.status === 404)) return
      if (error instanceof Problem && error.status >= 400 && error.status < 500) {
        after = null
        reader().reload()
      }
      await pause(pauseMs, signal)
    }
  }
}

/** Until the page is hidden or the connection ends. False if there was none. */
function followed(
  address: string,
  see: (changes: Schemas['CalendarChanges']) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const source = new EventSource(address)
  let isOpen = false
  return new Promise<boolean>(resolve => {
    const end = () => {
      source.close()
      document.removeEventListener('visibilitychange', check)
      resolve(isOpen)
    }
    const check = () => document.visibilityState !== 'visible' && end()
    source.onmessage = event => {
      isOpen = true
      if (!signal.aborted) see(JSON.parse(event.data))
    }
    source.onerror = end
    signal.addEventListener('abort', end, { once: true })
    document.addEventListener('visibilitychange', check)
  })
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>(resolve => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true })
  })

const whenVisible = (signal: AbortSignal) =>
  new Promise<void>(resolve => {
    const check = () => {
      if (document.visibilityState !== 'visible' && !signal.aborted) return
      document.removeEventListener('visibilitychange', check)
      resolve()
    }
    document.addEventListener('visibilitychange', check)
    signal.addEventListener('abort', check, { once: true })
    check()
  })

/** Merges changed entries into the list; `isShown` decides whether an entry (still) belongs there. */
export function merged(entries: Entry[], changed: Entry[], isShown: (entry: Entry) => boolean): Entry[] {
  const byUuid = new Map(changed.map(one => [one.uuid, one]))
  const kept = entries.filter(one => !byUuid.has(one.uuid))
  return inOrder([...kept, ...changed.filter(isShown)])
}

/** Replaces all holds with these. Returns the same object if nothing changes, to avoid a render. */
export function withHolds<T extends { entries: Entry[] }>(data: T, held: Entry[]): T {
  const wereHeld = data.entries.some(one => one.people.some(person => person.state === 'RESERVED'))
  return held.length === 0 && !wereHeld ? data : { ...data, entries: replaced(data.entries, held) }
}

function replaced(entries: Entry[], held: Entry[]): Entry[] {
  const others = entries.filter(one => !held.some(hold => hold.uuid === one.uuid))
  return inOrder([...others.flatMap(withoutHolds), ...held])
}

function withoutHolds(entry: Entry): Entry[] {
  const people = entry.people.filter(one => one.state !== 'RESERVED')
  if (people.length === entry.people.length) return [entry]
  return people.length === 0 && entry.origin === 'consumer' ? [] : [{ ...entry, people }]
}

/** Number of open requests, for the rail: live on every page. */
export function useLiveRequestCount(): number {
  const { provider } = useSession()
  useChangesOfRequests(provider?.uuid ?? null)
  return useRequestCount()
}

/** Number of open requests. Refreshed after changes and answers, and every 30 seconds. */
export function useRequestCount(): number {
  const { provider } = useSession()
  const { data, reload } = useLoad(provider && `requests-count-${provider.uuid}`, signal =>
    api.get(`/providers/${provider!.uuid}/requests/count`, { signal }),
  )
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && void reload(), 30_000)
    addEventListener('holdfast-requests', reload)
    return () => {
      clearInterval(timer)
      removeEventListener('holdfast-requests', reload)
    }
  }, [reload])
  return data?.count ?? 0
}

/** Call after answering a request, so that the rail updates its count. */
export const requestsChanged = () => dispatchEvent(new Event('holdfast-requests'))
