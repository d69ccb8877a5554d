import type { Arrival } from './mail-sink.ts'
import { asIntegrator, providerPath } from './practice.ts'

/** What clients were told, by their addresses, and the worst that was seen while they were at it. */
export type Promises = {
  booked: Set<string>
  cancelled: Set<string>
  oversold: number
  /** Answers of 5xx, and requests that got none. */
  failures: number
  cutOff: number
}

export type Verdict = {
  /** Places sold that are not there. */
  oversold: number
  /** Bookings that were promised and are not there, or there twice, or cancelled and still there. */
  lost: number
  /** Whose they are, and what is wrong with them. */
  complaints: string[]
  /** Bookings that nobody was told about by mail. */
  missingMails: number
  /** How often the service ended without being killed. */
  crashes: number
  /** Mails that came again as another one. A mail that comes again as the same one is shown once. */
  doubleMails: number
  /** Events that somebody who follows the log did not see, or saw more than once. */
  eventsMissed: number
  eventsTwice: number
  /** Nothing unusual where the service is killed; where it is only replaced, nobody is to notice. */
  failures: number
  cutOff: number
}

type Appointment = {
  resourceReference: string
  start: string
  end: string
  state: string
  capacity: number
  participations: { email: string | null; state: string }[]
}

export async function readAppointments(origin: string): Promise<Appointment[]> {
  const response = await fetch(`${origin}${providerPath}/appointments`, { headers: asIntegrator })
  if (!response.ok) throw new Error(`Appointments cannot be read: ${response.status}`)
  return (await response.json()) as Appointment[]
}

export function judge(
  appointments: Appointment[],
  promises: Pick<Promises, 'booked' | 'cancelled' | 'oversold'>,
  arrivals: Arrival[],
): Pick<Verdict, 'oversold' | 'lost' | 'complaints' | 'missingMails' | 'doubleMails'> {
  const live = appointments
    .filter(one => one.state === 'ACTIVE')
    .flatMap(one => one.participations.filter(isBooked))
  const places = Map.groupBy(live, one => one.email)
  const there = new Set(places.keys())
  const kept = [...promises.booked].filter(email => !promises.cancelled.has(email))
  const complaints = [
    ...kept.filter(email => !there.has(email)).map(email => `${email} was booked and is not there`),
    ...[...promises.cancelled]
      .filter(email => there.has(email))
      .map(email => `${email} was cancelled and is there`),
    // Whoever moved has one place, and not the old one too.
    ...kept.filter(email => (places.get(email)?.length ?? 0) > 1).map(email => `${email} has several places`),
  ]
  return {
    oversold: Math.max(oversoldIn(appointments), promises.oversold),
    lost: complaints.length,
    complaints,
    missingMails: [...promises.booked].filter(email => mailsOf(arrivals, email, 'booked').size === 0).length,
    doubleMails: [...promises.booked].filter(email =>
      [...new Set(arrivals.map(one => one.kind))].some(kind => mailsOf(arrivals, email, kind).size > 1),
    ).length,
  }
}

const isBooked = ({ state }: { state: string }) => state === 'BOOKED'

/** Different mails of this kind; the same one again has the same Message-ID. */
const mailsOf = (arrivals: Arrival[], to: string, kind: string) =>
  new Set(arrivals.filter(one => one.to === to && one.kind === kind).map(one => one.messageId))

export function oversoldIn(appointments: Appointment[]): number {
  const sold = appointments
    .map(one => ({ ...one, taken: one.participations.filter(isBooked).length }))
    .filter(one => one.state === 'ACTIVE' && one.taken > 0)
  const crowded = sold.map(one => Math.max(0, one.taken - one.capacity))
  const overlapping = sold.filter((one, index) =>
    sold.some(
      (other, place) =>
        place < index &&
        other.resourceReference === one.resourceReference &&
        other.start < one.end &&
        one.start < other.end,
    ),
  )
  return crowded.reduce((sum, places) => sum + places, 0) + overlapping.length
}
