import type { SourceKind } from '../db/scheduling/calendar-sources.ts'
import { fetchCaldav } from './caldav.ts'
import { type Fetched, fetchIcs, type Validators } from './fetch.ts'
import type { CalendarClient } from './request.ts'
import type { SourceSecrets } from './secrets.ts'

export type { FoundCalendar } from './fetch.ts'

type Wanted = { kind: SourceKind; calendars: string[] | null; from: number; to: number }
type Question = { secrets: SourceSecrets; validators: Validators }

/** One way in for every kind of source; adapters for other calendar services are added here. */
export function fetchSource(client: CalendarClient, wanted: Wanted, question: Question): Promise<Fetched> {
  const { secrets, validators } = question
  if (wanted.kind === 'ics') return fetchIcs(client, question)
  return fetchCaldav({ client, secrets }, wanted.calendars, validators, wanted)
}
