import type { Fields } from '#shared/fields.ts'
import type { Slot } from '#shared/slots.ts'
import type { Store } from './store.ts'

/** What a reload of the form would lose. Stored for this tab only, and deleted with the booking. */
export type Kept = {
  fields: Fields
  /** The time in the form, if it was open. */
  slot?: Slot
  placeholder?: string
  product?: string | null
  resource?: string | null
  zone?: string
}

export type Memory = ReturnType<typeof makeMemory>

export function makeMemory(key: string) {
  return {
    read(): Kept | null {
      try {
        return JSON.parse(sessionStorage.getItem(key) ?? 'null')
      } catch {
        return null
      }
    },
    write(kept: Kept | null) {
      try {
        if (kept) sessionStorage.setItem(key, JSON.stringify(kept))
        else sessionStorage.removeItem(key)
      } catch {
        // Without storage, a reload starts over.
      }
    },
  }
}

/** Saves the form while it is open or about to open, and deletes it once it is booked. */
export function remember(store: Store, memory: Memory): () => void {
  return store.listen(() => {
    const { step, busy, isUnanswered, fields, slot, placeholder, product, resource, zone } = store.get()
    const isForm = step === 'form' || busy === 'hold' || isUnanswered
    if (step === 'done') memory.write(null)
    else if (isForm && slot) memory.write({ fields, slot, placeholder, product, resource, zone })
    else if (step !== 'loading' && memory.read()?.slot) memory.write({ fields })
  })
}
