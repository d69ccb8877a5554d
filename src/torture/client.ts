// One of many who book, hold, let go and cancel, in a process of its own. Tells its parent what it was promised.

import { resources } from './practice.ts'

/** `booked` and `cancelled` are said only after the service has said so. */
export type Word = { what: 'booked' | 'cancelled' | 'held' | 'refused' | 'asked again'; email?: string }

const [origin = '', name = '', until = '0'] = process.argv.slice(2)
const deadline = Number(until)
const tell = (word: Word) => process.send?.(word)
const oneOf = <T>(list: T[]): T | undefined => list[Math.floor(Math.random() * list.length)]
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

type Slot = {
  start: string
  end: string
  timeslot_uuid: string
  product_uuid: string | null
  appointment_uuid?: string
  products: { uuid: string }[]
}
// biome-ignore lint/suspicious/noExplicitAny: bodies of several calls
type Answer = { status: number; body: any; wasUnsure: boolean }

/**
 * Asks until there is an answer that says something: whoever is cut off does not know what became of their request. All
 * calls here may be repeated.
 */
async function ask(method: string, path: string, body?: object): Promise<Answer> {
  for (let wasUnsure = false; ; wasUnsure = true, tell({ what: 'asked again' })) {
    try {
      const response = await fetch(origin + path, {
        method,
        headers: body ? { 'content-type': 'application/json' } : {},
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(20_000),
      })
      const text = await response.text()
      if (response.status < 500) return { status: response.status, body: jsonOf(text), wasUnsure }
    } catch {}
    await pause(100 + Math.random() * 200)
  }
}

function jsonOf(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

async function visit(count: number) {
  const at = `/resources/${oneOf(resources)!.reference}`
  const list = await ask('GET', `${at}/upcoming_bookables`)
  const slot = oneOf(
    Object.values(list.body ?? {})
      .flat()
      .filter(isSlot),
  )
  if (!slot) return makeRoom()
  const product_uuid = slot.product_uuid ?? slot.products[0]!.uuid
  const { timeslot_uuid, appointment_uuid, start, end } = slot
  const held = await ask('POST', `${at}/reserve_appointment`, {
    timeslot_uuid,
    appointment_uuid,
    product_uuid,
    from: start,
    to: end,
  })
  tell({ what: held.status === 200 ? 'held' : 'refused' })
  if (held.status !== 200) return
  const placeholder_id = held.body.participation.customer_uuid
  const dice = Math.random()
  // Some leave without a word, and their hold expires.
  if (dice < 0.15) return
  if (dice < 0.3) return void (await ask('POST', `${at}/revoke_reservation`, { placeholder_id }))
  const email = `${name}-${count}@torture.example`
  const booked = await ask('POST', `${at}/create_appointment_with_consumer`, {
    start,
    end,
    timeslot_uuid,
    product_uuid,
    placeholder_id,
    email,
    firstname: 'Ann',
    lastname: name,
  })
  tell({ what: booked.status === 201 ? 'booked' : 'refused', email })
  if (booked.status === 201) kept.push({ email, link: booked.body.createdAppointment.cancelLink })
  if (dice > 0.6) await makeRoom()
}

/** Bookings of ours that we have not cancelled. */
const kept: { email: string; link: string }[] = []

/** Cancels one of our own, so that the fight goes on. */
async function makeRoom() {
  const [one] = kept.splice(Math.floor(Math.random() * kept.length), 1)
  if (!one) return pause(50)
  const { status, wasUnsure } = await ask('POST', new URL(one.link).pathname)
  // Cut off and asked again: it was cancelled the first time.
  if (status < 300 || wasUnsure) tell({ what: 'cancelled', email: one.email })
}

const isSlot = (one: unknown): one is Slot =>
  typeof one === 'object' && one !== null && 'timeslot_uuid' in one

// Whoever listened is gone: nothing that happens now is counted.
process.on('disconnect', () => process.exit(1))

for (let count = 1; Date.now() < deadline; count++) await visit(count)
process.exit(0)
