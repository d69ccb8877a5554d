import { useState } from 'preact/hooks'

// What is typed into the setup's forms about the business, its services and its team is kept in the browser until it is
// saved, for a reload or a closed tab. Everything else on a page is lost with it; the browser asks first.

const prefix = 'holdfast-console-typed-'

/** Also returns what forgets the input, for when it has been saved. `renewed` compares it with what is saved by now. */
export function useKeptInput<T>(name: string, initial: T, renewed = (kept: T) => kept) {
  const key = prefix + name
  const [value, setValue] = useState<T>(() => readOr(initial, key, renewed))
  const change = (next: (before: T) => T) =>
    setValue(before => {
      const after = next(before)
      localStorage.setItem(key, JSON.stringify(after))
      return after
    })
  return [value, change, () => localStorage.removeItem(key)] as const
}

export const hasKeptInput = (name: string) => localStorage.getItem(prefix + name) !== null

/** A field that was added since has its initial value. */
function readOr<T>(initial: T, key: string, renewed: (kept: T) => T): T {
  const text = localStorage.getItem(key)
  if (text === null) return initial
  const kept = JSON.parse(text) as T
  return renewed(Array.isArray(kept) ? kept : { ...initial, ...kept })
}

/** Another person may log in at this browser. */
export function forgetKeptInput() {
  for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
}
