import pg from 'pg'
import { checkInvariants, countedGroups } from '../db/backup/invariants.ts'
import { runningOn } from '../db/embedded/index.ts'
import type { Arrival } from './mail-sink.ts'
import { asIntegrator, providerPath } from './seed.ts'

/** The promises clients received, by email address, and the worst overbooking seen during the run. */
export type Promises = {
  booked: Set<string>
  cancelled: Set<string>
  oversold: number
  /** 5xx responses, and requests without a response. */
  failures: number
  cutOff: number
}

export type Verdict = {
  /** Places sold beyond the capacity. */
  oversold: number
  /** Bookings that were promised and are missing or duplicated, or cancelled and still booked. */
  lost: number
  /** The email address of each, and what is wrong. */
  complaints: string[]
  /** Bookings without an email: the address of each. */
  withoutMail: string[]
  /** How often the service ended without being killed. */
  crashes: number
  /** Emails sent again with another Message-ID. Email programs show a copy with the same Message-ID once. */
  doubleMails: number
  /**
   * Extra copies of emails with the same Message-ID: a kill between the server's "accepted" and the database
   * update repeats one.
   */
  mailCopies: number
  /** Events that a follower of the log missed, or saw more than once. */
  eventsMissed: number
  eventsTwice: number
  /** Rows that break an invariant of the database, such as a wrong count of people. */
  broken: number
  /** Expected while the service is killed; must be 0 while it is only replaced. */
  failures: number
  cutOff: number
}

export type SoldAppointment = {
  resourceReference: string
  start: string
  end: string
  state: string
  capacity: number
  participations: { reference?: string; email: string | null; state: string; places?: number }[]
}

export async function readAppointments(origin: string): Promise<SoldAppointment[]> {
  const response = await fetch(`${origin}${providerPath}/appointments`, { headers: asIntegrator })
  if (!response.ok) throw new Error(`Appointments cannot be read: ${response.status}`)
  return (await response.json()) as SoldAppointment[]
}

/** What `backup verify` checks, on the database as it is now, and how many groups were counted in advance. */
export async function judgeDatabase(dataDir: string): Promise<{ counted: number; broken: string[] }> {
  const client = new pg.Client({ ...runningOn(dataDir)!.connection, database: 'holdfast' })
  await client.connect()
  try {
    const counted = await countedGroups(client)
    const findings = await checkInvariants(client)
    const broken = findings.flatMap(({ name, violations }) =>
      Array<string>(violations).fill(`not true: ${name}`),
    )
    return { counted, broken }
  } finally {
    await client.end()
  }
}

export function judge(
  appointments: SoldAppointment[],
  promises: Pick<Promises, 'booked' | 'cancelled' | 'oversold'>,
  arrivals: Arrival[],
): Pick<Verdict, 'oversold' | 'lost' | 'complaints' | 'withoutMail' | 'doubleMails' | 'mailCopies'> {
  const places = Map.groupBy(bookedIn(appointments), one => one.email)
  const there = new Set(places.keys())
  const kept = [...promises.booked].filter(email => !promises.cancelled.has(email))
  const complaints = [
    ...kept.filter(email => !there.has(email)).map(email => `${email} was booked and is missing`),
    ...[...promises.cancelled]
      .filter(email => there.has(email))
      .map(email => `${email} was cancelled and is still booked`),
    // A moved booking must have one place, not the old one too.
    ...kept.filter(email => (places.get(email)?.length ?? 0) > 1).map(email => `${email} has several places`),
  ]
  return {
    oversold: Math.max(oversoldIn(appointments), promises.oversold),
    lost: complaints.length,
    complaints,
    withoutMail: [...promises.booked].filter(email => mailsOf(arrivals, email, 'booked').size === 0),
    doubleMails: [...promises.booked].filter(email =>
      // Who declines an offer may get another one.
      [...new Set(arrivals.map(one => one.kind))].some(
        kind => kind !== 'offer' && mailsOf(arrivals, email, kind).size > 1,
      ),
    ).length,
    mailCopies: arrivals.length - new Set(arrivals.map(one => `${one.to} ${one.messageId}`)).size,
  }
}

export const bookedIn = (appointments: SoldAppointment[]) =>
  appointments.filter(one => one.state === 'ACTIVE').flatMap(one => one.participations.filter(isBooked))

const isBooked = ({ state }: { state: string }) => state === 'BOOKED'

/** Distinct emails of this kind; a copy has the same Message-ID. */
export const mailsOf = (arrivals: Arrival[], to: string, kind: string) =>
  new Set(arrivals.filter(one => one.to === to && one.kind === kind).map(one => one.messageId))

/** The version before this one shows no places: each has one. */
const placesIn = (people: { places?: number }[]) => people.reduce((sum, { places = 1 }) => sum + places, 0)

export function oversoldIn(appointments: SoldAppointment[]): number {
  const sold = appointments
    .map(one => ({ ...one, taken: placesIn(one.participations.filter(isBooked)) }))
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
