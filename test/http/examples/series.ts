import type { Recorder } from './recorder.ts'
import { inProvider, references } from './setup.ts'

type Places = { productUuid: string; resourceUuid: string; providerUuid: string }

const { product, resource } = references

/** Several dates of one customer, as a CRM and staff book and change them. */
export async function seriesOfDates(recorder: Recorder, { productUuid, resourceUuid, providerUuid }: Places) {
  const { call } = recorder
  recorder.room = 'scheduling'
  const rule = { first: '2027-05-04T10:00', unit: 'week', every: 1, count: 2, duration: 30 }
  const ann = { productReference: product, customerReference: 'ann@acme' }
  await call('previewSeries', { path: inProvider, body: { ...ann, resourceReferences: [resource], rule } })
  const days = ['2027-05-04', '2027-05-11']
  const dates = days.map(day => ({ start: `${day}T10:00`, end: `${day}T10:30`, ignoreConflicts: true }))
  const { seriesId, appointments } = await call('bookSeries', {
    path: inProvider,
    body: { ...ann, dates: dates.map(date => ({ ...date, resourceReference: resource })) },
  })
  const path = { ...inProvider, seriesId }
  await call('findFreeTimes', {
    path: inProvider,
    query: { productReference: product, from: '2027-03-01', nextDays: 1, timeFrom: '09:00', perGroup: 2 },
  })
  const report = { from: '2027-03-01', to: '2027-04-01', by: 'month' }
  await call('getBookingReport', { path: inProvider, query: report })
  await call('getBookingReportCsv', { path: inProvider, query: { from: '2027-08-01', to: '2027-09-01' } })
  await call('getAnswerReport', { path: inProvider, query: report })
  const absent = { ...inProvider, resourceRef: resource }
  const ill = { from: '2027-05-04', to: '2027-05-05' }
  const { absence } = await call('previewAbsence', { path: absent, body: ill })
  const seen = { seenStart: absence.lines[0].start, seenEnd: absence.lines[0].end }
  const line = { appointmentReference: absence.lines[0].appointmentReference, ...seen, action: 'leave' }
  await call('settleAbsence', { path: absent, query: { sendMails: false }, body: { ...ill, lines: [line] } })
  const moved = { start: '2027-05-04T11:00', end: '2027-05-04T11:30' }
  const appointmentReference = appointments[0].reference
  await call('previewSeriesMove', { path, body: { scope: 'later', appointmentReference, ...moved } })
  const target = { ...moved, resourceReference: resource, appointmentReference, ignoreConflicts: true }
  await call('moveSeries', { path, body: { dates: [target], message: 'One hour later.' } })
  await call('getSeries', { path })
  await call('cancelSeries', { path, body: { message: 'We are on holiday.' } })
  recorder.room = 'console'
  const channel = { uuid: resourceUuid, channelKey: 'RESOURCE_PUBLIC' }
  await call('updateChannel', { path: channel, body: { seriesMax: 10 } })
  recorder.room = 'booking'
  const query = { prdRef: productUuid, from: '2027-03-04', to: '2027-03-05' }
  const groups = await call('listBookables', { path: { ref: resource }, query })
  const slot = groups['2027-03-04'].at(-1)
  const { dates: held } = await call('reserveSeries', {
    path: { ref: resource },
    body: {
      timeslot_uuid: slot.timeslot_uuid,
      product_uuid: productUuid,
      from: slot.start,
      to: slot.end,
      rule: { unit: 'week', every: 1, count: 2 },
    },
  })
  // Nothing of it stays in the examples that follow.
  await call('revokeReservation', {
    path: { ref: resource },
    body: { placeholder_id: held[0].placeholder_id },
  })
  recorder.room = 'console'
  const provider = { uuid: providerUuid }
  const atConsole = { uuid: resourceUuid }
  await call('previewConsoleAbsence', { path: atConsole, body: ill })
  await call('settleConsoleAbsence', { path: atConsole, body: { ...ill, lines: [] } })
  await call('previewConsoleSeries', { path: provider, body: { productUuid, resourceUuid, rule } })
  const booked = await call('bookConsoleSeries', {
    path: provider,
    body: {
      productUuid,
      dates: dates.map(date => ({ ...date, resourceUuid })),
      customer: { name: 'Serena Series' },
    },
  })
  const own = { ...provider, seriesId: booked.seriesId }
  const reference = booked.dates[0].appointmentReference
  await call('previewConsoleSeriesMove', {
    path: own,
    body: { scope: 'all', appointmentReference: reference, ...moved },
  })
  const date = { ...moved, resourceUuid, appointmentReference: reference, ignoreConflicts: true }
  await call('moveConsoleSeries', { path: own, body: { dates: [date] } })
  await call('cancelConsoleSeries', { path: own, body: { message: 'We are on holiday.' } })
  await call('deleteConsoleSeries', { path: own })
}
