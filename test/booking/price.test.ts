import { expect, it } from 'vitest'
import { makeAppointment, makePractice, makeTimeslot } from '../support/build.ts'
import { asConsumer, overApp } from '../support/consumer.ts'
import { useService } from '../support/service.ts'

const test = await useService()

it('a group Appointment with a price shows it in the list; slots have none', async () => {
  const practice = await makePractice(test.crm)
  await makeTimeslot(test.crm, practice)
  const price = { value: 12.5, currency: 'EUR' }
  await makeAppointment(test.crm, practice, { acceptBookings: true, price })
  const { body } = await asConsumer(overApp(test.app)).list(practice.resource)
  const slots = body['2030-01-07'] as { kind: string; price?: object }[]
  expect(slots.filter(slot => slot.kind === 'models.LotAppointment').map(slot => slot.price)).toEqual([price])
  expect(slots.filter(slot => slot.kind === 'models.Bookable').every(slot => !('price' in slot))).toBe(true)
})
