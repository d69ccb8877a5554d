import type { CompleteBody } from '#shared/api-types.ts'
import { check, type FieldName } from '#shared/fields.ts'
import type { Slot } from '#shared/slots.ts'
import type { Api } from './api.ts'
import type { Emit } from './events.ts'
import { type Fail, makeHolds, timesOf } from './holds.ts'
import { Problem } from './problems.ts'
import type { Asked, AskedQuestions } from './questions.ts'
import type { SlotLoader } from './slot-loader.ts'
import { chosenProduct, type State, shownPlace } from './state.ts'
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
  let asking: Promise<AskedQuestions | undefined> | undefined
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

  /** Comes with the form. */
  async function suggest(email: string) {
    const { didYouMean } = await words.loadSteps()
    if (get().fields.email === email) set({ meant: didYouMean(email) })
  }

  const agree = (agreed: boolean) => set({ agreed, mustAgree: false })

  /** The questions of the Product, how many places and how often are loaded on demand. If that fails, they are answered later. */
  function ask(form: HTMLElement) {
    const product = chosenProduct(get())
    asking =
      (get().moving ?? product)?.questions[0] ||
      Number(product?.maxPlaces) > 1 ||
      shownPlace(get())!.channel.series
        ? import('./questions.ts').then(one =>
            one.askQuestions(form, product!, api, words, holds.touch, store),
          )
        : undefined
    asking?.catch(() => {
      asking = undefined
    })
  }

  async function submit() {
    const asked = await asking
    const state = get()
    if (state.busy || !state.slot) return
    // A booking that is moved already has all details.
    const errors = state.moving
      ? {}
      : check(state.fields, shownPlace(state)!.channel.phoneField === 'REQUIRED')
    const mustAgree = !state.moving && !state.agreed && shownPlace(state)!.provider.termsRequired
    set({ errors, mustAgree, problem: null, linksTo: null, attempt: state.attempt + 1 })
    if (Object.keys(errors).length > 0 || mustAgree) return void asked?.()
    set({ busy: 'book' })
    try {
      await (asked ? asked((more, said) => complete(state, more, said)) : complete(state))
      set({ busy: null })
    } catch (error) {
      set({ busy: null })
      await holds.refused(error, state.slot, () => void submit())
    }
  }

  async function complete(state: State, more?: Asked, said = '') {
    const { slot, hold, fields, places, moving } = state as State & { slot: Slot }
    const place = places.find(one => one.resource.uuid === slot.resource)
    const request = {
      ...timesOf(slot),
      timeslot_uuid: hold?.timeslot ?? slot.appointment ?? slot.timeslot,
      product_uuid: hold?.product ?? slot.product ?? state.product!,
      placeholder_id: hold?.placeholder,
      locale: words.format.tag,
      ...more,
    }
    const answer = moving
      ? await api.move(holds.refOf(slot), { ...request, old_start: timesOf(moving).start })
      : await api.complete(holds.refOf(slot), { ...request, ...saidBy(state) } as CompleteBody)
    const { createdAppointment: created, createdAppointments: all } = answer
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
        resource: created.resource_name + said,
        provider: place?.provider.name ?? '',
        who: place?.contact.name ?? '',
        place: hold?.place ?? place?.resource.address ?? null,
        email: fields.email.trim(),
        before: moving?.start ?? null,
        settled: Boolean(moving ?? all),
        all,
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
    timeZone: zone,
    agbs: agreed,
    ...api.channel,
  })

  const tools = { store, api, emit, words, fail, check, timesOf }

  /** Few visitors do these, so they are loaded on demand. */
  const later = (name: 'cancel' | 'correct' | 'sendLinks') => {
    const run = (): Promise<void> =>
      import('./after-booking.ts').then(
        one => one[name](tools, run),
        cause => fail(new Problem(navigator.onLine ? 'unreachable' : 'offline', { cause }), run),
      )
    return run
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
    ask,
    cancel: later('cancel'),
    correct: later('correct'),
    sendLinks: later('sendLinks'),
    type,
    leave,
    agree,
    say,
  }
}
