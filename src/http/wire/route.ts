import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { RecordLock } from '../../actions/setup/run-if-unchanged.ts'
import type { ConsoleCaller, CrmCaller, ProviderContext } from '../../callers.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import type { ErrorCode, Refusal } from '../../errors.ts'
import type { Right } from '../../rules/access.ts'
import type { Service } from '../../service.ts'
import type { ConsoleAccess, FoundBy, Whose } from './callers/permit.ts'
import type { Tag } from './docs/tags.ts'

// A route is one value: path, schemas, errors and handler. app.ts lists them all; register.ts turns each into
// a Fastify route, its validation, its serialiser and its entry in the OpenAPI document.

/** The parameters of a path: PathParams<'/a/:b/c/:d'> is { b: string; d: string }. */
type PathParams<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? { [K in Name]: string } & PathParams<`/${Tail}`>
    : { [K in Rest]: string }
  : unknown

/** The Provider that the path names. */
type InPath<Path extends string> = Path extends `${string}/:providerRef${string}` ? ProviderRow : undefined

/** Responses by status; null for a response without a body. */
type Replies = Record<number, TSchema | null>
type BodyOf<R> = R extends TSchema ? Static<R> : undefined
type IsUnion<T, Whole = T> = T extends Whole ? ([Whole] extends [T] ? false : true) : never
type StatusAndBody<R extends Replies> = {
  [S in keyof R & number]: { status: S; body: BodyOf<R[S]> }
}[keyof R & number]
/** The body; if a route has several replies, with its status. */
type Answer<R extends Replies> =
  IsUnion<keyof R & number> extends true
    ? Promise<StatusAndBody<R>>
    : R[keyof R & number] extends null
      ? Promise<void>
      : Promise<BodyOf<R[keyof R & number]>>

type Call<Path extends string, Q extends TProperties, B extends TSchema, Caller, Found> = {
  params: PathParams<Path>
  query: Static<TObject<Q>>
  body: Static<B>
  service: Service
  caller: Caller
  /** What the check of permissions has found: the Provider or another record in the path, for example. */
  found: Found
  /** For actions, if the path names a Provider or a record of one. */
  context: Found extends ProviderRow | { providerId: number } ? ArrivedContext : undefined
  /** The Resources that a practitioner may see; null for all. */
  only: string[] | null
  /** Invalid entries of the list that `itemsIn` names, by index. */
  refused: Map<number, Refusal>
  request: FastifyRequest
  reply: FastifyReply
}

/** `arrived`: when the request came in, by performance.now(). */
type ArrivedContext = ProviderContext & { arrived: number }

/**
 * A response sent before Fastify sees the request. Headers are names and values in turn. A short body is a
 * string and is sent together with its headers.
 */
export type KnownResponse = {
  status: 200 | 204 | 304
  vary: string
  /** False: other origins may not read it, which pages are not meant for. */
  cors?: false
  headers: string[]
  body: string | Buffer
}

type EarlyCall = { request: IncomingMessage; write(answer: KnownResponse): boolean }

/** As it arrived: nothing has been parsed or validated. */
export type SentInput = { params: Record<string, string>; query: Record<string, unknown>; body: unknown }

/** What every route says of itself, whatever its handler takes. */
type Declaration = {
  /** Removes input that this request ignores, so that it cannot be refused for it. */
  dropIgnored?(service: Service, sent: SentInput): Promise<void> | undefined
  /** Name in generated clients: a verb and a noun, such as createTimeslots. */
  operationId: string
  summary: string
  description: string
  /** For the document; the handler reads them from the request. */
  headers?: TProperties
  /** Counts against the limit for anonymous clients, under this name. */
  limit?: string
  /** Field with a code or the caller's current password: attempts are counted per login. */
  secretField?: string
  /** For the document: starts or ends a session. */
  setsCookie?: boolean
  /** Refused with 503 under overload: takes a place, and can be retried. */
  isShedUnderLoad?: boolean
  /** Accepts 8 MiB instead of 1. */
  isBatch?: boolean
  /** Accepts 28 MiB: a file in the encoding of JSON. */
  isUpload?: boolean
  /** A list whose invalid entries do not refuse the request: the handler gets them as `refused`. */
  itemsIn?: string
  /** Compressed, and with an ETag: answers 304 to clients that have it. */
  isList?: boolean
  /** Compressed, and not stored by browsers. */
  isLarge?: boolean
  /** A single record, with an ETag. */
  isRecord?: boolean
  ifMatch?: Guard
}

type Definition<
  Path extends string,
  Q extends TProperties,
  B extends TSchema,
  R extends Replies,
  Caller,
  Prepared,
  Found = undefined,
> = Declaration & {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: Path
  query?: Q
  body?: B
  /** Missing fields that the schema cannot express; reported together with the schema's errors. */
  findMissing?(body: Partial<Static<B>>): Refusal[]
  replies: R
  /** Errors beyond those that every route of its kind has (docs/openapi.ts). */
  errors?: ErrorCode[]
  /** The CRM that the request concerns: its backend may count consumers one by one (callers/auth.ts). */
  crmOf?(service: Service, params: PathParams<Path>): Promise<number | null>
  /**
   * Depends only on URL and headers, and is often repeated. If the response of `handle` is already known, it
   * is sent before Fastify sees the request (early/early-responses.ts); returns false otherwise.
   */
  answerEarly?(
    call: Pick<Call<Path, Q, B, Caller, Found>, 'params' | 'query' | 'service'> & EarlyCall,
  ): Promise<boolean>
  /**
   * Waits for something outside the database: another server, or a password hash. With an Idempotency-Key
   * `handle` runs inside a transaction; this runs before it, without a connection, and not if the response is
   * already stored.
   */
  prepare?(call: Call<Path, Q, B, Caller, Found>): Promise<Prepared>
  handle(call: Call<Path, Q, B, Caller, Found> & { prepared: Prepared }): Answer<R>
}

/** A change that honours If-Match. */
export type Guard = {
  /** The route that reads the record and returns its ETag. */
  record: Route
  lock: RecordLock
  /** Path parameters of the record, if the change names it elsewhere. */
  paramsOf?(call: GuardedCall): Record<string, string>
}
export type GuardedCall = {
  params: Record<string, string>
  query: Record<string, unknown>
  body: unknown
  service: Service
  caller: CrmCaller
  context: ProviderContext | undefined
}

export type Scope = 'setup' | 'scheduling' | 'events'
export type Access = { kind: 'crm'; scope: Scope } | ConsoleAccess | { kind: 'public' }

export type Route = Declaration & {
  access: Access
  tag: Tag
  method: string
  path: string
  query?: TProperties
  body?: TSchema
  findMissing?(body: object): Refusal[]
  replies: Replies
  errors: ErrorCode[]
  crmOf?(service: Service, params: unknown): Promise<number | null>
  answerEarly?(call: object): Promise<boolean>
  prepare?(call: unknown): Promise<unknown>
  handle(call: unknown): Promise<{ status: number; body: unknown }>
}

/**
 * Groups A and B: requires an API key of the CRM in the path, which owns the Provider in the path. The chapter
 * of the document says which scope the key needs, unless stated.
 */
export const crmRoutes =
  (tag: Tag, scope = scopeOf(tag)) =>
  <
    Path extends string,
    R extends Replies,
    Q extends TProperties = {},
    B extends TSchema = TSchema,
    Prepared = undefined,
  >(
    definition: Definition<Path, Q, B, R, CrmCaller, Prepared, InPath<Path>>,
  ): Route =>
    asRoute({ tag, ...definition }, { kind: 'crm', scope })

function scopeOf(tag: Tag): Scope {
  if (tag === 'A. Setup') return 'setup'
  return tag === 'B8. Events' ? 'events' : 'scheduling'
}

/**
 * The console API: requires a session, an operator's token, or an API key with this scope. `access` names the
 * right that the caller needs, and whose data the route is about. Unknown fields are refused so that misspelled settings are noticed; integrators' systems may send more
 * fields than the API knows.
 */
export function consoleRoute<
  Path extends string,
  R extends Replies,
  Q extends TProperties = {},
  B extends TSchema = TSchema,
  W extends Whose = Whose,
  Prepared = undefined,
>(
  definition: Definition<Path, Q, B, R, ConsoleCaller, Prepared, FoundBy<W>> & {
    access: { right: Right; whose: W; isFiltered?: boolean; scope?: 'settings' }
  },
): Route {
  const { access, body, ...rest } = definition
  return asRoute(
    { tag: 'Console' satisfies Tag, ...rest, ...(body ? { body: closed(body) } : {}) },
    { kind: 'console', ...access },
  )
}

/** The same schema, but refuses unknown fields. */
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

/** Group C and all other routes without a login. */
export const publicRoutes =
  (tag: Tag) =>
  <
    Path extends string,
    R extends Replies,
    Q extends TProperties = {},
    B extends TSchema = TSchema,
    Prepared = undefined,
  >(
    definition: Definition<Path, Q, B, R, null, Prepared>,
  ): Route =>
    asRoute({ tag, ...definition }, { kind: 'public' })

type AnyDefinition = Omit<Route, 'access' | 'errors' | 'handle'> & { handle(call: unknown): Promise<unknown> }

// The handler's exact types are checked at the definition; lists hold all routes as one type.
function asRoute(definition: AnyDefinition, access: Access): Route {
  const { replies, isList } = definition
  const [status, ...others] = Object.keys(replies).map(Number)
  const handle =
    others.length > 0
      ? definition.handle
      : async (call: unknown) => ({ status, body: await definition.handle(call) })
  const withUnchanged = isList ? { ...replies, 304: null } : replies
  return { errors: [], ...definition, access, replies: withUnchanged, handle } as unknown as Route
}

/** For routes with several replies. */
export const answer = <S extends number, B>(status: S, body: B) => ({ status, body })
