// The part of the consumer API that the widget uses, typed by the service's OpenAPI document. Names are those
// of the API.

import type { components, paths } from '../../clients/ts/src/schema.ts'

type Schemas = components['schemas']

export type Method = 'get' | 'post' | 'delete'
export type Path = keyof paths

/** Path, query and body of a call, with the same required fields. */
export type Input<Op> = Parameters<Op> & Body<Op>
type Parameters<Op> = Op extends { parameters: { path?: infer P; query?: infer Q } }
  ? ([P] extends [undefined] ? { path?: undefined } : { path: NonNullable<P> }) & { query?: Q }
  : never
type Body<Op> = Op extends { requestBody: { content: { 'application/json': infer B } } }
  ? { body: B }
  : { body?: undefined }

type Replies<Op> = Op extends { responses: infer R } ? R : never
type Json<R> = R extends { content: { 'application/json': infer B } } ? B : null

/** The successful answer of a call. Every other answer is thrown. */
export type Good<Op> = {
  [S in keyof Replies<Op>]: S extends 200 | 201 | 204 ? Json<Replies<Op>[S]> : never
}[keyof Replies<Op>]

export type Operation<P extends Path, M extends Method> = M extends keyof paths[P] ? paths[P][M] : never

export type Bookable = Pick<
  Schemas['Bookable'],
  | 'start'
  | 'end'
  | 'timeslot_uuid'
  | 'appointment_uuid'
  | 'product_uuid'
  | 'resource_uuid'
  | 'capacity'
  | 'capacity_left'
> & { price?: { value: number; currency: string } | null }
export type PublicData = Schemas['PublicData']
export type Product = Schemas['PublicProduct']
export type Participation = Schemas['Hold']
export type Created = Schemas['CreatedAppointment']
export type ReserveBody = Schemas['ReserveInput']
export type CompleteBody = Schemas['CompleteInput']
export type MoveBody = Schemas['MoveInput']
export type ChannelKey = Schemas['ChannelKey']
