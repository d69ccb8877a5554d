import type { AroundNavHandler } from 'wouter-preact'
import { askToDiscard } from './ui/dialogs/discard.tsx'
import { hasUnsaved, withoutAsking } from './ui/editing/unsaved.ts'

// A link, Back and closing the tab all ask before unsaved input is lost.

/** Runs at once if everything is saved, otherwise only after the user agrees to discard their changes. */
export async function confirmLeave(work: () => void) {
  if (!hasUnsaved()) work()
  else if (await askToDiscard()) withoutAsking(work)
}

export const askBeforeNavigation: AroundNavHandler = (navigate, to, options) =>
  void confirmLeave(() => navigate(to, options))

addEventListener('beforeunload', event => {
  if (hasUnsaved()) event.preventDefault()
})

let here = location.href
const arrived = () => {
  here = location.href
}
// The router sends these events whenever it changes the address.
addEventListener('pushState', arrived)
addEventListener('replaceState', arrived)

let isGoingBack = false

// Registered before the router's own listener. Going back cannot be prevented: the address is restored, then we ask.
addEventListener('popstate', event => {
  const isSamePage = withoutHash(here) === withoutHash(location.href)
  if (isGoingBack || isSamePage || !hasUnsaved()) {
    isGoingBack = false
    return arrived()
  }
  event.stopImmediatePropagation()
  history.pushState(null, '', here)
  void askToDiscard().then(isAgreed => {
    if (!isAgreed) return
    isGoingBack = true
    history.back()
  })
})

const withoutHash = (address: string) => address.split('#')[0]
