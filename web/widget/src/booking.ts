import type { Api, Participation } from './api.ts'
import { instantText } from './api.ts'
import type { Emit } from './events.ts'
import { check, type FieldName, isFieldName } from './fields.ts'
import type { Words } from './flow.ts'
import { asProblem, Problem } from './problems.ts'
import type { SlotLoader } from './slot-loader.ts'
import { nearest, type Slot, twins } from './slots.ts'
import { asksForRequest, type Hold, offered, type State } from './state.ts'
import type { Store } from './store.ts'

export type Booking = ReturnType<typeof makeBooking>
type Fail = (error: unknown, again: () => void) => void

/** From the chosen time to the booking: hold, count down, complete, give back. */
export function makeBooking(store: Store, api: Api, emit: Emit, loader: SlotLoader, words: Words) {
  const { get, set } = store
  const { texts } = words
  let fail: Fail = () => {}
  let timer: ReturnType<typeof setTimeout> | undefined
  // A form that nobody touches must not keep a time from others for ever.
  let touched = true

  const say = (announcement: string) => set({ announcement })
  const refOf = (slot: Slot) =>
    get().places.find(one => one.resource.uuid === slot.resource)?.ref ?? slot.resource
  const times = ({ start, end }: Slot) => ({ start: instantText(start), end: instantText(end) })

  async function chooseSlot(slot: Slot) {
    if (get().busy) return
    set({ busy: 'hold', slot, problem: null })
    say(texts.holding)
    try {
      const hold = await holdAny(slot)
      set({ busy: null, hold, slot: hold.slot, step: 'form', notice: null, holds: get().holds + 1 })
      touched = true
      watch(hold)
      say('')
      emit('reserved', {
        resource: hold.slot.resource,
        product: hold.product,
        ...times(hold.slot),
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
        if (!['taken', 'unknown'].includes(asProblem(error).kind)) throw error
      }
    throw new Problem('taken')
  }

  async function holdOne(slot: Slot): Promise<Hold> {
    const product = slot.product ?? get().product!
    const held = await api.reserve(refOf(slot), {
      timeslot_uuid: slot.timeslot,
      appointment_uuid: slot.appointment ?? undefined,
      product_uuid: product,
      placeholder_id: get().hold?.placeholder,
      from: instantText(slot.start),
      to: instantText(slot.end),
    })
    return holdOf(slot, held)
  }

  const holdOf = (slot: Slot, held: Participation): Hold => ({
    slot,
    placeholder: held.customer_uuid,
    uuid: held.uuid,
    timeslot: held.timeslot_uuid,
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
      say(texts.heldAgain)
    } catch (error) {
      set({ busy: null })
      await refused(error, wanted, () => void holdAgain())
    }
  }

  async function refused(error: unknown, slot: Slot, again: () => void) {
    const problem = asProblem(error)
    // A Timeslot that is gone is as good as taken.
    if (problem.kind === 'taken' || problem.kind === 'unknown') return lose(slot)
    if (problem.kind === 'invalid' && isFieldName(problem.field)) {
      const error = problem.field === 'email' ? 'invalidEmail' : 'invalidField'
      return set({ errors: { [problem.field]: error }, attempt: get().attempt + 1 })
    }
    fail(problem, again)
  }

  async function lose(slot: Slot) {
    clearTimeout(timer)
    set({ hold: null, slot, notice: { kind: 'lost', nearest: null } })
    say(texts.lost)
    emit('lost', { resource: slot.resource, ...times(slot) })
    await loader.refresh()
    const near = await nearestTo(slot)
    if (get().notice?.kind === 'lost') set({ notice: { kind: 'lost', nearest: near } })
  }

  async function nearestTo({ start }: Slot): Promise<Slot[]> {
    const known = () => nearest(offered(get()), start)
    if (known().length < 3) await loader.findNext(start + 1).catch(() => {})
    return known()
  }

  async function submit() {
    const state = get()
    if (state.busy || !state.slot) return
    const errors = check(state.fields)
    set({ errors, problem: null, attempt: state.attempt + 1 })
    if (Object.keys(errors).length > 0) return
    set({ busy: 'book' })
    try {
      await complete(state)
    } catch (error) {
      set({ busy: null })
      await refused(error, state.slot, () => void submit())
    }
  }

  async function complete(state: State) {
    const { slot, hold, fields, places } = state as State & { slot: Slot }
    const product = hold?.product ?? slot.product ?? state.product!
    const place = places.find(one => one.resource.uuid === slot.resource)
    const created = await api.complete(refOf(slot), {
      ...times(slot),
      timeslot_uuid: hold?.timeslot ?? slot.appointment ?? slot.timeslot,
      product_uuid: product,
      placeholder_id: hold?.placeholder,
      firstname: fields.firstname.trim(),
      lastname: fields.lastname.trim(),
      email: fields.email.trim(),
      mobile: fields.mobile.trim() || undefined,
      message: fields.message.trim() || undefined,
      locale: words.locale,
      channelKey: api.channelKey,
    })
    clearTimeout(timer)
    const status = asksForRequest(state) ? 'requested' : 'confirmed'
    set({
      busy: null,
      step: 'done',
      hold: null,
      notice: null,
      booked: {
        status,
        uid: `${hold?.uuid ?? created.appointment_uuid}@${new URL(created.cancelLink).hostname}`,
        start: Date.parse(created.start),
        end: Date.parse(created.end),
        product: created.product_name,
        resource: created.resource_name,
        provider: place?.provider.name ?? '',
        place: hold?.place ?? place?.resource.address ?? null,
        email: fields.email.trim(),
        cancelLink: created.cancelLink,
      },
      fields: { ...fields, message: '' },
    })
    say(texts[status])
    emit('booked', {
      status,
      appointment: created.appointment_uuid,
      resource: slot.resource,
      product,
      ...times(slot),
    })
    void loader.refresh()
  }

  async function cancel() {
    const { booked, busy } = get()
    if (!booked || busy) return
    set({ busy: 'cancel', problem: null })
    try {
      await api.cancel(booked.cancelLink)
      set({ busy: null, booked: { ...booked, status: 'cancelled' } })
      say(texts.cancelled)
      emit('cancelled', { start: instantText(booked.start), end: instantText(booked.end) })
    } catch (error) {
      set({ busy: null })
      const { kind } = asProblem(error)
      fail(kind === 'unknown' ? new Problem('broken') : error, () => void cancel())
    }
  }

  /** Gives the time back, also while the page is being left. */
  async function release() {
    const { hold } = get()
    clearTimeout(timer)
    if (!hold) return
    set({ hold: null })
    await api.release(refOf(hold.slot), hold.placeholder)
    void loader.refresh()
  }

  function type(name: FieldName, value: string) {
    touched = true
    const { fields, errors } = get()
    const { [name]: _mended, ...others } = errors
    set({ fields: { ...fields, [name]: value }, errors: others })
  }

  return {
    chooseSlot,
    submit,
    cancel,
    release,
    holdAgain,
    type,
    say,
    onFail(report: Fail) {
      fail = report
    },
  }
}
