import Type, { type Static } from 'typebox'
import { maximumCapacity, maximumRaster } from '../rules/offers/timeslots.ts'
import { AppointmentRecord } from './appointment.ts'
import {
  defaulted,
  elsewhere,
  entity,
  instant,
  internal,
  optional,
  required,
  shown,
  updatedAt,
} from './entity.ts'
import { AddressOrText, AddressOrTextRecord, Choice, LocalTime, Optional, Reference, Uuid } from './fields.ts'

export const Raster = Type.Integer({
  minimum: 1,
  maximum: maximumRaster,
  description: 'Minutes per slot.',
})

const State = Choice(['CREATED', 'BOOKABLE'])

export const timeslot = entity('timeslot', {
  id: internal<number>(),
  providerId: internal<number>(),
  resourceId: internal<number>(),
  uuid: shown(Uuid),
  /** Generated if none is sent. */
  reference: defaulted(Reference, undefined),
  resourceReference: elsewhere(required(Reference)),
  start: instant(Optional({ ...LocalTime, 'x-not-blank': true }), { column: 'start_at', change: LocalTime }),
  end: instant(LocalTime, { column: 'end_at' }),
  raster: required(Raster, { output: Type.Number() }),
  defaultCapacity: required(Type.Integer({ minimum: 0, maximum: maximumCapacity })),
  defaultAcceptBookings: required(Type.Boolean()),
  address: optional(AddressOrText, { output: AddressOrTextRecord, isJson: true }),
  state: required(State, { output: State }),
  updatedAt,
  appointments: elsewhere(shown(Type.Array(AppointmentRecord))),
})

/** As sent; the action reads its times. */
export type TimeslotInput = Static<Type.TObject<typeof timeslot.inputs>>
