import { initialState, type State } from './state.ts'

export type Store = ReturnType<typeof makeStore>

/** The only place that holds state; views subscribe to it. */
export function makeStore() {
  let state = initialState
  const listeners = new Set<() => void>()
  return {
    get: () => state,
    set(change: Partial<State>) {
      state = { ...state, ...change }
      for (const listener of listeners) listener()
    },
    listen(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
