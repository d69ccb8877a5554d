import Type, { type Static } from 'typebox'
import { changeHours } from '../../actions/scheduling/hours.ts'
import { findHours, type Hours } from '../../db/scheduling/hours.ts'
import { invalidField } from '../../errors.ts'
import { clockText, type OpeningRule } from '../../rules/offers/hours.ts'
import { Choice, Optional } from '../wire/fields.ts'
import { IfMatch, ifUnchanged, withEtag } from '../wire/if-match.ts'
import { answer, consoleRoute } from '../wire/route.ts'
import { Nullable } from '../wire/wrapper.ts'
import { providerOfRow, resourceInPath } from './subjects.ts'

const Clock = Type.String({
  pattern: '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$',
  description: 'Time of day, such as 08:30.',
})
const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'Day, such as 2026-03-04.' })
const Weekday = Type.Union([
  Choice(['1', '2', '3', '4', '5', '6', '7']),
  Type.Integer({ minimum: 1, maximum: 7 }),
])

const rule = {
  from: Clock,
  to: Type.String({ ...Clock, description: 'If not after `from`, on the next day.' }),
  raster: Type.Integer({ minimum: 1, maximum: 1440, description: 'Minutes per bookable slot.' }),
}

const RuleInput = Type.Object(
  {
    uuid: Optional(Type.String({ description: 'uuid of an existing rule. Omit for a new rule.' })),
    weekdays: Type.Array(Weekday, { minItems: 1, maxItems: 7, description: '"1" (Monday) to "7" (Sunday).' }),
    ...rule,
    capacity: Optional(Type.Integer({ minimum: 0, maximum: 100_000 })),
    acceptBookings: Optional(Type.Boolean()),
    validFrom: Optional(Day),
    validUntil: Optional(Day),
  },
  { title: 'OpeningRuleInput' },
)

const RuleRecord = Type.Object(
  {
    uuid: Type.String(),
    weekdays: Type.Array(Type.String()),
    ...rule,
    capacity: Type.Number(),
    acceptBookings: Type.Boolean(),
    validFrom: Nullable(Type.String()),
    validUntil: Nullable(Type.String()),
  },
  { title: 'OpeningRule' },
)

const weeks = { minimum: 1, maximum: 104, description: 'How many weeks ahead Timeslots are created.' }
const HoursRecord = Type.Object(
  { hoursWeeks: Type.Integer(weeks), rules: Type.Array(RuleRecord) },
  { title: 'OpeningHours' },
)

const defaultWeeks = 12

export const getHours = consoleRoute({
  method: 'GET',
  path: '/console/api/resources/:uuid/hours',
  operationId: 'getOpeningHours',
  access: { right: 'settings', whose: resourceInPath, scope: 'settings' },
  tag: 'Console',
  summary: 'Get opening hours of a Resource',
  description:
    'Rules in the Provider’s local time from which Timeslots are created. The list is empty if there are none.',
  replies: { 200: HoursRecord },
  async handle({ service, reply, found: resource }) {
    return answer(200, withEtag(reply, hoursRecord(await findHours(service.db, resource.id))))
  },
})

export const putHours = consoleRoute({
  method: 'PUT',
  path: '/console/api/resources/:uuid/hours',
  operationId: 'putOpeningHours',
  access: { right: 'settings', whose: resourceInPath, scope: 'settings' },
  tag: 'Console',
  summary: 'Replace the opening hours of a Resource',
  description:
    'Updates Timeslots immediately and then daily. Times with bookings outside the new hours remain. Timeslots created through the API never change.',
  headers: IfMatch,
  body: Type.Object(
    { hoursWeeks: Optional(Type.Integer(weeks)), rules: Type.Array(RuleInput, { maxItems: 100 }) },
    { title: 'OpeningHoursInput' },
  ),
  replies: { 200: HoursRecord },
  errors: ['changed'],
  async handle({ body, caller, service, request, reply, found: resource }) {
    const provider = await providerOfRow(service, resource)
    const rules = body.rules.map(readRule)
    const input = { weeks: body.hoursWeeks ?? defaultWeeks, rules }
    const check = ifUnchanged(request, hoursRecord)
    const saved = await changeHours(service, caller.actor, provider, resource, input, check)
    return answer(200, withEtag(reply, hoursRecord(saved)))
  },
})

function readRule(
  sent: Static<typeof RuleInput>,
  index: number,
): Omit<OpeningRule, 'uuid'> & { uuid?: string | null } {
  const at = (field: string) => `rules[${index}].${field}`
  const from = minutesOf(sent.from)
  const to = minutesOf(sent.to)
  if (from === 1440) throw invalidField(at('from'), `${at('from')} must be before 24:00.`)
  if (from === to)
    throw invalidField(at('to'), `${at('to')} must differ from ${at('from')}. A whole day is 00:00 to 24:00.`)
  const end = to > from ? to : to + 1440
  if (sent.raster > end - from)
    throw invalidField(
      at('raster'),
      `${at('raster')} must not be longer than the time from ${sent.from} to ${sent.to}.`,
    )
  const validFrom = readDay(at('validFrom'), sent.validFrom)
  const validUntil = readDay(at('validUntil'), sent.validUntil)
  if (validFrom && validUntil && validUntil < validFrom)
    throw invalidField(at('validUntil'), `${at('validUntil')} must not be before ${at('validFrom')}.`)
  return {
    uuid: sent.uuid?.toLowerCase() ?? null,
    weekdays: [...new Set(sent.weekdays.map(Number))].sort(),
    from,
    to: end,
    raster: sent.raster,
    capacity: sent.capacity ?? 1,
    acceptBookings: sent.acceptBookings ?? true,
    validFrom,
    validUntil,
  }
}

const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))

function readDay(field: string, day: string | null | undefined): string | null {
  if (!day) return null
  if (
    Number.isNaN(Date.parse(`${day}T00:00:00Z`)) ||
    new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10) !== day
  )
    throw invalidField(field, `${field} must be a day of the calendar such as 2026-03-04.`)
  return day
}

function hoursRecord(hours: Hours | null) {
  return { hoursWeeks: hours?.weeks ?? defaultWeeks, rules: (hours?.rules ?? []).map(ruleRecord) }
}

const ruleRecord = ({ weekdays, from, to, ...rest }: OpeningRule) => ({
  ...rest,
  weekdays: weekdays.map(String),
  from: clockText(from),
  to: clockText(to > 1440 ? to - 1440 : to),
})
