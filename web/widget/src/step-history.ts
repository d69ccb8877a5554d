import type { Flow } from './flow.ts'
import type { Step } from './state.ts'
import type { Store } from './store.ts'

const places: Partial<Record<Step, number>> = { product: 1, time: 2, form: 3, done: 4 }

/**
 * Each step is an entry in the browser's history, so that the back button goes one step back. The page's own
 * state and address stay; each of several widgets on a page has its own key in the state.
 */
export function trackStepsInHistory(store: Store, flow: Flow, name: string): () => void {
  const entry = () => history.state?.holdfast?.[name] as number | undefined
  let shown = 0

  function write(how: 'pushState' | 'replaceState', place: number, address?: string) {
    const holdfast = { ...history.state?.holdfast, [name]: place }
    try {
      history[how]({ ...history.state, holdfast }, '', address)
    } catch {
      // Some pages may not change their history. The form's own back button still works.
    }
  }

  function onStep() {
    const { step, booked } = store.get()
    const place = places[step]
    if (!place || place === shown) return
    const before = shown
    shown = place
    const address = step === 'done' ? ownPage(booked!.page) : undefined
    // A form that was booked replaces its entry: there is nothing to go back to.
    const isNew = before > 0 && !(before === 3 && step === 'done')
    if (!isNew) write('replaceState', place, address)
    else if (place > before) write('pushState', place, address)
    else if ((entry() ?? 0) > place) history.back()
  }

  function onPop() {
    const place = entry()
    if (!place || place === shown) return
    // A pending action cannot be left; a confirmation from an earlier page load is gone.
    const { busy, booked } = store.get()
    if (busy || (place === 4 && !booked)) return write('pushState', shown)
    const before = shown
    shown = place
    if (place === 4) flow.showBooked()
    else if (place === 3) flow.forward()
    else if (before === 4) flow.leaveBooked()
    else flow.back()
  }

  const stop = store.listen(onStep)
  addEventListener('popstate', onPop)
  return () => {
    stop()
    removeEventListener('popstate', onPop)
  }
}

/** On our own page the confirmation has an address that survives a reload; other pages keep theirs. */
function ownPage(page: string | undefined): string | undefined {
  const isOurs =
    /^\/(book|move)\//.test(location.pathname) && page && new URL(page).origin === location.origin
  return isOurs ? page : undefined
}
