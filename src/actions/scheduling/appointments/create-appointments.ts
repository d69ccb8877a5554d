import { randomUUID } from 'node:crypto'
import type Type from 'typebox'
import type { Static } from 'typebox'
import type { ProviderContext } from '../../../callers.ts'
import { type LockedResource, lockByReferences, markChangedAppointments } from '../../../db/base/ledger.ts'
import type { Queryable } from '../../../db/base/pool.ts'
import { findAppointmentRecords } from '../../../db/scheduling/appointment-records.ts'
import {
  findAppointment,
  insertAppointments,
  type NewAppointment,
} from '../../../db/scheduling/appointments.ts'
import { insertParticipations } from '../../../db/scheduling/participations.ts'
import { findProduct, type ProductRow } from '../../../db/setup/products.ts'
import type { ProviderRow } from '../../../db/setup/providers.ts'
import { type AppointmentRecord, type appointment, participant } from '../../../entities/appointment.ts'
import { type FieldsOf, pick } from '../../../entities/entity.ts'
import { invalidField, notAfterStart, notFound, referenceExists } from '../../../errors.ts'
import { sha256 } from '../../../lib/hash.ts'
import { MAX_SERIES, seriesWindows } from '../../../rules/offers/series.ts'
import { blockedSpan } from '../../../rules/offers/window.ts'
import { eventOnCreate } from '../../../rules/states/participations.ts'
import { readPeriod } from '../../../rules/time/read-times.ts'
import type { Service } from '../../../service.ts'
import { type EventsByKind, recordEvents } from '../../record-events.ts'
import { rollbackIfUnchanged } from '../../rollback-if-unchanged.ts'
import { chooseContact } from '../../setup/choose-contact.ts'

type InlineParticipation = Static<Type.TObject<typeof participant>> & { reference?: string | null }

/** Fields shared by single Appointments and series. */
type AppointmentFields = Omit<FieldsOf<typeof appointment>, 'reference' | 'capacity' | 'acceptBookings'> & {
  capacity: number
  acceptBookings: boolean
  /** The field name that the caller used; the API accepts both. */
  contactField?: 'contact' | 'contactReference'
  participations?: InlineParticipation[] | null
}

type SingleFields = AppointmentFields & { reference: string; start: string; end: string }
type SeriesFields = Omit<AppointmentFields, 'participations'> & {
  from: string
  to: string
  raster: number
  weekdays?: string[] | null
  participations?: Omit<InlineParticipation, 'reference'>[] | null
}

/** All of them are kept in memory and written in one transaction. */
const maxParticipations = 20_000

/** Idempotent: the same reference with the same content returns the existing Appointment. */
export async function createAppointment(
  { service, actor, provider }: ProviderContext,
  fields: SingleFields,
): Promise<{ appointment: AppointmentRecord; created: boolean }> {
  const { start, end } = readPeriod({ start: fields.start, end: fields.end }, provider.timeZone)
  if (end <= start) throw notAfterStart('end', 'start')
  const { contactField, ...content } = fields
  const digest = digestOf({ ...content, start, end })
  return rollbackIfUnchanged(service.db, async (tx, same) => {
    const { template } = await appointmentTemplate(tx, provider, fields)
    const appointment = { ...template(start, end), reference: fields.reference, contentDigest: digest }
    const [made] = await insertAppointments(tx, provider.id, [appointment])
    if (!made)
      return same({ appointment: await sameContent(tx, provider, fields.reference, digest), created: false })
    await markChangedAppointments(tx, [made.id])
    const people = await addParticipations(tx, service, provider, [made.id], fields.participations ?? [])
    await recordCreation(tx, { service, actor, provider }, [made.id], people)
    return { appointment: (await findAppointmentRecords(tx, [made.id]))[0]!, created: true }
  })
}

export async function createSeries(
  { service, actor, provider }: ProviderContext,
  fields: SeriesFields,
): Promise<{ seriesId: string; appointments: AppointmentRecord[] }> {
  const windows = readWindows(fields, provider.timeZone)
  if (windows.length * (fields.participations?.length ?? 0) > maxParticipations)
    throw invalidField('participations', 'max-count:participations', { limit: maxParticipations })
  const seriesId = randomUUID()
  return service.db.transaction(async tx => {
    const { template } = await appointmentTemplate(tx, provider, fields)
    const made = await insertAppointments(
      tx,
      provider.id,
      windows.map(({ start, end }) => ({
        ...template(start, end),
        reference: `${randomUUID()}@series`,
        seriesId,
      })),
    )
    const ids = made.map(row => row.id)
    const unnamed = (fields.participations ?? []).map(one => ({ ...one, reference: null }))
    const people = await addParticipations(tx, service, provider, ids, unnamed)
    await recordCreation(tx, { service, actor, provider }, ids, people)
    return { seriesId, appointments: await findAppointmentRecords(tx, ids) }
  })
}

function readWindows({ from, to, raster, weekdays }: SeriesFields, zone: string) {
  const result = seriesWindows({ from, to, raster, weekdays: weekdays ?? undefined, zone })
  if ('tooMany' in result) throw invalidField('series_data', 'max-count:appointments', { limit: MAX_SERIES })
  if ('invalid' in result) throw invalidField(`series_data.${result.invalid}`, seriesRules[result.invalid])
  if (result.windows.length === 0) throw invalidField('series_data.weekdays', 'weekdays')
  return result.windows
}

const seriesRules = {
  from: 'date-time:from',
  to: 'date-time:to',
  raster: 'raster:series',
  weekdays: 'weekdays:needed',
} as const

/** Locks the Resource, then reads `now`, so that waiting for the lock cannot make it stale. */
export async function appointmentTemplate(tx: Queryable, provider: ProviderRow, fields: AppointmentFields) {
  const resource = (await lockByReferences(tx, provider.id, [fields.resourceReference])).get(
    fields.resourceReference,
  )
  if (!resource) throw notFound('Resource', fields.resourceReference, 'resourceReference')
  const product = await findProduct(tx, provider.id, fields.productReference)
  if (!product) throw notFound('Product', fields.productReference, 'productReference')
  const contact = await appointmentContact(tx, provider, fields)
  const template = (start: number, end: number): NewAppointment => ({
    ...common(resource, product, fields),
    ...contact,
    ...times(start, end, product),
  })
  return { template, now: resource.now }
}

function common(resource: LockedResource, product: ProductRow, fields: AppointmentFields) {
  return {
    resourceId: resource.id,
    productId: product.id,
    timeslotId: null,
    reference: '',
    origin: 'provider' as const,
    capacity: fields.capacity,
    acceptBookings: fields.acceptBookings,
    endsEmpty: false,
    productName: fields.productName ?? null,
    description: fields.description ?? null,
    notes: fields.notes ?? null,
    address: fields.address ?? resource.address ?? null,
    priceValue: fields.price?.value ?? null,
    priceCurrency: fields.price?.currency ?? null,
    seriesId: null,
    contentDigest: null,
  }
}

function times(start: number, end: number, product: ProductRow) {
  const blocked = blockedSpan(start, end, product)
  return { startAt: start, endAt: end, blockedFrom: blocked.from, blockedTo: blocked.to }
}

async function appointmentContact(tx: Queryable, provider: ProviderRow, fields: AppointmentFields) {
  const noContact = { contactUserId: null, contactProfileId: null }
  const { contactReference: contact, contactProfileReference } = fields
  return chooseContact(
    tx,
    provider,
    noContact,
    { contact: contact ?? undefined, contactProfileReference },
    fields.contactField ?? 'contactReference',
  )
}

async function addParticipations(
  tx: Queryable,
  { config }: Service,
  provider: ProviderRow,
  appointmentIds: number[],
  sent: InlineParticipation[],
): Promise<EventsByKind> {
  const rows = appointmentIds.flatMap(appointmentId =>
    sent.map(one => ({
      ...pick(one, Object.keys(participant) as (keyof typeof participant)[]),
      appointmentId,
      reference: one.reference ?? `${randomUUID()}@series`,
    })),
  )
  if (rows.length === 0) return {}
  const made = await insertParticipations(tx, provider.id, config.holdSeconds, rows)
  if (made.length < rows.length)
    throw referenceExists('Participation', rows.map(row => row.reference).join(', '), 'participations')
  const events: EventsByKind = {}
  for (const [index, { state }] of rows.entries()) {
    const kind = eventOnCreate[state]
    if (kind) events[kind] = [...(events[kind] ?? []), made[index]!.id]
  }
  return events
}

/** Participants that are created with an Appointment get no email. */
function recordCreation(
  tx: Queryable,
  { service, actor, provider }: ProviderContext,
  ids: number[],
  people: EventsByKind,
) {
  const events = { 'appointment.created': ids, ...people }
  return recordEvents(tx, service, { actor, provider, events, sendMails: false })
}

async function sameContent(tx: Queryable, provider: ProviderRow, reference: string, digest: string) {
  const existing = await findAppointment(tx, provider.id, reference)
  // Missing if another transaction has just deleted it at another Resource.
  if (existing?.archived || existing?.contentDigest?.toString('hex') !== digest)
    throw referenceExists('Appointment', reference)
  return (await findAppointmentRecords(tx, [existing.id]))[0]!
}

/** Independent of field order and of how times are written; empty fields do not count. */
function digestOf(fields: object): string {
  const sorted = JSON.stringify(fields, (_key, value) =>
    value && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value)
            .filter(([_key, one]) => one != null && !(Array.isArray(one) && one.length === 0))
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : value,
  )
  return sha256(sorted).toString('hex')
}
