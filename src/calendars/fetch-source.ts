import type { SourceKind } from '../db/scheduling/calendar-sources.ts'

export type { FoundCalendar } from './fetch.ts'

import { type Fetched, fetchIcs, type Validators } from './fetch.ts'
import type { CalendarClient } from './request.ts'
import type { SourceSecrets } from './secrets.ts'

type Wanted = { kind: SourceKind; calendars: string[] | null }
type Question = { secrets: SourceSecrets; validators: Validators }

/** One way in for every kind of source; adapters for other calendar services are added here. */
export function fetchSource(client: CalendarClient, { kind }: Wanted, question: Question): Promise<Fetched> {
  if (kind === 'ics') return fetchIcs(client, question)
  throw new Error(`Sources of the kind ${kind} cannot be read yet.`)
}
