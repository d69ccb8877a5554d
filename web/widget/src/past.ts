import type { Flow } from './flow.ts'
import type { Step } from './state.ts'
import type { Store } from './store.ts'

const places: Partial<Record<Step, number>> = { product: 1, time: 2, form: 3, done: 4 }

/**
 * Each step is an entry of the browser's history, so that its back button goes a step back. The page's own state and
 * address stay as they are; several widgets on a page each have a name in it.
 */
export function keepHistory(store: Store, flow: Flow, name: string): () => void {
  const entry = () => history.state?.holdfast?.[name] as number | undefined
  let shown = 0

  function write(how: 'pushState' | 'replaceState', place: number, address?: string) {
    const holdfast = { ...history.state?.holdfast, [name]: place }
    try {
      history[how]({ ...history.state, holdfast }, '', address)
    } catch {
      // Not every page may change its history. Then the button in the form does it alone.
    }
  }

  function onStep() {
    const { step, booked } = store.get()
    const place = places[step]
    if (!place || place === shown) return
    const before = shown
    shown = place
    // A form that was booked is nothing to come back to.
    if (before === 0 || step === 'done')
      write('replaceState', place, step === 'done' ? ownPage(booked!.page) : undefined)
    else if (place > before) write('pushState', place)
    else if ((entry() ?? 0) > place) history.back()
  }

  function onPop() {
    const place = entry()
    if (!place || place === shown) return
    // What is under way cannot be left; after a booking there is no way forward to it.
    if (store.get().busy || place === 4) return write('pushState', shown)
    const before = shown
    shown = place
    if (place === 3) flow.forward()
    else if (before === 4) flow.again()
    else flow.back()
  }

  const stop = store.listen(onStep)
  addEventListener('popstate', onPop)
  return () => {
    stop()
    removeEventListener('popstate', onPop)
  }
}

/** On the service's own page the confirmation has an address that survives a reload; the address of another page stays. */
function ownPage(page: string | undefined): string | undefined {
  const isOurs = location.pathname.startsWith('/book/') && page && new URL(page).origin === location.origin
  return isOurs ? page : undefined
}
