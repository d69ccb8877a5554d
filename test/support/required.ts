// The same checks for each field of each entity, from one table.

import { expect, it } from 'vitest'
import { expectRefusal } from './refusals.ts'
import type { Answer } from './service.ts'

type Body = Record<string, unknown>
type Post = (body: Body) => Promise<Answer>

/** Field names are paths as errors name them: `invoiceAddress.city`, `contactChannels[0].value`. */
type Fields = { [name: string]: Kind }
type Kind = 'text' | 'number' | 'boolean' | 'array' | 'object'

const absent: [string, unknown][] = [
  ['missing', undefined],
  ['null', null],
]
const blank: [string, unknown][] = [
  ['empty', ''],
  ['only blanks', ' \t '],
]
const values: Record<Kind, [string, unknown]> = {
  text: ['a text', 'text'],
  number: ['a number', 7],
  boolean: ['true', true],
  array: ['an array', ['a']],
  object: ['an object', { a: 'b' }],
}

function otherThan(kind: Kind): [string, unknown][] {
  return (Object.keys(values) as Kind[]).filter(other => other !== kind).map(other => values[other])
}

/** 400 with the name of the field: for what is missing, null, empty or blank, and for each wrong type. */
export function requires(fields: Fields, goodBody: () => Body | Promise<Body>, post: Post) {
  for (const [field, kind] of Object.entries(fields)) {
    it.each(kind === 'text' ? [...absent, ...blank] : absent)(
      `needs ${field}: refuses %s`,
      async (_, value) => {
        expectRefusal(await post(withValue(await goodBody(), field, value)), 400, 'missing-field', field)
      },
    )
    it.each(otherThan(kind))(`needs ${field}: refuses %s`, async (_, value) => {
      expectRefusal(await post(withValue(await goodBody(), field, value)), 400, 'invalid-field', field)
    })
  }
}

/** 400 with the name of the field for each wrong type; null and an empty text are the same as not sent. */
export function allows(fields: Fields, goodBody: () => Body | Promise<Body>, post: Post) {
  it.each(Object.entries(fields))(
    'can do without %s, null or an empty text being the same as not sent',
    async field => {
      for (const value of [undefined, null, '']) {
        const { status } = await post(withValue(await goodBody(), field, value))
        expect(status).toBeLessThan(300)
      }
    },
  )
  for (const [field, kind] of Object.entries(fields))
    it.each(otherThan(kind))(`takes ${kind} for ${field}: refuses %s`, async (_, value) => {
      expectRefusal(await post(withValue(await goodBody(), field, value)), 400, 'invalid-field', field)
    })
}

/** A copy of the body with another value at the path; undefined removes the field. */
export function withValue(body: Body, path: string, value: unknown): Body {
  const copy = structuredClone(body)
  const parts = path.split(/[.[\]]+/).filter(Boolean)
  const last = parts.pop()!
  const holder = parts.reduce((inner, part) => inner[part] as Body, copy)
  if (value === undefined) delete holder[last]
  else holder[last] = value
  return copy
}
