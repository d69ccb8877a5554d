import { requestText } from '../load/connection.ts'
import { daysFromTomorrow, inParallel, listPath } from './seed.ts'
import { consoleToken, type Running } from './service.ts'

// A second tenant whose lists are as heavy as the API allows: 200 Timeslots that overlap, with a start every
// minute.

const name = 'heavy'
const timeslots = 200

async function send(
  { origin }: Running,
  path: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<Record<string, string>> {
  const response = await fetch(origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`)
  return JSON.parse(text)
}

const asOperator = { authorization: `Bearer ${consoleToken}` }

async function newKey(service: Running, crm: string): Promise<string> {
  return (await send(service, `/console/api/crms/${crm}/keys`, {}, asOperator)).secret!
}

export const newKeys = (service: Running, crm: string, count: number) =>
  inParallel(Array.from({ length: count }), 1, () => newKey(service, crm))

/** Returns the uuid of a Resource of each Provider. */
export async function makeHeavyTenant(service: Running, providers: number): Promise<string[]> {
  await send(service, '/console/api/crms', { name }, asOperator)
  const headers = { 'x-service-client-id': await newKey(service, name) }
  const post = (path: string, body: unknown) => send(service, `/crms/${name}${path}`, body, headers)
  await post('/user', {
    reference: 'owner@heavy',
    email: 'owner@heavy.example',
    username: 'h',
    lastName: 'H',
  })
  return inParallel(
    Array.from({ length: providers }, (_, index) => index),
    2,
    async index => {
      const [reference, accountReference] = [`provider${index}@heavy`, `account${index}@heavy`]
      await post('/account', { ownerReference: 'owner@heavy', accountReference, branch: 'misc' })
      await post('/provider', {
        reference,
        ownerReference: 'owner@heavy',
        accountReference,
        name: 'Heavy',
        email: 'heavy@example.org',
      })
      const path = `/provider/${encodeURIComponent(reference)}`
      await post(`${path}/products`, { reference: `talk${index}@heavy`, name: 'Talk' })
      const room = `room${index}@heavy`
      const resource = await post(`${path}/resources`, {
        reference: room,
        publicName: 'H',
        internalName: 'H',
      })
      await post(`${path}/timeslots`, { timeslots: overlapping(room) })
      return resource.uuid!
    },
  )
}

function overlapping(resourceReference: string) {
  const [day] = daysFromTomorrow(1)
  return Array.from({ length: timeslots }, (_, index) => ({
    reference: `${resourceReference}-${index}`,
    resourceReference,
    start: `${day}T06:00`,
    end: `${day}T22:00`,
    raster: 1,
    defaultCapacity: 1,
    defaultAcceptBookings: true,
    state: 'BOOKABLE',
  }))
}

/** Never the same list twice, and each request from another address: nothing is answered from the cache. */
export function heavyLists(resources: string[], count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const to = new Date(Date.now() + 10 * 86_400_000 + index * 1000).toISOString()
    const path = `${listPath(resources[index % resources.length]!)}?to=${encodeURIComponent(to)}`
    return requestText('GET', path, { 'x-forwarded-for': `10.1.${(index >> 8) & 255}.${index & 255}` })
  })
}
