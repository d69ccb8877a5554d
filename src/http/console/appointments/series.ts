import Type, { type Static } from 'typebox'
import { bookSeries as book } from '../../../actions/scheduling/series/book.ts'
import { cancelSeries as cancel, deleteSeries as remove } from '../../../actions/scheduling/series/cancel.ts'
import { moveSeries as move, planMove } from '../../../actions/scheduling/series/move.ts'
import { datesOfRule, planSeries } from '../../../actions/scheduling/series/plan.ts'
import { resourcesOffering } from '../../../db/scheduling/calendar.ts'
import type { ProviderRow } from '../../../db/setup/providers.ts'
import { notFound } from '../../../errors.ts'
import { maxDates } from '../../../rules/offers/repeat.ts'
import type { Service } from '../../../service.ts'
import {
  chosenDate,
  findSeries,
  movePlanRecord,
  planRecord,
  readDates,
  readSpan,
  refuseWithoutRule,
  SeriesMovePlan,
  SeriesPlan,
  SeriesRecord,
  SeriesRule,
  scope,
  sendMails,
  seriesRecord,
} from '../../scheduling/series.ts'
import { recordAt } from '../../wire/callers/permit.ts'
import {
  LocalTime,
  longText,
  Optional,
  OptionalText,
  Reference,
  RequiredUuid,
  Uuid,
} from '../../wire/fields.ts'
import { consoleRoute } from '../../wire/route.ts'
import { productInPath, providerInPath, resourceInPath } from '../subjects.ts'
import { message, personFields, whoOf } from './walk-ins.ts'

const DateInput = Type.Object({ ...chosenDate, resourceUuid: RequiredUuid }, { title: 'ConsoleSeriesDate' })

const path = '/console/api/providers/:uuid/series'
export const previewConsoleSeries = consoleRoute({
  access: { right: 'book', whose: providerInPath, isFiltered: true },
  method: 'POST',
  path: `${path}/preview`,
  operationId: 'previewConsoleSeries',
  summary: 'Preview a series',
  description:
    'Names each date as free or in conflict, with the nearest free times. Without `resourceUuid`, each date gets the first Resource that is free.',
  body: Type.Object(
    {
      productUuid: RequiredUuid,
      resourceUuid: Optional(Uuid),
      customerUuid: Optional(Uuid),
      rule: Optional(SeriesRule),
      dates: Optional(Type.Array(DateInput, { maxItems: maxDates })),
    },
    { title: 'ConsoleSeriesPreview' },
  ),
  replies: { 200: SeriesPlan },
  errors: ['missing-field'],
  async handle({ body, service, found: provider, only }) {
    const product = await recordAt(service.db, productInPath, provider.id, body.productUuid)
    const offering = body.resourceUuid
      ? [body.resourceUuid]
      : (await resourcesOffering(service.db, provider.id, product.id)).map(one => one.uuid)
    const named = [...offering, ...(body.dates ?? []).map(one => one.resourceUuid)]
    const places = await resourcesAt(
      service,
      provider,
      body.resourceUuid ? named : named.filter(uuid => !only || only.includes(uuid)),
      only,
    )
    if (places.length === 0) throw notFound('Resource', '', 'resourceUuid')
    const question = { product, places, who: await whoOf(service, provider.id, body) }
    const placeOf = (uuid: string) => places.find(one => one.uuid === uuid)!
    const dates = body.dates?.length
      ? readDates(provider, body.dates, date => placeOf(date.resourceUuid))
      : datesOfRule(provider, question, body.rule ?? refuseWithoutRule())
    const planned = await planSeries(service, provider, question, dates)
    return planRecord(provider, planned, places)
  },
})

export const bookConsoleSeries = consoleRoute({
  access: { right: 'book', whose: providerInPath, isFiltered: true },
  method: 'POST',
  path,
  operationId: 'bookConsoleSeries',
  summary: 'Book a series',
  description:
    'Books all dates in one transaction, or none: 409 `conflict` names each that is not free, unless it has ignoreConflicts. Sends one email.',
  query: { sendMails },
  body: Type.Object(
    {
      productUuid: RequiredUuid,
      dates: Type.Array(DateInput, { minItems: 1, maxItems: maxDates }),
      notes: OptionalText(longText),
      ...personFields,
      message,
    },
    { title: 'ConsoleSeriesInput' },
  ),
  replies: { 201: SeriesRecord },
  errors: ['conflict', 'already-participates'],
  async handle({ query, body, service, found: provider, only, context }) {
    const product = await recordAt(service.db, productInPath, provider.id, body.productUuid)
    const series = {
      product,
      dates: await datesOf(service, provider, body.dates, only),
      who: await whoOf(service, provider.id, body),
      notes: body.notes ?? null,
      message: body.message ?? null,
    }
    const { seriesId } = await book(context, series, query)
    return savedSeries(service, provider, seriesId)
  },
})

export const cancelConsoleSeries = consoleRoute({
  access: { right: 'book', whose: providerInPath, isFiltered: true },
  method: 'POST',
  path: `${path}/:seriesId/cancel`,
  operationId: 'cancelConsoleSeries',
  summary: 'Cancel a series',
  description: 'All dates that have not begun, or those from one date on. Sends one email.',
  query: { sendMails },
  body: Type.Object(
    { appointmentReference: Optional(Reference), message },
    { title: 'ConsoleSeriesCancellation' },
  ),
  replies: { 200: SeriesRecord },
  async handle({ params, query, body, service, found: provider, only, context }) {
    await ownSeries(service, provider, params.seriesId, only)
    const cancellation = { fromReference: body.appointmentReference ?? null, message: body.message ?? null }
    await cancel(context, params.seriesId, cancellation, query)
    return savedSeries(service, provider, params.seriesId)
  },
})

export const previewConsoleSeriesMove = consoleRoute({
  access: { right: 'book', whose: providerInPath, isFiltered: true },
  method: 'POST',
  path: `${path}/:seriesId/move/preview`,
  operationId: 'previewConsoleSeriesMove',
  summary: 'Preview moving a series',
  description: 'One date goes to a new time, and the others follow by the wall clock. Changes nothing.',
  body: Type.Object(
    {
      scope,
      appointmentReference: Reference,
      start: LocalTime,
      end: LocalTime,
      resourceUuid: Optional(Uuid),
      productUuid: Optional(Uuid),
    },
    { title: 'ConsoleSeriesMovePreview' },
  ),
  replies: { 200: SeriesMovePlan },
  async handle({ params, body, service, found: provider, only }) {
    await ownSeries(service, provider, params.seriesId, only)
    const [resource = null] = body.resourceUuid
      ? await resourcesAt(service, provider, [body.resourceUuid], only)
      : []
    const product = await productIn(service, provider, body.productUuid)
    const shift = { ...body, to: { ...readSpan(provider, body), resource }, product }
    const planned = await planMove({ service, provider }, params.seriesId, shift)
    return movePlanRecord(provider, planned)
  },
})

export const moveConsoleSeries = consoleRoute({
  access: { right: 'book', whose: providerInPath, isFiltered: true },
  method: 'POST',
  path: `${path}/:seriesId/move`,
  operationId: 'moveConsoleSeries',
  summary: 'Move dates of a series',
  description: 'Moves all dates that are sent, or none. Each person gets one email.',
  query: { sendMails },
  body: Type.Object(
    {
      dates: Type.Array(
        Type.Object(
          { ...DateInput.properties, appointmentReference: Reference },
          { title: 'ConsoleSeriesMoveDate' },
        ),
        { minItems: 1, maxItems: maxDates },
      ),
      productUuid: Optional(Uuid),
      message,
    },
    { title: 'ConsoleSeriesMove' },
  ),
  replies: { 200: SeriesRecord },
  errors: ['conflict', 'changed', 'appointment-cancelled'],
  async handle({ params, query, body, service, found: provider, only, context }) {
    await ownSeries(service, provider, params.seriesId, only)
    const product = await productIn(service, provider, body.productUuid)
    const read = await datesOf(service, provider, body.dates, only)
    const dates = read.map((date, index) => ({
      ...date,
      appointmentReference: body.dates[index]!.appointmentReference,
    }))
    await move(context, params.seriesId, { dates, product, message: body.message ?? null }, query)
    return savedSeries(service, provider, params.seriesId)
  },
})

export const deleteConsoleSeries = consoleRoute({
  access: { right: 'book', whose: providerInPath, isFiltered: true },
  method: 'DELETE',
  path: `${path}/:seriesId`,
  operationId: 'deleteConsoleSeries',
  summary: 'Delete a series without notification',
  description: 'For a series that was booked by mistake: removes its dates from every list without an email.',
  replies: { 204: null },
  async handle({ params, service, found: provider, only, context }) {
    await ownSeries(service, provider, params.seriesId, only)
    await remove(context, params.seriesId)
  },
})

/** Practitioners change series only if all dates are at their own Resources. */
async function ownSeries(service: Service, provider: ProviderRow, seriesId: string, only: string[] | null) {
  const members = await findSeries(service, provider.id, seriesId)
  if (only && members.some(one => !only.includes(one.resourceUuid)))
    throw notFound('series', seriesId, 'seriesId')
}

const savedSeries = async (service: Service, provider: ProviderRow, seriesId: string) =>
  seriesRecord(seriesId, await findSeries(service, provider.id, seriesId))

const productIn = async (service: Service, { id }: ProviderRow, uuid: string | null | undefined) =>
  uuid ? recordAt(service.db, productInPath, id, uuid) : null

async function resourcesAt(service: Service, { id }: ProviderRow, uuids: string[], only: string[] | null) {
  const found = []
  for (const uuid of new Set(uuids)) found.push(await recordAt(service.db, resourceInPath, id, uuid, only))
  return found
}

async function datesOf(
  service: Service,
  provider: ProviderRow,
  dates: Static<typeof DateInput>[],
  only: string[] | null,
) {
  const places = await resourcesAt(
    service,
    provider,
    dates.map(one => one.resourceUuid),
    only,
  )
  // A uuid may be written in capitals.
  const placeOf = (uuid: string) => places.find(one => one.uuid === uuid.toLowerCase())!
  return readDates(provider, dates, date => placeOf(date.resourceUuid))
}
