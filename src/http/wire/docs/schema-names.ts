import { documentedAs } from '../fields.ts'
import { propertyDescriptions } from './property-descriptions.ts'

type Schema = Record<string, unknown>

/**
 * Schemas as the document shows them. A schema with a title is written once under that name and referenced
 * elsewhere; alternatives become `oneOf`. Two different schemas with one name are an error.
 */
export class SchemaNames {
  readonly schemas: Record<string, Schema> = {}

  /** `place` is the schema, and the path inside it, whose property this is: it chooses the descriptions. */
  shown(schema: object, place = ''): Schema {
    const { title, ...rest } = schema as Schema & { [documentedAs]?: object[] }
    const ways = rest[documentedAs] ?? ('if' in rest ? [rest.then as object, rest.else as object] : null)
    if (!ways && typeof title !== 'string') return this.#inner(rest, place)
    const isNullable = Array.isArray(rest.type) && rest.type.includes('null')
    const shown = ways
      ? this.#oneOf(ways, title)
      : this.#named(title as string, isNullable ? withoutNull(rest) : rest)
    return isNullable ? { anyOf: [shown, { type: 'null' }] } : shown
  }

  #oneOf(ways: object[], title: unknown): Schema {
    const all = ways.map(way => this.shown(way))
    if (typeof title === 'string') return this.#named(title, { oneOf: all })
    return all.length === 1 ? all[0]! : { oneOf: all }
  }

  #named(name: string, schema: Schema): Schema {
    this.#keep(name, this.#inner(schema, name))
    return { $ref: `#/components/schemas/${name}` }
  }

  #keep(name: string, schema: Schema) {
    const known = this.schemas[name]
    if (known && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`Two different schemas are called ${name}.`)
    this.schemas[name] = schema
  }

  #inner(schema: Schema, place: string): Schema {
    const rest = forReaders(schema)
    const { properties, items, anyOf, additionalProperties } = rest
    return {
      ...rest,
      ...(properties ? { properties: this.#each(properties as Schema, place) } : {}),
      ...(items ? { items: this.shown(items, place) } : {}),
      ...(Array.isArray(anyOf) ? { anyOf: anyOf.map(one => this.shown(one, place)) } : {}),
      ...(isSchema(additionalProperties)
        ? { additionalProperties: this.shown(additionalProperties, place) }
        : {}),
    }
  }

  #each(properties: Schema, place: string): Schema {
    return Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [
        name,
        this.#described(this.shown(schema as object, `${place}.${name}`), `${place}.${name}`),
      ]),
    )
  }

  #described(shown: Schema, path: string): Schema {
    const named = typeof shown.$ref === 'string' ? this.schemas[shown.$ref.split('/').at(-1)!] : undefined
    if (shown.description ?? named?.description) return shown
    const description = propertyDescriptions[path] ?? propertyDescriptions[path.split('.').at(-1)!]
    return description ? { ...shown, description } : shown
  }
}

/**
 * Removes internal parts: error texts and rules, patterns that other languages do not understand, and the
 * strictness of the console, which shares bodies with calls that ignore unknown fields.
 */
function forReaders({
  'x-must': _must,
  'x-rule': _rule,
  pattern,
  patternProperties,
  additionalProperties = ofRecord(patternProperties),
  ...rest
}: Schema): Schema {
  const portable = pattern ? portablePattern(String(pattern)) : null
  return {
    ...rest,
    ...(portable ? { pattern: portable } : {}),
    ...(additionalProperties ? { additionalProperties } : {}),
  }
}

/** A record has one pattern, for any name; few generators know patterns of names. */
const ofRecord = (patternProperties: unknown) => Object.values((patternProperties as Schema) ?? {})[0]

function withoutNull({ type, enum: values, ...rest }: Schema): Schema {
  const [only] = (type as string[]).filter(one => one !== 'null')
  const options = (values as unknown[] | undefined)?.filter(one => one !== null)
  return { type: only, ...(options ? { enum: options } : {}), ...rest }
}

const isSchema = (value: unknown): value is object => typeof value === 'object' && value !== null

/**
 * The pattern as RE2, Go, Java and Python understand it: without look-ahead, which the description states in
 * words, and without Unicode escapes. Null if it cannot be expressed.
 */
function portablePattern(pattern: string): string | null {
  const plain = pattern
    .replaceAll(/\(\?[=!][^()]*\)/g, '')
    .replaceAll(/\\u00([0-9a-f]{2})/gi, '\\x$1')
    .replaceAll('\\/', '/')
    // Some generators write patterns into string literals as they are.
    .replaceAll('"', '\\x22')
    .replaceAll("'", '\\x27')
  return foreign.test(plain) ? null : plain
}

/** Groups other than `(?:`, classes `[]` and `[^]`, `\\p`, `\\u`, and references back. */
const foreign = /\(\?(?!:)|\[\^?\]|\\[pPuk1-9]/
