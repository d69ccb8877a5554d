import { useEffect, useRef } from 'preact/hooks'
import { api, Problem } from './api.ts'
import type { Entry, Schemas } from './records.ts'
import { requestsChanged } from './request-count.ts'

type Reader = {
  /** Appointments that something happened to, as they are now. */
  apply: (entries: Entry[]) => void
  /** More changed than Appointments, or too long ago: read everything anew. */
  reload: () => void
  /** Where holds are wanted, too: all Appointments of these days in which a place is held now. */
  holds?: { from: string; to: string; apply: (held: Entry[]) => void }
}

const waitSeconds = 25
const pauseMs = 3000
/** Where many book at once, their holds are looked at now and then, and not each. */
const breathMs = 700

/**
 * What others do at this Provider, as they do it: one call that the service answers when something happens. `after` is the
 * `next` of what was read; null: from now on. A hidden page asks nothing and catches up when it is looked at again.
 */
export function useChanges(providerUuid: string, after: string | null | undefined, reader: Reader) {
  const latest = useRef(reader)
  latest.current = reader
  useEffect(() => {
    if (after === undefined) return
    const stop = new AbortController()
    void listen(providerUuid, after, () => latest.current, stop.signal)
    return () => stop.abort()
  }, [providerUuid, after, reader.holds?.from, reader.holds?.to])
}

async function listen(uuid: string, from: string | null, reader: () => Reader, signal: AbortSignal) {
  let after = from
  let pulse: string | null = null
  while (!signal.aborted) {
    await whenVisible(signal)
    try {
      const { holds } = reader()
      const days = holds ? { from: holds.from, to: holds.to, pulse } : {}
      const query = { after, wait: waitSeconds, ...days }
      const changes: Schemas['CalendarChanges'] = await api.get(`/providers/${uuid}/changes`, {
        query,
        signal,
      })
      after = changes.next
      pulse = changes.pulse
      if (changes.entries.length > 0) {
        reader().apply(changes.entries)
        requestsChanged()
      }
      if (changes.gone || changes.background) reader().reload()
      else if (changes.holds) holds?.apply(changes.holds)
      if (changes.holds) await pause(breathMs, signal)
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

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>(resolve => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true })
  })

const whenVisible = (signal: AbortSignal) =>
  new Promise<void>(resolve => {
    const look = () => {
      if (document.visibilityState !== 'visible' && !signal.aborted) return
      document.removeEventListener('visibilitychange', look)
      resolve()
    }
    document.addEventListener('visibilitychange', look)
    signal.addEventListener('abort', look, { once: true })
    look()
  })

/** The same list with what changed put in its place; `isShown` says whether it belongs there (still). */
export function merged(entries: Entry[], changed: Entry[], isShown: (entry: Entry) => boolean): Entry[] {
  const news = new Map(changed.map(one => [one.uuid, one]))
  const kept = entries.filter(one => !news.has(one.uuid))
  return sorted([...kept, ...changed.filter(isShown)])
}

/** The same with these as the only ones in which a place is held; the very same where that changes nothing. */
export function withHolds<T extends { entries: Entry[] }>(data: T, held: Entry[]): T {
  const wereHeld = data.entries.some(one => one.people.some(person => person.state === 'RESERVED'))
  return held.length === 0 && !wereHeld ? data : { ...data, entries: replaced(data.entries, held) }
}

function replaced(entries: Entry[], held: Entry[]): Entry[] {
  const others = entries.filter(one => !held.some(hold => hold.uuid === one.uuid))
  return sorted([...others.flatMap(withoutHolds), ...held])
}

function withoutHolds(entry: Entry): Entry[] {
  const people = entry.people.filter(one => one.state !== 'RESERVED')
  if (people.length === entry.people.length) return [entry]
  return people.length === 0 && entry.origin === 'consumer' ? [] : [{ ...entry, people }]
}

const sorted = (entries: Entry[]) =>
  entries.sort(
    (one, other) => Date.parse(one.start) - Date.parse(other.start) || one.uuid.localeCompare(other.uuid),
  )
