import Type, { type Static, type TSchema } from 'typebox'
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

/** In answers only. */
export const shown = <T extends TSchema>(output: T, options: { isPersonal?: boolean } = {}) =>
  ({ output, ...options }) as Field<Static<T>> & { output: T }

/** When the record last changed. Rows have the instant, answers its text. */
export const updatedAt = shown(
  Type.Unsafe<string>({
    type: 'string',
    format: 'date-time',
    description: 'When one of these fields last changed.',
  }),
) as unknown as Field<number> & { output: Type.TUnsafe<string> }

/** Not in the API. */
export const internal = <Value>(options: { isPersonal?: boolean } = {}): Field<Value> => options

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
  return {
    table,
    fields,
    /** Properties of request bodies. */
    inputs: having('input') as Inputs<F>,
    /** The same for a change of an existing one, where all may be left out. */
    changes: { ...having('input'), ...having('change') } as Changes<F>,
    ...viewOf<Outputs<F>>(outputs),
    /** The values of fields that are not sent. */
    empty: having('empty') as { [K in Optionals<F>]: ValueOf<F[K]> },
  }
}

/** Properties of answers, and the function that makes them of a row. */
function viewOf<Out>(outputs: Out) {
  const names = Object.keys(outputs as object) as (keyof Out)[]
  type Answer = { [K in keyof Out]: Out[K] extends TSchema ? Static<Out[K]> : never }
  type Row = { [K in keyof Answer]: K extends 'updatedAt' ? number : Answer[K] }
  const record = (row: Row): Answer => {
    const answer = {} as Record<keyof Out, unknown>
    for (const name of names)
      answer[name] = name === 'updatedAt' ? new Date(row[name] as number).toISOString() : row[name]
    return answer as Answer
  }
  return { outputs, record }
}

/** Some of the fields, for answers that do not show all. */
export const only = <Out, K extends keyof Out>({ outputs }: { outputs: Out }, names: readonly K[]) =>
  viewOf(pick(outputs, names))

export const pick = <T, K extends keyof T>(parts: T, names: readonly K[]) =>
  Object.fromEntries(names.map(name => [name, parts[name]])) as Pick<T, K>

export type Entity = { table: string; fields: Fields }

/** A row of its table. */
export type RowOf<E extends Entity> = {
  [K in keyof E['fields'] as E['fields'][K] extends { isElsewhere: true } ? never : K]: ValueOf<
    E['fields'][K]
  >
}

/** Includes what other tables keep. */
export type WholeOf<E extends Entity> = { [K in keyof E['fields']]: ValueOf<E['fields'][K]> }

/** What is sent to create one. */
export type FieldsOf<E extends Entity> = {
  [K in Exclude<keyof Inputs<E['fields']>, Optionals<E['fields']>>]: NonNullable<ValueOf<E['fields'][K]>>
} & { [K in Optionals<E['fields']>]?: ValueOf<E['fields'][K]> | null }
