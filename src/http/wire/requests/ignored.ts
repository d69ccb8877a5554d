import type { FastifyRequest } from 'fastify'
import Type, { type TSchema } from 'typebox'
import { unknownField } from '../../../errors.ts'
import type { Route } from '../route.ts'

// Query keys and body fields that a call does not know are usually misspelt. Integrators may send more than
// the API knows, so they are only reported, unless the caller asks for strict handling (RFC 7240).

export const PreferHeader = {
  prefer: Type.Optional(
    Type.String({
      description:
        '`handling=strict` refuses query keys and body fields that this call does not know (400 `invalid-field`). Otherwise they are ignored and listed in `api-info.ignored` and in the header `X-Ignored`.',
    }),
  ),
}

type Schema = TSchema & {
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  given?: string
  then?: Schema
  else?: Schema
}
type Properties = Record<string, Schema>

/** All that one of the variants has; undefined if any field is allowed. */
function propertiesOf(schema: Schema | undefined): Properties | undefined {
  if (!schema) return undefined
  const parts = (schema.anyOf ?? [schema]).map(one => (one === schema ? one.properties : propertiesOf(one)))
  const known = parts.filter(part => part !== undefined)
  return known.length > 0 ? Object.assign({}, ...known) : undefined
}

const itemsOf = (schema: Schema | undefined): Schema | undefined =>
  schema?.items ?? schema?.anyOf?.map(itemsOf).find(items => items !== undefined)

/** What the answer shows may be sent back: `uuid`, for example. */
function answered({ replies }: Route): Schema {
  const properties: Properties = {}
  for (const schema of Object.values(replies) as (Schema | null)[]) {
    const shown = schema ? (propertiesOf(schema) ?? propertiesOf(itemsOf(schema)) ?? {}) : {}
    const wrapped = 'api-info' in shown ? Object.values(shown).map(propertiesOf) : []
    Object.assign(properties, shown, ...wrapped)
  }
  return { properties }
}

/** The names of what the route ignores of a request. */
export function findIgnored(route: Route) {
  const readable = answered(route)
  const input = (route.body ?? { properties: {} }) as Schema
  return (query: object, body: unknown): string[] => [
    ...Object.keys(query).filter(name => !Object.hasOwn(route.query ?? {}, name)),
    ...unknownFields(input, readable, body, ''),
  ]
}

function unknownFields(input: Schema, output: Schema | undefined, value: unknown, at: string): string[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) {
    const [items, shown] = [itemsOf(input), itemsOf(output)]
    return items ? value.flatMap((one, index) => unknownFields(items, shown, one, `${at}[${index}]`)) : []
  }
  if (input.given !== undefined) return unknownFields(chosen(input, value), output, value, at)
  const properties = propertiesOf(input)
  if (!properties) return []
  const readable = propertiesOf(output)
  return Object.entries(value).flatMap(([name, part]) => {
    const place = at ? `${at}.${name}` : name
    if (Object.hasOwn(properties, name))
      return unknownFields(properties[name]!, readable?.[name], part, place)
    return readable && Object.hasOwn(readable, name) ? [] : [place]
  })
}

/** One of two kinds of body that a field distinguishes. */
export function chosen<T extends { given?: string; then?: T; else?: T }>(schema: T, value: object): T {
  if (schema.given === undefined) return schema
  const isGiven = value[schema.given as keyof typeof value] != null
  return chosen((isGiven ? schema.then : schema.else)!, value)
}

const maxReported = 20

export const isStrict = ({ headers }: FastifyRequest) =>
  /(^|[,;\s])handling\s*=\s*"?strict\b/i.test(String(headers.prefer ?? ''))

export const strictRefusals = (ignored: string[]) => ignored.map(unknownField)

/** As the value of a header, which allows no other letters. */
export const asHeader = (ignored: string[]) =>
  ignored
    .slice(0, maxReported)
    .map(name => encodeURIComponent(name.toWellFormed()))
    .join(', ')

/** Lists without `api-info` have only the header. */
export function withIgnored(body: unknown, ignored: string[]) {
  if (typeof body !== 'object' || body === null || !('api-info' in body)) return body
  return {
    ...body,
    'api-info': { ...(body['api-info'] as object), ignored: ignored.slice(0, maxReported) },
  }
}
