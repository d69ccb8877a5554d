import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Problem } from './api.ts'

export type Loaded<T> = {
  data: T | null
  problem: Problem | null
  /** True until the first answer; while data is refreshed the old stays. */
  isLoading: boolean
  reload: () => Promise<void>
  /** Shows a change at once, before the service has answered. */
  set: (change: (data: T) => T) => void
}

const kept = new Map<string, unknown>()
const shown = new Map<() => Promise<void>, string>()

/** Whoever shows this reads it anew: something was changed from elsewhere, such as by an undo. */
export function refresh(key: string) {
  for (const [reload, one] of shown) if (one === key) void reload()
}

/** Reads once for each key, keeps what it read for the way back, and reads anew when asked to. */
export function useLoad<T>(key: string | null, read: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ key: string | null; data: T | null; problem: Problem | null }>({
    key,
    data: key === null ? null : ((kept.get(key) as T) ?? null),
    problem: null,
  })
  const latest = useRef({ key, read })
  latest.current = { key, read }
  const running = useRef<AbortController | null>(null)

  const reload = useCallback(async () => {
    const { key, read } = latest.current
    if (key === null) return
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    try {
      const data = await read(controller.signal)
      if (controller.signal.aborted) return
      kept.set(key, data)
      setState({ key, data, problem: null })
    } catch (error) {
      if (controller.signal.aborted) return
      setState(before => ({ key, data: before.key === key ? before.data : null, problem: error as Problem }))
    }
  }, [])

  useEffect(() => {
    if (key === null) return
    setState(before =>
      before.key === key ? before : { key, data: (kept.get(key) as T) ?? null, problem: null },
    )
    void reload()
    shown.set(reload, key)
    // What failed while the network was away is read as soon as it is back.
    addEventListener('online', reload)
    return () => {
      removeEventListener('online', reload)
      shown.delete(reload)
      running.current?.abort()
    }
  }, [key, reload])

  const set = useCallback((change: (data: T) => T) => {
    setState(before => (before.data === null ? before : { ...before, data: change(before.data) }))
  }, [])

  const current = state.key === key ? state : { data: null, problem: null }
  return {
    data: current.data,
    problem: current.problem,
    isLoading: current.data === null && current.problem === null,
    reload,
    set,
  }
}

/** After a login as somebody else nothing of the one before may be shown. */
export const forgetLoaded = () => kept.clear()
