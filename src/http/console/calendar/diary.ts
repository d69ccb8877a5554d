import Type from 'typebox'
import type { ConsoleCaller } from '../../../callers.ts'
import { type DiaryEntry, type DiaryPerson, loadDiary } from '../../../db/scheduling/diary.ts'
import { AnswersRecord, Attendance } from '../../../entities/appointment.ts'
import { clockNow } from '../../../lib/clock.ts'
import { period } from '../../../rules/time/read-times.ts'
import { toUtcText } from '../../../rules/time/time.ts'
import { Choice, Moment, Text, Uuid } from '../../wire/fields.ts'
import { consoleRoute } from '../../wire/route.ts'
import { Nullable } from '../../wire/wrapper.ts'
import { providerInPath } from '../subjects.ts'

const Person = Type.Object(
  {
    uuid: Uuid,
    reference: Type.String(),
    customer: Nullable(Type.Object({ uuid: Uuid, reference: Type.String() })),
    name: Nullable(Type.String()),
    email: Nullable(Type.String()),
    mobile: Nullable(Type.String()),
    note: Nullable(Type.String()),
    state: Choice(['RESERVED', 'REQUESTED', 'BOOKED', 'CANCELED', 'DELETED']),
    attendance: Attendance,
    expiresAt: Nullable(Type.String({ description: 'When the hold expires.' })),
    answers: AnswersRecord,
    answersMissing: Type.Boolean(),
    places: Type.Number(),
    placeNames: Type.Array(Type.String()),
  },
  { title: 'DiaryPerson' },
)

export const DiaryRecord = Type.Object(
  {
    uuid: Uuid,
    reference: Type.String(),
    origin: Choice(['consumer', 'provider']),
    state: Choice(['ACTIVE', 'CANCELLED']),
    start: Moment,
    end: Moment,
    blockedFrom: Type.String({ description: 'Including the buffer before.' }),
    blockedTo: Type.String({ description: 'Including the buffer after.' }),
    capacity: Type.Number(),
    acceptBookings: Type.Boolean(),
    resource: Type.Object({ uuid: Uuid, name: Type.String() }),
    product: Type.Object({ uuid: Uuid, name: Type.String() }),
    description: Nullable(Type.String()),
    notes: Nullable(Type.String()),
    address: Type.Unknown(),
    seriesId: Nullable(Type.String()),
    people: Type.Array(Person),
  },
  { title: 'DiaryEntry' },
)

/** The period that a calendar shows. */
export const rangeOfDays = {
  from: { ...Text(10), description: 'First day, such as 2026-03-04.' },
  to: Type.Optional({ ...Text(10), description: 'Day after the last day.' }),
}

export const getDiary = consoleRoute({
  method: 'GET',
  path: '/console/api/providers/:uuid/diary',
  operationId: 'getDiary',
  access: { right: 'see-calendar', whose: providerInPath, isFiltered: true },
  isLarge: true,
  summary: 'List Appointments of a range of days with their participants',
  description:
    'Days are in the Provider’s time zone; `to` is exclusive and defaults to one day. Up to 45 days.',
  query: rangeOfDays,
  replies: {
    200: Type.Object(
      { timeZone: Type.String(), now: Moment, entries: Type.Array(DiaryRecord) },
      { title: 'Diary' },
    ),
  },
  errors: ['missing-field'],
  async handle({ query, service, found: provider, only }) {
    const { from, to } = period(query, provider.timeZone)
    const entries = atResources(await loadDiary(service.db, provider.id, from, to), only)
    return {
      timeZone: provider.timeZone,
      now: toUtcText(clockNow()),
      entries: entries.map(diaryRecord),
    }
  },
})

/** For a practitioner, the Appointments at their own Resources. */
export const atResources = <T extends { resourceUuid: string }>(entries: T[], only: string[] | null): T[] =>
  only ? entries.filter(one => only.includes(one.resourceUuid)) : entries

export function diaryRecord(entry: DiaryEntry) {
  const {
    start,
    end,
    blockedFrom,
    blockedTo,
    resourceUuid,
    resourceName,
    productUuid,
    productName,
    people,
    ...rest
  } = entry
  return {
    ...rest,
    start: toUtcText(start),
    end: toUtcText(end),
    blockedFrom: toUtcText(blockedFrom),
    blockedTo: toUtcText(blockedTo),
    resource: { uuid: resourceUuid, name: resourceName },
    product: { uuid: productUuid, name: productName },
    people: people.map(personRecord),
  }
}

/** Appointments affected by a setting. Callers without access to people get them without personal data. */
export const affectedRecord =
  ({ readsPeople }: Pick<ConsoleCaller, 'readsPeople'>) =>
  (entry: DiaryEntry) => {
    const record = diaryRecord(entry)
    if (readsPeople) return record
    const nothing = {
      customer: null,
      name: null,
      email: null,
      mobile: null,
      note: null,
      answers: {},
      placeNames: [],
    }
    const people = record.people.map(person => ({ ...person, ...nothing }))
    return { ...record, description: null, notes: null, address: null, people }
  }

const personRecord = (person: DiaryPerson) => ({
  ...person,
  expiresAt: person.expiresAt === null ? null : toUtcText(person.expiresAt),
  answers: person.answers ?? {},
})
