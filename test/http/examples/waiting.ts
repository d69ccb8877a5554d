import type { Recorder } from './recorder.ts'
import { inProvider, references } from './setup.ts'

type Places = { productUuid: string; resourceUuid: string; providerUuid: string }

const { product, resource } = references

/** The waiting list, as a consumer, a CRM and staff use it. */
export async function waitingList(recorder: Recorder, { productUuid, resourceUuid, providerUuid }: Places) {
  const { call } = recorder
  const period = { from: '2027-03-04', to: '2027-03-12' }
  recorder.room = 'console'
  const channel = { uuid: resourceUuid, channelKey: 'RESOURCE_PUBLIC' }
  await call('updateChannel', { path: channel, body: { waitingList: true } })
  recorder.room = 'booking'
  await call('joinWaitingList', {
    path: { ref: resource },
    body: {
      product_uuid: productUuid,
      ...period,
      weekdays: [1, 4],
      timeFrom: '08:00',
      timeTo: '12:00',
      email: 'dana@example.org',
      firstname: 'Dana',
      lastname: 'Reed',
      locale: 'en',
    },
  })
  const query = { prdRef: productUuid, from: '2027-03-04', to: '2027-03-05' }
  const groups = await call('listBookables', { path: { ref: resource }, query })
  const free = groups['2027-03-04'].at(-1).start
  recorder.room = 'scheduling'
  const wish = { customerReference: 'ann@acme', productReference: product, ...period }
  const { entry } = await call('addToWaitingList', {
    path: inProvider,
    body: { ...wish, resourceReferences: [resource] },
  })
  const path = { ...inProvider, entryUuid: entry.uuid }
  await call('updateWaitingEntry', { path, body: { priority: 1, priorityReason: 'In pain' } })
  await call('offerWaitingTime', { path, body: { resourceReference: resource, start: free } })
  await call('getWaitingEntry', { path })
  await call('getWaitingList', { path: inProvider, query: { state: 'OFFERED' } })
  await call('removeFromWaitingList', { path })
  recorder.room = 'console'
  const provider = { uuid: providerUuid }
  const added = await call('addConsoleWaiting', { path: provider, body: wish })
  const own = { ...provider, entryUuid: added.uuid }
  await call('patchConsoleWaiting', { path: own, body: { note: 'Mornings are better' } })
  await call('countConsoleWaiting', { path: { uuid: resourceUuid }, query: { start: free } })
  await call('offerConsoleWaiting', { path: own, body: { resourceReference: resource, start: free } })
  await call('getConsoleWaitingList', { path: provider })
  await call('endConsoleWaiting', { path: own })
}
