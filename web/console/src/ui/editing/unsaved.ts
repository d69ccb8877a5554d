import { useEffect, useRef } from 'preact/hooks'

// Tracks unsaved input, so that closing or leaving can ask first.

type Check = { isChanged: () => boolean; settle?: () => void }

const checks = new Set<Check>()
let isSilent = false

export function watchUnsaved(check: Check): () => void {
  checks.add(check)
  return () => void checks.delete(check)
}

export const hasUnsaved = () => !isSilent && [...checks].some(one => one.isChanged())

/** For Cancel, or after the user has agreed to discard their changes. */
export function withoutAsking(work: () => void) {
  isSilent = true
  try {
    work()
  } finally {
    isSilent = false
  }
}

/** For leaving the console. */
export const clearUnsaved = () => checks.clear()

/** After a successful write: the topmost dialog's input is saved. */
export const settleDialog = () =>
  [...checks]
    .filter(one => one.settle)
    .at(-1)
    ?.settle?.()

/**
 * Reports changes of a form on a page. Call the returned function as soon as they are saved: the page may be
 * left before the next render.
 */
export function useUnsaved(isChanged: boolean): () => void {
  const state = useRef({ isChanged, isSettled: false })
  // Stays settled until the form is unchanged and then changes again.
  state.current = { isChanged, isSettled: isChanged && state.current.isSettled }
  useEffect(() => watchUnsaved({ isChanged: () => state.current.isChanged && !state.current.isSettled }), [])
  return () => {
    state.current.isSettled = true
  }
}
