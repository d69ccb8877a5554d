import AjvCompiler from '@fastify/ajv-compiler'
import SerializerSelector from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'

type Compilers = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>
type Validate = ((data: unknown) => unknown) & { errors?: { keyword?: string }[] | null }
type Serialise = (data: unknown) => string
/** What the two packages and Fastify agree on, which their types say in more words than we need. */
type Factory<Made> = (schemas: unknown, options: unknown) => (definition: Definition) => Made
type Definition = { schema: unknown }

const validators = AjvCompiler() as unknown as Factory<Validate>
const serialisers = SerializerSelector() as unknown as Factory<Serialise>

// Compiling the schemas of all routes under both prefixes was a quarter of the start, and most processes never use
// most of them. Each is compiled when the first request needs it, and once: the prefixes, and all servers of a process,
// share what was made of it.
export const lazySchemas = {
  buildValidator: ((schemas, options) => {
    const compile = validators(schemas, options)
    const compileThorough = validators(schemas, thorough(options as AjvOptions))
    return definition =>
      validateLater(
        () => once(validating, definition, compile),
        () => once(validatingThoroughly, definition, compileThorough),
      )
  }) satisfies Factory<Validate>,
  buildSerializer: ((schemas, options) => {
    const compile = serialisers(schemas, options)
    return definition => serialiseLater(() => once(serialising, withoutLimits(definition), compile))
  }) satisfies Factory<Serialise>,
} as unknown as Compilers

// By the text of the schema: Fastify copies some, and routes make some anew. All servers compile with the same options.
const validating = new Map<string, Validate>()
const validatingThoroughly = new Map<string, Validate>()
const serialising = new Map<string, Serialise>()

function once<Made>(
  known: Map<string, Made>,
  definition: Definition,
  compile: (definition: Definition) => Made,
): Made {
  const text = JSON.stringify(definition.schema)
  const made = known.get(text) ?? compile(definition)
  known.set(text, made)
  return made
}

type AjvOptions = { customOptions?: object }

const thorough = (options: AjvOptions) => ({
  ...options,
  customOptions: { ...options.customOptions, allErrors: true },
})

/** What is right passes the quick validator, which stops at the first mistake; only then all of them are looked for. */
function validateLater(compile: () => Validate, compileThorough: () => Validate): Validate {
  let quick: Validate | undefined
  let slow: Validate | undefined
  const validate: Validate = data => {
    quick ??= compile()
    const result = quick(data)
    // Fastify reads what was wrong off the function itself.
    validate.errors = quick.errors
    if (result || isTooLong(data, quick.errors ?? [])) return result
    slow ??= compileThorough()
    slow(data)
    validate.errors = slow.errors ?? quick.errors
    return result
  }
  return validate
}

// What the largest batch may hold. A longer body full of mistakes would fill the memory with complaints.
const mostValues = 150_000

function isTooLong(data: unknown, [first]: { keyword?: string }[]): boolean {
  if (first?.keyword === 'maxItems') return true
  const waiting = [data]
  for (let seen = 0; waiting.length > 0; seen++) {
    if (seen + waiting.length > mostValues) return true
    const value = waiting.pop()
    if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) waiting.push(inner)
  }
  return false
}

const limits = new Set([
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
])

/**
 * What an answer may look like is for the document. The serialiser only needs the shape: where there are several, it would
 * look for the one that fits, and an address that a checker of formats does not know would fit none.
 */
function withoutLimits<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(withoutLimits) as T
  if (typeof schema !== 'object' || schema === null) return schema
  const kept = Object.entries(schema).filter(
    ([name, value]) => !limits.has(name) || (typeof value === 'object' && value !== null),
  )
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutLimits(value)])) as T
}

function serialiseLater(compile: () => Serialise): Serialise {
  let compiled: Serialise | undefined
  return data => {
    compiled ??= compile()
    return compiled(data)
  }
}
