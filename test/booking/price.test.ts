import { expect, it } from 'vitest'
import { makeAppointment, makePractice, makeTimeslot } from '../support/build.ts'
import { asConsumer, overApp } from '../support/consumer.ts'
import { useService } from '../support/service.ts'

const holdfast = await useService()

it('a group Appointment with a price shows it in the list; slots have none', async () => {
  const practice = await makePractice(holdfast.crm)
  await makeTimeslot(holdfast.crm, practice)
  const price = { value: 12.5, currency: 'EUR' }
  await makeAppointment(holdfast.crm, practice, { acceptBookings: true, price })
  const { body } = await asConsumer(overApp(holdfast.app)).list(practice.resource)
  const slots = body['2030-01-07'] as { kind: string; price?: object }[]
  expect(slots.filter(slot => slot.kind === 'models.LotAppointment').map(slot => slot.price)).toEqual([price])
  expect(slots.filter(slot => slot.kind === 'models.Bookable').every(slot => !('price' in slot))).toBe(true)
})
