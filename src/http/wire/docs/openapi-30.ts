type Json = Record<string, unknown>

/** The document as OpenAPI 3.0.3, for generators that do not read 3.1. It has no webhooks, which 3.0 lacks. */
export function asOpenApi30({ webhooks: _, info, ...document }: Json): Json {
  const { license, ...rest } = info as { license: { name: string } }
  return {
    ...(convert(document) as Json),
    openapi: '3.0.3',
    info: { ...rest, license: { name: license.name } },
  }
}

function convert(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convert)
  if (typeof value !== 'object' || value === null) return value
  return asOlderSchema(
    Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, name === 'example' ? inner : convert(inner)]),
    ),
  )
}

function asOlderSchema({ const: only, contentMediaType: _, ...schema }: Json): Json {
  if (only !== undefined) return asOlderSchema({ ...schema, enum: [only] })
  if (typeof schema.$ref === 'string') {
    const { $ref, ...others } = schema
    return Object.keys(others).length > 0 ? { allOf: [{ $ref }], ...others } : schema
  }
  if (schema.type === 'null') return { ...schema, type: 'string', nullable: true, enum: [null] }
  if (Array.isArray(schema.type) && schema.type.every(one => typeof one === 'string'))
    return withoutNullType(schema, schema.type)
  return Array.isArray(schema.anyOf) ? withoutNullAmong(schema, schema.anyOf) : schema
}

function withoutNullType(schema: Json, types: string[]): Json {
  const others = types.filter(one => one !== 'null')
  const { type: _, ...rest } = schema
  return {
    ...(others.length === 1 ? { type: others[0] } : { anyOf: others.map(type => ({ type })) }),
    ...rest,
    ...(others.length < types.length ? { nullable: true } : {}),
  }
}

/** Nothing but null is an enum of null here, because it was converted first. */
const isNull = (schema: Json) =>
  Array.isArray(schema.enum) && schema.enum.length === 1 && schema.enum[0] === null

function withoutNullAmong({ anyOf, ...rest }: Json, ways: Json[]): Json {
  const others = ways.filter(one => !isNull(one))
  if (others.length === ways.length) return { anyOf, ...rest }
  const [first] = others as [Json]
  if (others.length > 1) return { anyOf: others, ...rest, nullable: true }
  return { ...('$ref' in first ? { allOf: [first] } : first), ...rest, nullable: true }
}
