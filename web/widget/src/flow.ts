import { addMonths, type Day, isDay, type Month, monthOf } from '#shared/dates.ts'
import type { Beginning } from '#shared/listed.ts'
import { firstFreeDay, freeCount, type Slot } from '#shared/slots.ts'
import { dayAt, startOfDay } from '#shared/zones.ts'
import type { Api } from './api.ts'
import { makeBooking } from './booking.ts'
import type { Emit } from './events.ts'
import type { Memory } from './memory.ts'
import { closedBy, firstSpan, opening, type Wishes, wished } from './opening.ts'
import { asProblem } from './problems.ts'
import { makeSlotLoader } from './slot-loader.ts'
import { type Closed, daysOf, monthSpan, nextFree } from './state.ts'
import type { Store } from './store.ts'
import { nothingOn } from './why-closed.ts'
import type { Words } from './words.ts'

export type Flow = ReturnType<typeof makeFlow>

/** What visitors can do, from the first request to the booking. */
export function makeFlow(store: Store, api: Api, emit: Emit, wishes: Wishes, words: Words, memory: Memory) {
  const { get, set } = store
  const loader = makeSlotLoader(store, api, emit, () => close('hidden'))
  const booking = makeBooking(store, api, emit, loader, words, fail)
  let retry: () => void = () => {}
  let left: Slot | null = null

  const say = (announcement: string) => set({ announcement })

  function close(closed: Closed) {
    set({ step: 'closed', closed, busy: null })
  }

  function fail(error: unknown, again: () => void) {
    const problem = asProblem(error)
    // What was moved meanwhile is looked at anew.
    retry = problem.kind === 'changed' ? () => void start(null) : again
    if (problem.kind === 'unknown' || problem.kind === 'hidden') close(problem.kind)
    else set({ problem })
    emit('error', { kind: problem.kind })
  }

  async function start(brought: Beginning | null) {
    if (api.refs.length === 0 && !api.isMove) {
      emit('error', { kind: 'no-resource' })
      return close('unknown')
    }
    set({ step: 'loading', problem: null, closed: null })
    try {
      if (api.isMove) await openMove()
      await begin(brought ?? (await firstRequests()))
    } catch (error) {
      fail(error, () => void start(null))
    }
  }

  /** What only those need who move a booking is fetched when they come. */
  async function openMove() {
    const { openBooking } = await import('./move.ts')
    const moving = await openBooking(api, words)
    wishes.product = moving.product
    set({ moving })
  }

  async function firstRequests(): Promise<Beginning> {
    const span = firstSpan(wishes, api.now())
    // A product of the page's that is none here must not hide all others.
    const answer = await api.bundle(span, wishes.product).catch(error => {
      if (wishes.product && asProblem(error).kind === 'unknown') return api.bundle(span, null)
      throw error
    })
    return { ...answer, span }
  }

  async function begin({ places, products, listed, span }: Beginning) {
    // It stays the same thing at another time.
    const offered = api.isMove ? products.filter(one => one.uuid === wishes.product) : products
    set(opening(places, offered, wishes, api.now()))
    emit('ready', {
      resources: places.map(one => one.resource.uuid),
      products: products.map(one => one.uuid),
    })
    const shut = closedBy(places, offered) ?? (get().moving?.isLate ? 'late' : null)
    if (shut) return close(shut)
    if (await resume()) return
    words.complete().catch(() => {})
    if (!get().product) return set({ step: 'product' })
    if (listed && (offered.length === 1 || wished(offered, wishes))) loader.keep(span, listed)
    if (get().step !== 'closed') void openTimes()
  }

  /** After a reload in the form: the same time is held again, and what was typed is there. */
  async function resume(): Promise<boolean> {
    const kept = api.isMove ? null : memory.read()
    if (!kept) return false
    set({ fields: kept.fields })
    const { slot, product = null, resource = null, zone = get().zone } = kept
    const isKnown = slot && slot.start > api.now() && get().products.some(one => one.uuid === product)
    if (!isKnown) return false
    await words.complete()
    const day = dayAt(slot.start, zone)
    set({
      product,
      resource,
      zone,
      slot,
      day,
      month: monthOf(day),
      today: dayAt(api.now(), zone),
      step: 'form',
    })
    void loader.ensureMonth().catch(() => {})
    void booking.resume(slot, kept.placeholder)
    return true
  }

  /** Opens on the wished day, else on the first day with free times, in whatever month that is. */
  async function openTimes() {
    const { from } = monthSpan(get())
    const known = nextFree(get(), from)
    if (known && !isDay(wishes.date)) showFirst(known)
    try {
      await loader.ensureMonth()
      if (isDay(wishes.date) && wishes.date >= get().today) return showDay(wishes.date)
      showFirst(await loader.findNext(from))
    } catch (error) {
      fail(error, () => void openTimes())
    }
  }

  function showFirst(slot: Slot | null) {
    if (!slot) return close('nothing')
    const day = dayAt(slot.start, get().zone)
    set({ step: 'time', day, month: monthOf(day), problem: null, notice: null })
    announceDay(day)
    void loader.ensureMonth().catch(() => {})
  }

  function showDay(day: Day) {
    set({ step: 'time', day, month: monthOf(day), problem: null, notice: null })
    announceDay(day)
    if (freeCount(daysOf(get()).get(day)) === 0) void lookAround(startOfDay(day, get().zone)).catch(() => {})
  }

  /** What comes after; where nothing does, what came before. */
  async function lookAround(from: number) {
    if (!(await loader.findNext(from))) await loader.ensure({ from: api.now(), to: from })
  }

  function announceDay(day: Day) {
    const count = freeCount(daysOf(get()).get(day))
    const { texts, format } = words
    say(count > 0 ? texts.timesOn(count, format.day(day)) : nothingOn(get(), day, texts, format))
  }

  function chooseProduct(product: string) {
    loader.forget()
    set({ product, step: 'loading', day: null, month: monthOf(get().today) })
    void openTimes()
  }

  function chooseResource(resource: string | null) {
    set({ resource })
    const day = get().day
    if (!day || freeCount(daysOf(get()).get(day)) === 0) return void showMonth(get().month)
    announceDay(day)
  }

  async function showMonth(month: Month, day?: Day) {
    const previous = get().month
    set({ month, ...(day ? { day } : {}), problem: null, notice: null })
    try {
      await loader.ensureMonth()
      if (get().month !== month) return
      const chosen = day ?? firstFreeDay(daysOf(get()), month)
      set({ day: chosen })
      if (chosen) return announceDay(chosen)
      say(words.texts.noTimesIn(words.format.month(month)))
      await loader.findNext(monthSpan(get()).to)
    } catch (error) {
      set({ month: previous })
      fail(error, () => void showMonth(month, day))
    }
  }

  /** The instant of what was chosen stays; the day that it falls on follows the zone. */
  async function chooseZone(zone: string) {
    const state = get()
    const first = state.day && daysOf(state).get(state.day)?.[0]
    const today = dayAt(api.now(), zone)
    const day = first ? dayAt(first.start, zone) : state.day
    set({ zone, today, day, month: day ? monthOf(day) : state.month })
    say(
      `${words.texts.timeZone}${words.texts.colon} ${words.format.zone(zone, first ? first.start : api.now())}`,
    )
    await loader.ensureMonth().catch(() => {})
  }

  function back() {
    const { step, products, busy } = get()
    if (busy) return
    if (step === 'form') {
      left = get().slot
      void booking.release()
      set({ step: 'time', notice: null, problem: null, errors: {}, slot: null })
    } else if (step === 'time' && products.length > 1) set({ step: 'product', notice: null, problem: null })
  }

  /** The browser's forward button: the time that was in the form, if it is still free. */
  function forward() {
    if (left) void booking.chooseSlot(left)
  }

  /** Begins again after a booking: with what was typed, since the next one is by the same person. */
  function again() {
    set({ step: 'loading', slot: null, notice: null, problem: null })
    void loader.refresh().then(openTimes)
  }

  /** What went wrong is not wanted any more. */
  const forget = () => set({ problem: null })

  function tryAgain() {
    set({ problem: null })
    retry()
  }

  return {
    ...booking,
    start,
    back,
    forward,
    again,
    tryAgain,
    forget,
    chooseProduct,
    chooseResource,
    chooseZone,
    showMonth,
    chooseDay: showDay,
    stepMonth: (count: number) => showMonth(addMonths(get().month, count)),
    refresh: async () => {
      if (get().step === 'time' || get().step === 'form') await loader.refresh()
      else if (get().step === 'closed') await start(null)
    },
    now: api.now,
  }
}
