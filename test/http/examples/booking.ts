import type { Recorder } from './recorder.ts'
import { references } from './setup.ts'

type Places = { productUuid: string; resourceUuid: string; providerUuid: string }

const consumer = { email: 'cleo@example.org', firstname: 'Cleo', lastname: 'Hall' }

/** The requests of a consumer's widget, from the first list to the cancellation. */
export async function book({ call }: Recorder, { productUuid, resourceUuid, providerUuid }: Places) {
  const ref = references.resource
  await call('getPublicData', { query: { ref: [ref] } })
  await call('listActiveProducts', { query: { ref: [ref] } })
  await call('listSpecificProducts', { query: { prdRefs: [productUuid] } })
  await call('getBookingConfig', { path: { uuid: productUuid } }, 404)
  const query = { prdRef: productUuid, from: '2027-03-04', to: '2027-03-05' }
  const groups = await call('listBookables', { path: { ref }, query })
  await call('listBookablesByPost', { path: { ref }, query })
  await call('getBundle', { query: { ref: [ref], ...query } })
  await call('getBundleByPost', { query: { ref: [ref], ...query } })
  const [slot, other, later] = groups['2027-03-04']
  await call('listSpecificBookables', { query: { tslIds: [slot.timeslot_uuid], prdRef: productUuid } })

  const holdBody = ({ timeslot_uuid, start, end }: typeof slot) => ({
    timeslot_uuid,
    product_uuid: productUuid,
    from: new Date(start).toISOString().replace('.000', ''),
    to: new Date(end).toISOString().replace('.000', ''),
  })
  const { participation } = await call('reserveAppointment', { path: { ref }, body: holdBody(slot) })
  const placeholder_id = participation.customer_uuid
  const { start, end, timeslot_uuid } = slot
  const { createdAppointment } = await call('completeBooking', {
    path: { ref },
    body: { start, end, timeslot_uuid, product_uuid: productUuid, placeholder_id, ...consumer },
  })
  await call('correctEmail', {
    headers: { 'X-SIGNED-APP-CUSTOMER': createdAppointment.confirmationLink.split('/').at(-1)! },
    body: { email: 'cleo.hall@example.org' },
  })
  await call('sendLinks', {
    body: { appointment_uuid: createdAppointment.appointment_uuid, email: 'cleo.hall@example.org' },
  })
  const moveToken = new URL(createdAppointment.moveLink).pathname.split('/').at(-1)!
  const { createdAppointment: moved } = await call('moveBooking', {
    path: { ref },
    headers: { 'X-SIGNED-APP-CUSTOMER': moveToken },
    body: { start: later.start, end: later.end, timeslot_uuid: later.timeslot_uuid },
  })
  const held = await call('reserveAppointment', { path: { ref }, body: holdBody(other) })
  await call('revokeReservation', {
    path: { ref },
    body: { placeholder_id: held.participation.customer_uuid },
  })
  await cancel({ call }, moved.cancelLink)
  await call('updateProvider', { path: { uuid: providerUuid }, body: { preIdentification: true } })
  await call('identifyCustomer', { path: { platform: 'acme', ref: resourceUuid, customerId: 'ann@acme' } })
}

async function cancel({ call }: Pick<Recorder, 'call'>, cancelLink: string) {
  const link = new URL(cancelLink)
  const headers = { 'X-SIGNED-APP-CUSTOMER': link.searchParams.get('X-SIGNED-APP-CUSTOMER')! }
  await call('getCancelableBookable', { headers })
  await call('cancelBooking', {
    path: {
      customerUuid: link.searchParams.get('pDataId')!,
      appointmentUuid: link.hash.split('/').at(-1)!,
    },
    query: { message: 'I am ill.' },
    headers,
  })
}
