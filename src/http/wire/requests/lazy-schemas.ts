import AjvCompiler from '@fastify/ajv-compiler'
import SerializerSelector from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'

type Compilers = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>
type Validate = ((data: unknown) => unknown) & { errors?: { keyword?: string }[] | null }
type Serialise = (data: unknown) => string
/** The part of Fastify's compiler interface that is used here. */
type Factory<Made> = (schemas: unknown, options: unknown) => (definition: Definition) => Made
type Definition = { schema: unknown }

const validators = AjvCompiler() as unknown as Factory<Validate>
const serialisers = SerializerSelector() as unknown as Factory<Serialise>

// Compiling the schemas of all routes under both prefixes took a quarter of the startup time, and most
// processes never use most of them. Each is compiled once, on its first request; prefixes and all servers of
// a process share the result.
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

// Keyed by the text of the schema, because Fastify and routes copy some. All servers compile with the same
// options.
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

/**
 * Valid input passes the fast validator, which stops at the first error; only then are all errors collected.
 */
function validateLater(compile: () => Validate, compileThorough: () => Validate): Validate {
  let quick: Validate | undefined
  let slow: Validate | undefined
  const validate: Validate = data => {
    quick ??= compile()
    const result = quick(data)
    // Fastify reads the errors from the function itself.
    validate.errors = quick.errors
    if (result || isTooLong(data, quick.errors ?? [])) return result
    slow ??= compileThorough()
    slow(data)
    validate.errors = slow.errors ?? quick.errors
    return result
  }
  return validate
}

// The most values a full batch can have. A longer body full of errors would fill the memory with messages.
const maxValues = 150_000

function isTooLong(data: unknown, [first]: { keyword?: string }[]): boolean {
  if (first?.keyword === 'maxItems') return true
  const waiting = [data]
  for (let seen = 0; waiting.length > 0; seen++) {
    if (seen + waiting.length > maxValues) return true
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
 * Value limits in response schemas are for the document only. With alternatives, the serialiser would search
 * for the one that fits, and a format it does not know would fit none.
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
