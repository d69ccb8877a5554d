import AjvCompiler from '@fastify/ajv-compiler'
import SerializerSelector from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'

type Compilers = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>
type Validate = ((data: unknown) => unknown) & { errors?: unknown }
type Serialise = (data: unknown) => string
/** What the two packages and Fastify agree on, which their types say in more words than we need. */
type Factory<Made> = (schemas: unknown, options: unknown) => (definition: unknown) => Made

// Compiling the schemas of all routes under both prefixes was a quarter of the start, and most processes never use
// most of them. Each is compiled when the first request needs it.
export const lazySchemas = {
  buildValidator: lazily(AjvCompiler() as unknown as Factory<Validate>, validateLater),
  buildSerializer: lazily(SerializerSelector() as unknown as Factory<Serialise>, serialiseLater),
} as unknown as Compilers

function lazily<Made>(factory: Factory<Made>, later: (compile: () => Made) => Made): Factory<Made> {
  return (schemas, options) => {
    const compile = factory(schemas, options)
    return definition => later(() => compile(definition))
  }
}

function validateLater(compile: () => Validate): Validate {
  let compiled: Validate | undefined
  const validate: Validate = data => {
    compiled ??= compile()
    const result = compiled(data)
    // Fastify reads what was wrong off the function itself.
    validate.errors = compiled.errors
    return result
  }
  return validate
}

function serialiseLater(compile: () => Serialise): Serialise {
  let compiled: Serialise | undefined
  return data => {
    compiled ??= compile()
    return compiled(data)
  }
}
