import Type, { type Static, type TSchema } from 'typebox'
import { toUtcText } from '../rules/time/civil.ts'
import { Nullable, Optional } from './fields.ts'

// An entity lists its fields once. Row types, API records, request schemas, column lists and erasure derive
// from the list; src/db/base/columns.ts writes the SQL.

type Options = {
  /** If it differs from the name in snake_case. */
  column?: string
  /** If answers have another schema than the plain type of the input. */
  output?: TSchema
  /** Cleared when the person is erased. */
  isPersonal?: boolean
  /** A column of type jsonb whose value may be a text. */
  isJson?: boolean
  /** A point in time: rows have epoch milliseconds. */
  isInstant?: boolean
}

/** `value` exists only for the compiler. */
export type Field<Value = unknown> = Options & {
  input?: TSchema
  /** If changes take another schema: null is no value there. */
  change?: TSchema
  /** What it is if it is not sent. */
  empty?: unknown
  isElsewhere?: boolean
  isNullable?: boolean
  value?: Value
}

export function required<T extends TSchema, O extends Options = {}>(input: T, options?: O) {
  return { ...options, input, output: outputOf(input, options) } as Sent<T, Output<T, O>>
}

/** Null or empty counts as not sent on create, and clears the value on update. */
export function optional<T extends TSchema, O extends Options = {}>(schema: T, options?: O) {
  const [input, output] = [Optional(schema), Nullable(outputOf<T, O>(schema, options))]
  return { ...options, input, output, empty: null } as Sent<typeof input, typeof output> & { empty: null }
}

/** May be left out, but always has a value. */
export function defaulted<T extends TSchema, O extends Options = {}>(
  schema: T,
  empty: Static<T> | undefined,
  options?: O,
) {
  const [input, output] = [Optional(schema), outputOf<T, O>(schema, options)]
  const field = { ...options, input, change: schema, output, empty }
  return field as Sent<typeof input, typeof output> & { change: T; empty: unknown }
}

/** Null or empty clears it. */
export function list<T extends TSchema>(
  items: T,
  { maxItems, ...options }: { maxItems: number; isPersonal?: boolean },
) {
  const [input, output] = [Optional(Type.Array(items, { maxItems })), Type.Array(plain(items))]
  return { ...options, input, output, empty: [] } as Sent<typeof input, typeof output> & { empty: unknown }
}

/** In requests only. */
export const sentOnly = <T extends TSchema>(schema: T) => {
  const input = Optional(schema)
  return { input, empty: null } as Field<Static<T> | null> & { input: typeof input; empty: null }
}

/** In answers only. */
export const shown = <T extends TSchema>(
  output: T,
  options: { isPersonal?: boolean; isInstant?: boolean } = {},
) => ({ output, ...options }) as Field<Static<T>> & { output: T }

/** How answers write an instant. Rows have the number. */
const writtenBy: unique symbol = Symbol('writtenBy')
type Instant = Type.TUnsafe<string> & { [writtenBy]: (at: number) => string }

const momentText = (options: object, write: (at: number) => string) =>
  ({
    ...Type.Unsafe<string>({ type: 'string', format: 'date-time', ...options }),
    [writtenBy]: write,
  }) as Instant

/** Sent as text, which may be local time; rows have the instant. `change`: what a change takes. */
export const instant = <T extends TSchema, O extends { column: string; change?: TSchema }>(
  input: T,
  options: O,
) =>
  ({ input, output: momentText({}, toUtcText), isInstant: true, ...options }) as unknown as Field<number> & {
    input: T
    output: Instant
  } & Pick<O, Extract<keyof O, 'change'>>

export const changedAt = (description: string) =>
  shown(
    momentText({ description }, at => new Date(at).toISOString()),
    { isInstant: true },
  ) as unknown as Field<number> & {
    output: Instant
  }

/** When the record last changed. */
export const updatedAt = changedAt('When one of these fields last changed.')

/** Not in the API. */
export const internal = <Value>(options: { isPersonal?: boolean; isInstant?: boolean } = {}): Field<Value> =>
  options

/** Kept in another table, with statements of its own. */
export const elsewhere = <F extends Field>(field: F) => ({ ...field, isElsewhere: true as const })

/** Must be sent, but rows made in other ways may have none. */
export const nullable = <F extends Field>(field: F) =>
  ({ ...field, isNullable: true }) as Omit<F, 'value'> & { value?: ValueOf<F> | null }

type Sent<In extends TSchema, Out extends TSchema> = Field<Static<Out>> & { input: In; output: Out }

type Output<T extends TSchema, O> = O extends { output: infer Out extends TSchema } ? Out : Plain<T>

const outputOf = <T extends TSchema, O extends Options>(schema: T, options?: O) =>
  (options?.output ?? plain(schema)) as Output<T, O>

type Plain<T extends TSchema> = Type.TUnsafe<Static<T>>

/** The type alone, without the rules for input. */
function plain<T extends TSchema>(schema: T): Plain<T> {
  const { type, format } = schema as { type?: string; format?: string }
  return Type.Unsafe({ type: type === 'integer' ? 'number' : type, ...(format && { format }) })
}

type Fields = Record<string, Field>
type Inputs<F> = { [K in keyof F as F[K] extends { input: TSchema } ? K : never]: Part<F[K], 'input'> }
type Changes<F> = {
  [K in keyof Inputs<F>]: F[K] extends { change: infer Schema extends TSchema } ? Schema : Inputs<F>[K]
}
type Outputs<F> = { [K in keyof F as F[K] extends { output: TSchema } ? K : never]: Part<F[K], 'output'> }
type Part<One, Name extends string> = One extends { [K in Name]: infer Schema extends TSchema }
  ? Schema
  : never
type ValueOf<One> = One extends Field<infer Value> ? Value : never
type Optionals<F> = { [K in keyof F]: F[K] extends { empty: unknown } ? K : never }[keyof F]

export function entity<const Table extends string, F extends Fields>(table: Table, fields: F) {
  const names = Object.keys(fields)
  const having = (part: 'input' | 'change' | 'output' | 'empty') =>
    Object.fromEntries(names.filter(name => part in fields[name]!).map(name => [name, fields[name]![part]]))
  const outputs = having('output') as Outputs<F>
  const empty = having('empty')
  return {
    table,
    fields,
    /** Properties of request bodies. */
    inputs: having('input') as Inputs<F>,
    /** The same for a change of an existing one, where all may be left out. */
    changes: { ...having('input'), ...having('change') } as Changes<F>,
    ...viewOf<Outputs<F>>(outputs),
    /** The values of fields that are not sent. */
    empty: empty as { [K in Optionals<F>]: ValueOf<F[K]> },
    /** Null becomes the value of fields that are not sent. */
    filled: <R extends object>(row: R): R => ({
      ...row,
      ...Object.fromEntries(Object.keys(empty).map(name => [name, row[name as keyof R] ?? empty[name]])),
    }),
  }
}

/** Properties of answers, and the function that makes them of a row. */
function viewOf<Out>(outputs: Out) {
  const names = Object.keys(outputs as object) as (keyof Out)[]
  type Answer = { [K in keyof Out]: Out[K] extends TSchema ? Static<Out[K]> : never }
  type Row = {
    [K in keyof Out]: Out[K] extends Instant ? number : Out[K] extends TSchema ? Static<Out[K]> : never
  }
  const record = (row: Row): Answer => {
    const answer = {} as Record<keyof Out, unknown>
    for (const name of names) {
      const write = (outputs[name] as Partial<Instant>)[writtenBy]
      answer[name] = write ? write(row[name] as number) : row[name]
    }
    return answer as Answer
  }
  return { outputs, record }
}

/** Some of the fields, for answers that do not show all. */
export const only = <Out, K extends keyof Out>({ outputs }: { outputs: Out }, names: readonly K[]) =>
  viewOf(pick(outputs, names))

/** The same under the names that a public API has for them: `{ url: 'website' }`. */
export function renamed<Out, N extends Record<string, keyof Out>>({ outputs }: { outputs: Out }, names: N) {
  type Name = keyof N & string
  type Answer = { [K in Name]: Out[N[K]] extends TSchema ? Static<Out[N[K]]> : never }
  type Row = { [K in N[Name]]: Out[K] extends TSchema ? Static<Out[K]> : never }
  const all = Object.entries(names) as [Name, N[Name]][]
  return {
    /** The fields that it shows. */
    fields: Object.values(names) as N[Name][],
    outputs: Object.fromEntries(all.map(([name, field]) => [name, outputs[field]])) as {
      [K in Name]: Out[N[K]]
    },
    record: (row: Row) => Object.fromEntries(all.map(([name, field]) => [name, row[field]])) as Answer,
  }
}

export const pick = <T, K extends keyof T>(parts: T, names: readonly K[]) =>
  Object.fromEntries(names.map(name => [name, parts[name]])) as Pick<T, K>

export type Entity = { table: string; fields: Fields }

/** A row of its table. */
export type RowOf<E extends Entity> = {
  [K in keyof E['fields'] as E['fields'][K] extends { isElsewhere: true } ? never : K]: ValueOf<
    E['fields'][K]
  >
}

/** Some of its fields under other names, as `columnsAs` selects them. */
export type RowAs<E extends Entity, N extends Record<string, keyof RowOf<E>>> = {
  [K in keyof N]: RowOf<E>[N[K]]
}

/** Includes what other tables keep. */
export type WholeOf<E extends Entity> = { [K in keyof E['fields']]: ValueOf<E['fields'][K]> }

/** What is sent to create one. */
export type FieldsOf<E extends Entity> = {
  [K in Exclude<keyof Inputs<E['fields']>, Optionals<E['fields']>>]: NonNullable<ValueOf<E['fields'][K]>>
} & { [K in Optionals<E['fields']>]?: ValueOf<E['fields'][K]> | null }
