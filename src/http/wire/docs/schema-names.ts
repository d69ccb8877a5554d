import { documentedAs } from '../fields.ts'

type Schema = Record<string, unknown>

/**
 * Schemas as the document shows them. A schema with a title is written once under that name and referenced
 * elsewhere; alternatives become `oneOf`. Two different schemas with one name are an error.
 */
export class SchemaNames {
  readonly schemas: Record<string, Schema> = {}

  shown(schema: object): Schema {
    const { title, ...rest } = schema as Schema & { [documentedAs]?: object[] }
    const ways = rest[documentedAs] ?? ('if' in rest ? [rest.then as object, rest.else as object] : null)
    if (!ways && typeof title !== 'string') return this.#inner(rest)
    const isNullable = Array.isArray(rest.type) && rest.type.includes('null')
    const shown = ways
      ? this.#oneOf(ways)
      : this.#named(title as string, isNullable ? withoutNull(rest) : rest)
    return isNullable ? { anyOf: [shown, { type: 'null' }] } : shown
  }

  #oneOf(ways: object[]): Schema {
    const all = ways.map(way => this.shown(way))
    return all.length === 1 ? all[0]! : { oneOf: all }
  }

  #named(name: string, schema: Schema): Schema {
    this.#keep(name, this.#inner(schema))
    return { $ref: `#/components/schemas/${name}` }
  }

  #keep(name: string, schema: Schema) {
    const known = this.schemas[name]
    if (known && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`Two different schemas are called ${name}.`)
    this.schemas[name] = schema
  }

  #inner(schema: Schema): Schema {
    const rest = forReaders(schema)
    const { properties, items, anyOf, additionalProperties } = rest
    return {
      ...rest,
      ...(properties ? { properties: this.#each(properties as Schema) } : {}),
      ...(items ? { items: this.shown(items) } : {}),
      ...(Array.isArray(anyOf) ? { anyOf: anyOf.map(one => this.shown(one)) } : {}),
      ...(isSchema(additionalProperties) ? { additionalProperties: this.shown(additionalProperties) } : {}),
    }
  }

  #each(properties: Schema): Schema {
    return Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, this.shown(schema as object)]),
    )
  }
}

/**
 * Removes internal parts: error texts and rules, patterns that fail in regular expressions without Unicode, and the
 * strictness of the console, which shares bodies with calls that ignore unknown fields.
 */
function forReaders({
  'x-must': _must,
  'x-rule': _rule,
  pattern,
  additionalProperties,
  ...rest
}: Schema): Schema {
  return {
    ...rest,
    ...(pattern && !String(pattern).includes('\\p{') ? { pattern } : {}),
    ...(additionalProperties ? { additionalProperties } : {}),
  }
}

function withoutNull({ type, enum: values, ...rest }: Schema): Schema {
  const [only] = (type as string[]).filter(one => one !== 'null')
  const options = (values as unknown[] | undefined)?.filter(one => one !== null)
  return { type: only, ...(options ? { enum: options } : {}), ...rest }
}

const isSchema = (value: unknown): value is object => typeof value === 'object' && value !== null
