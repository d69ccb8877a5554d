import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { ConsoleCaller, CrmCaller } from '../../callers.ts'
import type { ErrorCode, Refusal } from '../../errors.ts'
import type { Service } from '../../service.ts'
import type { Tag } from './docs/tags.ts'

// A route is one value: path, schemas, errors and handler. The lists in app.ts name them all; register.ts turns each
// into a Fastify route, its validation, its serialiser and its entry in the OpenAPI document.

/** The names behind the colons of a path: PathParams<'/a/:b/c/:d'> is { b: string; d: string }. */
type PathParams<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? { [K in Name]: string } & PathParams<`/${Tail}`>
    : { [K in Rest]: string }
  : unknown

/** Answers by status; null stands for an answer without a body. */
type Replies = Record<number, TSchema | null>
type BodyOf<R> = R extends TSchema ? Static<R> : undefined
type Answer<R extends Replies> = {
  [S in keyof R & number]: { status: S; body: BodyOf<R[S]> }
}[keyof R & number]

type Call<Path extends string, Q extends TProperties, B extends TSchema, Caller> = {
  params: PathParams<Path>
  query: Static<TObject<Q>>
  body: Static<B>
  service: Service
  caller: Caller
  request: FastifyRequest
  reply: FastifyReply
}

/** An answer as it is written before Fastify sees the request. What is short is a text, and goes out together with its head. */
export type Written = { status: 200 | 204 | 304; vary: string; lines: string; body: string | Buffer }

type AtDoor = { request: IncomingMessage; write(answer: Written): boolean }

type Definition<Path extends string, Q extends TProperties, B extends TSchema, R extends Replies, Caller> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: Path
  /** What generated clients call it: a verb and a noun, such as createTimeslots. */
  operationId: string
  tag: Tag
  summary: string
  description: string
  query?: Q
  /** For the document: the handler reads them off the request. */
  headers?: TProperties
  body?: B
  /** What is missing in a body that its schema cannot name; told together with what the schema finds. */
  lacks?(body: Partial<Static<B>>): Refusal[]
  replies: R
  /** Refusals beyond those that every route of its kind has. */
  errors?: ErrorCode[]
  /** Counts against the limit for strangers, under this name. */
  limit?: string
  /** For the document: begins or ends a session. */
  setsCookie?: boolean
  /** Refused with 503 where more comes than can be carried: takes a place, and can be asked for again. */
  isRefusable?: boolean
  /**
   * Reads nothing but its address and headers, and is asked the same by many. Where it is known already what `handle` would say,
   * that is written before Fastify sees the request (door/known-answers.ts); false where that was not to be.
   */
  answerAtDoor?(
    call: Pick<Call<Path, Q, B, Caller>, 'params' | 'query' | 'service'> & AtDoor,
  ): Promise<boolean>
  /** Takes 8 MiB instead of 1. */
  isBatch?: boolean
  /** Compressed, and with an ETag. */
  isList?: boolean
  /** Compressed; nobody keeps it. */
  isLarge?: boolean
  handle(call: Call<Path, Q, B, Caller>): Promise<Answer<R>>
}

export type Scope = 'setup' | 'scheduling' | 'events'
type Access = { kind: 'crm'; scope: Scope } | { kind: 'console'; scope?: 'settings' } | { kind: 'public' }

export type Route = {
  access: Access
  method: string
  path: string
  operationId: string
  tag: Tag
  summary: string
  description: string
  query?: TProperties
  headers?: TProperties
  body?: TSchema
  lacks?(body: object): Refusal[]
  replies: Replies
  errors: ErrorCode[]
  limit?: string
  setsCookie?: boolean
  isRefusable?: boolean
  answerAtDoor?(call: object): Promise<boolean>
  isBatch?: boolean
  isList?: boolean
  isLarge?: boolean
  handle(call: unknown): Promise<{ status: number; body: unknown }>
}

/** Groups A and B: needs an API key of the CRM in the path. */
export function crmRoute<
  Path extends string,
  R extends Replies,
  Q extends TProperties = {},
  B extends TSchema = TSchema,
>(definition: Definition<Path, Q, B, R, CrmCaller> & { scope: Scope }): Route {
  const { scope, ...rest } = definition
  return asRoute(rest, { kind: 'crm', scope })
}

/**
 * The console's own API: needs a session or an operator's token, or an API key with this scope, which sees its own CRM.
 * Unlike integrators, whose systems may send more than we know, people who misspell a setting must hear of it.
 */
export function consoleRoute<
  Path extends string,
  R extends Replies,
  Q extends TProperties = {},
  B extends TSchema = TSchema,
>(definition: Definition<Path, Q, B, R, ConsoleCaller> & { scope?: 'settings' }): Route {
  const { scope, body, ...rest } = definition
  return asRoute(
    { ...rest, ...(body ? { body: closed(body) } : {}) },
    { kind: 'console', ...(scope ? { scope } : {}) },
  )
}

/** The same schema, which refuses fields that it does not name. */
function closed<T extends TSchema>(schema: T): T {
  const { properties, items, anyOf } = schema as {
    properties?: TProperties
    items?: TSchema
    anyOf?: TSchema[]
  }
  return {
    ...schema,
    ...(properties ? { properties: mapValues(properties, closed), additionalProperties: false } : {}),
    ...(items ? { items: closed(items) } : {}),
    ...(anyOf ? { anyOf: anyOf.map(closed) } : {}),
  }
}

const mapValues = <T>(object: Record<string, T>, change: (value: T) => T) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]))

/** Group C and everything else that needs no login. */
export function publicRoute<
  Path extends string,
  R extends Replies,
  Q extends TProperties = {},
  B extends TSchema = TSchema,
>(definition: Definition<Path, Q, B, R, null>): Route {
  return asRoute(definition, { kind: 'public' })
}

// The handler's exact types have done their work at the definition; the lists hold all routes alike.
function asRoute(definition: object, access: Access): Route {
  return { errors: [], ...definition, access } as unknown as Route
}

export const answer = <S extends number, B>(status: S, body: B) => ({ status, body })
export const noContent = () => ({ status: 204 as const, body: undefined })
