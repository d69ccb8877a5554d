import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

// The key `/` searches from wherever one is: the page with the box may only be opened by it.

const longestMs = 3000

let focusBox: (() => void) | null = null

/** True: the box is on this page and has the focus now. Until it is, what is typed is meant for it. */
export function wantSearch(): boolean {
  if (!focusBox) isAwaited(true)
  focusBox?.()
  return focusBox !== null
}

export function useSearchBox(box: RefObject<HTMLInputElement | null>) {
  useLayoutEffect(() => {
    focusBox = () => box.current?.focus()
    if ('opening' in document.documentElement.dataset) focusBox()
    isAwaited(false)
    return () => {
      focusBox = null
    }
  }, [box])
}

/** A page that never comes must not swallow keys for good. */
function isAwaited(now: boolean) {
  if (now) document.documentElement.dataset.opening = 'search'
  else delete document.documentElement.dataset.opening
  if (now) setTimeout(() => isAwaited(false), longestMs)
}
