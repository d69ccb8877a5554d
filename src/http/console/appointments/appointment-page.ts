import Type, { type Static } from 'typebox'
import { notesAbout } from '../../../db/scheduling/customers.ts'
import type { DiaryEntry } from '../../../db/scheduling/diary.ts'
import { historyOf, mailsAbout } from '../../../db/scheduling/history.ts'
import { membersOfSeries, seriesAt } from '../../../db/scheduling/series.ts'
import { findProviderById } from '../../../db/setup/providers.ts'
import { confirmationLink, moveLink, shortCancelLink } from '../../../links.ts'
import { actorKinds } from '../../../rules/messages/events.ts'
import { takesPlace } from '../../../rules/states/participations.ts'
import { toUtcText } from '../../../rules/time/time.ts'
import type { Service } from '../../../service.ts'
import { SeriesRecord, seriesRecord } from '../../scheduling/series.ts'
import { Choice, Moment, Uuid } from '../../wire/fields.ts'
import { Nullable } from '../../wire/wrapper.ts'
import { DiaryRecord, diaryRecord } from '../calendar/diary.ts'
import type { FoundEntry } from '../subjects.ts'

// An Appointment as shown in the console's panel; every change returns it.

const HistoryLine = Type.Object(
  {
    kind: Type.String({ description: 'Kind of event, such as participation.booked.' }),
    at: Moment,
    actorKind: Choice(actorKinds),
    actorName: Nullable(Type.String({ description: 'Name of the staff member, or prefix of the key.' })),
    person: Nullable(Type.String({ description: 'The person concerned.' })),
  },
  { title: 'AppointmentHistoryLine' },
)

const MailLine = Type.Object(
  {
    uuid: Uuid,
    kind: Type.String(),
    to: Nullable(Type.String()),
    state: Choice(['queued', 'sent', 'failed', 'kept']),
    lastError: Nullable(Type.String()),
    createdAt: Moment,
    sentAt: Nullable(Type.String()),
  },
  { title: 'AppointmentMail' },
)

const LinksOfOne = Type.Object(
  {
    participationUuid: Uuid,
    confirmation: Type.String({ description: 'Shows the booking.' }),
    move: Type.String({ description: 'Page to reschedule the booking.' }),
    cancel: Type.String({ description: 'Page to cancel the booking.' }),
  },
  { title: 'ParticipationLinks' },
)

export const AppointmentPage = Type.Object(
  {
    timeZone: Type.String(),
    entry: DiaryRecord,
    customerNotes: Type.Array(
      Type.Object({ customerUuid: Uuid, note: Type.String() }, { title: 'CustomerNote' }),
      { description: 'What staff noted about the Customers, where there is something.' },
    ),
    history: Type.Array(HistoryLine, { description: 'Newest first.' }),
    mails: Type.Array(MailLine, { description: 'Newest first.' }),
    series: Type.Array(SeriesRecord, {
      description: 'The series that the Appointment is a date of: its own, or those of people in it.',
    }),
    links: Type.Array(LinksOfOne, {
      description:
        'Personal pages of everyone with a place, as linked in their emails, to pass on another way.',
    }),
  },
  { title: 'AppointmentPage' },
)

const maxLines = 200

export async function pageOf(
  service: Service,
  { providerId, ...entry }: FoundEntry,
  only: string[] | null,
): Promise<Static<typeof AppointmentPage>> {
  const { db } = service
  const [provider, history, mails, seriesIds, customerNotes] = await Promise.all([
    findProviderById(db, providerId),
    historyOf(db, entry.uuid, maxLines),
    mailsAbout(db, entry.uuid, maxLines),
    seriesAt(db, entry.uuid),
    notesAbout(
      db,
      entry.people.flatMap(one => one.customer?.uuid ?? []),
    ),
  ])
  return {
    timeZone: provider!.timeZone,
    entry: diaryRecord(entry),
    customerNotes,
    history: history.map(line => ({ ...line, at: toUtcText(line.at) })),
    mails: mails.map(mail => ({
      ...mail,
      createdAt: toUtcText(mail.createdAt),
      sentAt: mail.sentAt === null ? null : toUtcText(mail.sentAt),
    })),
    series: await seriesShown(service, providerId, seriesIds, only),
    links: linksOf(service, entry),
  }
}

/** Practitioners see the dates at their own Resources. */
export async function seriesShown({ db }: Service, providerId: number, ids: string[], only: string[] | null) {
  const all = await Promise.all(ids.map(id => membersOfSeries(db, providerId, id)))
  return all
    .map(members => members.filter(one => !only || only.includes(one.resourceUuid)))
    .flatMap((members, index) => (members.length > 0 ? [seriesRecord(ids[index]!, members)] : []))
}

function linksOf(service: Service, { people, start, state }: DiaryEntry) {
  const there = state === 'ACTIVE' ? people.filter(one => takesPlace(one.state) && one.name !== null) : []
  return there.map(({ uuid }) => {
    const signed = { participationUuid: uuid, startAt: start }
    return {
      participationUuid: uuid,
      confirmation: confirmationLink(service, signed),
      move: moveLink(service, signed),
      cancel: shortCancelLink(service, signed),
    }
  })
}
