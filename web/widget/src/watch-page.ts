import type { Flow } from './flow.ts'
import type { Store } from './store.ts'

/** Refreshes when the visitor returns, and releases the held time when they leave. */
export function watchPage(flow: Flow, store: Store): () => void {
  const onVisible = () => {
    if (document.visibilityState === 'visible') void flow.refresh()
  }
  const onHide = () => void flow.release()
  // Restored from the back/forward cache: the form is still there, its hold is not.
  const onShow = (event: PageTransitionEvent) => {
    if (event.persisted && store.get().step === 'form') void flow.holdAgain()
  }
  const onOnline = () => {
    if (store.get().problem?.kind === 'offline') flow.tryAgain()
  }
  const gone = new AbortController()
  document.addEventListener('visibilitychange', onVisible, gone)
  addEventListener('online', onOnline, gone)
  addEventListener('pagehide', onHide, gone)
  addEventListener('pageshow', onShow, gone)
  return () => gone.abort()
}
