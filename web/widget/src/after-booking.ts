import type { check } from '#shared/fields.ts'
import type { Api } from './api.ts'
import type { Emit } from './events.ts'
import type { Fail, timesOf } from './holds.ts'
import type { ProblemKind } from './problems.ts'
import type { Store } from './store.ts'
import type { Words } from './words.ts'

// What few visitors do, loaded on demand: cancel, correct the address, have the links sent again. `again`
// repeats the action.

type Tools = {
  store: Store
  api: Api
  emit: Emit
  words: Words
  fail: Fail
  check: typeof check
  timesOf: typeof timesOf
}

const kindOf = (error: unknown) => (error as { kind?: ProblemKind }).kind

export async function cancel({ store, api, emit, words, fail, timesOf }: Tools, again: () => void) {
  const { get, set } = store
  const { booked, busy } = get()
  if (!booked || busy) return
  set({ busy: 'cancel', problem: null })
  try {
    await cancelBy(api, booked.cancelLink)
    const isWithdrawn = booked.status === 'requested'
    const { moving } = get()
    set({
      busy: null,
      booked: { ...booked, status: 'cancelled', isWithdrawn },
      moving: moving && { ...moving, asked: null },
      announcement: words.texts[isWithdrawn ? 'withdrawn' : 'cancelled'],
    })
    emit('cancelled', timesOf(booked))
  } catch (error) {
    set({ busy: null })
    fail(kindOf(error) === 'unknown' ? new Error('unknown') : error, again)
  }
}

/** Uses the part of the cancel link that is meant for widgets. */
async function cancelBy({ ask }: Api, cancelLink: string) {
  const link = new URL(cancelLink)
  const path = {
    customerUuid: link.searchParams.get('pDataId') ?? '',
    appointmentUuid: link.hash.split('/').at(-1)!,
  }
  const headers = { 'x-signed-app-customer': link.searchParams.get('X-SIGNED-APP-CUSTOMER') ?? '' }
  await ask('delete', '/customers/{customerUuid}/appointments/{appointmentUuid}', { path, headers })
}

/** Corrects a mistyped address: once, and only for a while. */
export async function correct({ store, api, words, fail, check }: Tools, again: () => void) {
  const { get, set } = store
  const { booked, busy, fields } = get()
  const wrong = check(fields).email
  if (!booked || busy) return
  set({ errors: wrong ? { email: wrong } : {}, problem: null, busy: wrong ? null : 'correct' })
  if (wrong) return
  const email = fields.email.trim()
  try {
    // The token is at the end of the confirmation's address.
    const headers = { 'x-signed-app-customer': booked.page.split('/').at(-1)! }
    await api.ask('post', '/bookings/email', { body: { email }, headers })
    const announcement = words.texts[`${booked.status as 'confirmed'}Hint`](email)
    set({ busy: null, booked: { ...booked, email, settled: true }, announcement })
  } catch (error) {
    set({ busy: null })
    const known = { unknown: 'addressFinal', twice: 'alreadyBooked', invalid: 'invalidEmail' } as const
    const kind = kindOf(error) as keyof typeof known
    if (kind in known) set({ errors: { email: known[kind] } })
    else fail(error, again)
  }
}

/** For visitors who already have this appointment and have lost the email. Sent to the booking's address. */
export async function sendLinks({ store: { get, set }, api, words, fail }: Tools, again: () => void) {
  const { hold, fields, busy } = get()
  if (!hold || busy) return
  set({ busy: 'links' })
  const email = fields.email.trim()
  try {
    await api.ask('post', '/bookings/links', { body: { appointment_uuid: hold.appointment, email } })
    set({ busy: null, linksTo: email, announcement: words.texts.linksSent(email) })
  } catch (error) {
    set({ busy: null })
    fail(error, again)
  }
}
