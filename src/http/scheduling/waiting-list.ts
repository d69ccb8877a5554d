import Type from 'typebox'
import { lockWaitingEntry } from '../../actions/scheduling/lock-records.ts'
import { addEntry, changeEntry, leaveList, type WishInput } from '../../actions/scheduling/waiting/entries.ts'
import { offerByHand } from '../../actions/scheduling/waiting/offer-by-hand.ts'
import type { ProviderContext } from '../../callers.ts'
import {
  type EntryRecord,
  findEntry,
  listEntries,
  type WaitingState,
  waitingStates,
} from '../../db/scheduling/waiting-entries.ts'
import { notFound } from '../../errors.ts'
import { maxPlacesAtOnce } from '../../rules/offers/window.ts'
import { toUtcText } from '../../rules/time/time.ts'
import { clockOf, weekdaysIn } from '../../rules/waiting/wish.ts'
import {
  Choice,
  isUuid,
  LocalTime,
  Moment,
  Optional,
  OptionalText,
  Reference,
  ruleText,
  Uuid,
} from '../wire/fields.ts'
import { answer, crmRoutes } from '../wire/route.ts'
import { Nullable, Wrapped, wrap } from '../wire/wrapper.ts'

const crmRoute = crmRoutes('B9. Waiting list')

export const DateInput = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  ...ruleText('be a date such as 2027-03-04'),
})
const ClockInput = Type.String({
  pattern: '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$',
  ...ruleText('be a time of day such as 08:00'),
})
const Weekdays = Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
  maxItems: 7,
  description: '1 is Monday. If empty, any day.',
})

/** When a person would come: a period of dates, weekdays and hours, in the Provider's local time. */
export const wishFields = {
  from: DateInput,
  to: DateInput,
  weekdays: Optional(Weekdays),
  timeFrom: Optional(ClockInput),
  timeTo: Optional(ClockInput),
}

const Priority = Type.Integer({
  minimum: -1000,
  maximum: 1000,
  description: 'Higher is offered first. Default 0.',
})

export const staffFields = {
  resourceReferences: Optional(
    Type.Array(Reference, { maxItems: 100, description: 'If empty, any Resource.' }),
  ),
  note: OptionalText(1023),
  priority: Optional(Priority),
  priorityReason: OptionalText(255),
}

export const WaitingInput = Type.Object(
  {
    customerReference: Reference,
    productReference: Reference,
    ...wishFields,
    ...staffFields,
    places: Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxPlacesAtOnce,
        description: 'How many places of a group. Default 1.',
      }),
    ),
    participationReference: Optional(
      Type.String({
        maxLength: 255,
        description:
          'A booking of this Customer that an offer would replace: only earlier times are offered.',
      }),
    ),
  },
  { title: 'WaitingInput' },
)

export const WaitingChange = Type.Partial(
  Type.Object({ productReference: Reference, ...wishFields, ...staffFields }),
  { title: 'WaitingChange' },
)

export const WaitingOfferInput = Type.Object(
  { resourceReference: Reference, start: LocalTime },
  { title: 'WaitingOfferInput' },
)

const Offer = Type.Object(
  {
    resourceReference: Type.String(),
    start: Moment,
    end: Moment,
    madeAt: Moment,
    expiresAt: Moment,
    byHand: Type.Boolean({ description: 'Offered by staff, out of turn.' }),
    outcome: Nullable(Choice(['TAKEN', 'DECLINED', 'LAPSED', 'WITHDRAWN'])),
    endedAt: Nullable(Moment),
  },
  { title: 'WaitingOffer' },
)

export const waitingProperties = {
  uuid: Uuid,
  state: Choice(waitingStates),
  customerReference: Type.String(),
  productReference: Type.String(),
  resourceReferences: Nullable(Type.Array(Type.String())),
  from: Type.String(),
  to: Type.String(),
  weekdays: Type.Array(Type.Number()),
  timeFrom: Type.String(),
  timeTo: Type.String(),
  note: Nullable(Type.String()),
  places: Type.Number({ description: 'How many places of a group.' }),
  priority: Type.Number(),
  priorityReason: Nullable(Type.String()),
  participationReference: Nullable(Type.String()),
  since: Moment,
  endedAt: Nullable(Moment),
  endedBecause: Nullable(Choice(['over', 'unanswered', 'left', 'staff'])),
  unansweredOffers: Type.Number(),
  offers: Type.Array(Offer),
}
export const WaitingRecord = Type.Object(waitingProperties, { title: 'WaitingEntry' })

export function waitingRecord(entry: EntryRecord) {
  return {
    uuid: entry.uuid,
    state: entry.state,
    customerReference: entry.customerReference,
    productReference: entry.productReference,
    resourceReferences: entry.resources?.map(one => one.reference) ?? null,
    from: entry.fromDate,
    to: entry.toDate,
    weekdays: weekdaysIn(entry.weekdays),
    timeFrom: clockOf(entry.fromMinute),
    timeTo: clockOf(entry.toMinute),
    note: entry.note,
    places: entry.places,
    priority: entry.priority,
    priorityReason: entry.priorityReason,
    participationReference: entry.replacesReference,
    since: toUtcText(entry.since),
    endedAt: entry.endedAt === null ? null : toUtcText(entry.endedAt),
    endedBecause: entry.endedBecause,
    unansweredOffers: entry.unanswered,
    offers: entry.offers.map(one => ({
      resourceReference: one.resourceReference,
      start: toUtcText(one.startAt),
      end: toUtcText(one.endAt),
      madeAt: toUtcText(one.madeAt),
      expiresAt: toUtcText(one.expiresAt),
      byHand: one.byHand,
      outcome: one.outcome,
      endedAt: one.endedAt === null ? null : toUtcText(one.endedAt),
    })),
  }
}

const path = '/crms/:crmId/provider/:providerRef/waiting_list'

export const getWaitingList = crmRoute({
  method: 'GET',
  path,
  operationId: 'getWaitingList',
  summary: 'List the waiting list',
  description: 'Entries in the order in which they were made. `next` continues the list, if there are more.',
  query: {
    state: Type.Optional(
      Type.Unsafe<WaitingState>({ ...Choice(waitingStates), description: 'Only entries in this state.' }),
    ),
    customerReference: Type.Optional(
      Type.String({ ...Reference, description: 'Only entries of this Customer.' }),
    ),
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: '`next` of the previous page.',
      }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: 'Default 100.' })),
  },
  replies: { 200: Wrapped({ entries: Type.Array(WaitingRecord), next: Nullable(Type.Number()) }) },
  async handle({ query, service, found: provider }) {
    const limit = query.limit ?? 100
    const found = await listEntries(service.db, {
      providerId: provider.id,
      states: query.state ? [query.state] : null,
      customerReference: query.customerReference ?? null,
      after: query.after ?? 0,
      limit: limit + 1,
    })
    const page = found.slice(0, limit)
    const next = found.length > limit ? page.at(-1)!.id : null
    return wrap({ entries: page.map(waitingRecord), next })
  },
})

export const addToWaitingList = crmRoute({
  method: 'POST',
  path,
  operationId: 'addToWaitingList',
  summary: 'Add a Customer to the waiting list',
  description:
    'When a matching time becomes free, it is held for the first Customer in line, who gets an email. The same wish of the same Customer returns the existing entry.',
  body: WaitingInput,
  replies: {
    200: Wrapped({ entry: WaitingRecord }),
    201: Wrapped({ entry: WaitingRecord }),
  },
  errors: ['conflict'],
  async handle({ body, context }) {
    const { entry, created } = await addEntry(context, body)
    return answer(created ? 201 : 200, wrap({ entry: waitingRecord(entry) }))
  },
})

export const getWaitingEntry = crmRoute({
  method: 'GET',
  path: `${path}/:entryUuid`,
  operationId: 'getWaitingEntry',
  summary: 'Get an entry of the waiting list',
  description: 'With all offers that were made, oldest first.',
  isRecord: true,
  replies: { 200: Wrapped({ entry: WaitingRecord }) },
  async handle({ params, context }) {
    const entry = await entryOf(context, params.entryUuid)
    return wrap({ entry: waitingRecord(entry) })
  },
})

export const updateWaitingEntry = crmRoute({
  method: 'PATCH',
  path: `${path}/:entryUuid`,
  operationId: 'updateWaitingEntry',
  summary: 'Change an entry of the waiting list',
  description: 'Changes only the fields that are sent. The place in line stays.',
  body: WaitingChange,
  ifMatch: { record: getWaitingEntry, lock: lockWaitingEntry },
  replies: { 200: Wrapped({ entry: WaitingRecord }) },
  errors: ['conflict'],
  async handle({ params, body, context }) {
    const { uuid } = await entryOf(context, params.entryUuid)
    return wrap({ entry: waitingRecord(await changeEntry(context, uuid, asChange(body))) })
  },
})

export const removeFromWaitingList = crmRoute({
  method: 'DELETE',
  path: `${path}/:entryUuid`,
  operationId: 'removeFromWaitingList',
  summary: 'Take a Customer off the waiting list',
  description: 'The entry stays readable. A time that is held for the Customer goes to the next in line.',
  ifMatch: { record: getWaitingEntry, lock: lockWaitingEntry },
  replies: { 200: Wrapped({ entry: WaitingRecord }) },
  async handle({ params, context }) {
    const { uuid } = await entryOf(context, params.entryUuid)
    return wrap({ entry: waitingRecord(await leaveList(context, uuid, 'staff')) })
  },
})

export const offerWaitingTime = crmRoute({
  method: 'POST',
  path: `${path}/:entryUuid/offer`,
  operationId: 'offerWaitingTime',
  summary: 'Offer a free time to a Customer on the waiting list',
  description: 'Holds the time and emails the Customer out of turn. The time must be free.',
  body: WaitingOfferInput,
  replies: { 200: Wrapped({ entry: WaitingRecord }) },
  errors: ['conflict'],
  async handle({ params, body, context }) {
    const { uuid } = await entryOf(context, params.entryUuid)
    return wrap({ entry: waitingRecord(await offerByHand(context, uuid, body)) })
  },
})

async function entryOf({ service, provider }: ProviderContext, uuid: string) {
  const entry = isUuid(uuid) ? await findEntry(service.db, uuid) : null
  if (entry?.providerId !== provider.id) throw notFound('Waiting list entry', uuid)
  return entry
}

/** Null for the period or the Product means that they stay as they are: an entry cannot be without them. */
export const asChange = ({ from, to, productReference, ...rest }: Type.Static<typeof WaitingChange>) =>
  ({
    ...rest,
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
    ...(productReference ? { productReference } : {}),
  }) satisfies Partial<WishInput>
