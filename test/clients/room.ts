import { makePractice, makeTimeslot } from '../support/build.ts'
import type { TestService } from '../support/service.ts'

/** A Resource with two hours of slots on the day that all clients of these tests use. */
export async function makeBookableRoom({ crm }: TestService) {
  const practice = await makePractice(crm)
  await makeTimeslot(crm, practice, { start: '2027-03-04T08:00', end: '2027-03-04T10:00' })
  return { ref: practice.resourceUuid, productUuid: practice.productUuid }
}
