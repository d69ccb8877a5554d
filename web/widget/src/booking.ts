import { check, type FieldName } from '#shared/fields.ts'
import type { Slot } from '#shared/slots.ts'
import type { Api } from './api.ts'
import type { Emit } from './events.ts'
import { type Fail, makeHolds, timesOf } from './holds.ts'
import { asProblem, Problem } from './problems.ts'
import type { SlotLoader } from './slot-loader.ts'
import { type State, shownPlace } from './state.ts'
import type { Store } from './store.ts'
import type { Words } from './words.ts'

/** How long a mistyped address can be corrected. */
const correctable = 600_000

/** From the form to the booking, and back by cancelling. */
export function makeBooking(
  store: Store,
  api: Api,
  emit: Emit,
  loader: SlotLoader,
  words: Words,
  fail: Fail,
) {
  const { get, set } = store
  const holds = makeHolds(store, api, emit, loader, words, fail)
  const say = (announcement: string) => set({ announcement })

  function type(name: FieldName, value: string) {
    holds.touch()
    const { fields, errors } = get()
    const { [name]: _mended, ...others } = errors
    set({
      fields: { ...fields, [name]: value },
      errors: others,
      ...(name === 'email' ? { meant: null } : {}),
    })
  }

  /** Invalid input is reported when the field loses focus; missing input, when the form is sent. */
  function leave(name: FieldName) {
    const { fields, errors } = get()
    const error = check(fields)[name]
    if (error && fields[name].trim()) set({ errors: { ...errors, [name]: error } })
    else if (name === 'email') suggest(fields.email).catch(() => {})
  }

  /** Only a suggestion: if it cannot be loaded, it is skipped. */
  async function suggest(email: string) {
    const { didYouMean } = await import('#shared/did-you-mean.ts')
    if (get().fields.email === email) set({ meant: didYouMean(email) })
  }

  const agree = (agreed: boolean) => set({ agreed, mustAgree: false })

  async function submit() {
    const state = get()
    if (state.busy || !state.slot) return
    // A booking that is moved already has all details.
    const errors = state.moving ? {} : check(state.fields)
    const mustAgree = !state.moving && !state.agreed && shownPlace(state)!.provider.termsRequired
    set({ errors, mustAgree, problem: null, linksTo: null, attempt: state.attempt + 1 })
    if (Object.keys(errors).length > 0 || mustAgree) return
    set({ busy: 'book' })
    try {
      await complete(state)
    } catch (error) {
      set({ busy: null })
      await holds.refused(error, state.slot, () => void submit())
    }
  }

  async function complete(state: State) {
    const { slot, hold, fields, places, moving } = state as State & { slot: Slot }
    const place = places.find(one => one.resource.uuid === slot.resource)
    const request = {
      ...timesOf(slot),
      timeslot_uuid: hold?.timeslot ?? slot.appointment ?? slot.timeslot,
      product_uuid: hold?.product ?? slot.product ?? state.product!,
      placeholder_id: hold?.placeholder,
    }
    const created = moving
      ? await api.move(holds.refOf(slot), { ...request, old_start: timesOf(moving).start })
      : await api.complete(holds.refOf(slot), { ...request, ...saidBy(state) })
    holds.stopWatch()
    const status = created.state === 'REQUESTED' ? 'requested' : 'confirmed'
    const isThere = moving?.isRequest || status === 'confirmed'
    set({
      busy: null,
      step: 'done',
      hold: null,
      placeholder: undefined,
      notice: null,
      moving:
        moving &&
        (isThere
          ? { ...moving, start: slot.start, end: slot.end, asked: null }
          : { ...moving, asked: slot.start }),
      booked: {
        status,
        start: Date.parse(created.start),
        end: Date.parse(created.end),
        product: created.product_name,
        resource: created.resource_name,
        provider: place?.provider.name ?? '',
        who: place?.contact.name ?? '',
        place: hold?.place ?? place?.resource.address ?? null,
        email: fields.email.trim(),
        before: moving?.start ?? null,
        settled: Boolean(moving),
        cancelLink: created.cancelLink,
        moveLink: created.moveLink,
        page: created.confirmationLink,
      },
      fields: { ...fields, message: '' },
    })
    setTimeout(settle, correctable, created.confirmationLink)
    say(words.texts[status])
    const detail = {
      status,
      appointment: created.appointment_uuid,
      resource: slot.resource,
      product: request.product_uuid,
      ...timesOf(slot),
    } as const
    if (moving) emit('moved', { ...detail, replaced: timesOf(moving) })
    else emit('booked', detail)
    void loader.refresh()
  }

  const saidBy = ({ fields, zone, agreed }: State) => ({
    firstname: fields.firstname.trim(),
    lastname: fields.lastname.trim(),
    email: fields.email.trim(),
    mobile: fields.mobile.trim() || undefined,
    message: fields.message.trim() || undefined,
    locale: words.format.tag,
    timeZone: zone,
    agbs: agreed,
    ...api.channel,
  })

  async function cancel() {
    const { booked, busy } = get()
    if (!booked || busy) return
    set({ busy: 'cancel', problem: null })
    try {
      await api.cancel(booked.cancelLink)
      const isWithdrawn = booked.status === 'requested'
      const { moving } = get()
      set({
        busy: null,
        booked: { ...booked, status: 'cancelled', isWithdrawn },
        moving: moving && { ...moving, asked: null },
      })
      say(words.texts[isWithdrawn ? 'withdrawn' : 'cancelled'])
      emit('cancelled', timesOf(booked))
    } catch (error) {
      set({ busy: null })
      const { kind } = asProblem(error)
      fail(kind === 'unknown' ? new Problem('broken') : error, () => void cancel())
    }
  }

  /** Corrects a mistyped address: once, and only for a while. */
  async function correct() {
    const { booked, busy, fields } = get()
    const wrong = check(fields).email
    if (!booked || busy) return
    set({ errors: wrong ? { email: wrong } : {}, problem: null, busy: wrong ? null : 'correct' })
    if (wrong) return
    const email = fields.email.trim()
    try {
      await api.correct(booked.page, email)
      set({ busy: null, booked: { ...booked, email, settled: true } })
      say(words.texts[`${booked.status as 'confirmed'}Hint`](email))
    } catch (error) {
      set({ busy: null })
      const { kind } = asProblem(error)
      const known = { unknown: 'addressFinal', twice: 'alreadyBooked', invalid: 'invalidEmail' } as const
      if (kind in known) set({ errors: { email: known[kind as 'unknown'] } })
      else fail(error, () => void correct())
    }
  }

  /** For visitors who already have this appointment and have lost the email with its links. */
  async function sendLinks() {
    const { hold, fields, busy } = get()
    if (!hold || busy) return
    set({ busy: 'links' })
    const email = fields.email.trim()
    try {
      await api.sendLinks(hold.appointment, email)
      set({ busy: null, linksTo: email })
      say(words.texts.linksSent(email))
    } catch (error) {
      set({ busy: null })
      fail(error, () => void sendLinks())
    }
  }

  function settle(page: string) {
    const { booked } = get()
    if (booked?.page === page) set({ booked: { ...booked, settled: true } })
  }

  const { chooseSlot, holdAgain, resume, release } = holds
  return {
    chooseSlot,
    holdAgain,
    resume,
    release,
    submit,
    cancel,
    correct,
    sendLinks,
    type,
    leave,
    agree,
    say,
  }
}
