import { randomUUID } from 'node:crypto'
import type { ProviderContext } from '../../../callers.ts'
import type { Queryable } from '../../../db/base/pool.ts'
import { insertAppointments, type NewAppointment } from '../../../db/scheduling/appointments.ts'
import { insertParticipations } from '../../../db/scheduling/participations.ts'
import { insertSeriesPlaces } from '../../../db/scheduling/series.ts'
import type { ProductRow } from '../../../db/setup/products.ts'
import { invalidField, missingField, Refusal, throwRefusals } from '../../../errors.ts'
import { recordEvents } from '../../record-events.ts'
import { ensureCustomer, placesIn, type WalkInPerson } from '../appointments/book-walk-in.ts'
import { appointmentTemplate } from '../appointments/create-appointments.ts'
import { detailsOf, eventIfFirst, refuseTwice } from '../appointments/participations.ts'
import { type CheckedDate, checkDate, overlap, type WantedDate } from './check.ts'

/** `ignoreConflicts`: staff saw the conflict of this date and book it anyway. */
export type ChosenDate = WantedDate & { ignoreConflicts: boolean }

type Series = {
  product: ProductRow
  dates: ChosenDate[]
  who: WalkInPerson | null
  notes: string | null
  message: string | null
}

type Booked = { seriesId: string; ids: number[] }

/**
 * Books every date or none. All Resources are locked in the order of their ids, and each date is checked as in
 * the preview.
 */
export async function bookSeries(
  context: ProviderContext,
  series: Series,
  { sendMails }: { sendMails: boolean },
): Promise<Booked> {
  const { service, provider } = context
  refuseOverlaps(series.dates)
  const seriesId = randomUUID()
  return service.db.transaction(async tx => {
    const { templates, now } = await lockPlaces(tx, context, series)
    const customer = series.who && (await ensureCustomer(tx, context, series.who))
    const { product, who } = series
    const checked = await Promise.all(series.dates.map(one => checkDate(tx, one, { product, who, now })))
    refuseConflicts(series.dates, checked)
    const made = await insertAppointments(
      tx,
      provider.id,
      checked.flatMap(date => (date.group ? [] : [{ ...newAppointment(templates, date, who), seriesId }])),
    )
    const created = made.map(one => one.id)
    const inOrder = [...created]
    const ids = checked.map(date => date.group?.id ?? inOrder.shift()!)
    const joined = checked.filter(date => date.group?.origin === 'consumer').map(date => date.group!.id)
    const firsts = customer ? await Promise.all(joined.map(id => eventIfFirst(tx, id))) : []
    const booked = customer ? await addPlaces(tx, context, { ids, customer, seriesId }, series.message) : []
    await recordEvents(tx, service, {
      ...context,
      events: { 'appointment.created': [...created, ...firsts.flat()], 'participation.booked': booked },
      message: series.message,
      now,
      sendMails,
      inOneEmail: true,
    })
    return { seriesId, ids }
  })
}

/** Two dates of one series never overlap, whatever staff would accept elsewhere. */
export function refuseOverlaps(dates: WantedDate[]) {
  const refused = dates.flatMap((date, index) => {
    const earlier = dates.findIndex((other, at) => at < index && overlap(date, other))
    return earlier < 0 ? [] : [invalidField(`dates[${index}].start`, 'overlap:series', { earlier })]
  })
  throwRefusals(refused)
  if (dates.length === 0) throw missingField('dates', 'dates')
}

export function refuseConflicts(dates: { ignoreConflicts: boolean }[], checked: CheckedDate[]) {
  const refused = checked.flatMap(({ conflicts }, index) =>
    conflicts.length > 0 && !dates[index]!.ignoreConflicts
      ? [new Refusal('conflict', { rule: 'date', field: `dates[${index}]`, conflicts })]
      : [],
  )
  throwRefusals(refused)
}

type Templates = Map<number, (start: number, end: number) => NewAppointment>

async function lockPlaces(tx: Queryable, { provider }: ProviderContext, { dates, product, notes }: Series) {
  const resources = new Map(dates.map(({ resource }) => [resource.id, resource]))
  const templates: Templates = new Map()
  let moment = 0
  for (const resource of [...resources.values()].sort((one, other) => one.id - other.id)) {
    const { template, now } = await appointmentTemplate(tx, provider, {
      capacity: 1,
      acceptBookings: false,
      resourceReference: resource.reference,
      productReference: product.reference,
      notes,
    })
    templates.set(resource.id, template)
    moment = now
  }
  return { templates, now: moment }
}

const newAppointment = (
  templates: Templates,
  { resource, start, end, slot }: CheckedDate,
  who: Series['who'],
) => ({
  ...templates.get(resource.id)!(start, end),
  ...placesIn(slot, who),
  reference: `${randomUUID()}@series`,
})

type Customer = Awaited<ReturnType<typeof ensureCustomer>>

async function addPlaces(
  tx: Queryable,
  { service, provider }: ProviderContext,
  { ids, customer, seriesId }: { ids: number[]; customer: Customer; seriesId: string },
  message: string | null,
): Promise<number[]> {
  const rows = ids.map(appointmentId => ({
    ...detailsOf(customer),
    appointmentId,
    reference: `${randomUUID()}@series`,
    state: 'BOOKED' as const,
    messages: message ? [message] : [],
  }))
  const made = await insertParticipations(tx, provider.id, service.config.holdSeconds, rows).catch(
    refuseTwice,
  )
  const booked = made.map(one => one.id)
  await insertSeriesPlaces(tx, provider.id, seriesId, booked)
  return booked
}
