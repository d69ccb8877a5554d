import { bookDirectly, type ProposeRequest, propose } from '../../actions/booking/propose.ts'
import { release } from '../../actions/booking/reserve.ts'
import { findHeld, type Held } from '../../db/booking/held.ts'
import { agentNotAllowed, invalidField } from '../../errors.ts'
import { regionalTag, spokenLanguage } from '../../languages.ts'
import { isEmail } from '../../rules/people/addresses.ts'
import type { Service } from '../../service.ts'
import { clientOf } from '../wire/callers/clients.ts'
import { limitRate } from '../wire/callers/overload.ts'
import { type AgentCall, askApi, newHoldId, placeholderOf, placeOf, ToolError } from './call.ts'
import { momentAt, zoneOr } from './moments.ts'

// Tools that hold, propose and release.

type HoldInput = {
  ref: string
  service: string
  slot: string
  start: string
  end: string
  zone?: string
  replaces?: string
}

export async function holdTime(call: AgentCall, { service: product, slot, start, end, ...asked }: HoldInput) {
  const { service } = call
  const ref = await placeOf(call, asked.ref)
  zoneOr(asked.zone, 'UTC')
  const holdId = newHoldId()
  const placeholder = placeholderOf(service, holdId)
  await askApi(
    call,
    'POST',
    `/resources/${encodeURIComponent(ref)}/reserve_appointment`,
    {},
    {
      timeslot_uuid: slot,
      product_uuid: product,
      from: start,
      to: end,
      new_placeholder_id: placeholder,
      ...(asked.replaces ? { placeholder_id: placeholderOf(service, asked.replaces) } : {}),
    },
  )
  return { ...(await statusOf(service, holdId, asked.zone)), next: 'propose_booking' }
}

type ProposeInput = {
  hold_id: string
  first_name: string
  last_name: string
  email: string
  mobile?: string
  message?: string
  answers?: Record<string, unknown>
  language?: string
  zone?: string
  book_directly?: boolean
}

export async function proposeBooking(call: AgentCall, input: ProposeInput) {
  const { service, request, reply, key } = call
  zoneOr(input.zone, 'UTC')
  const asked = asProposal(call, input)
  await limitRate(service, request, reply, 'complete')
  if (!input.book_directly) {
    await propose(service, asked)
    const status = await statusOf(service, input.hold_id, input.zone)
    return { ...status, next: 'The person confirms with the link in their email.' }
  }
  const [own] = await findHeld(service.db, [asked.placeholder])
  if (!key || (own && own.crmId !== key.crmId)) throw agentNotAllowed()
  await bookDirectly(service, asked, { kind: 'agent', name: key.prefix })
  return statusOf(service, input.hold_id, input.zone)
}

function asProposal({ service, request }: AgentCall, input: ProposeInput): ProposeRequest {
  const email = input.email.trim()
  if (!isEmail(email)) throw invalidField('email', 'email')
  return {
    placeholder: placeholderOf(service, input.hold_id),
    email,
    firstName: named('first_name', input.first_name),
    lastName: named('last_name', input.last_name),
    mobile: input.mobile?.trim() || null,
    message: input.message?.trim() || null,
    answers: input.answers ?? {},
    language: spokenLanguage(input.language),
    locale: regionalTag(input.language),
    timeZone: input.zone ?? null,
    client: clientOf(service, request),
  }
}

function named(field: string, text: string): string {
  if (text.trim() === '') throw invalidField(field, 'blank')
  return text.trim()
}

type HoldRef = { hold_id: string; zone?: string }

export const bookingStatus = ({ service }: AgentCall, { hold_id, zone }: HoldRef) =>
  statusOf(service, hold_id, zone)

async function statusOf(service: Service, holdId: string, zone: string | undefined) {
  const [own] = await findHeld(service.db, [placeholderOf(service, holdId)])
  if (!own) return { hold_id: holdId, status: 'unknown' }
  const shown = zoneOr(zone ?? own.consumerZone ?? undefined, own.timeZone)
  const status = statusName(own)
  const isHeld = status === 'held' || status === 'awaiting_confirmation'
  return {
    hold_id: holdId,
    status,
    service: own.productName,
    with: own.resourceName,
    business: own.providerName,
    start: momentAt(own.startAt, shown),
    end: momentAt(own.endAt, shown),
    ...(isHeld ? { held_until: momentAt(own.expiresAt!, shown) } : {}),
    ...(own.note ? { message: own.note } : {}),
  }
}

function statusName({ state, live, proposal, appointmentState }: Held) {
  if (state === 'RESERVED' && !live) return 'lapsed'
  if (appointmentState !== 'ACTIVE' || state === 'CANCELED' || state === 'DELETED') return 'cancelled'
  if (state === 'RESERVED') return proposal ? 'awaiting_confirmation' : 'held'
  return state === 'BOOKED' ? 'booked' : 'requested'
}

export async function releaseHold({ service }: AgentCall, { hold_id }: HoldRef) {
  const [own] = await findHeld(service.db, [placeholderOf(service, hold_id)])
  if (own && own.state !== 'RESERVED')
    throw new ToolError('This is booked already. The person can cancel it with the link in their email.')
  await release(service, placeholderOf(service, hold_id))
  return { hold_id, status: 'released' }
}
