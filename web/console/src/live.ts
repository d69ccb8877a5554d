import { useEffect, useRef } from 'preact/hooks'
import { api, Problem } from './api.ts'
import type { Entry } from './records.ts'
import { requestsChanged } from './request-count.ts'

type Reader = {
  /** Appointments that something happened to, as they are now. */
  apply: (entries: Entry[]) => void
  /** More changed than Appointments, or too long ago: read everything anew. */
  reload: () => void
}

const waitSeconds = 25
const pauseMs = 3000

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
  }, [providerUuid, after])
}

async function listen(uuid: string, from: string | null, reader: () => Reader, signal: AbortSignal) {
  let after = from
  while (!signal.aborted) {
    await whenVisible(signal)
    try {
      const query = { after, wait: waitSeconds }
      const changes = await api.get(`/providers/${uuid}/changes`, { query, signal })
      after = changes.next
      if (changes.entries.length > 0) {
        reader().apply(changes.entries)
        requestsChanged()
      }
      if (changes.gone || changes.background) reader().reload()
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
  return [...kept, ...changed.filter(isShown)].sort(
    (one, other) => Date.parse(one.start) - Date.parse(other.start) || one.uuid.localeCompare(other.uuid),
  )
}
