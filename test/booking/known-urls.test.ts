// Addresses of lists that were read before: the second answer is the first, byte for byte, and nothing of a request is overlooked.

import { expect, it } from 'vitest'
import { listBookables } from '../../src/http/booking/bookables.ts'
import { KnownUrls } from '../../src/http/wire/requests/known-urls.ts'
import { asConsumer, bookingOf, overApp, slotsOf } from '../support/consumer.ts'
import { addressOf, checkListForMove, roomWithHours } from '../support/known-lists.ts'
import { expectRefusal } from '../support/refusals.ts'
import { useService } from '../support/service.ts'

const holdfast = await useService()
const consumer = asConsumer(overApp(holdfast.app))

const ask = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  holdfast.app.inject({ method, url, headers: { 'x-request-id': 'same', ...headers } })

const asSent = ({ statusCode, headers, rawPayload }: Awaited<ReturnType<typeof ask>>) => {
  const { date, ...rest } = headers
  return { statusCode, headers: rest, body: rawPayload.toString('latin1') }
}

it.each([
  ['plain', {}],
  ['compressed', { 'accept-encoding': 'br' }],
  ['from another page', { origin: 'https://shop.example.org' }],
])('are answered as at first: %s', async (_, headers) => {
  const { resourceUuid } = await roomWithHours(holdfast)
  const url = addressOf(resourceUuid, { languageTag: 'fr', groupFormat: 'EEEE', from: '2030-01-07' })
  const first = await ask(url, headers)
  expect(first.statusCode).toBe(200)
  expect(asSent(await ask(url, headers))).toEqual(asSent(first))
  const { etag } = first.headers
  const known = { ...headers, 'if-none-match': String(etag) }
  const unchanged = await ask(url, known)
  expect(unchanged.statusCode).toBe(304)
  const other = await roomWithHours(holdfast)
  await ask(addressOf(other.resourceUuid))
  expect(asSent(await ask(url, known))).toEqual(asSent(unchanged))
  const head = await ask(url, headers, 'HEAD')
  expect(head.body).toBe('')
  expect(head.headers['content-length']).toBe(first.headers['content-length'])
})

it('show later changes, and return 404 once the Resource is deleted', async () => {
  const room = await roomWithHours(holdfast)
  const url = addressOf(room.resourceUuid)
  const free = async () => slotsOf(await consumer.send('GET', url))
  const [first, second] = await free()
  expect(await free()).toHaveLength(8)
  const { status, body } = await consumer.complete(room.resourceUuid, bookingOf(first!))
  expect(status).toBe(201)
  expect((await free()).map(slot => slot.start)).not.toContain(first!.start)
  expect((await free())[0]!.start).toBe(second!.start)
  await checkListForMove(holdfast, consumer, room, body.createdAppointment.moveLink)
})

it('are parsed again if they are invalid', async () => {
  const { resourceUuid } = await roomWithHours(holdfast)
  for (let time = 0; time < 2; time++) {
    const pattern = await consumer.send('GET', addressOf(resourceUuid, { groupFormat: "'" }))
    expectRefusal(pattern, 400, 'invalid-field', 'groupFormat')
    const tag = await consumer.send('GET', addressOf(resourceUuid, { languageTag: 'x'.repeat(36) }))
    expectRefusal(tag, 400, 'invalid-field', 'languageTag')
    const bound = await consumer.send('GET', addressOf(resourceUuid, { from: 'soon' }))
    expectRefusal(bound, 400, 'invalid-field', 'from')
  }
})

it('are counted in the metrics like all others', async () => {
  const { resourceUuid } = await roomWithHours(holdfast)
  const counted = async () =>
    Number(
      /holdfast_http_requests_total\{method="GET",route="\/resources\/:ref\/upcoming_bookables",status="200"\} (\d+)/.exec(
        await holdfast.service.metrics.own(),
      )?.[1] ?? 0,
    )
  const before = await counted()
  for (let time = 0; time < 3; time++) await ask(addressOf(resourceUuid))
  expect(await counted()).toBe(before + 3)
})

it('are cached up to a limit, and only short ones', () => {
  const addresses = new KnownUrls()
  const read = { route: listBookables, pattern: '', params: {}, query: {} }
  addresses.keep('x'.repeat(5000), read)
  for (let number = 0; number < 10_000; number++) addresses.keep(`${number}${'x'.repeat(900)}`, read)
  expect(addresses.get('x'.repeat(5000))).toBeUndefined()
  expect(addresses.get(`9999${'x'.repeat(900)}`)).toBeDefined()
  expect(addresses.read.calculatedSize).toBeLessThanOrEqual(2_000_000)
})
