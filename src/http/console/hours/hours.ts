import Type, { type Static } from 'typebox'
import {
  changeAllHours,
  changeHours,
  findStranded,
  type HoursChange,
  type HoursInput,
  type RuleInput as Rule,
} from '../../../actions/scheduling/hours/hours.ts'
import { findHours, findHoursOf, type Hours } from '../../../db/scheduling/hours.ts'
import type { ProviderRow } from '../../../db/setup/providers.ts'
import { listResources, resourcesByUuid } from '../../../db/setup/resources.ts'
import { invalidField } from '../../../errors.ts'
import { clockText, mondayOf, type OpeningRule } from '../../../rules/offers/hours.ts'
import { isUuid } from '../../../rules/references.ts'
import type { Service } from '../../../service.ts'
import { Choice, Optional, Uuid } from '../../wire/fields.ts'
import { IfMatch, ifTagged, ifUnchanged, tagOf, withEtag } from '../../wire/if-match.ts'
import { consoleRoute } from '../../wire/route.ts'
import { Nullable } from '../../wire/wrapper.ts'
import { affectedRecord, DiaryRecord } from '../calendar/diary.ts'
import { providerInPath, resourceInPath } from '../subjects.ts'

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

const settings = {
  capacity: Optional(Type.Integer({ minimum: 0, maximum: 100_000 })),
  acceptBookings: Optional(Type.Boolean()),
}

const everyWeeks = {
  description: '2 for every second week. If omitted, an existing rule keeps its value, and a new one is 1.',
}
const weekOf = {
  description:
    'With `everyWeeks` 2: any day of a week in which the rule applies. Default: the week of `validFrom`. Returned as the Monday.',
}

const RuleInput = Type.Object(
  {
    uuid: Optional(Type.String({ description: 'uuid of an existing rule. Omit for a new rule.' })),
    weekdays: Type.Array(Weekday, { minItems: 1, maxItems: 7, description: '"1" (Monday) to "7" (Sunday).' }),
    ...rule,
    ...settings,
    validFrom: Optional(Day),
    validUntil: Optional(Day),
    everyWeeks: Optional(Type.Integer({ minimum: 1, maximum: 2, ...everyWeeks })),
    weekOf: Optional(Type.String({ ...Day, ...weekOf })),
  },
  { title: 'OpeningRuleInput' },
)

const values = { capacity: Type.Number(), acceptBookings: Type.Boolean() }

const RuleRecord = Type.Object(
  {
    uuid: Type.String(),
    weekdays: Type.Array(Type.String()),
    ...rule,
    ...values,
    validFrom: Nullable(Type.String()),
    validUntil: Nullable(Type.String()),
    everyWeeks: Type.Integer(everyWeeks),
    weekOf: Nullable(Type.String(weekOf)),
  },
  { title: 'OpeningRule' },
)

const exceptionText =
  'Single days with their own hours: `times` replace the rules on that day; an empty list closes it.'
const ExceptionInput = Type.Object(
  { day: Day, times: Type.Array(Type.Object({ ...rule, ...settings }), { maxItems: 20 }) },
  { title: 'OpeningExceptionInput' },
)
const ExceptionRecord = Type.Object(
  { day: Type.String(), times: Type.Array(Type.Object({ ...rule, ...values })) },
  { title: 'OpeningException' },
)

const weeks = { minimum: 1, maximum: 104, description: 'How many weeks ahead Timeslots are created.' }
const hoursFields = {
  hoursWeeks: Type.Integer(weeks),
  rules: Type.Array(RuleRecord),
  exceptions: Type.Array(ExceptionRecord, { description: exceptionText }),
}
const HoursRecord = Type.Object(hoursFields, { title: 'OpeningHours' })
const inputFields = {
  hoursWeeks: Optional(Type.Integer(weeks)),
  rules: Type.Array(RuleInput, { maxItems: 100 }),
  exceptions: Optional(
    Type.Array(ExceptionInput, {
      maxItems: 100,
      description: `${exceptionText} If omitted, they stay as they are.`,
    }),
  ),
}
const HoursBody = Type.Object(inputFields, { title: 'OpeningHoursInput' })

const ManyRecord = Type.Array(
  Type.Object(
    { resourceUuid: Uuid, etag: Type.String(), ...hoursFields },
    { title: 'OpeningHoursOfResource' },
  ),
)
const ManyBody = Type.Object(
  {
    resources: Type.Array(
      Type.Object({
        resourceUuid: Type.String(),
        ...inputFields,
        etag: Optional(
          Type.String({
            description: 'As read. If the hours have changed since, returns `409 changed` and saves nothing.',
          }),
        ),
      }),
      { minItems: 1, maxItems: 100 },
    ),
  },
  { title: 'OpeningHoursOfSeveral' },
)

const defaultWeeks = 12

export const getHours = consoleRoute({
  method: 'GET',
  path: '/console/api/resources/:uuid/hours',
  operationId: 'getOpeningHours',
  access: { right: 'settings', whose: resourceInPath, scope: 'settings' },
  summary: 'Get opening hours of a Resource',
  description:
    'Rules in the Provider’s local time from which Timeslots are created. The list is empty if there are none.',
  replies: { 200: HoursRecord },
  handle: async ({ service, reply, found: resource }) =>
    withEtag(reply, hoursRecord(await findHours(service.db, resource.id))),
})

export const putHours = consoleRoute({
  method: 'PUT',
  path: '/console/api/resources/:uuid/hours',
  operationId: 'putOpeningHours',
  access: { right: 'settings', whose: resourceInPath, scope: 'settings' },
  summary: 'Replace the opening hours of a Resource',
  description:
    'Updates Timeslots immediately and then daily. Times with bookings outside the new hours remain. Timeslots created through the API never change.',
  headers: IfMatch,
  body: HoursBody,
  replies: { 200: HoursRecord },
  async handle({ body, request, reply, found: resource, context }) {
    const check = ifUnchanged(request, hoursRecord)
    const saved = await changeHours(context, resource, readHours(body), check)
    return withEtag(reply, hoursRecord(saved))
  },
})

const pathOfAll = '/console/api/providers/:uuid/hours'
const access = { right: 'settings', whose: providerInPath, scope: 'settings' } as const

export const getAllHours = consoleRoute({
  method: 'GET',
  path: pathOfAll,
  operationId: 'listOpeningHours',
  access,
  summary: 'List the opening hours of all Resources',
  description: 'Of one Provider, for example to copy them from one Resource to another.',
  replies: { 200: Type.Object({ resources: ManyRecord }) },
  async handle({ service, found: provider }) {
    const resources = await listResources(service.db, provider.id, { after: null, limit: null })
    const ids = resources.map(one => one.id)
    const hours = await findHoursOf(service.db, ids)
    return {
      resources: resources.map(one => manyRecord(one.uuid, hours.get(one.id) ?? null)),
    }
  },
})

export const putAllHours = consoleRoute({
  method: 'PUT',
  path: pathOfAll,
  operationId: 'putOpeningHoursOfSeveral',
  access,
  summary: 'Replace the opening hours of several Resources',
  description: 'Saves all of them or none. Resources that are not named keep their hours.',
  body: ManyBody,
  replies: { 200: Type.Object({ resources: ManyRecord }) },
  errors: ['changed'],
  async handle({ body, service, found: provider, context }) {
    const changes = await readChanges(service, provider, body)
    const saved = await changeAllHours(context, changes)
    return {
      resources: changes.map(({ resource }, index) => manyRecord(resource.uuid, saved[index]!)),
    }
  },
})

export const previewHours = consoleRoute({
  method: 'POST',
  path: `${pathOfAll}/preview`,
  operationId: 'previewOpeningHours',
  access,
  summary: 'List bookings that new opening hours would leave outside',
  description:
    'Of the next 400 days. Saves nothing. Such bookings keep their time if the hours are saved; move or cancel them if need be.',
  body: ManyBody,
  replies: { 200: Type.Object({ appointments: Type.Array(DiaryRecord) }) },
  async handle({ body, caller, service, found: provider }) {
    const stranded = await findStranded(service, provider, await readChanges(service, provider, body))
    return { appointments: stranded.map(affectedRecord(caller)) }
  },
})

async function readChanges(
  { db }: Service,
  provider: ProviderRow,
  { resources }: Static<typeof ManyBody>,
): Promise<HoursChange[]> {
  const uuids = resources.map(one => one.resourceUuid.toLowerCase())
  const found = await resourcesByUuid(db, provider.id, uuids.filter(isUuid))
  return resources.map((sent, index) => {
    const at = `resources[${index}]`
    const resource = found.find(one => one.uuid === uuids[index])
    if (!resource) throw invalidField(`${at}.resourceUuid`, 'known-name:resource', { uuid: uuids[index]! })
    if (uuids.indexOf(resource.uuid) < index)
      throw invalidField(`${at}.resourceUuid`, 'duplicate:resource', { at })
    return {
      resource: { ...resource, providerId: provider.id },
      input: readHours(sent, `${at}.`),
      check: ifTagged(sent.etag ?? null, hoursRecord, `${at}.etag`),
    }
  })
}

const manyRecord = (resourceUuid: string, hours: Hours | null) => {
  const record = hoursRecord(hours)
  return { resourceUuid, etag: tagOf(record), ...record }
}

function readHours({ hoursWeeks, rules, exceptions }: Static<typeof HoursBody>, prefix = ''): HoursInput {
  return {
    weeks: hoursWeeks ?? defaultWeeks,
    rules: rules.map((sent, index) => readRule(sent, `${prefix}rules[${index}].`)),
    exceptions: exceptions?.flatMap((sent, index) => readException(sent, `${prefix}exceptions[${index}].`)),
  }
}

function readException({ day, times }: Static<typeof ExceptionInput>, at: string): Rule[] {
  const onlyOn = readDay(`${at}day`, day)
  const shared = { weekdays: [], validFrom: null, validUntil: null, weekOf: null, onlyOn }
  if (times.length === 0) return [{ ...wholeDay, ...shared, isClosed: true }]
  return times.map((time, index) => ({
    ...readTimes(time, `${at}times[${index}].`),
    ...shared,
    isClosed: false,
  }))
}

const wholeDay = { from: 0, to: 1440, raster: 1440, capacity: 1, acceptBookings: false }

function readRule(sent: Static<typeof RuleInput>, at: string): Rule {
  const times = readTimes(sent, at)
  const validFrom = readDay(`${at}validFrom`, sent.validFrom)
  const validUntil = readDay(`${at}validUntil`, sent.validUntil)
  if (validFrom && validUntil && validUntil < validFrom)
    throw invalidField(`${at}validUntil`, 'not-before', { start: `${at}validFrom` })
  return {
    uuid: sent.uuid?.toLowerCase() ?? null,
    weekdays: [...new Set(sent.weekdays.map(Number))].sort(),
    ...times,
    validFrom,
    validUntil,
    weekOf: readWeek(sent, at, validFrom),
    onlyOn: null,
    isClosed: false,
  }
}

function readWeek({ everyWeeks, weekOf }: Static<typeof RuleInput>, at: string, validFrom: string | null) {
  if (everyWeeks !== 2) return everyWeeks == null ? undefined : null
  const day = readDay(`${at}weekOf`, weekOf) ?? validFrom
  if (!day) throw invalidField(`${at}weekOf`, 'week-of', { from: `${at}validFrom` })
  return mondayOf(day)
}

type Times = Pick<Static<typeof RuleInput>, 'from' | 'to' | 'raster' | 'capacity' | 'acceptBookings'>

function readTimes(sent: Times, at: string) {
  const from = minutesOf(sent.from)
  const to = minutesOf(sent.to)
  if (from === 1440) throw invalidField(`${at}from`, 'time:midnight')
  if (from === to) throw invalidField(`${at}to`, 'whole-day', { start: `${at}from` })
  const end = to > from ? to : to + 1440
  if (sent.raster > end - from)
    throw invalidField(`${at}raster`, 'raster:hours', { from: sent.from, to: sent.to })
  const { raster, capacity, acceptBookings } = sent
  return { from, to: end, raster, capacity: capacity ?? 1, acceptBookings: acceptBookings ?? true }
}

const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))

function readDay(field: string, day: string | null | undefined): string | null {
  if (!day) return null
  if (
    Number.isNaN(Date.parse(`${day}T00:00:00Z`)) ||
    new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10) !== day
  )
    throw invalidField(field, 'date:calendar')
  return day
}

function hoursRecord(hours: Hours | null) {
  const rules = hours?.rules ?? []
  const exceptions = Map.groupBy(
    rules.filter(rule => rule.onlyOn !== null),
    rule => rule.onlyOn!,
  )
  return {
    hoursWeeks: hours?.weeks ?? defaultWeeks,
    rules: rules.filter(rule => rule.onlyOn === null).map(ruleRecord),
    exceptions: [...exceptions].map(([day, times]) => ({
      day,
      times: times.filter(rule => !rule.isClosed).map(timesRecord),
    })),
  }
}

const ruleRecord = (rule: OpeningRule) => ({
  uuid: rule.uuid,
  weekdays: rule.weekdays.map(String),
  ...timesRecord(rule),
  validFrom: rule.validFrom,
  validUntil: rule.validUntil,
  everyWeeks: rule.weekOf === null ? 1 : 2,
  weekOf: rule.weekOf,
})

const timesRecord = ({ from, to, raster, capacity, acceptBookings }: OpeningRule) => ({
  from: clockText(from),
  to: clockText(to > 1440 ? to - 1440 : to),
  raster,
  capacity,
  acceptBookings,
})
