import Type, { type Static } from 'typebox'
import { bookWalkIn as book, type Visitor } from '../../actions/scheduling/book-walk-in.ts'
import { findCustomerByUuid } from '../../db/scheduling/customers.ts'
import { diaryEntriesOf } from '../../db/scheduling/diary.ts'
import { findProductByUuid } from '../../db/setup/products.ts'
import { maximumCapacity } from '../../rules/offers/timeslots.ts'
import type { Service } from '../../service.ts'
import { Email, LocalTime, longText, Optional, OptionalText, Text, Uuid } from '../wire/fields.ts'
import { answer, consoleRoute } from '../wire/route.ts'
import { DiaryRecord, diaryRecord } from './diary.ts'
import { providerOf, resourceOf, visible } from './visible.ts'

export const flags = {
  sendMails: Type.Boolean({ default: true, description: 'Whether those concerned are told by mail.' }),
  ignoreConflicts: Type.Boolean({ default: false, description: 'Do it whatever is in the way.' }),
}
export const message = OptionalText(1024)

/** Somebody known, or somebody new. */
export const who = {
  customerUuid: Optional(Uuid),
  customer: Optional(
    Type.Object(
      { name: Text(), email: Optional(Email), mobile: OptionalText(100), note: OptionalText(1023) },
      { title: 'NewConsoleCustomer' },
    ),
  ),
}

const WalkIn = Type.Object(
  {
    resourceUuid: Uuid,
    productUuid: Uuid,
    start: LocalTime,
    end: LocalTime,
    capacity: Optional(Type.Integer({ minimum: 0, maximum: maximumCapacity, description: 'Default 1.' })),
    notes: OptionalText(longText),
    description: OptionalText(longText),
    ...who,
    message,
  },
  { title: 'WalkIn' },
)

export const bookWalkIn = consoleRoute({
  method: 'POST',
  path: '/console/api/providers/:uuid/appointments',
  operationId: 'bookWalkIn',
  tag: 'Console',
  summary: 'Book an Appointment for somebody, or for nobody yet',
  description:
    'What overlaps, lies outside the Timeslots or in the past is refused once with 409 `conflict`, and done with ignoreConflicts.',
  query: flags,
  body: WalkIn,
  replies: { 201: DiaryRecord },
  errors: ['not-found', 'conflict'],
  async handle({ params, query, body, caller, service }) {
    const provider = await providerOf(service, caller, params.uuid)
    const { resourceUuid, productUuid, customer, customerUuid, ...rest } = body
    const resource = await resourceOf(service, { providerIds: [provider.id] }, resourceUuid)
    const product = await productOf(service, provider.id, productUuid)
    const wish = {
      ...rest,
      resource,
      product,
      capacity: body.capacity ?? 1,
      who: await whoOf(service, provider.id, { customer, customerUuid }),
    }
    const { id } = await book({ service, actor: caller.actor, provider }, wish, query)
    const [entry] = await diaryEntriesOf(service.db, provider.id, { appointments: [id], participations: [] })
    return answer(201, diaryRecord(entry!))
  },
})

const productOf = (service: Service, providerId: number, uuid: string) =>
  visible(
    'Product',
    uuid,
    { providerIds: [providerId] },
    row => row.providerId,
    () => findProductByUuid(service.db, uuid),
  )

export async function whoOf(
  service: Service,
  providerId: number,
  sent: Pick<Static<typeof WalkIn>, 'customer' | 'customerUuid'>,
): Promise<Visitor | null> {
  if (!sent.customerUuid) return sent.customer ?? null
  const { reference } = await visible(
    'Customer',
    sent.customerUuid,
    { providerIds: [providerId] },
    row => row.providerId,
    () => findCustomerByUuid(service.db, sent.customerUuid!),
  )
  return { reference }
}
