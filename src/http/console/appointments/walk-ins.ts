import Type, { type Static } from 'typebox'
import {
  bookWalkIn as book,
  type WalkInPerson,
} from '../../../actions/scheduling/appointments/book-walk-in.ts'
import { diaryEntriesOf } from '../../../db/scheduling/diary.ts'
import { maximumCapacity } from '../../../rules/offers/timeslots.ts'
import type { Service } from '../../../service.ts'
import { recordAt } from '../../wire/callers/permit.ts'
import {
  Email,
  LocalTime,
  longText,
  Optional,
  OptionalText,
  RequiredUuid,
  Text,
  Uuid,
} from '../../wire/fields.ts'
import { consoleRoute } from '../../wire/route.ts'
import { Nullable } from '../../wire/wrapper.ts'
import { DiaryRecord, diaryRecord } from '../calendar/diary.ts'
import { customerInPath, productInPath, providerInPath, resourceInPath } from '../subjects.ts'

export const flags = {
  sendMails: Type.Boolean({ default: true, description: 'Whether to notify the people concerned by email.' }),
  ignoreConflicts: Type.Boolean({ default: false, description: 'Proceed despite conflicts.' }),
}
export const message = OptionalText(1024)

/** An existing or a new Customer. */
export const personFields = {
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
    resourceUuid: RequiredUuid,
    productUuid: RequiredUuid,
    start: LocalTime,
    end: LocalTime,
    capacity: Optional(
      Type.Integer({
        minimum: 0,
        maximum: maximumCapacity,
        description: 'Default: the capacity of the Timeslot, or 1 outside of one.',
      }),
    ),
    notes: OptionalText(longText),
    description: OptionalText(longText),
    ...personFields,
    message,
  },
  { title: 'WalkIn' },
)

const BookedEntry = Type.Object(
  {
    ...DiaryRecord.properties,
    joined: Type.Boolean({ description: 'The customer joined an existing group.' }),
    participationUuid: Nullable(Uuid),
  },
  { title: 'BookedWalkIn' },
)

export const bookWalkIn = consoleRoute({
  method: 'POST',
  path: '/console/api/providers/:uuid/appointments',
  operationId: 'bookWalkIn',
  access: { right: 'book', whose: providerInPath, isFiltered: true },
  summary: 'Book an Appointment, with or without a Customer',
  description:
    'Returns 409 `conflict` if it overlaps another Appointment, is outside the Timeslots or in the past, or if the Customer is booked elsewhere at that time, unless ignoreConflicts is set. Without `capacity`, an Appointment in a group Timeslot takes its capacity and stays open to consumers; if a group of the same Product starts at the same time, the Customer joins it.',
  query: flags,
  body: WalkIn,
  replies: { 201: BookedEntry },
  errors: ['conflict'],
  async handle({ query, body, service, found: provider, only, context }) {
    const { resourceUuid, productUuid, customer, customerUuid, ...rest } = body
    const resource = await recordAt(service.db, resourceInPath, provider.id, resourceUuid, only)
    const product = await recordAt(service.db, productInPath, provider.id, productUuid)
    const input = {
      ...rest,
      resource,
      product,
      capacity: body.capacity ?? null,
      who: await whoOf(service, provider.id, { customer, customerUuid }),
    }
    const { id, joined, participation } = await book(context, input, query)
    const [entry] = await diaryEntriesOf(service.db, provider.id, { appointments: [id], participations: [] })
    const person = entry!.people.find(one => one.reference === participation)
    return { ...diaryRecord(entry!), joined, participationUuid: person?.uuid ?? null }
  },
})

export async function whoOf(
  service: Service,
  providerId: number,
  sent: Pick<Static<typeof WalkIn>, 'customer' | 'customerUuid'>,
): Promise<WalkInPerson | null> {
  if (!sent.customerUuid) return sent.customer ?? null
  const { reference } = await recordAt(service.db, customerInPath, providerId, sent.customerUuid)
  return { reference }
}
