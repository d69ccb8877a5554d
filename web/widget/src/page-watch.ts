import type { Flow } from './flow.ts'
import type { Store } from './store.ts'

/** Looks again when the visitor comes back, and gives the held time back when they leave. */
export function watchPage(flow: Flow, store: Store): () => void {
  const onVisible = () => {
    if (document.visibilityState === 'visible') void flow.refresh()
  }
  const onHide = () => void flow.release()
  // Out of the browser's memory of pages: the form is still there, its hold is not.
  const onShow = (event: PageTransitionEvent) => {
    if (event.persisted && store.get().step === 'form') void flow.holdAgain()
  }
  const onOnline = () => {
    if (store.get().problem?.kind === 'offline') flow.tryAgain()
  }
  document.addEventListener('visibilitychange', onVisible)
  addEventListener('online', onOnline)
  addEventListener('pagehide', onHide)
  addEventListener('pageshow', onShow)
  return () => {
    document.removeEventListener('visibilitychange', onVisible)
    removeEventListener('online', onOnline)
    removeEventListener('pagehide', onHide)
    removeEventListener('pageshow', onShow)
  }
}
