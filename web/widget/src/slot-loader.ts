import type { Listed } from '#shared/list-answer.ts'
import { isSame, replaceSpan, type Slot, type Span, slotOf } from '#shared/slots.ts'
import { type Api, instantText } from './api.ts'
import type { Emit } from './events.ts'
import { addSpan, isCovered, without } from './spans.ts'
import { monthSpan, nextFree } from './state.ts'
import type { Store } from './store.ts'

/** How far to look ahead for the next available time, in months: near first, then everything. */
const lookAhead = [1, 2, 9, Number.POSITIVE_INFINITY]

export type SlotLoader = ReturnType<typeof makeSlotLoader>

/** Fetches slots by period and caches them. Known slots stay visible until newer ones arrive. */
export function makeSlotLoader(store: Store, api: Api, emit: Emit, whenHidden: () => void) {
  // Answers for a previously selected product are dropped.
  let generation = 0
  // Answers can arrive out of order: an older request must not overwrite the answer to a newer one.
  let questions = 0
  let answered: (Span & { asked: number })[] = []
  const underWay = new Map<string, Promise<void>>()

  /**
   * With a single product the list is the same without its name, so the first request need not wait for it.
   */
  const productFilter = () => (api.isMove || store.get().products.length > 1 ? store.get().product : null)

  /** Joins a pending request for the same period. */
  function load(span: Span): Promise<void> {
    const key = `${generation} ${span.from} ${span.to}`
    const known = underWay.get(key)
    if (known) return known
    const loading = fetchSpan(span).finally(() => underWay.delete(key))
    underWay.set(key, loading)
    return loading
  }

  async function fetchSpan(span: Span): Promise<void> {
    const mine = generation
    const question = ++questions
    const heldThen = heldNow()
    const listed = await api.slots(span, productFilter())
    if (mine === generation) keep(span, listed, [...heldThen, ...heldNow()], question)
  }

  /** The visitor's own hold is available to them until it has been released. */
  const heldNow = () => [store.get().hold?.slot, store.get().leaving].filter(slot => slot != null)

  function keep(span: Span, { visible, bookables }: Listed, held: Slot[] = heldNow(), question = 0) {
    const later = answered.filter(one => one.asked > question)
    const missing = without(span, later)
    if (missing.length === 0) return
    if (!visible) return whenHidden()
    answered = [
      ...answered.filter(one => later.includes(one) || !isCovered([span], one)),
      { ...span, asked: question },
    ]
    const { slots, covered, moving } = store.get()
    const own = moving?.asked ?? moving?.start
    const fetched = held.reduce(withHeld, bookables.map(slotOf)).filter(slot => slot.start !== own)
    store.set({
      slots: missing.reduce((known, part) => replaceSpan(known, part, fetched), slots),
      covered: addSpan(covered, span),
    })
    const to = span.to < Number.POSITIVE_INFINITY ? instantText(span.to) : null
    emit('slots-loaded', { from: instantText(span.from), to, count: bookables.length })
  }

  const withHeld = (fetched: Slot[], held: Slot) =>
    fetched.some(slot => isSame(slot, held)) ? fetched : [...fetched, held]

  async function ensure(span: Span): Promise<void> {
    if (!isCovered(store.get().covered, span)) await load(span)
  }

  /** Loads the shown month, and prefetches the next in the background. */
  async function ensureMonth(): Promise<void> {
    const { month, zone } = store.get()
    const span = monthSpan({ month, zone })
    await ensure(span)
    findNext(span.to).catch(() => {})
  }

  /** The first available time from here on, wherever it is; null if there is none. */
  async function findNext(from: number): Promise<Slot | null> {
    const { month, zone } = store.get()
    let months = 0
    const shown = monthSpan({ month, zone })
    let start = isCovered(store.get().covered, shown) ? Math.max(from, shown.to) : from
    for (const step of lookAhead) {
      const known = nextFree(store.get(), from)
      if (known && isCovered(store.get().covered, { from, to: known.start })) return known
      months += step
      const to = step === Number.POSITIVE_INFINITY ? step : monthSpan({ month, zone }, months + 1).to
      if (to > start) await ensure({ from: start, to })
      start = Math.max(start, to)
    }
    return nextFree(store.get(), from)
  }

  let refreshing: Promise<void> | undefined
  let next: Promise<void> | undefined

  /**
   * Reloads the shown month. A pending answer may predate the change, so it is followed by another request.
   */
  function refresh(): Promise<void> {
    if (!refreshing) {
      refreshing = askAgain().finally(() => {
        refreshing = undefined
      })
      return refreshing
    }
    next ??= refreshing.then(() => {
      next = undefined
      return refresh()
    })
    return next
  }

  /** On failure the old list stays, which is better than none. */
  async function askAgain(): Promise<void> {
    store.set({ refreshing: true })
    await fetchSpan(monthSpan(store.get())).catch(() => {})
    store.set({ refreshing: false })
  }

  function forget() {
    generation++
    answered = []
    store.set({ slots: [], covered: [] })
  }

  return { keep, ensure, ensureMonth, findNext, refresh, forget, load }
}
