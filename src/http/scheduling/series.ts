import Type, { type Static } from 'typebox'
import { lockSeriesRecord } from '../../actions/scheduling/lock-records.ts'
import { bookSeries as book, type ChosenDate } from '../../actions/scheduling/series/book.ts'
import { cancelSeries as cancel } from '../../actions/scheduling/series/cancel.ts'
import { isActive } from '../../actions/scheduling/series/members.ts'
import { moveSeries as move, type PlannedMove, planMove } from '../../actions/scheduling/series/move.ts'
import { datesOfRule, type PlannedDate, planSeries } from '../../actions/scheduling/series/plan.ts'
import { findAppointmentRecords } from '../../db/scheduling/appointment-records.ts'
import { membersOfSeries, type SeriesMember } from '../../db/scheduling/series.ts'
import { findProduct } from '../../db/setup/products.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import { findResources, type ResourceRow } from '../../db/setup/resources.ts'
import { AppointmentRecord, Attendance } from '../../entities/appointment.ts'
import { conflictKinds, conflictText } from '../../error-texts.ts'
import { mapCollectingRefusals, missingField, notAfterStart, notFound } from '../../errors.ts'
import { maxDates, repeatUnits } from '../../rules/offers/repeat.ts'
import { readPeriod } from '../../rules/time/read-times.ts'
import { toUtcText } from '../../rules/time/time.ts'
import type { Service } from '../../service.ts'
import {
  Choice,
  isUuid,
  LocalTime,
  longText,
  Minutes,
  Moment,
  Optional,
  OptionalText,
  Reference,
  Uuid,
} from '../wire/fields.ts'
import { crmRoutes } from '../wire/route.ts'
import { Nullable, Wrapped, wrap } from '../wire/wrapper.ts'

// Series: several dates of one person, booked and changed together. The console has the same calls.

const crmRoute = crmRoutes('B5. Appointments')

export const SeriesRule = Type.Object(
  {
    first: LocalTime,
    unit: Choice(repeatUnits),
    every: Type.Integer({ minimum: 1, maximum: 100, description: 'Every so many days, weeks or months.' }),
    weekdays: Optional(
      Type.Array(Choice(['1', '2', '3', '4', '5', '6', '7']), {
        maxItems: 7,
        description: 'For weeks: "1" for Monday to "7" for Sunday. Default: the weekday of the first date.',
      }),
    ),
    count: Optional(Type.Integer({ minimum: 1, maximum: maxDates, description: 'How many dates.' })),
    until: Optional(Type.String({ maxLength: 10, description: 'Last possible day, such as 2027-03-04.' })),
    duration: Optional(Minutes),
  },
  {
    title: 'SeriesRule',
    description:
      'Every n days, weeks or months at the same time by the wall clock, up to a number of dates or a last day. The 31st becomes the last day of shorter months.',
  },
)

export const chosenDate = {
  start: LocalTime,
  end: LocalTime,
  ignoreConflicts: Optional(Type.Boolean({ description: 'Book this date despite its conflicts.' })),
}
const DateInput = Type.Object({ ...chosenDate, resourceReference: Reference }, { title: 'SeriesDateInput' })
const MovedDateInput = Type.Object(
  { ...chosenDate, resourceReference: Reference, appointmentReference: Reference },
  { title: 'SeriesMoveDateInput' },
)

const TimeAndPlace = { start: Moment, end: Moment, resourceReference: Type.String(), resourceUuid: Uuid }

const PlannedDateRecord = Type.Object(
  {
    ...TimeAndPlace,
    resourceName: Type.String(),
    isFree: Type.Boolean(),
    joins: Type.Boolean({ description: 'The Customer would join a group that exists.' }),
    conflicts: Type.Array(
      Type.Object({
        kind: Choice(conflictKinds),
        message: Type.String(),
        what: Nullable(Type.String({ description: 'Who or what is in the way.' })),
        start: Nullable(Moment),
        end: Nullable(Moment),
      }),
    ),
    nearest: Type.Array(Type.Object({ ...TimeAndPlace, resourceName: Type.String() }), {
      description: 'If there are conflicts: the nearest free times, the nearest first.',
    }),
  },
  { title: 'PlannedDate' },
)
export const SeriesMovePlan = Type.Object(
  {
    timeZone: Type.String(),
    dates: Type.Array(Type.Object({ ...PlannedDateRecord.properties, appointmentReference: Type.String() })),
  },
  { title: 'SeriesMovePlan' },
)
export const SeriesPlan = Type.Object(
  { timeZone: Type.String(), dates: Type.Array(PlannedDateRecord) },
  { title: 'SeriesPlan' },
)

const SeriesDateRecord = Type.Object(
  {
    ...TimeAndPlace,
    resourceName: Type.String(),
    appointmentReference: Type.String(),
    appointmentUuid: Uuid,
    participationUuid: Nullable(Uuid),
    productName: Type.String(),
    state: Choice(['ACTIVE', 'CANCELLED']),
    attendance: Attendance,
    isPast: Type.Boolean(),
    others: Type.Integer({ description: 'Other people with a place in the same Appointment.' }),
  },
  { title: 'SeriesDate' },
)
export const SeriesRecord = Type.Object(
  {
    seriesId: Uuid,
    name: Nullable(Type.String()),
    customerReference: Nullable(Type.String()),
    total: Type.Integer({ description: 'Dates that are not cancelled.' }),
    past: Type.Integer({ description: 'Those that have begun.' }),
    missed: Type.Integer({ description: 'Those that the person missed.' }),
    dates: Type.Array(SeriesDateRecord),
  },
  { title: 'Series' },
)

const path = '/crms/:crmId/provider/:providerRef/series'

export const previewSeries = crmRoute({
  method: 'POST',
  path: `${path}/preview`,
  operationId: 'previewSeries',
  summary: 'Preview a series',
  description:
    'Names each date of a rule, or of a list of dates, as free or in conflict, with the nearest free times. With several Resources, each date gets the first that is free. Reserves nothing.',
  body: Type.Object(
    {
      productReference: Reference,
      resourceReferences: Type.Array(Reference, { minItems: 1, maxItems: 50 }),
      customerReference: Optional(Reference),
      rule: Optional(SeriesRule),
      dates: Optional(Type.Array(DateInput, { maxItems: maxDates })),
    },
    { title: 'SeriesPreviewInput' },
  ),
  replies: { 200: Wrapped({ series: SeriesPlan }) },
  async handle({ body, service, found: provider }) {
    const product = await productOf(service, provider, body.productReference)
    const places = await resourcesOf(service, provider, body.resourceReferences)
    const who = body.customerReference ? { reference: body.customerReference } : null
    const question = { product, places, who }
    const dates = body.dates?.length
      ? await datesOf(service, provider, body.dates)
      : datesOfRule(provider, question, body.rule ?? refuseWithoutRule())
    const planned = await planSeries(service, provider, question, dates)
    return wrap({ series: planRecord(provider, planned, places) })
  },
})

export function refuseWithoutRule(): never {
  throw missingField('rule', 'one-of:rule')
}

export const bookSeries = crmRoute({
  method: 'POST',
  path,
  operationId: 'bookSeries',
  summary: 'Book a series',
  description:
    'Books all dates for the Customer in one transaction, or none: 409 `conflict` names each date that is not free, unless it has ignoreConflicts. The Customer gets one email with all dates. A date at which a group of this Product exists is a place in that group.',
  query: { sendMails: Type.Boolean({ default: true, description: 'Whether to notify the Customer.' }) },
  body: Type.Object(
    {
      productReference: Reference,
      customerReference: Reference,
      dates: Type.Array(DateInput, { minItems: 1, maxItems: maxDates }),
      notes: OptionalText(longText),
      message: OptionalText(1024),
    },
    { title: 'SeriesInput' },
  ),
  replies: { 201: Wrapped({ seriesId: Uuid, appointments: Type.Array(AppointmentRecord) }) },
  errors: ['conflict', 'already-participates'],
  async handle({ query, body, service, context, found: provider }) {
    const product = await productOf(service, provider, body.productReference)
    const dates = await datesOf(service, provider, body.dates)
    const series = {
      product,
      dates,
      who: { reference: body.customerReference },
      notes: body.notes ?? null,
      message: body.message ?? null,
    }
    const { seriesId, ids } = await book(context, series, query)
    return wrap({ seriesId, appointments: await findAppointmentRecords(service.db, ids) })
  },
})

export const getSeries = crmRoute({
  method: 'GET',
  path: `${path}/:seriesId`,
  operationId: 'getSeries',
  summary: 'Get a series',
  description: 'Its dates in order of time, with what has been attended and missed.',
  isRecord: true,
  replies: { 200: Wrapped({ series: SeriesRecord }) },
  async handle({ params, service, found: provider }) {
    const members = await findSeries(service, provider.id, params.seriesId)
    return wrap({ series: seriesRecord(params.seriesId, members) })
  },
})

export const sendMails = Type.Boolean({
  default: true,
  description: 'Whether to notify the people concerned by email.',
})
export const scope = Choice(['this', 'later', 'all'], {
  description: 'This date, this and later ones, or all. Dates that have begun stay as they are.',
})

export const cancelSeries = crmRoute({
  method: 'POST',
  path: `${path}/:seriesId/cancel`,
  operationId: 'cancelSeries',
  summary: 'Cancel a series',
  description:
    'Cancels all dates that have not begun, or those from one date on, in one transaction and with one email. Where others are booked in the same Appointment, only the Customer of the series leaves it.',
  query: { sendMails },
  body: Type.Object(
    {
      appointmentReference: Optional(
        Type.String({ maxLength: 255, description: 'This date and later ones. Default: all.' }),
      ),
      message: OptionalText(1024),
    },
    { title: 'SeriesCancellation' },
  ),
  ifMatch: { record: getSeries, lock: lockSeriesRecord },
  replies: { 200: Wrapped({ series: SeriesRecord }) },
  async handle({ params, query, body, service, context, found: provider }) {
    await findSeries(service, provider.id, params.seriesId)
    const { appointmentReference, message } = body
    const cancellation = { fromReference: appointmentReference || null, message: message ?? null }
    await cancel(context, params.seriesId, cancellation, query)
    const members = await findSeries(service, provider.id, params.seriesId)
    return wrap({ series: seriesRecord(params.seriesId, members) })
  },
})

export const previewSeriesMove = crmRoute({
  method: 'POST',
  path: `${path}/:seriesId/move/preview`,
  operationId: 'previewSeriesMove',
  summary: 'Preview moving a series',
  description:
    'One date goes to a new time, and the others follow: by as many days, to the same time of day, of the same length. With `resourceReference` or `productReference`, they change that too. Changes nothing.',
  body: Type.Object(
    {
      scope,
      appointmentReference: Reference,
      start: LocalTime,
      end: LocalTime,
      resourceReference: Optional(Reference),
      productReference: Optional(Reference),
    },
    { title: 'SeriesMovePreviewInput' },
  ),
  replies: { 200: Wrapped({ series: SeriesMovePlan }) },
  async handle({ params, body, service, found: provider }) {
    await findSeries(service, provider.id, params.seriesId)
    const { resourceReference, productReference } = body
    const [resource = null] = resourceReference
      ? await resourcesOf(service, provider, [resourceReference])
      : []
    const product = productReference ? await productOf(service, provider, productReference) : null
    const shift = { ...body, to: { ...readSpan(provider, body), resource }, product }
    const planned = await planMove({ service, provider }, params.seriesId, shift)
    return wrap({ series: movePlanRecord(provider, planned) })
  },
})

export const moveSeries = crmRoute({
  method: 'POST',
  path: `${path}/:seriesId/move`,
  operationId: 'moveSeries',
  summary: 'Move dates of a series',
  description:
    'Moves all dates that are sent, or none: 409 `conflict` names each that is not free, unless it has ignoreConflicts. The references stay, and each person gets one email. Where a date is a place in a group, only this person moves: to the group of that Product at the new time, or to a new one.',
  query: { sendMails },
  body: Type.Object(
    {
      dates: Type.Array(MovedDateInput, { minItems: 1, maxItems: maxDates }),
      productReference: Optional(Reference),
      message: OptionalText(1024),
    },
    { title: 'SeriesMove' },
  ),
  ifMatch: { record: getSeries, lock: lockSeriesRecord },
  replies: { 200: Wrapped({ series: SeriesRecord }) },
  errors: ['conflict', 'changed', 'appointment-cancelled'],
  async handle({ params, query, body, service, context, found: provider }) {
    await findSeries(service, provider.id, params.seriesId)
    const product = body.productReference ? await productOf(service, provider, body.productReference) : null
    const read = await datesOf(service, provider, body.dates)
    const dates = read.map((date, index) => ({
      ...date,
      appointmentReference: body.dates[index]!.appointmentReference,
    }))
    await move(context, params.seriesId, { dates, product, message: body.message ?? null }, query)
    const members = await findSeries(service, provider.id, params.seriesId)
    return wrap({ series: seriesRecord(params.seriesId, members) })
  },
})

export function readSpan({ timeZone }: ProviderRow, sent: { start: string; end: string }) {
  const { start, end } = readPeriod({ start: sent.start, end: sent.end }, timeZone)
  if (end <= start) throw notAfterStart('end', 'start')
  return { start, end }
}

export const movePlanRecord = (provider: ProviderRow, planned: PlannedMove[]) => ({
  timeZone: provider.timeZone,
  dates: planRecord(
    provider,
    planned,
    planned.map(one => one.resource),
  ).dates.map((date, index) => ({
    ...date,
    appointmentReference: planned[index]!.appointmentReference,
  })),
})

export async function findSeries({ db }: Service, providerId: number, seriesId: string) {
  const members = isUuid(seriesId) ? await membersOfSeries(db, providerId, seriesId) : []
  if (members.length === 0) throw notFound('series', seriesId, 'seriesId')
  return members
}

export async function productOf({ db }: Service, provider: ProviderRow, reference: string) {
  const product = await findProduct(db, provider.id, reference)
  if (!product) throw notFound('Product', reference, 'productReference')
  return product
}

/** In the order of the references. */
export async function resourcesOf({ db }: Service, provider: ProviderRow, references: string[]) {
  const found = new Map((await findResources(db, provider.id, references)).map(one => [one.reference, one]))
  return mapCollectingRefusals([...new Set(references)], reference => {
    const resource = found.get(reference)
    if (!resource) throw notFound('Resource', reference, 'resourceReference')
    return resource
  })
}

async function datesOf(service: Service, provider: ProviderRow, dates: Static<typeof DateInput>[]) {
  const places = await resourcesOf(
    service,
    provider,
    dates.map(one => one.resourceReference),
  )
  return readDates(provider, dates, date => places.find(one => one.reference === date.resourceReference)!)
}

type SentDate = { start: string; end: string; ignoreConflicts?: boolean | null }

export const readDates = <T extends SentDate>(
  { timeZone }: ProviderRow,
  dates: T[],
  resourceOf: (date: T) => ResourceRow,
): ChosenDate[] =>
  mapCollectingRefusals(dates, (date, index) => {
    const { start, end } = readPeriod({ start: date.start, end: date.end }, timeZone, `dates[${index}].`)
    if (end <= start) throw notAfterStart(`dates[${index}].end`, `dates[${index}].start`)
    return { start, end, resource: resourceOf(date), ignoreConflicts: date.ignoreConflicts ?? false }
  })

export function planRecord(
  { timeZone }: ProviderRow,
  planned: PlannedDate[],
  places: ResourceRow[],
): Static<typeof SeriesPlan> {
  const placeOf = (uuid: string) => {
    const { reference, internalName } = places.find(one => one.uuid === uuid)!
    return { resourceReference: reference, resourceUuid: uuid, resourceName: internalName }
  }
  return {
    timeZone,
    dates: planned.map(({ start, end, resource, conflicts, joins, nearest }) => ({
      ...times({ start, end }),
      resourceReference: resource.reference,
      resourceUuid: resource.uuid,
      resourceName: resource.internalName,
      isFree: conflicts.length === 0,
      joins,
      conflicts: conflicts.map(one => ({
        kind: one.kind,
        message: conflictText(one),
        what: one.what,
        start: textOf(one.start),
        end: textOf(one.end),
      })),
      nearest: nearest.map(time => ({ ...times(time), ...placeOf(time.place.uuid) })),
    })),
  }
}

const times = ({ start, end }: { start: number; end: number }) => ({
  start: toUtcText(start),
  end: toUtcText(end),
})
const textOf = (instant: number | null) => (instant === null ? null : toUtcText(instant))

export function seriesRecord(seriesId: string, members: SeriesMember[]): Static<typeof SeriesRecord> {
  const kept = members.filter(isActive)
  const named = members.find(one => one.participationId !== null)
  return {
    seriesId,
    name: named?.name ?? null,
    customerReference: named?.customerReference ?? null,
    total: kept.length,
    past: kept.filter(one => one.isPast).length,
    missed: kept.filter(one => one.attendance === 'MISSED').length,
    dates: members.map(one => ({
      ...times({ start: one.startAt, end: one.endAt }),
      resourceReference: one.resourceReference,
      resourceUuid: one.resourceUuid,
      resourceName: one.resourceName,
      appointmentReference: one.appointmentReference,
      appointmentUuid: one.appointmentUuid,
      participationUuid: one.participationUuid,
      productName: one.productName,
      state: isActive(one) ? ('ACTIVE' as const) : ('CANCELLED' as const),
      attendance: one.attendance,
      isPast: one.isPast,
      others: one.others,
    })),
  }
}
