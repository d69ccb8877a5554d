// place(): every reason for a no, once, and the two ways of a yes. One Monday, one Timeslot from 08:00 to 10:00.

import { describe, expect, it } from 'vitest'
import { spansOf } from '../../src/rules/offers/busy-spans.ts'
import { place, type Refused, type SlotRequest } from '../../src/rules/offers/slots.ts'
import {
  appointmentAt,
  at,
  channelWith,
  now,
  productWith,
  timeslotWith,
  windowWith,
} from '../support/windows.ts'

const timeslot = timeslotWith()
const slot = { productId: 1, timeslot, start: at('08:00'), end: at('08:30') }

type Case = [Refused['reason'], string, Parameters<typeof windowWith>[0], Partial<SlotRequest>?]

const refusals: Case[] = [
  ['archived', 'the Resource is archived', { archived: true }],
  ['channel', 'the channel is hidden', { channel: channelWith({ visible: false }) }],
  ['product', 'the channel does not sell it', { channel: channelWith({ productIds: [2] }) }],
  ['product', 'the Resource does not support it', {}, { productId: 9 }],
  ['not-bookable', 'the Timeslot is closed', {}, { timeslot: timeslotWith({ bookable: false }) }],
  ['capacity', 'the Timeslot has no places', {}, { timeslot: timeslotWith({ capacity: 0 }) }],
  ['raster', 'it starts between two lines', {}, { start: at('08:10'), end: at('08:40') }],
  ['raster', 'it starts before the Timeslot', {}, { start: at('07:30'), end: at('08:00') }],
  ['rest', 'it ends after the Timeslot', {}, { start: at('09:30'), end: at('10:30') }],
  [
    'duration',
    'it is longer than the Product may be',
    { products: [productWith({ maxDuration: 30 })] },
    { end: at('09:00') },
  ],
  ['duration', 'it is shorter than the Product may be', { products: [productWith({ minDuration: 60 })] }],
  ['notice', 'it has begun', {}, { start: at('08:00') }],
  ['notice', 'it begins within the notice', { channel: channelWith({ minimumNoticeMinutes: 24 * 60 }) }],
  ['horizon', 'it is beyond the horizon', { channel: channelWith({ horizonDays: 0 }) }],
  [
    'taken',
    'another Appointment is at that time',
    { appointments: [appointmentAt('08:15', '08:45', { open: false })] },
  ],
  [
    'taken',
    'what is there is of another Product',
    { appointments: [appointmentAt('08:00', '08:30', { productId: 2 })] },
  ],
  [
    'buffer',
    'the buffer of its neighbour reaches into it',
    { appointments: [appointmentAt('08:30', '09:00', {}, 15)] },
  ],
  ['full', 'the last place is taken', { appointments: [appointmentAt('08:00', '08:30', { taken: 1 })] }],
  ['too few places', 'more places are wanted than the Timeslot has', {}, { places: 2 }],
  [
    'too few places',
    'more places are wanted than are left',
    { appointments: [appointmentAt('08:00', '08:30', { taken: 1, capacity: 3 })] },
    { places: 3 },
  ],
]

describe('place refuses', () => {
  it.each(refusals)('%s: %s', (reason, because, fields, change = {}) => {
    const moment = because === 'it has begun' ? at('08:00') : now
    const request = { ...slot, ...change } as SlotRequest
    expect(place(windowWith(fields), request, moment)).toMatchObject({ reason })
  })

  it('closed: the Appointment that is named takes no bookings', () => {
    const appointment = appointmentAt('08:00', '08:30', { open: false })
    const window = windowWith({ appointments: [appointment] })
    expect(place(window, { productId: 1, appointment }, now)).toEqual({ reason: 'closed', by: appointment })
  })

  const closure = { from: at('08:10'), to: at('08:20'), reason: 'Holiday', isBlock: false }
  const closed = spansOf([closure])

  it('closed: a closure overlaps it, whatever else does', () => {
    const appointment = appointmentAt('08:00', '08:30')
    const window = windowWith({ closed, appointments: [appointment] })
    const refused = { reason: 'closed', closure }
    expect(place(windowWith({ closed }), slot, now)).toEqual(refused)
    expect(place(window, { productId: 1, appointment }, now)).toEqual(refused)
  })

  it('but not what begins when a closure ends, ends when it begins, or has only its buffer in it', () => {
    const products = [productWith({ leadTimeMinutes: 30, followUpTimeMinutes: 30 })]
    const around = spansOf([
      { ...closure, from: at('07:00'), to: at('08:00') },
      { ...closure, from: at('08:30'), to: at('09:00') },
    ])
    expect(place(windowWith({ closed: around, products }), slot, now)).toMatchObject({ kind: 'new' })
  })

  it('and names the conflicting Appointment', () => {
    const by = appointmentAt('08:15', '08:45', { open: false })
    expect(place(windowWith({ appointments: [by] }), slot, now)).toMatchObject({ by })
  })

  it('a past start is past on every channel; the notice applies to this one only', () => {
    expect(place(windowWith(), slot, at('08:00'))).toMatchObject({ reason: 'notice', isPast: true })
    const strict = windowWith({ channel: channelWith({ minimumNoticeMinutes: 24 * 60 }) })
    expect(place(strict, slot, now)).not.toHaveProperty('isPast', true)
  })

  it('busy: an external calendar overlaps it or its buffers', () => {
    const inside = spansOf([{ from: at('08:10'), to: at('08:20') }])
    const before = spansOf([{ from: at('07:50'), to: at('08:00') }])
    const withLead = [productWith({ leadTimeMinutes: 15 })]
    const appointment = appointmentAt('08:00', '08:30')
    expect(place(windowWith({ outside: inside }), slot, now)).toEqual({ reason: 'busy' })
    expect(place(windowWith({ outside: inside, appointments: [appointment] }), slot, now)).toEqual({
      reason: 'busy',
    })
    expect(place(windowWith({ outside: before }), slot, now)).toMatchObject({ kind: 'new' })
    expect(place(windowWith({ outside: before, products: withLead }), slot, now)).toEqual({ reason: 'busy' })
  })

  it('has a case here for every reason', () => {
    const tested = new Set<string>([...refusals.map(([reason]) => reason), 'closed', 'busy'])
    const all: Record<Refused['reason'], true> = {
      archived: true,
      channel: true,
      'not-bookable': true,
      product: true,
      raster: true,
      duration: true,
      rest: true,
      notice: true,
      horizon: true,
      capacity: true,
      taken: true,
      buffer: true,
      full: true,
      'too few places': true,
      closed: true,
      busy: true,
    }
    expect(Object.keys(all).filter(reason => !tested.has(reason))).toEqual([])
  })
})

describe('place grants', () => {
  it('a free slot, with the time that it blocks', () => {
    const window = windowWith({ products: [productWith({ leadTimeMinutes: 10, followUpTimeMinutes: 5 })] })
    expect(place(window, slot, now)).toMatchObject({
      kind: 'new',
      blocked: { from: at('07:50'), to: at('08:35') },
    })
  })

  it('a place in what the slot has become', () => {
    const appointment = appointmentAt('08:00', '08:30', { capacity: 2, taken: 1 })
    const window = windowWith({ appointments: [appointment] })
    expect(place(window, slot, now)).toMatchObject({ kind: 'join', appointment })
  })
})
