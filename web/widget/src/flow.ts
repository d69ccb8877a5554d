import { addDays, type Day, isDay, type Month, monthOf, startOfWeek } from '#shared/dates.ts'
import { type FirstAnswer, offering } from '#shared/list-answer.ts'
import { firstFreeDay, freeCount, freeDays, type Slot } from '#shared/slots.ts'
import { dayAt, startOfDay } from '#shared/zones.ts'
import type { Api } from './api.ts'
import { makeBooking } from './booking.ts'
import type { Emit } from './events.ts'
import { chosenProduct, closedBy, firstSpan, type OpeningOptions, opening } from './initial-state.ts'
import { asProblem } from './problems.ts'
import type { Memory } from './session-memory.ts'
import { makeSlotLoader } from './slot-loader.ts'
import { type Closed, daysOf, monthSpan, nextFree } from './state.ts'
import type { Store } from './store.ts'
import { nothingOn } from './why-closed.ts'
import type { Words } from './words.ts'

export type Flow = ReturnType<typeof makeFlow>

/** The visitor's actions, from the first request to the booking. */
export function makeFlow(
  store: Store,
  api: Api,
  emit: Emit,
  options: OpeningOptions,
  words: Words,
  memory: Memory,
) {
  const { get, set } = store
  const loader = makeSlotLoader(store, api, emit, () => close('hidden'))
  const booking = makeBooking(store, api, emit, loader, words, fail)
  let retry: () => void = () => {}
  let left: Slot | null = null

  const announce = (announcement: string) => set({ announcement })

  function close(closed: Closed) {
    set({ step: 'closed', closed, busy: null })
  }

  function fail(error: unknown, again: () => void) {
    const problem = asProblem(error)
    // A booking that was moved in the meantime is loaded again.
    retry = problem.kind === 'changed' ? () => void start(null) : again
    if (problem.kind === 'unknown' || problem.kind === 'hidden') close(problem.kind)
    else set({ problem })
    emit('error', { kind: problem.kind })
  }

  async function start(embedded: FirstAnswer | null) {
    if (api.refs.length === 0 && !api.isMove) {
      emit('error', { kind: 'no-resource' })
      return close('unknown')
    }
    set({ step: 'loading', problem: null, closed: null })
    try {
      const language = words.begin()
      language.catch(() => {})
      if (api.isMove) await openMove(language)
      const answer = embedded ?? (await firstRequests())
      await language
      await begin(answer)
    } catch (error) {
      fail(error, () => void start(null))
    }
  }

  /** The code for moving a booking is loaded on demand. */
  async function openMove(language: Promise<void>) {
    const [{ openBooking }] = await Promise.all([import('./move.ts'), words.complete(), language])
    const moving = await openBooking(api, words)
    options.product = moving.product
    set({ moving })
  }

  async function firstRequests(): Promise<FirstAnswer> {
    const span = firstSpan(options, api.now())
    // An unknown product in the page's attribute must not hide all others.
    const answer = await api.bundle(span, options.product).catch(error => {
      if (options.product && asProblem(error).kind === 'unknown') return api.bundle(span, null)
      throw error
    })
    return { ...answer, span }
  }

  async function begin({ places, products, listed, span }: FirstAnswer) {
    // A move keeps the product.
    const offered = api.isMove ? products.filter(one => one.uuid === options.product) : products
    if (places[0] && places[0].provider.emails !== 'sent') {
      const { withoutEmails } = await import('./rare.ts')
      set({ kept: withoutEmails(words, places[0], get()) })
    }
    set(opening(places, offered, options, api.now()))
    emit('ready', {
      resources: places.map(one => one.resource.uuid),
      products: products.map(one => one.uuid),
    })
    const closedReason = closedBy(places, offered) ?? (get().moving?.isLate ? 'late' : null)
    if (closedReason) return close(closedReason)
    if (await resume()) return
    const complete = words.complete().catch(() => {})
    // The notice for invited customers and the link to the waiting list are shown before the form.
    if (places.some(({ channel }) => channel.customersOnly || channel.waitingList)) await complete
    if (!get().product) return set({ step: 'product' })
    if (listed && (offered.length === 1 || chosenProduct(offered, options))) loader.keep(span, listed)
    if (get().step !== 'closed') void openTimes()
  }

  /** After a reload with the form open: holds the same time again and restores the input. */
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

  /** Opens on the requested day, or on the first day with available times, in whatever month that is. */
  async function openTimes() {
    const { from } = monthSpan(get())
    const known = nextFree(get(), from)
    if (known && !isDay(options.date)) showFirst(known)
    try {
      await loader.ensureMonth()
      if (isDay(options.date) && options.date >= get().today) return showDay(options.date)
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
    ensureWeek(day).catch(() => {})
  }

  /** On a phone all days of a week are shown, including those of the next month. */
  function ensureWeek(day: Day): Promise<void> {
    const { today, zone } = get()
    const first = startOfWeek(day, options.locale.firstWeekday)
    const from = startOfDay(first < today ? today : first, zone)
    return loader.ensure({ from, to: startOfDay(addDays(first, 7), zone) })
  }

  function showDay(day: Day) {
    set({ step: 'time', day, month: monthOf(day), problem: null, notice: null })
    announceDay(day)
    void loader.ensureMonth().catch(() => {})
    ensureWeek(day).catch(() => {})
    if (freeCount(daysOf(get()).get(day)) === 0) void findNearest(startOfDay(day, get().zone)).catch(() => {})
  }

  /** Finds the next available time or, if there is none, the previous one. */
  async function findNearest(from: number) {
    if (!(await loader.findNext(from))) await loader.ensure({ from: api.now(), to: from })
  }

  function announceDay(day: Day) {
    const count = freeCount(daysOf(get()).get(day))
    const { texts, format } = words
    announce(
      count > 0
        ? texts.timesOn(count, format.day(day))
        : nothingOn({ ...get(), day }, texts, format, api.now()),
    )
  }

  function chooseProduct(product: string) {
    loader.forget()
    const { places, resource, today } = get()
    const isOffered = offering(places, product).some(one => one.resource.uuid === resource)
    set({
      product,
      resource: isOffered ? resource : null,
      step: 'loading',
      day: null,
      month: monthOf(today),
    })
    void openTimes()
  }

  function chooseResource(resource: string | null) {
    set({ resource })
    const day = get().day
    if (!day || freeCount(daysOf(get()).get(day)) === 0) return void showMonth(get().month)
    announceDay(day)
  }

  async function showMonth(month: Month, day?: Day) {
    const previous = { month: get().month, day: get().day }
    // Clears the times of a day that is no longer shown: they would look like times in the new month.
    set({ month, day: day ?? null, problem: null, notice: null })
    try {
      await loader.ensureMonth()
      if (get().month !== month) return
      const chosen = day ?? firstFreeDay(daysOf(get()), month)
      set({ day: chosen })
      if (chosen) return announceDay(chosen)
      announce(nothingOn(get(), words.texts, words.format, api.now()))
      await loader.findNext(monthSpan(get()).to)
    } catch (error) {
      set(previous)
      fail(error, () => void showMonth(month, day))
    }
  }

  /** Shows the week that starts with this day, and selects its first available day, or its first. */
  async function showWeek(first: Day) {
    const previous = { month: get().month, day: get().day }
    const { today } = get()
    const day = first < today ? today : first
    set({ month: monthOf(day), day, problem: null, notice: null })
    try {
      await ensureWeek(day)
      // If the visitor has paged on, the weeks in between are skipped.
      if (get().day !== day) return
      const last = addDays(first, 6)
      showDay(freeDays(daysOf(get())).find(one => one >= day && one <= last) ?? day)
    } catch (error) {
      set(previous)
      fail(error, () => void showWeek(first))
    }
  }

  /** Keeps the selected instant; its day depends on the zone. */
  async function chooseZone(zone: string) {
    const state = get()
    const first = state.day && daysOf(state).get(state.day)?.[0]
    const today = dayAt(api.now(), zone)
    const day = first ? dayAt(first.start, zone) : state.day
    set({ zone, today, day, month: day ? monthOf(day) : state.month })
    announce(
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

  /** The browser's forward button: the time that was in the form, if it is still available. */
  function forward() {
    if (left) void booking.chooseSlot(left)
  }

  /** Starts over after a booking and keeps the input, since the next one is for the same person. */
  function again() {
    set({ step: 'loading', slot: null, notice: null, problem: null })
    void loader.refresh().then(openTimes)
  }

  /** The browser's back button: shows the times; the confirmation stays one step ahead. */
  function leaveBooked() {
    set({ step: 'time', slot: null, notice: null, problem: null })
    void loader.refresh()
  }

  function showBooked() {
    if (!get().booked) return
    void booking.release()
    set({ step: 'done', slot: null, notice: null, problem: null })
  }

  /** The visitor has dismissed the problem. */
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
    leaveBooked,
    showBooked,
    tryAgain,
    forget,
    chooseProduct,
    chooseResource,
    chooseZone,
    showMonth,
    showWeek,
    chooseDay: showDay,
    refresh: async () => {
      if (get().step === 'time' || get().step === 'form') await loader.refresh()
      else if (get().step === 'closed') await start(null)
    },
    now: api.now,
  }
}
