import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'

// The key `/` searches from wherever one is: the page with the box may only be opened by it.

let isWanted = false
let focusBox: (() => void) | null = null

/** True: the box is on this page and has the focus now. */
export function wantSearch(): boolean {
  isWanted = focusBox === null
  focusBox?.()
  return !isWanted
}

export function useSearchBox(box: RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    focusBox = () => box.current?.focus()
    if (isWanted) focusBox()
    isWanted = false
    return () => {
      focusBox = null
    }
  }, [box])
}
