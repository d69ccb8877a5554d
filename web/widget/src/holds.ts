import type { Participation } from '#shared/api-types.ts'
import { isFieldName } from '#shared/fields.ts'
import { isSame, nearest, otherResourcesAt, type Slot } from '#shared/slots.ts'
import { type Api, instantText } from './api.ts'
import type { Emit } from './events.ts'
import { asProblem, Problem } from './problems.ts'
import type { SlotLoader } from './slot-loader.ts'
import { type Hold, offered } from './state.ts'
import type { Store } from './store.ts'
import type { Words } from './words.ts'

export const timesOf = ({ start, end }: Pick<Slot, 'start' | 'end'>) => ({
  start: instantText(start),
  end: instantText(end),
})

export type Fail = (error: unknown, again: () => void) => void

/** No answer arrived, so the time may or may not be held. */
const isUnanswered = ({ kind }: Problem) => kind === 'unreachable' || kind === 'offline'

/** Not available on pages without https; the service then generates one. */
const newName = (): string | undefined => globalThis.crypto.randomUUID?.()

/** From the chosen time to the form: hold, expire, hold again, lose, release. */
export function makeHolds(store: Store, api: Api, emit: Emit, loader: SlotLoader, words: Words, fail: Fail) {
  const { get, set } = store
  let timer: ReturnType<typeof setTimeout> | undefined
  // An unattended form must not block a time forever.
  let touched = true

  const say = (announcement: string) => set({ announcement })
  const refOf = (slot: Slot) =>
    get().places.find(one => one.resource.uuid === slot.resource)?.ref ?? slot.resource

  async function chooseSlot(slot: Slot) {
    if (get().busy) return
    set({ busy: 'hold', slot, problem: null })
    say(words.texts.reserving)
    try {
      // Waits for the hold even if the texts fail to load: a forgotten hold would block the visitor's own
      // time.
      const ready = words.complete()
      ready.catch(() => {})
      const hold = await holdAny(slot)
      await ready
      set({ busy: null, slot: hold.slot, hold, step: 'form', notice: null, holds: get().holds + 1 })
      touched = true
      watch(hold)
      say('')
      emit('reserved', {
        resource: hold.slot.resource,
        product: hold.product,
        ...timesOf(hold.slot),
        expiresAt: instantText(hold.expiresAt),
      })
      void loader.refresh()
    } catch (error) {
      set({ busy: null })
      await refused(error, slot, () => void chooseSlot(slot))
    }
  }

  /** If any Resource will do, another one may be available at the same time. */
  async function holdAny(slot: Slot): Promise<Hold> {
    const others = get().resource === null ? otherResourcesAt(get().slots, slot) : []
    for (const one of [slot, ...others])
      try {
        return await holdOne(one, ownName(one))
      } catch (error) {
        if (!isGone(asProblem(error))) throw error
      }
    throw new Problem('taken')
  }

  /** A time held in another tab is kept under the same placeholder. */
  const ownName = (slot: Slot) =>
    get().elsewhere.find(one => isSame(one.slot, slot))?.placeholder ?? get().placeholder

  async function holdOne(slot: Slot, placeholder = get().placeholder): Promise<Hold> {
    const product = slot.product ?? get().product!
    // Named by the client, so that a page that reloads or misses the answer is not blocked by its own hold.
    const name = placeholder ?? newName()
    set({ placeholder: name, isUnanswered: true })
    const held = await api
      .reserve(refOf(slot), {
        timeslot_uuid: slot.timeslot,
        appointment_uuid: slot.appointment ?? undefined,
        product_uuid: product,
        placeholder_id: placeholder,
        new_placeholder_id: name,
        from: instantText(slot.start),
        to: instantText(slot.end),
      })
      .catch(error => {
        const problem = asProblem(error)
        set({ isUnanswered: isUnanswered(problem) })
        // The hold of this name became a booking whose answer was lost: another time needs a new name.
        if (problem.kind !== 'twice' || !placeholder) throw error
        set({ placeholder: undefined })
        return null
      })
    if (!held) return holdOne(slot)
    set({ placeholder: held.customer_uuid, isUnanswered: false })
    return holdOf(slot, held)
  }

  const holdOf = (slot: Slot, held: Participation): Hold => ({
    slot,
    placeholder: held.customer_uuid,
    timeslot: held.timeslot_uuid,
    appointment: held.appointment_uuid,
    product: held.product_uuid,
    expiresAt: Date.parse(held.expiresAt),
    place: held.formatedAddress,
  })

  function watch({ expiresAt }: Hold) {
    clearTimeout(timer)
    timer = setTimeout(() => void expire(), Math.max(0, expiresAt - api.now()))
  }

  async function expire() {
    const { step, hold, busy } = get()
    if (step !== 'form' || !hold || busy === 'book') return
    // A series has renewed it.
    if (hold.expiresAt > api.now()) return watch(hold)
    if (!touched) return set({ notice: { kind: 'expired' } })
    await holdAgain()
  }

  /** After the hold expired: the same slot, if it is still available. The input stays either way. */
  async function holdAgain() {
    const { hold, slot } = get()
    const wanted = hold?.slot ?? slot
    if (!wanted) return
    touched = false
    set({ busy: 'hold' })
    try {
      const again = await holdOne(wanted)
      set({ busy: null, hold: again, notice: { kind: 'held-again' } })
      watch(again)
      say(words.texts.holdRenewed)
    } catch (error) {
      set({ busy: null })
      await refused(error, wanted, () => void holdAgain())
    }
  }

  /** The page was reloaded with the form open. */
  async function resume(slot: Slot, placeholder: string | undefined) {
    set({ busy: 'hold' })
    try {
      const hold = await holdOne(slot, placeholder)
      set({ busy: null, hold })
      watch(hold)
    } catch (error) {
      set({ busy: null })
      await refused(error, slot, () => void resume(slot, undefined))
    }
  }

  async function refused(error: unknown, slot: Slot, again: () => void) {
    const problem = asProblem(error)
    if (isGone(problem)) return lose(slot)
    if (problem.kind === 'invalid' && isFieldName(problem.field)) {
      const error = problem.field === 'email' ? 'invalidEmail' : 'invalidField'
      return set({ errors: { [problem.field]: error }, attempt: get().attempt + 1 })
    }
    // The provider has made its terms mandatory while the form was open.
    if (problem.field === 'agbs') return set({ mustAgree: true, attempt: get().attempt + 1 })
    fail(problem, again)
  }

  /** A missing Timeslot counts as taken; for a move, it may be the booking that is missing. */
  const isGone = ({ kind }: Problem) => kind === 'taken' || (kind === 'unknown' && !get().moving)

  async function lose(slot: Slot) {
    clearTimeout(timer)
    set({ hold: null, slot, notice: { kind: 'lost', nearest: null } })
    say(words.texts.timeTaken)
    emit('lost', { resource: slot.resource, ...timesOf(slot) })
    await loader.refresh()
    const near = await nearestTo(slot)
    if (get().notice?.kind === 'lost') set({ notice: { kind: 'lost', nearest: near } })
  }

  async function nearestTo({ start }: Slot): Promise<Slot[]> {
    const known = () => nearest(offered(get()), start)
    if (known().length < 3) await loader.findNext(start + 1).catch(() => {})
    return known()
  }

  /** Releases the time, also while the page unloads. */
  async function release() {
    const { hold } = get()
    clearTimeout(timer)
    if (!hold) return
    set({ hold: null, leaving: hold.slot })
    await api.release(refOf(hold.slot), hold.placeholder)
    if (get().leaving === hold.slot) set({ leaving: null })
    void loader.refresh()
  }

  return {
    chooseSlot,
    holdAgain,
    resume,
    release,
    refused,
    refOf,
    /** The visitor is active, so an expired hold is worth renewing. */
    touch: () => {
      touched = true
    },
    stopWatch: () => clearTimeout(timer),
  }
}
