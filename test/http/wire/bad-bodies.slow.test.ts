import { afterAll, describe, expect, it } from 'vitest'
import { readExamples } from '../../../src/http/wire/docs/openapi.ts'
import type { Route } from '../../../src/http/wire/route.ts'
import { makePractice, makeTimeslot } from '../../support/build.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { definedRoutes } from '../../support/routes.ts'
import { call, consoleToken, useService } from '../../support/service.ts'

// Every field of every body with careless or hostile values: never a 5xx, and 400 if the field is required.

const holdfast = await useService({ RATE_LIMIT_PUBLIC: '0' })
const practice = await makePractice(holdfast.crm)
await makeTimeslot(holdfast.crm, practice)
const examples = readExamples()
const routes = (await definedRoutes()).filter(route => route.body)

type Schema = {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  given?: string
  then?: Schema
  else?: Schema
}
type Field = { path: (string | number)[]; schema: Schema; isRequired: boolean }

/** Only fields of the example, so that each is invalid alone. */
function fieldsOf(schema: Schema, value: unknown, path: Field['path'] = []): Field[] {
  if (schema.given !== undefined) {
    const isGiven = (value as Record<string, unknown>)[schema.given] != null
    return fieldsOf((isGiven ? schema.then : schema.else)!, value, path)
  }
  if (schema.items && Array.isArray(value) && value.length > 0)
    return fieldsOf(schema.items, value[0], [...path, 0])
  if (!schema.properties || typeof value !== 'object' || value === null) return []
  return Object.entries(schema.properties).flatMap(([name, inner]) => {
    const one = { path: [...path, name], schema: inner, isRequired: schema.required?.includes(name) ?? false }
    return [one, ...fieldsOf(inner, (value as Record<string, unknown>)[name], one.path)]
  })
}

function withValue(body: unknown, path: Field['path'], value: unknown): unknown {
  const copy = structuredClone(body)
  let at = copy as Record<string | number, unknown>
  for (const step of path.slice(0, -1)) at = at[step] as typeof at
  at[path.at(-1)!] = value
  return copy
}

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
const mark = '"deep marker"'

const isOf = ({ type }: Schema, kind: string) => [type].flat().includes(kind)
const wrongType = (schema: Schema) => (isOf(schema, 'number') || isOf(schema, 'integer') ? 'seven' : 7)
const isText = (schema: Schema) => isOf(schema, 'string')

const params: Record<string, string> = {
  crmId: 'crm',
  providerRef: practice.reference,
  resourceRef: practice.resource,
  ref: practice.resourceUuid,
  uuid: practice.uuid,
}
const addressOf = ({ path }: Route) =>
  path.replaceAll(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? 'x'))

const headers = { 'x-service-client-id': holdfast.crm.key, authorization: `Bearer ${consoleToken}` }
let sent = 0
const send = (route: Route, body: string, more = {}) => {
  sent++
  const own = route.access.kind === 'console' ? { authorization: headers.authorization } : headers
  return call(holdfast.app, route.method, addressOf(route), body, { headers: { ...own, ...more } })
}

describe.each(routes.map(route => [`${route.method} ${route.path}`, route] as const))('%s', (_, route) => {
  const body = examples[route.operationId]?.body ?? {}
  const fields = fieldsOf(route.body as Schema, body)
  const nameOf = ({ path }: Field) => path.join('.')

  it('never returns 5xx for an invalid field, and refuses invalid required fields', async () => {
    for (const field of fields) {
      const bad: [string, string, boolean][] = [
        [
          'null',
          JSON.stringify(withValue(body, field.path, null)),
          field.isRequired && !isOf(field.schema, 'null'),
        ],
        [
          'a wrong type',
          JSON.stringify(withValue(body, field.path, wrongType(field.schema))),
          isText(field.schema) || isOf(field.schema, 'integer'),
        ],
        [
          'an empty text',
          JSON.stringify(withValue(body, field.path, '')),
          field.isRequired && isText(field.schema) && !isOf(field.schema, 'null'),
        ],
      ]
      // A few at once: more would be refused as overload.
      const answers = await Promise.all(bad.map(([_key, text]) => send(route, text)))
      for (const [index, [what, _second, mustRefuse]] of bad.entries()) {
        const { status, text: answer } = answers[index]!
        const message = `${nameOf(field)} with ${what}: ${answer}`
        expect(status, message).toBeLessThan(500)
        // Entries of such lists are refused one by one.
        const isEntry = status === 200 && field.path[0] === route.itemsIn && field.path.length > 1
        if (mustRefuse && isEntry) expect(JSON.parse(answer).results[0].result, message).toBe('refused')
        else if (mustRefuse) expect(status, message).toBe(400)
      }
    }
  })

  it('refuses incomplete characters and 10,000 levels, also with an Idempotency-Key, and survives 1 MB', async () => {
    // Refused by the parser, which does not know fields, so one is enough.
    for (const [index, field] of fields.slice(0, 1).entries()) {
      const half = JSON.stringify(withValue(body, field.path, 'a\ud83d'))
      expect((await send(route, half)).status, nameOf(field)).toBe(400)
      const nested = JSON.stringify(withValue(body, field.path, 'deep marker')).replace(mark, deep(10_000))
      const { status } = await send(route, nested, { 'idempotency-key': `deep-${index}` })
      expect(status, nameOf(field)).toBe(400)
    }
    const large = fields.filter(({ schema }) => isText(schema)).slice(0, 1)
    for (const field of large) {
      const text = JSON.stringify(withValue(body, field.path, 'ä'.repeat(500_000)))
      expect((await send(route, text)).status, nameOf(field)).toBeLessThan(500)
    }
  })
})

it('refuses a Timeslot with an empty start, though the start is optional', async () => {
  const slot = { ...(examples.createTimeslots!.body as { timeslots: object[] }).timeslots[0] }
  const timeslots = (start: unknown) => [
    { ...slot, reference: undefined, resourceReference: practice.resource, start },
  ]
  const create = (start: unknown) =>
    holdfast.crm.post(`${practice.path}/timeslots`, { timeslots: timeslots(start) })
  expectRefusal(await create(''), 400, 'invalid-field', 'timeslots[0].start')
})

afterAll(() => expect(sent).toBeGreaterThan(1_000))
