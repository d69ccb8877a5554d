import type { TSchema } from 'typebox'
import { mapCollectingRefusals, repeatedReference } from '../../../errors.ts'

type Schema = TSchema & {
  type?: string | string[]
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  then?: Schema
  else?: Schema
  /** Optional, but an empty text is an error, because the default would be surprising. */
  'x-not-blank'?: boolean
}
type Reader = (value: unknown) => void

/**
 * Normalises bodies by the route's schema before validation: an empty text counts as no value where an empty
 * one is not allowed.
 */
export function bodyReader(schema: TSchema | undefined): Reader {
  return (schema && readerOf(schema as Schema)) ?? (() => {})
}

/** Null if nothing in the value needs normalising. */
function readerOf({ properties, items, anyOf, then, else: otherwise }: Schema): Reader | null {
  if (then && otherwise) return runAll([then, otherwise].map(readerOf))
  if (anyOf) return runAll(anyOf.map(readerOf))
  const item = items && readerOf(items)
  if (item) return value => Array.isArray(value) && value.forEach(item)
  return properties ? objectReader(properties) : null
}

function objectReader(properties: Record<string, Schema>): Reader | null {
  const read = runAll(Object.entries(properties).map(([name, schema]) => fieldReader(name, schema)))
  return read && (value => isObject(value) && read(value))
}

/** Works on the object that contains the field. */
function fieldReader(name: string, schema: Schema): Reader | null {
  const inner = readerOf(schema)
  if (!allowsNull(schema) && !inner) return null
  return value => {
    const object = value as Record<string, unknown>
    if (object[name] === '' && allowsNull(schema) && !schema['x-not-blank']) object[name] = null
    else inner?.(object[name])
  }
}

function runAll(readers: (Reader | null)[]): Reader | null {
  const needed = readers.filter(reader => reader !== null)
  return needed.length > 0 ? value => needed.forEach(read => void read(value)) : null
}

const allowsNull = ({ type, anyOf }: Schema): boolean =>
  [type].flat().includes('null') || (anyOf?.some(allowsNull) ?? false)

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Refuses a batch in which one record would overwrite another. `name` and `field` say where the references are. */
export function refuseRepeats<T, K extends string & keyof T>(name: string, field: K, entries: readonly T[]) {
  const seen = new Set<unknown>()
  mapCollectingRefusals([...entries], (entry, index) => {
    const reference = entry[field]
    if (reference == null) return
    if (seen.has(reference)) throw repeatedReference(`${name}[${index}].${field}`, String(reference))
    seen.add(reference)
  })
}
