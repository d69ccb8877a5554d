import { useState } from 'preact/hooks'

// Input of the setup is kept in the browser until it is saved, so that a reload or a closed tab loses nothing.

const prefix = 'holdfast-console-typed-'

/** Also returns what forgets the input, for when it has been saved. */
export function useKeptInput<T>(name: string, initial: T) {
  const key = prefix + name
  const [value, setValue] = useState<T>(() => readOr(initial, key))
  const change = (next: (before: T) => T) =>
    setValue(before => {
      const after = next(before)
      localStorage.setItem(key, JSON.stringify(after))
      return after
    })
  return [value, change, () => localStorage.removeItem(key)] as const
}

/** A field that was added since has its initial value. */
function readOr<T>(initial: T, key: string): T {
  const text = localStorage.getItem(key)
  if (text === null) return initial
  const kept = JSON.parse(text) as T
  return Array.isArray(kept) ? kept : { ...initial, ...kept }
}

/** Another person may log in at this browser. */
export function forgetKeptInput() {
  for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
}
