import type { Participation } from '#shared/api-types.ts'
import { isFieldName } from '#shared/fields.ts'
import { nearest, type Slot, twins } from '#shared/slots.ts'
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

/** It was held, or it was not. */
const isUnheard = ({ kind }: Problem) => kind === 'unreachable' || kind === 'offline'

/** Where the page came without https there are none: then the service makes one up. */
const newName = (): string | undefined => globalThis.crypto.randomUUID?.()

/** From the chosen time to the form: hold, let expire, hold again, lose, give back. */
export function makeHolds(store: Store, api: Api, emit: Emit, loader: SlotLoader, words: Words, fail: Fail) {
  const { get, set } = store
  let timer: ReturnType<typeof setTimeout> | undefined
  // A form that nobody touches must not keep a time from others for ever.
  let touched = true

  const say = (announcement: string) => set({ announcement })
  const refOf = (slot: Slot) =>
    get().places.find(one => one.resource.uuid === slot.resource)?.ref ?? slot.resource

  async function chooseSlot(slot: Slot) {
    if (get().busy) return
    set({ busy: 'hold', slot, problem: null })
    say(words.texts.holding)
    try {
      // Whichever fails, the hold is waited for: one that is forgotten would stand in the visitor's own way.
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

  /** When any resource will do, another one may be free at the same time. */
  async function holdAny(slot: Slot): Promise<Hold> {
    const others = get().resource === null ? twins(get().slots, slot) : []
    for (const one of [slot, ...others])
      try {
        return await holdOne(one)
      } catch (error) {
        if (!isGone(asProblem(error))) throw error
      }
    throw new Problem('taken')
  }

  async function holdOne(slot: Slot, placeholder = get().placeholder): Promise<Hold> {
    const product = slot.product ?? get().product!
    // Named before it is asked for: a page that is loaded anew meanwhile, or hears no answer, is not in its own way.
    const name = placeholder ?? newName()
    set({ placeholder: name, isUnheard: true })
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
        set({ isUnheard: isUnheard(problem) })
        // What bore the name was booked, and we never heard of it: another time has another one.
        if (problem.kind !== 'twice' || !placeholder) throw error
        set({ placeholder: undefined })
        return null
      })
    if (!held) return holdOne(slot)
    set({ placeholder: held.customer_uuid, isUnheard: false })
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
    if (!touched) return set({ notice: { kind: 'expired' } })
    await holdAgain()
  }

  /** After the time ran out: the same slot, if it is still free. What was typed stays either way. */
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
      say(words.texts.heldAgain)
    } catch (error) {
      set({ busy: null })
      await refused(error, wanted, () => void holdAgain())
    }
  }

  /** The page was loaded anew while the form was open. */
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
    // The provider has begun to ask for it while the form was open.
    if (problem.field === 'agbs') return set({ mustAgree: true, attempt: get().attempt + 1 })
    fail(problem, again)
  }

  /** A Timeslot that is gone is as good as taken; for whoever moves, their booking may be what is gone. */
  const isGone = ({ kind }: Problem) => kind === 'taken' || (kind === 'unknown' && !get().moving)

  async function lose(slot: Slot) {
    clearTimeout(timer)
    set({ hold: null, slot, notice: { kind: 'lost', nearest: null } })
    say(words.texts.lost)
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

  /** Gives the time back, also while the page is being left. */
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
    /** The visitor is at it: an expired hold is worth another one. */
    touch: () => {
      touched = true
    },
    stopWatch: () => clearTimeout(timer),
  }
}
