import type { HeldElsewhere } from './state.ts'
import type { Store } from './store.ts'

type Message = { tab: number; held: HeldElsewhere | null; isQuestion?: boolean }

/** Tabs of one site share their holds, so that a visitor is not blocked by their own. Nothing is stored. */
export function shareHolds(store: Store, name: string): () => void {
  const channel = new BroadcastChannel(name)
  const tab = Math.random()
  const others = new Map<number, HeldElsewhere>()
  let known = store.get().hold

  function broadcast(isQuestion = false) {
    const { hold } = store.get()
    const held = hold && { slot: hold.slot, placeholder: hold.placeholder }
    channel.postMessage({ tab, held, isQuestion } satisfies Message)
  }

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.held) others.set(data.tab, data.held)
    else others.delete(data.tab)
    const { hold } = store.get()
    // The visitor continued in the other tab, which now owns the hold; this one must not release it.
    const isTaken = hold && hold.placeholder === data.held?.placeholder
    store.set({
      elsewhere: [...others.values()],
      ...(isTaken ? { hold: null, notice: { kind: 'expired' } } : {}),
    })
    if (data.isQuestion) broadcast()
  }
  broadcast(true)
  const stop = store.listen(() => {
    const { hold } = store.get()
    if (hold === known) return
    known = hold
    broadcast()
  })
  return () => {
    stop()
    channel.postMessage({ tab, held: null } satisfies Message)
    channel.close()
  }
}
