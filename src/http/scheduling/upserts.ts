import Type, { type TSchema } from 'typebox'
import { upsertCustomers as saveCustomers } from '../../actions/scheduling/customers/upsert-customers.ts'
import { upsertTimeslots as saveTimeslots } from '../../actions/scheduling/hours/upsert-timeslots.ts'
import type { Upserted } from '../../actions/scheduling/upsert-each.ts'
import { timeslot } from '../../entities/timeslot.ts'
import { errorBody } from '../wire/errors.ts'
import { Choice, maxBatchEntries, readAddressOrText } from '../wire/fields.ts'
import { refuseRepeats } from '../wire/requests/body.ts'
import { crmRoutes } from '../wire/route.ts'
import { ErrorEntry, Wrapped, wrap } from '../wire/wrapper.ts'
import { CustomerInput, CustomerRecord, customerRecord, otherProvider, readCustomer } from './customers.ts'
import { TimeslotRecord, TimeslotWithReference } from './timeslots.ts'

// Many records in one call, each with a result of its own.

const results = ['created', 'changed', 'unchanged', 'refused'] as const

const ResultOf = (noun: string, record: TSchema) =>
  Type.Object(
    {
      index: Type.Integer({ description: 'Position in the list that was sent, from 0.' }),
      reference: Type.Union([Type.String(), Type.Null()], { description: 'The reference that was sent.' }),
      result: Choice(results, { description: 'What happened to this record.' }),
      [noun]: Type.Optional(record),
      errors: Type.Optional(Type.Array(ErrorEntry, { description: 'Why it was refused.' })),
    },
    { title: `${noun[0]!.toUpperCase()}${noun.slice(1)}Result` },
  )

const counts = Object.fromEntries(
  results.map(name => [
    name,
    Type.Integer({
      description: `Number of records that were ${name === 'unchanged' ? 'the same already' : name}.`,
    }),
  ]),
) as Record<(typeof results)[number], Type.TInteger>

const ReplyOf = (noun: string, record: TSchema) =>
  Wrapped({ ...counts, results: Type.Array(ResultOf(noun, record), { description: 'In the order sent.' }) })

function reply<Row>(
  noun: string,
  sent: unknown[],
  done: Upserted<Row>[],
  recordOf: (row: Row) => unknown,
  field: string,
) {
  const list = done.map((one, index) => ({
    index,
    reference: referenceIn(sent[index], field),
    result: one.result,
    ...(one.result === 'refused'
      ? { errors: errorBody(one.refusal).errors }
      : { [noun]: recordOf(one.record) }),
  }))
  const count = (name: string) => list.filter(one => one.result === name).length
  const numbers = Object.fromEntries(results.map(name => [name, count(name)])) as Record<
    (typeof results)[number],
    number
  >
  return wrap({ ...numbers, results: list }) as never
}

/** An invalid entry may be null. */
const orNothing = <T>(entry: T): T => entry ?? ({} as T)

/** Of invalid entries, too. */
function referenceIn(entry: unknown, field: string): string | null {
  const value = (entry as Record<string, unknown> | null)?.[field]
  return typeof value === 'string' ? value : null
}

const description = (records: string) =>
  `Creates ${records} or changes the fields that are sent, up to 1000 in one call. Each has its own result: those that are refused do not hold back the others, and sending the same again changes nothing. A reference that occurs twice is refused as a whole (400).`

export const upsertCustomers = crmRoutes('B7. Customers')({
  method: 'POST',
  path: '/crms/:crmId/provider/:providerRef/customers/upsert',
  operationId: 'upsertCustomers',
  summary: 'Create or update many Customers',
  description: `${description('Customers')} A new one whose email a Customer from online booking has is refused with \`same-person\`, unless \`adopt=true\`.`,
  query: {
    adopt: Type.Boolean({
      default: false,
      description:
        'Customers from online booking with the same email get the new reference, with their bookings.',
    }),
  },
  body: Type.Object(
    { customers: Type.Array(CustomerInput, { minItems: 1, maxItems: maxBatchEntries }) },
    { title: 'CustomersUpsert' },
  ),
  itemsIn: 'customers',
  replies: { 200: ReplyOf('customer', CustomerRecord) },
  errors: ['duplicate-reference'],
  isBatch: true,
  async handle({ query, body, refused, context, found: provider }) {
    refuseRepeats('customers', 'customerReference', body.customers.map(orNothing))
    for (const [index, one] of body.customers.entries()) {
      const wrong = refused.has(index) ? null : otherProvider(provider, one.providerReference)
      if (wrong) refused.set(index, wrong)
    }
    const sent = body.customers.map(one => readCustomer(orNothing(one)))
    const done = await saveCustomers(context, sent, refused, query.adopt)
    return reply('customer', body.customers, done, row => customerRecord(provider, row), 'customerReference')
  },
})

export const upsertTimeslots = crmRoutes('B4. Timeslots')({
  method: 'POST',
  path: '/crms/:crmId/provider/:providerRef/timeslots/upsert',
  operationId: 'upsertTimeslots',
  summary: 'Create or update many Timeslots',
  description: description('Timeslots'),
  body: Type.Object(
    { timeslots: Type.Array(TimeslotWithReference, { minItems: 1, maxItems: maxBatchEntries }) },
    { title: 'TimeslotsUpsert' },
  ),
  itemsIn: 'timeslots',
  replies: { 200: ReplyOf('timeslot', TimeslotRecord) },
  errors: ['duplicate-reference'],
  isBatch: true,
  async handle({ body, refused, context }) {
    refuseRepeats('timeslots', 'reference', body.timeslots.map(orNothing))
    const sent = body.timeslots.map((one, index) =>
      refused.has(index) ? one : { ...one, address: readAddressOrText(one.address) },
    )
    const done = await saveTimeslots(context, sent as never, refused)
    return reply('timeslot', body.timeslots, done, timeslot.record, 'reference')
  },
})
