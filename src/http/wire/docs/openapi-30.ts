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
  const { anyOf, ...rest } = value as Json
  const ways = Array.isArray(anyOf) ? (anyOf as Json[]) : []
  const others = ways.filter(one => one.type !== 'null')
  const schema = {
    ...Object.fromEntries(
      Object.entries(rest).map(([name, inner]) => [name, name === 'example' ? inner : convert(inner)]),
    ),
    ...(others.length < ways.length ? { nullable: true } : {}),
  }
  const converted = others.map(one => convert(one) as Json)
  if (converted.length === 0) return asOlderSchema(schema)
  if (converted.length > 1) return { ...sharedBy(converted), ...schema }
  return { ...('$ref' in converted[0]! ? { allOf: converted } : converted[0]), ...schema }
}

function asOlderSchema({ const: only, contentMediaType: _, ...schema }: Json): Json {
  if (only !== undefined) return asOlderSchema({ ...schema, enum: [only] })
  if (typeof schema.$ref === 'string') {
    const { $ref, ...others } = schema
    return Object.keys(others).length > 0 ? { allOf: [{ $ref }], ...others } : schema
  }
  if (schema.type === 'null') return { ...schema, type: 'string', nullable: true }
  if (Array.isArray(schema.type) && schema.type.every(one => typeof one === 'string'))
    return withoutNullType(schema, schema.type)
  return schema
}

function withoutNullType(schema: Json, types: string[]): Json {
  const others = types.filter(one => one !== 'null')
  const { type: _, ...rest } = schema
  return {
    ...(others.length === 1 ? { type: others[0] } : { anyOf: others.map(type => ({ type })) }),
    ...rest,
    // `nullable` says it, and generators stumble over null as a value.
    ...(Array.isArray(rest.enum) ? { enum: rest.enum.filter(one => one !== null) } : {}),
    ...(others.length < types.length ? { nullable: true } : {}),
  }
}

/** Older generators know unions of objects only: the type that all share, or else any value. */
function sharedBy(ways: Json[]): Json {
  const types = new Set(ways.map(one => ('$ref' in one ? 'object' : one.type)))
  if (types.size > 1) return {}
  return types.has('object') ? { anyOf: ways } : { type: [...types][0] }
}
