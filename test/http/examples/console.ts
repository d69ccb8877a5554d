import { smallPicture } from '../../support/pictures.ts'
import type { Recorder } from './recorder.ts'
import { inProvider } from './setup.ts'

type Places = { productUuid: string; resourceUuid: string; providerUuid: string }

/** Requests of staff in the console. */
export async function lookAfter({ call }: Recorder, { productUuid, resourceUuid, providerUuid }: Places) {
  const [resource, provider] = [{ uuid: resourceUuid }, { uuid: providerUuid }]
  await call('getSession')
  await call('listProviders')
  await call('updateProvider', {
    path: provider,
    body: { description: 'By the water.', accentColor: '#0b6e69' },
  })
  await call('putLogo', { path: provider, body: { data: smallPicture } })
  await call('getProviderSettings', { path: provider })
  await offers({ call }, provider)
  await call('updateProduct', { path: { uuid: productUuid }, body: { followUpTimeMinutes: 10 } })
  await call('updateChannels', { path: resource, body: { reminderHours: 48 } })
  await call('listChannels', { path: resource })
  const channel = { ...resource, channelKey: 'RESOURCE_PUBLIC' }
  await call('getBookingSettings', { path: { uuid: providerUuid } })
  await call('updateBookingSettings', {
    path: { uuid: providerUuid },
    body: { minimumNoticeMinutes: 120, horizonDays: 90 },
  })
  await call('getChannel', { path: channel })
  await call('updateChannel', {
    path: channel,
    body: { bookingProcess: 'REQUESTED', minimumNoticeMinutes: 60 },
  })
  await requests({ call }, provider)
  await workInCalendar({ call }, { providerUuid, resourceUuid, productUuid })
  const day = { date: '2027-03-04' }
  await call('explainResource', { path: resource, query: day })
  await call('getFreeTimes', { path: provider, query: { productUuid, from: '2027-03-04', nextDays: 1 } })
  await call('putOpeningHours', {
    path: resource,
    body: { rules: [{ weekdays: ['1', '2'], from: '08:00', to: '12:00', raster: 30, capacity: 1 }] },
  })
  await call('getOpeningHours', { path: resource })
  const year = { from: '2027-01-01', to: '2027-07-01' }
  await call('getBookingReportForStaff', { path: provider, query: year })
  await call('getAnswerReportForStaff', { path: provider, query: year })
  await hours({ call }, resource, provider)
  await closures({ call }, resource, provider)
  const { calendar } = await call('createProviderCalendar', { path: provider, body: { names: true } })
  await call('getProviderCalendars', { path: provider })
  await call('deleteProviderCalendar', { path: { ...provider, calendarUuid: calendar.uuid } })
  await calendarSources({ call }, resource, provider)
  await customers({ call }, provider)
  await mails({ call })
  await emailTexts({ call }, provider)
}

/** The address does not exist, so that nothing leaves the machine. */
async function calendarSources(
  { call }: Pick<Recorder, 'call'>,
  resource: { uuid: string },
  provider: { uuid: string },
) {
  const body = { kind: 'caldav', address: 'https://calendar.invalid/', user: 'ann', password: 'app-password' }
  await call('tryCalendarSource', { path: resource, body })
  const connected = { ...body, mirrorTo: '/ann/appointments/', mirrorNames: true }
  const { source } = await call('connectCalendarSource', { path: resource, body: connected })
  const one = { ...resource, sourceUuid: source.uuid }
  await call('listCalendarSources', { path: provider })
  await call('changeCalendarSource', { path: one, body: { paused: true } })
  await call('tryKnownCalendarSource', { path: one, body: { password: 'new-app-password' } })
  await call('refreshCalendarSourceNow', { path: one })
  await call('rewriteCalendarSourceNow', { path: one, body: {} })
  await call('removeCalendarSource', { path: one })
}

async function offers({ call }: Pick<Recorder, 'call'>, provider: { uuid: string }) {
  await call('addProvider', {
    body: { name: 'Upper Practice', ownerName: 'Ben Stone', ownerEmail: 'ben@example.org', crm: 'acme' },
  })
  const talk = { name: 'Short talk', minDuration: 15, maxDuration: 15, followUpTimeMinutes: 5 }
  const product = await call('addProduct', { path: provider, body: talk })
  await call('getProductSettings', { path: { uuid: product.uuid } })
  await call('listProviderProducts', { path: provider })
  const room = { publicName: 'Garden room', products: [product.reference] }
  const { uuid } = await call('addResource', { path: provider, body: room })
  await call('updateResourceSettings', { path: { uuid }, body: { description: 'Behind the house.' } })
  await call('getResourceSettings', { path: { uuid } })
  await call('listProviderResources', { path: provider })
  await call('previewDeletion', { path: { uuid } })
  await call('removeResource', { path: { uuid } })
  const label = { en: 'Insurance' }
  const options = [
    { key: 'public', label: { en: 'Public' } },
    { key: 'private', label: { en: 'Private' } },
  ]
  const insurance = { key: 'insurance', type: 'choice', label, options }
  await call('addQuestion', { path: provider, body: insurance })
  const one = { ...provider, questionKey: 'insurance' }
  await call('changeQuestion', { path: one, body: { required: true } })
  await call('orderQuestions', { path: provider, body: { keys: ['insurance'] } })
  await call('listProviderQuestions', { path: provider })
  await call('removeQuestion', { path: one })
  await call('previewProductDeletion', { path: { uuid: product.uuid } })
  await call('removeProduct', { path: { uuid: product.uuid } })
  const { people } = await call('getContacts', { path: provider })
  const { reference: profileRef } = await call('saveProfile', {
    path: provider,
    body: {
      userReference: people[0].reference,
      name: 'Front desk',
      contactChannels: [{ type: 'phone', value: '+49 30 123456' }],
    },
  })
  await call('changeProfile', { path: { ...provider, profileRef }, body: { name: 'Reception' } })
  await call('getProfile', { path: { ...provider, profileRef } })
  await call('removeProfile', { path: { ...provider, profileRef } })
}

async function hours(
  { call }: Pick<Recorder, 'call'>,
  resource: { uuid: string },
  provider: { uuid: string },
) {
  const morning = { from: '09:00', to: '12:00', raster: 30 }
  const body = {
    resources: [
      {
        resourceUuid: resource.uuid,
        rules: [{ weekdays: ['1', '3'], ...morning, everyWeeks: 2, weekOf: '2027-03-01' }],
        exceptions: [{ day: '2027-03-04', times: [morning] }],
      },
    ],
  }
  await call('previewOpeningHours', { path: provider, body })
  await call('listOpeningHours', { path: provider })
  await call('putOpeningHoursOfSeveral', { path: provider, body })
}

async function closures(
  { call }: Pick<Recorder, 'call'>,
  resource: { uuid: string },
  provider: { uuid: string },
) {
  const { closure } = await call('createClosure', {
    path: provider,
    body: { from: '2027-03-04', to: '2027-03-05', reason: 'Training', resources: [resource.uuid] },
  })
  await call('listClosures', { path: provider })
  const one = { ...provider, closureUuid: closure.uuid }
  await call('changeClosure', { path: one, body: { from: '2027-03-04T12:00' } })
  await call('getClosure', { path: one })
  await call('deleteClosure', { path: one })
  const bavaria = { country: 'DE', state: 'BY', year: 2027 }
  await call('listHolidayRegions', { query: { country: 'DE', language: 'en' } })
  await call('previewHolidays', { path: provider, query: bavaria })
  await call('addHolidays', { path: provider, body: bavaria })
  const { block } = await call('createBlock', {
    path: resource,
    body: { from: '2027-03-08T12:00', to: '2027-03-08T13:00', reason: 'Dentist' },
  })
  await call('listBlocks', { path: resource })
  await call('deleteBlock', { path: { ...resource, blockUuid: block.uuid } })
}

async function requests({ call }: Pick<Recorder, 'call'>, provider: { uuid: string }) {
  await call('createAppointments', {
    path: inProvider,
    body: {
      reference: 'noon@acme',
      start: '2027-03-04T12:00',
      end: '2027-03-04T13:00',
      capacity: 1,
      resourceReference: 'room-1@acme',
      productReference: 'first-talk@acme',
    },
  })
  await call('createParticipation', {
    path: inProvider,
    body: {
      reference: 'ann-noon@acme',
      appointmentReference: 'noon@acme',
      customerReference: 'ann@acme',
      state: 'REQUESTED',
    },
  })
  await call('countRequests', { path: provider })
  const { requests } = await call('getRequests', { path: provider })
  await call('getDiary', { path: provider, query: { from: '2027-03-04', to: '2027-03-05' } })
  await call('decideParticipation', { path: { uuid: requests[0].uuid }, body: { answer: 'accept' } })
  await call('markAttendance', { path: { uuid: requests[0].uuid }, body: { attendance: 'ATTENDED' } })
  await call('saveAnswers', { path: { uuid: requests[0].uuid }, body: { answers: {} } })
}

async function workInCalendar({ call }: Pick<Recorder, 'call'>, places: Places) {
  const provider = { uuid: places.providerUuid }
  const days = { from: '2027-03-05', to: '2027-03-06' }
  const opened = await call('openTime', {
    path: { uuid: places.resourceUuid },
    body: { start: '2027-03-05T18:00', end: '2027-03-05T19:00', raster: 30 },
  })
  const { uuid } = await call('bookWalkIn', {
    path: provider,
    query: { ignoreConflicts: true },
    body: {
      resourceUuid: places.resourceUuid,
      productUuid: places.productUuid,
      start: '2027-03-05T16:00',
      end: '2027-03-05T16:30',
      customer: { name: 'Walter Inn', mobile: '+49 171 5556677' },
    },
  })
  const { next } = await call('getCalendar', { path: provider, query: days })
  await call('changeAppointment', { path: { uuid }, body: { notes: 'Brings a dog.', capacity: 2 } })
  await call('getCalendarChanges', { path: provider, query: { after: next } })
  await call('addParticipant', { path: { uuid }, body: { customer: { name: 'Wilma Inn' } } })
  const { entry } = await call('getAppointmentPage', { path: { uuid } })
  await call('changePlaces', {
    path: { uuid: entry.people[0].uuid },
    query: { ignoreConflicts: true },
    body: { places: 2, placeNames: ['Wilma', 'Fred'] },
  })
  await call('markParticipants', {
    path: { uuid },
    body: { people: [{ uuid: entry.people[0].uuid, attendance: 'ATTENDED' }] },
  })
  await call('messageParticipants', { path: { uuid }, body: { message: 'Please bring a towel.' } })
  await call('moveWholeAppointment', {
    path: { uuid },
    query: { ignoreConflicts: true },
    body: { start: '2027-03-04T16:00', end: '2027-03-04T17:00', message: 'The room is needed.' },
  })
  const { uuid: other } = await call('bookWalkIn', {
    path: provider,
    query: { ignoreConflicts: true },
    body: {
      resourceUuid: places.resourceUuid,
      productUuid: places.productUuid,
      start: '2027-03-05T10:00',
      end: '2027-03-05T10:30',
      customer: { name: 'Sophie Swap' },
    },
  })
  await call('swapAppointments', {
    path: { uuid },
    query: { ignoreConflicts: true },
    body: { withUuid: other, message: 'We had to change the order.' },
  })
  await call('deleteWholeAppointment', { path: { uuid: other } })
  const cancelled = await call('cancelWholeAppointment', {
    path: { uuid },
    body: { message: 'The room is flooded.' },
  })
  const [first] = cancelled.entry.people
  await call('restoreAppointment', {
    path: { uuid },
    query: { ignoreConflicts: true },
    body: { people: [{ uuid: first.uuid, state: 'BOOKED' }] },
  })
  await call('shiftTime', { path: { uuid: opened.uuid }, body: { end: '2027-03-05T20:00' } })
  await call('closeTime', { path: { uuid: opened.uuid } })
}

async function customers({ call }: Pick<Recorder, 'call'>, provider: { uuid: string }) {
  const dora = { name: 'Dora Frost', email: 'dora@example.org', mobile: '+49 171 7654321' }
  const added = await call('addCustomer', { path: provider, body: { ...dora, tags: ['VIP'] } })
  const twin = await call('addCustomer', { path: provider, body: { ...dora, name: 'Nora Frost' } })
  await call('findCustomers', { path: provider, query: { search: 'dora' } })
  await call('findCustomerMatches', { path: provider, query: { mobile: '0171 7654321' } })
  const path = { uuid: (added.customer ?? added).uuid }
  await call('patchCustomer', { path, body: { note: 'Rings twice.' } })
  await call('getCustomerPage', { path })
  await call('listCustomerTags', { path: provider })
  await call('findDuplicateCustomers', { path: provider, query: { limit: 1 } })
  await call('markDistinctCustomers', { path: { ...path, otherUuid: twin.uuid } })
  await call('unmarkDistinctCustomers', { path: { ...path, otherUuid: twin.uuid } })
  await call('emailCustomerAppointments', { path })
  const twice = await call('addCustomer', {
    path: provider,
    body: { ...dora, name: 'D. Frost', mobile: null },
  })
  const other = (twice.customer ?? twice).uuid
  const { merge } = await call('mergeCustomerPage', { path, body: { other } })
  await call('getMergesOfCustomerPage', { path })
  await call('undoMergeOfCustomerPage', { path: { ...path, mergeUuid: merge.uuid } })
  await call('eraseCustomer', { path: { uuid: other } })
  await call('previewErasure', { path })
  await call('eraseCustomer', { path })
}

async function emailTexts({ call }: Pick<Recorder, 'call'>, provider: { uuid: string }) {
  const path = { ...provider, kind: 'reminder' }
  const en = 'Please bring your **insurance card**.'
  await call('previewEmailText', { path, body: { language: 'en', text: en } })
  await call('updateEmailTexts', { path, body: { en } })
  await call('getEmailTexts', { path })
  await call('listEmailTexts', { path: provider })
}

async function mails({ call }: Pick<Recorder, 'call'>) {
  await call('listAudit', { query: { limit: 1 } })
  const list = await call('listMails', { query: { kind: 'verification', limit: 1 } })
  const [mail] = list.mails
  await call('getMail', { path: { uuid: mail.uuid } })
  await call('resendMail', { path: { uuid: mail.uuid } })
}
