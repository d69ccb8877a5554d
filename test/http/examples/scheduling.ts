import { startReceiver } from '../../support/receiver.ts'
import type { Recorder } from './recorder.ts'
import { inProvider, references } from './setup.ts'

const { product, resource, provider } = references

/** Timeslots, Appointments and Participations. */
export async function schedule({ call, deliver }: Recorder) {
  await timeslots({ call })
  await customers({ call })
  await appointments({ call })
  await calendars({ call })
  await calendarSources({ call })
  await webhooks({ call, deliver })
  await call('deleteCustomer', {
    path: { ...inProvider, customerRef: 'ben@acme' },
    query: { ignoreFutureAppointments: true },
  })
}

/** Webhook management. */
async function webhooks({ call, deliver }: Deliveries) {
  const path = { crmId: inProvider.crmId }
  const body = { url: 'https://crm.example.org/holdfast', kinds: ['participation.booked'] }
  const { webhook } = await call('createWebhook', { path, body })
  await call('getWebhooks', { path })
  const one = { ...path, webhookUuid: webhook.uuid }
  await call('getWebhook', { path: one })
  await call('updateWebhook', { path: one, body: { description: 'Our CRM' } })
  await call('rotateWebhookSecret', { path: one })
  await call('deleteWebhook', { path: one })
  await deliveries({ call, deliver })
}

/** Deliveries to a real receiver, and the event log. */
async function deliveries({ call, deliver }: Deliveries) {
  const path = { crmId: inProvider.crmId }
  const { next } = await call('getEvents', {
    path,
    query: { limit: 2, kinds: ['customer.created'], wait: 5 },
  })
  await call('getRequestLog', { path, query: { limit: 1, route: 'events' } })
  const receiver = await startReceiver()
  try {
    const { webhook } = await call('createWebhook', { path, body: { url: receiver.url } })
    const one = { ...path, webhookUuid: webhook.uuid }
    const { delivery } = await call('testWebhook', { path: one })
    await call('getWebhookDeliveries', { path: one })
    await call('replayWebhook', { path: one, body: { after: next } })
    // The first was the test event; the next is a real event that can be resent.
    await deliver(() => receiver.received.length > 1)
    const { deliveries } = await call('getWebhookDeliveries', { path: one })
    const event = deliveries.findLast((known: { id: number }) => known.id !== delivery.id)
    await call('resendWebhookDelivery', { path: { ...one, deliveryId: String(event.id) } })
    await call('deleteWebhook', { path: one })
  } finally {
    await receiver.close()
  }
}

/** Calendar subscriptions. */
async function calendars({ call }: Calls) {
  const body = { resourceReference: resource, names: true, description: 'Phone of the front desk' }
  const { calendar } = await call('createCalendar', { path: inProvider, body })
  await call('getCalendars', { path: inProvider })
  await call('deleteCalendar', { path: { ...inProvider, calendarUuid: calendar.uuid } })
}

/** External calendars. The address does not exist, so that nothing leaves the machine. */
async function calendarSources({ call }: Calls) {
  const path = { ...inProvider, resourceRef: resource }
  const body = {
    kind: 'ics',
    address: 'https://calendar.invalid/private-4711/basic.ics',
    name: 'Dr. Berg, private',
  }
  await call('testCalendarSource', { path, body })
  const { source } = await call('createCalendarSource', { path, body })
  const one = { ...path, sourceUuid: source.uuid }
  await call('getCalendarSources', { path })
  await call('getCalendarSource', { path: one })
  await call('updateCalendarSource', { path: one, body: { tentativeIsBusy: false, staleHours: 48 } })
  await call('testKnownCalendarSource', { path: one, body: { address: 'https://other.invalid/new.ics' } })
  await call('refreshCalendarSource', { path: one })
  await call('rewriteCalendarSource', { path: one, body: {} })
  await call('deleteCalendarSource', { path: one })
}

type Calls = Pick<Recorder, 'call'>
type Deliveries = Pick<Recorder, 'call' | 'deliver'>

async function timeslots({ call }: Calls) {
  const timeslot = (reference: string, day: string) => ({
    reference,
    resourceReference: resource,
    start: `${day}T08:00`,
    end: `${day}T10:00`,
    raster: 30,
    defaultCapacity: 1,
    defaultAcceptBookings: true,
    state: 'BOOKABLE',
  })
  await call('createTimeslots', {
    path: inProvider,
    body: { timeslots: [timeslot('thursday@acme', '2027-03-04'), timeslot('friday@acme', '2027-03-05')] },
  })
  await call('upsertTimeslots', {
    path: inProvider,
    body: {
      timeslots: [
        timeslot('friday@acme', '2027-03-05'),
        { ...timeslot('saturday@acme', '2027-03-06'), resourceReference: 'attic@acme' },
      ],
    },
  })
  await call('updateTimeslot', {
    path: { ...inProvider, timeslotRef: 'friday@acme' },
    body: { defaultCapacity: 2 },
  })
  await call('getTimeslot', { path: { ...inProvider, timeslotRef: 'friday@acme' } })
  await call('deleteTimeslot', { path: { ...inProvider, timeslotRef: 'friday@acme' } })
}

async function customers({ call }: Calls) {
  const customer = (customerReference: string, userName: string) => ({
    customerReference,
    providerReference: provider,
    userName,
    email: `${userName.split(' ')[0]!.toLowerCase()}@example.org`,
    mobile: '+49 170 1234567',
    language: 'en',
  })
  await call('createCustomer', { path: inProvider, body: customer('ann@acme', 'Ann Winter') })
  await call('createCustomer', { path: inProvider, body: customer('ben@acme', 'Ben Summer') })
  const ann = { ...inProvider, customerRef: 'ann@acme' }
  await call('getCustomer', { path: ann })
  await call('getCustomers', { path: inProvider, query: { email: 'ann@example.org' } })
  await call('upsertCustomers', {
    path: inProvider,
    body: {
      customers: [
        { ...customer('cem@acme', 'Cem Autumn'), mobile: null },
        customer('ben@acme', 'Ben Summer'),
      ],
    },
  })
  await call('deleteCustomer', { path: { ...inProvider, customerRef: 'cem@acme' } })
  const twice = { ...customer('annie@acme', 'Annie Winter'), mobile: null }
  await call('createCustomer', { path: inProvider, body: twice })
  const { merge } = await call('mergeCustomers', { path: ann, body: { customerReference: 'annie@acme' } })
  await call('getCustomerMerges', { path: ann })
  await call('undoCustomerMerge', { path: { ...ann, mergeUuid: merge.uuid } })
  await call('deleteCustomer', { path: { ...inProvider, customerRef: 'annie@acme' } })
  const details = { birthDate: '1980-05-01', insurer: 'AOK', insuranceNumber: 'A123456789', tags: ['VIP'] }
  const address = { street: 'Hauptstraße', number: '1', zip: '50667', city: 'Köln', countryCode: 'DE' }
  await call('updateCustomer', { path: ann, body: { note: 'Prefers the morning.', ...details, address } })
  await call('getDuplicateCustomers', { path: inProvider, query: { limit: 1 } })
  await call('setDistinctCustomers', { path: { ...ann, otherRef: 'ben@acme' } })
  await call('unsetDistinctCustomers', { path: { ...ann, otherRef: 'ben@acme' } })
}

async function appointments({ call }: Calls) {
  const appointment = { capacity: 5, resourceReference: resource, productReference: product }
  await call('createAppointments', {
    path: inProvider,
    body: {
      reference: 'evening@acme',
      start: '2027-03-04T18:00',
      end: '2027-03-04T19:00',
      acceptBookings: true,
      ...appointment,
    },
  })
  const { seriesId } = await call('createAppointments', {
    path: inProvider,
    body: {
      ...appointment,
      series_data: { from: '2027-04-05T09:00', to: '2027-04-05T10:00', raster: 60 },
    },
  })
  await call('createParticipation', {
    path: inProvider,
    query: { sendMails: true },
    body: {
      reference: 'ann-evening@acme',
      appointmentReference: 'evening@acme',
      customerReference: 'ann@acme',
      state: 'REQUESTED',
    },
  })
  await call('updateParticipation', {
    path: { ...inProvider, participationRef: 'ann-evening@acme' },
    body: { state: 'BOOKED', message: 'See you on Thursday.' },
  })
  await call('setAttendance', {
    path: { ...inProvider, participationRef: 'ann-evening@acme' },
    body: { attendance: 'MISSED' },
  })
  await call('getParticipation', { path: { ...inProvider, participationRef: 'ann-evening@acme' } })
  await call('getAppointment', { path: { ...inProvider, appointmentRef: 'evening@acme' } })
  await call('messageAppointment', {
    path: { ...inProvider, appointmentRef: 'evening@acme' },
    body: { message: 'Please bring a towel.' },
  })
  const period = { from: '2027-03-04T00:00', to: '2027-03-05T00:00' }
  await call('getProviderTimeslots', { path: inProvider, query: period })
  await call('getTimeslots', { path: { ...inProvider, resourceRef: resource }, query: period })
  await call('getAppointments', { path: inProvider, query: { resourceRef: resource, ...period } })
  await call('moveAppointment', {
    path: { ...inProvider, appointmentRef: 'evening@acme' },
    body: { start: '2027-03-04T19:00', end: '2027-03-04T20:00', message: 'We start an hour later.' },
  })
  await call('cancelAppointment', {
    path: inProvider,
    query: { message: 'We are ill.' },
    body: { appointmentReference: 'evening@acme' },
  })
  await call('deleteAppointments', { path: inProvider, body: { seriesId } })
}
