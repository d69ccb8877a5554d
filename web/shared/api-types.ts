// The consumer API as far as the widget uses it, out of the service's own OpenAPI document. Names are those of the wire.

import type { Operations } from '../../clients/ts/operations.ts'

type Reply<O extends keyof Operations, S extends keyof Operations[O]['replies']> = Operations[O]['replies'][S]
type Reserve = 'POST /rest/1/resources/{ref}/reserve_appointment'
type Complete = 'POST /resources/{ref}/create_appointment_with_consumer'
type Groups = Reply<'GET /resources/{ref}/upcoming_bookables', 200>

type Slot = Extract<Groups[string], unknown[]>[number]

export type Bookable = Pick<
  Slot,
  | 'start'
  | 'end'
  | 'timeslot_uuid'
  | 'appointment_uuid'
  | 'product_uuid'
  | 'resource_uuid'
  | 'capacity'
  | 'capacity_left'
> & { price?: { value: number; currency: string } | null }
export type PublicData = Exclude<Reply<'POST /resources/public_data', 200>, unknown[]>
export type Product = Reply<'POST /products/active_products', 200>['products'][number]
export type Participation = Reply<Reserve, 200>['participation']
export type Created = Reply<Complete, 201>['createdAppointment']
export type ReserveBody = Operations[Reserve]['body']
export type CompleteBody = Operations[Complete]['body']
