import type { SourceKind } from '../db/scheduling/calendar-sources.ts'
import { joined } from './busy-spans.ts'
import { fetchCaldav } from './caldav.ts'
import { type Fetched, type FoundCalendar, fetchIcs, type Validators } from './fetch.ts'
import { CalendarProblem } from './problem.ts'
import { readInThread } from './read-in-thread.ts'
import type { CalendarClient, SourceSecrets } from './request.ts'

type Wanted = { kind: SourceKind; calendars: string[] | null; from: number; to: number }
type Question = { secrets: SourceSecrets; validators: Validators }

/** One way in for every kind of source; adapters for other calendar services are added here. */
export function fetchSource(client: CalendarClient, wanted: Wanted, question: Question): Promise<Fetched> {
  const { secrets, validators } = question
  if (wanted.kind === 'ics') return fetchIcs(client, question)
  return fetchCaldav({ client, secrets }, wanted.calendars, validators, wanted)
}

export type SourceTest = {
  ok: boolean
  /** Those of a CalDAV account; an ICS address is one calendar. */
  calendars: FoundCalendar[]
  busyNextWeek: number
  problem: CalendarProblem | null
}

const week = 7 * 86_400_000

type Tested = {
  kind: SourceKind
  calendars: string[] | null
  secrets: SourceSecrets
  zone: string
  now: number
  ownHosts: string[]
}

/** Reads the calendar as an import would, and says what it found. */
export async function testSource(
  calendarClient: CalendarClient,
  { kind, calendars, secrets, zone, now, ownHosts }: Tested,
): Promise<SourceTest> {
  try {
    const fetched = await fetchSource(
      calendarClient,
      { kind, calendars, from: now, to: now + week },
      { secrets, validators: {} },
    )
    const { spans } = await readInThread(fetched.isUnchanged ? [] : fetched.texts, {
      zone,
      from: now,
      to: now + week,
      tentativeIsBusy: true,
      withTitles: false,
      ownHosts,
    })
    return { ok: true, calendars: fetched.calendars, busyNextWeek: joined(spans).length, problem: null }
  } catch (error) {
    if (!(error instanceof CalendarProblem)) throw error
    return { ok: false, calendars: [], busyNextWeek: 0, problem: error }
  }
}
