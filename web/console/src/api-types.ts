import type { paths } from '../../../clients/ts/src/schema.ts'

// The console API's calls, typed by its OpenAPI document. A call is written as its address,
// `/customers/${uuid}`; the types of its body and answer follow from that.

type Prefix = '/console/api'
type Known = Extract<keyof paths, `${Prefix}/${string}`>
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** `/customers/{uuid}` as it is written in a call: a path parameter matches any text. */
type Written<P> = P extends `${infer Before}{${string}}${infer After}`
  ? `${Before}${string}${Written<After>}`
  : P

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false

type Documented<P> = P extends string
  ? { [K in Known]: Same<Written<K>, `${Prefix}${P}`> extends true ? K : never }[Known]
  : never

type Operation<P, M extends Method> = NonNullable<paths[Documented<P>][M]>

/** The address itself, or never if the API has no such call. */
export type Call<P, M extends Method> = P extends string
  ? [Operation<P, M>] extends [never]
    ? never
    : P
  : never

type Json<R> = R extends { content: { 'application/json': infer T } } ? T : null
type Responses<P, M extends Method> = Operation<P, M> extends { responses: infer R } ? R : never
type Good = 200 | 201 | 202 | 204

export type Answer<P, M extends Method> = {
  [S in keyof Responses<P, M> & Good]: Json<Responses<P, M>[S]>
}[keyof Responses<P, M> & Good]

export type Body<P, M extends Method> =
  Operation<P, M> extends { requestBody?: { content: { 'application/json': infer B } } } ? B : undefined

type Asked<P, M extends Method> = Operation<P, M> extends { parameters: { query?: infer Q } } ? Q : never

/** Null leaves the parameter out. */
export type Query<P, M extends Method> = { [K in keyof Asked<P, M>]?: Asked<P, M>[K] | null }
