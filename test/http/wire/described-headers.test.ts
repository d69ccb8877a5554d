// Conditional response headers are documented where they occur.

import { expect, it } from 'vitest'
import { makePractice } from '../../support/build.ts'
import { type Answer, call, useService } from '../../support/service.ts'

const holdfast = await useService({ TRUST_PROXY: 'true', RATE_LIMIT_PUBLIC: '1' })
const practice = await makePractice(holdfast.crm)
const { paths, components } = (await call(holdfast.app, 'GET', '/openapi.json')).body

type Operation = { operationId: string; responses: Record<number, { headers: object }> }

/** Which of these headers the response has, and whether the document describes them. */
function describedHeaders({ status, headers }: Answer, method: string, path: string, ...names: string[]) {
  const described = paths[path][method].responses[status].headers ?? {}
  return names.map(name => [
    headers[name.toLowerCase()] !== undefined,
    described[name]?.$ref === `#/components/headers/${name}`,
    Boolean(components.headers[name].description),
  ])
}
const yes = [true, true, true]

it('Link on a list with more pages', async () => {
  for (let count = 0; count < 2; count++)
    await holdfast.crm.post(`${practice.path}/products`, { reference: `more-${count}`, name: 'More' })
  const answer = await holdfast.crm.get(`${practice.path}/products?limit=1`)
  expect(
    describedHeaders(answer, 'get', '/crms/{crmId}/provider/{providerRef}/products', 'Link', 'ETag'),
  ).toEqual([yes, yes])
})

it('the replay header of a repeated response, including refusals', async () => {
  for (const [name, status] of [
    ['Ann', 201],
    ['', 400],
  ]) {
    const headers = { 'idempotency-key': `key of ${status}`, 'x-service-client-id': holdfast.crm.key }
    const body = { reference: `replayed-${status}`, name }
    const send = () =>
      call(holdfast.app, 'POST', `/crms/${holdfast.crm.name}${practice.path}/products`, body, { headers })
    await send()
    const answer = await send()
    expect(answer.status).toBe(status)
    const path = '/crms/{crmId}/provider/{providerRef}/products'
    expect(describedHeaders(answer, 'post', path, 'Idempotency-Replayed')).toEqual([yes])
  }
})

it('rate limit headers of public calls', async () => {
  const headers = { 'x-forwarded-for': '198.51.100.9' }
  const reserve = () =>
    call(holdfast.app, 'POST', `/resources/${practice.resourceUuid}/reserve_appointment`, {}, { headers })
  const path = '/rest/1/resources/{ref}/reserve_appointment'
  expect(describedHeaders(await reserve(), 'post', path, 'RateLimit', 'RateLimit-Policy')).toEqual([yes, yes])
  const refused = await reserve()
  expect(refused.status).toBe(429)
  expect(describedHeaders(refused, 'post', path, 'RateLimit', 'RateLimit-Policy', 'Retry-After')).toEqual([
    yes,
    yes,
    yes,
  ])
})

it('Retry-After on every call, for database outages', () => {
  const operations = Object.values<Record<string, Operation>>(paths).flatMap(methods =>
    Object.values(methods),
  )
  for (const operation of operations)
    expect(operation.responses[503]!.headers, operation.operationId).toHaveProperty('Retry-After')
})
