import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Email } from 'postal-mime'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { recordEvents } from '../../src/actions/record-events.ts'
import { releaseStaleJobs } from '../../src/db/base/jobs.ts'
import { mailsById, type NewMessage, queueMessages } from '../../src/db/mails.ts'
import { serviceActor } from '../../src/rules/messages/events.ts'
import { type JobWorker, startWorker } from '../../src/start/worker.ts'
import { dataFor } from '../messages/samples.ts'
import {
  makeAppointment,
  makeCustomer,
  makeParticipation,
  makePractice,
  makeProfile,
  makeResource,
  makeUser,
  type Practice,
} from '../support/build.ts'
import { startCutProxy } from '../support/cut-proxy.ts'
import { type Mail, mailKindsTo, mailsTo } from '../support/mailbox.ts'
import { expectRefusal } from '../support/refusals.ts'
import {
  type Answer,
  consoleCall,
  eventually,
  jobsQueued,
  startTestService,
  type TestService,
} from '../support/service.ts'
import { type Letter, type Mood, startSmtp, type TestSmtp } from '../support/smtp.ts'

let smtp: TestSmtp
let holdfast: TestService
let practice: Practice
let worker: JobWorker
beforeAll(async () => {
  smtp = await startSmtp()
  holdfast = await startTestService({ SMTP_URL: smtp.url, MAIL_FROM: 'Holdfast <no-reply@holdfast.test>' })
  practice = await makePractice(holdfast.crm, { name: 'Praxis Sonne', email: 'praxis@example.org' })
  worker = startWorker(holdfast.service, holdfast.connection, holdfast.app.log)
  await eventually(async () => (await waiting()) === 0)
})
afterAll(async () => {
  await worker.stop()
  await holdfast.close()
  await smtp.close()
})
beforeEach(() => {
  smtp.moods.length = 0
  smtp.beforeAnswer = null
})

type Fields = Record<string, Answer['body']>

const ask = (statement: string, ...values: unknown[]) => holdfast.query(statement, values)
const waiting = async () =>
  (await ask(`select count(*)::int as count from mail where state = 'queued'`))[0].count
const jobsOf = (email: string) =>
  ask(
    `select jobs.*, extract(epoch from jobs.run_at - now())::float8 as pause,
       extract(epoch from jobs.run_at - jobs.created_at)::float8 as waits
     from graphile_worker._private_jobs jobs join mail on payload::jsonb->'mailIds' @> to_jsonb(mail.id)
     where recipient = $1 and jobs.attempts < jobs.max_attempts`,
    email,
  )
/** Ends the retry pause and wakes the worker. */
async function tryNow(email: string) {
  await ask(
    `update graphile_worker._private_jobs jobs set run_at = now() from mail
     where payload::jsonb->'mailIds' @> to_jsonb(mail.id) and recipient = $1`,
    email,
  )
  await ask(`select pg_notify('jobs:insert', '{"count":1}')`)
}

/**
 * The emails that the server has accepted for this address, once there are this many. Concurrent ones arrive
 * in any order, because the worker has four connections.
 */
const delivered = (email: string, count = 1): Promise<Letter[]> =>
  eventually(async () => smtp.to(email).length >= count && smtp.to(email))

const appointment = async (fields: Fields = {}) =>
  (
    await makeAppointment(holdfast.crm, practice, {
      start: '2090-01-09T10:00',
      end: '2090-01-09T10:30',
      ...fields,
    })
  ).reference
const move = (reference: string, state: string, message?: string) =>
  holdfast.crm.post(`${practice.path}/participations/${encodeURIComponent(reference)}`, { state, message })

/** A person in an Appointment of their own. */
async function take(state: string, fields: Fields = {}, customer: Fields = {}) {
  const { customerReference } = await makeCustomer(holdfast.crm, practice, customer)
  return makeParticipation(holdfast.crm, practice, await appointment(fields), state, { customerReference })
}
const takeSilently = async (state: string, fields: Fields = {}) => {
  const reference = await appointment(fields)
  const made = await makeParticipation(holdfast.crm, practice, reference, state, {
    query: '?sendMails=false',
  })
  return { ...made, appointment: reference }
}

/** The lines of the calendar part, by name. */
function calendarOf({ mail }: { mail: Email }): Record<string, string> | null {
  const part = mail.attachments.find(one => one.mimeType === 'text/calendar')
  if (!part) return null
  const { content } = part
  const text = typeof content === 'string' ? content : new TextDecoder().decode(content as ArrayBuffer)
  const lines = text.replaceAll(/\r?\n /g, '').split(/\r?\n/)
  return Object.fromEntries(lines.map(line => [line.split(/[;:]/)[0], line.slice(line.search(/[;:]/) + 1)]))
}

describe('each operation and its email', () => {
  const operations: [string, string, 'REQUEST' | 'CANCEL' | null, () => Promise<{ email: string }>][] = [
    ['Create Participation BOOKED', 'booked', 'REQUEST', () => take('BOOKED')],
    ['Create Participation REQUESTED', 'requested', null, () => take('REQUESTED')],
    ['Create Participation CANCELED', 'cancelled', 'CANCEL', () => take('CANCELED')],
    ['RESERVED to BOOKED', 'booked', 'REQUEST', () => moved('RESERVED', 'BOOKED')],
    ['REQUESTED to BOOKED', 'booked', 'REQUEST', () => moved('REQUESTED', 'BOOKED')],
    ['REQUESTED to CANCELED', 'declined', null, () => moved('REQUESTED', 'CANCELED')],
    ['BOOKED to CANCELED', 'cancelled', 'CANCEL', () => moved('BOOKED', 'CANCELED')],
    ['Cancel Appointments, BOOKED', 'cancelled', 'CANCEL', () => appointmentCancelled('BOOKED')],
    ['Cancel Appointments, REQUESTED', 'cancelled', 'CANCEL', () => appointmentCancelled('REQUESTED')],
    ['Delete Resource', 'cancelled', 'CANCEL', resourceDeleted],
    ['Delete Customer', 'cancelled', 'CANCEL', customerDeleted],
  ]

  async function moved(from: string, to: string) {
    const made = await takeSilently(from)
    await move(made.reference, to)
    return made
  }
  async function appointmentCancelled(state: string) {
    const made = await takeSilently(state)
    await holdfast.crm.delete(`${practice.path}/appointments`, { appointmentReference: made.appointment })
    return made
  }
  async function resourceDeleted() {
    const { reference: resourceReference } = await makeResource(holdfast.crm, practice)
    const made = await takeSilently('BOOKED', { resourceReference })
    const path = `${practice.path}/resources/${encodeURIComponent(resourceReference)}`
    await holdfast.crm.delete(`${path}?ignoreFutureAppointments`)
    return made
  }
  async function customerDeleted() {
    const made = await takeSilently('BOOKED')
    const path = `${practice.path}/customers/${encodeURIComponent(made.customerReference)}`
    await holdfast.crm.delete(`${path}?ignoreFutureAppointments`)
    return made
  }

  it.each(operations)('%s: %s', async (_, kind, method, operation) => {
    const { email } = await operation()
    const [sentEmail, ...more] = await delivered(email)
    expect(more).toEqual([])
    expect(sentEmail).toMatchObject({
      kind,
      messageId: expect.stringMatching(/^<[0-9a-f-]{36}@holdfast\.test>$/),
    })
    const { mail } = sentEmail!
    expect(mail.from).toMatchObject({ name: 'Praxis Sonne', address: 'no-reply@holdfast.test' })
    expect(mail.to).toMatchObject([{ address: email }])
    expect(mail.subject).toMatch(/\S/)
    for (const part of [mail.text, mail.html]) {
      expect(part).toContain('Praxis Sonne')
      expect(part).toContain('Talk')
      expect(part).toMatch(/10:00\s–\s10:30/)
      expect(part).toContain('Berlin time (UTC+1)')
    }
    const calendar = calendarOf(sentEmail!)
    expect(calendar?.METHOD ?? null).toBe(method)
    if (calendar)
      expect(calendar).toMatchObject({
        DTSTART: '20900109T090000Z',
        DTEND: '20900109T093000Z',
        SEQUENCE: '0',
        STATUS: method === 'REQUEST' ? 'CONFIRMED' : 'CANCELLED',
      })
  })

  it.each<[string, () => Promise<{ email: string }>]>([
    ['a hold', () => take('RESERVED')],
    ['one that is deleted at once', () => take('DELETED')],
    ['RESERVED to CANCELED', () => moved('RESERVED', 'CANCELED')],
    ['DELETED to CANCELED', () => moved('DELETED', 'CANCELED')],
    ['BOOKED to DELETED', () => moved('BOOKED', 'DELETED')],
    ['sendMails=false', () => takeSilently('BOOKED')],
  ])('sends none for %s', async (_, operation) => {
    const { email } = await operation()
    expect(await mailKindsTo(holdfast, email)).toEqual([])
    expect(await jobsOf(email)).toEqual([])
  })

  it('is stored compressed outside its row', async () => {
    const { email } = await take('BOOKED')
    const [{ id, packing }] = await ask(
      'select id, pg_column_compression(data) as packing from mail where recipient = $1',
      email,
    )
    expect(packing).toBe('pglz')
    const [{ beside }] = await ask(
      "select pg_relation_size(reltoastrelid)::int as beside from pg_class where relname = 'mail'",
    )
    expect(beside).toBeGreaterThan(0)
    const [{ data } = { data: null }] = await mailsById(holdfast.service.db, [id])
    expect(JSON.stringify(data)).not.toMatch(/null|false| {9}/)
  })

  it('contains the cancel link only in booked and requested emails', async () => {
    const { reference, email } = await take('REQUESTED')
    await delivered(email, 1)
    await move(reference, 'BOOKED')
    await delivered(email, 2)
    await move(reference, 'CANCELED')
    const sentEmails = await delivered(email, 3)
    const links = sentEmails.map(({ mail }) => /http:\/\/holdfast\.test\/cancel\/\S+/.test(mail.text!))
    expect(links).toEqual([true, true, false])
  })
})

describe('emails queued at the same time', () => {
  it('share one job; a refused one is retried alone', async () => {
    const reference = await appointment()
    const quiet = { query: '?ignoreCapacity&sendMails=false' }
    const first = await makeParticipation(holdfast.crm, practice, reference, 'BOOKED', quiet)
    const second = await makeParticipation(holdfast.crm, practice, reference, 'BOOKED', quiet)
    smtp.moods.push('busy')
    await holdfast.crm.delete(`${practice.path}/appointments`, { appointmentReference: reference })
    const [job] = await eventually(async () => {
      const jobs = [...(await jobsOf(first.email)), ...(await jobsOf(second.email))]
      return jobs.length > 0 && jobs[0].attempts === 1 && !jobs[0].locked_at && jobs
    })
    expect(job.payload.mailIds).toHaveLength(2)
    const count = () => smtp.to(first.email).length + smtp.to(second.email).length
    expect(count()).toBe(1)
    await tryNow(first.email)
    await eventually(async () => count() === 2)
    expect([smtp.to(first.email).length, smtp.to(second.email).length]).toEqual([1, 1])
  })
})

describe('a transaction that is rolled back', () => {
  it('leaves neither an email nor a job', async () => {
    const { reference, email } = await takeSilently('BOOKED')
    const [{ id, provider_id }] = await ask('select * from participation where reference = $1', reference)
    const work = holdfast.service.db.transaction(async tx => {
      const events = { 'participation.booked': [id] }
      await recordEvents(tx, holdfast.service, {
        actor: serviceActor,
        provider: { id: provider_id },
        events,
      })
      throw new Error('Never mind')
    })
    await expect(work).rejects.toThrow('Never mind')
    expect(await mailKindsTo(holdfast, email)).toEqual([])
    const orphans = `select from graphile_worker._private_jobs
      where not exists (select from mail where payload::jsonb->'mailIds' @> to_jsonb(mail.id)) and payload::jsonb ? 'mailIds'`
    expect(await ask(orphans)).toEqual([])
  })

  it('sends nothing if the operation fails after the email was queued', async () => {
    await ask(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'nothing happens today'; end $$;
      create trigger refuse before insert on event for each row when (new.kind = 'participation.booked')
        execute function refuse()
    `)
    const { customerReference, email } = await makeCustomer(holdfast.crm, practice)
    const body = {
      reference: 'doomed@plat',
      appointmentReference: await appointment(),
      customerReference,
      state: 'BOOKED',
    }
    expect((await holdfast.crm.post(`${practice.path}/participations`, body)).status).toBe(500)
    expect(await mailKindsTo(holdfast, email)).toEqual([])
    await ask('drop trigger refuse on event')
    expect((await holdfast.crm.post(`${practice.path}/participations`, body)).status).toBe(201)
    expect((await delivered(email)).map(sentEmail => sentEmail.kind)).toEqual(['booked'])
  })
})

describe('the address', () => {
  it("is the Customer's current one", async () => {
    const { reference, customerReference, email } = await take('BOOKED')
    await delivered(email)
    const path = `${practice.path}/customers/${encodeURIComponent(customerReference)}`
    await holdfast.crm.put(path, { email: 'moved.on@example.org' })
    await move(reference, 'CANCELED')
    expect((await delivered('moved.on@example.org')).map(one => one.kind)).toEqual(['cancelled'])
    expect(smtp.to(email)).toHaveLength(1)
  })

  it('is none once the Customer has none, and follows a new one', async () => {
    const known = await take('BOOKED')
    const unknown = await take('BOOKED', {}, { email: null })
    const pathOf = (reference: string) => `${practice.path}/customers/${encodeURIComponent(reference)}`
    await holdfast.crm.put(pathOf(known.customerReference), { email: null })
    await holdfast.crm.put(pathOf(unknown.customerReference), { email: 'found.at.last@example.org' })
    for (const { reference } of [known, unknown]) await move(reference, 'CANCELED')
    expect((await delivered('found.at.last@example.org')).map(one => one.kind)).toEqual(['cancelled'])
    expect((await mailsTo(holdfast, known.email)).map(one => one.kind)).toEqual(['booked'])
  })
})

describe('language', () => {
  const languageOf = ({ mail }: Letter) => /<html lang="(\w+)"/.exec(mail.html!)![1]
  const greetings: Record<string, string> = {
    de: 'Guten Tag',
    en: 'Hello',
    fr: 'Bonjour',
    es: 'Hola',
    it: 'Buongiorno',
  }

  it.each(['de', 'en', 'fr', 'es', 'it'])('is the Customer’s: %s', async language => {
    const { email } = await take('BOOKED', {}, { language })
    const [sentEmail] = await delivered(email)
    expect(languageOf(sentEmail!)).toBe(language)
    expect((await mailsTo(holdfast, email))[0]!.language).toBe(language)
    expect(sentEmail!.mail.text).toContain(greetings[language])
  })

  it.each([
    ['de-AT', 'de'],
    ['FR', 'fr'],
    [null, 'en'],
  ])('%s gives %s, at a Provider with English', async (language, expected) => {
    const { email } = await take('BOOKED', {}, { language })
    const [sentEmail] = await delivered(email)
    expect(languageOf(sentEmail!)).toBe(expected)
  })

  it("defaults to the Provider's", async () => {
    const other = await makePractice(holdfast.crm)
    await consoleCall(holdfast.app, 'PATCH', `/providers/${other.uuid}`, { language: 'it' })
    const { reference } = await makeAppointment(holdfast.crm, other)
    const { customerReference, email } = await makeCustomer(holdfast.crm, other)
    await makeParticipation(holdfast.crm, other, reference, 'BOOKED', { customerReference })
    const [sentEmail] = await delivered(email)
    expect(languageOf(sentEmail!)).toBe('it')
  })

  it('follows a change of the Customer', async () => {
    const { reference, email, customerReference } = await take('BOOKED', {}, { language: 'de' })
    await delivered(email)
    await holdfast.crm.put(`${practice.path}/customers/${encodeURIComponent(customerReference)}`, {
      language: 'es',
    })
    await move(reference, 'CANCELED')
    expect((await delivered(email, 2)).map(languageOf)).toEqual(['de', 'es'])
  })
})

describe('the calendar part', () => {
  it('keeps its UID from booked to cancelled, and its SEQUENCE rises', async () => {
    const { reference, email } = await take('REQUESTED')
    await delivered(email, 1)
    await move(reference, 'BOOKED')
    await delivered(email, 2)
    await move(reference, 'CANCELED')
    const [requested, booked, cancelled] = (await delivered(email, 3)).map(calendarOf)
    expect(requested).toBeNull()
    expect(booked).toMatchObject({ METHOD: 'REQUEST', SEQUENCE: '0' })
    expect(cancelled).toMatchObject({ METHOD: 'CANCEL', SEQUENCE: '1', UID: booked!.UID })
    expect(booked!.UID).toMatch(/^[0-9a-f-]{36}@holdfast\.test$/)
  })

  it('has its own UID for each Participation of one Appointment', async () => {
    const reference = await appointment()
    const [one, two] = [
      await makeParticipation(holdfast.crm, practice, reference, 'BOOKED'),
      await makeParticipation(holdfast.crm, practice, reference, 'BOOKED'),
    ]
    const calendars = [...(await delivered(one.email)), ...(await delivered(two.email))].map(calendarOf)
    expect(calendars[0]!.UID).not.toBe(calendars[1]!.UID)
  })

  it.each([
    ['Europe/Berlin', '2026-10-25T02:30', '20261025T003000Z', '02:30'],
    ['Europe/Berlin', '2026-03-29T02:30', '20260329T013000Z', '03:30'],
    ['America/New_York', '2030-07-01T09:00', '20300701T130000Z', '09:00'],
    ['Australia/Lord_Howe', '2030-01-01T09:00', '20291231T220000Z', '09:00'],
    ['Asia/Kathmandu', '2030-01-01T09:00', '20300101T031500Z', '09:00'],
  ])('contains the instant, and the text the local time: %s, %s', async (timeZone, start, instant, clock) => {
    const there = await makePractice(holdfast.crm)
    await consoleCall(holdfast.app, 'PATCH', `/providers/${there.uuid}`, { timeZone })
    const end = new Date(Date.parse(`${start}Z`) + 7_200_000).toISOString().slice(0, 16)
    const { reference } = await makeAppointment(holdfast.crm, there, { start, end })
    const { email } = await makeParticipation(holdfast.crm, there, reference, 'BOOKED')
    const [sentEmail] = await delivered(email)
    expect(calendarOf(sentEmail!)!.DTSTART).toBe(instant)
    expect(sentEmail!.mail.text).toContain(clock)
    const city = timeZone.split('/')[1]!.replaceAll('_', ' ')
    expect(sentEmail!.mail.text).toContain(`${city} time (UTC`)
  })

  it.each([
    [
      'an address',
      { city: 'Wien', zip: '1010', street: 'Ring', number: '1', country: 'AT' },
      'Ring 1, 1010 Wien, AT',
    ],
    ['text', 'https://meet.example.org/x', 'https://meet.example.org/x'],
  ])('contains the location: %s', async (_, address, place) => {
    const { email } = await take('BOOKED', { address })
    const [sentEmail] = await delivered(email)
    expect(calendarOf(sentEmail!)!.LOCATION!.replaceAll('\\', '')).toBe(place)
    expect(sentEmail!.mail.text).toContain(place)
  })
})

describe('the contact', () => {
  const channel = (type: string, value: string) => ({ type, value })

  /** The contact in a booking's email and the organiser of its calendar entry. */
  async function shown(fields: Fields, at = practice) {
    const { reference } = await makeAppointment(holdfast.crm, at, fields)
    const { email } = await makeParticipation(holdfast.crm, at, reference, 'BOOKED')
    const [sentEmail] = await delivered(email)
    return { text: sentEmail!.mail.text!, organizer: calendarOf(sentEmail!)!.ORGANIZER! }
  }
  const general = (reference: string, contactChannels: object[]) =>
    holdfast.crm.put(`/user/${encodeURIComponent(reference)}/generalContactProfile`, {
      name: 'General Greta',
      contactChannels,
    })

  it("is the Appointment's profile for the Provider", async () => {
    const user = await makeUser(holdfast.crm)
    await general(user.reference, [channel('email', 'general@example.org')])
    const { reference: contactProfileReference } = await makeProfile(holdfast.crm, practice, user.reference)
    const { text, organizer } = await shown({ contactReference: user.reference, contactProfileReference })
    expect(text).toContain('Public name')
    expect(text).toContain('profile@example.org')
    expect(text).not.toContain('General Greta')
    expect(organizer).toMatch(/mailto:profile@example\.org$/)
  })

  it('is the general profile if none is named', async () => {
    const user = await makeUser(holdfast.crm)
    await makeProfile(holdfast.crm, practice, user.reference)
    await general(user.reference, [channel('email', 'general@example.org'), channel('phone', '+49 30 777')])
    const { text, organizer } = await shown({ contactReference: user.reference })
    for (const part of ['General Greta', 'general@example.org', '+49 30 777']) expect(text).toContain(part)
    expect(text).not.toContain('Public name')
    expect(organizer).toMatch(/mailto:general@example\.org$/)
  })

  it('is the User if there is no profile', async () => {
    const user = await makeUser(holdfast.crm, { firstName: 'Ulla', phone: '+49 30 888' })
    const { text, organizer } = await shown({ contactReference: user.reference })
    for (const part of ['Ulla Berg', user.email, '+49 30 888']) expect(text).toContain(part)
    expect(organizer).toMatch(new RegExp(`mailto:${user.email}$`))
  })

  it("uses the User's address if the profile has none", async () => {
    const user = await makeUser(holdfast.crm)
    await general(user.reference, [channel('phone', '+49 30 999')])
    const { text, organizer } = await shown({ contactReference: user.reference })
    expect(text).toContain('+49 30 999')
    expect(text).not.toContain(user.email)
    expect(organizer).toMatch(new RegExp(`mailto:${user.email}$`))
  })

  it("is the Resource's if the Appointment has none", async () => {
    const [ofResource, ofAppointment] = [await makeUser(holdfast.crm), await makeUser(holdfast.crm)]
    const { reference: contactProfileReference } = await makeProfile(
      holdfast.crm,
      practice,
      ofResource.reference,
    )
    const resource = await makeResource(holdfast.crm, practice, {
      contact: ofResource.reference,
      contactProfileReference,
    })
    const resourceReference = resource.reference
    expect((await shown({ resourceReference })).organizer).toMatch(/mailto:profile@example\.org$/)
    const { text, organizer } = await shown({ resourceReference, contactReference: ofAppointment.reference })
    expect(organizer).toMatch(new RegExp(`mailto:${ofAppointment.email}$`))
    expect(text).not.toContain('profile@example.org')
  })

  it('is the Provider if there is no other', async () => {
    const { text, organizer } = await shown({})
    expect(text).toContain('Praxis Sonne')
    expect(text).toContain('praxis@example.org')
    expect(organizer).toMatch(/mailto:praxis@example\.org$/)
  })

  it("replies go to the owner's address, without showing it, if the Provider has none", async () => {
    const bare = await makePractice(holdfast.crm)
    const { text, organizer } = await shown({}, bare)
    expect(organizer).toMatch(new RegExp(`mailto:${bare.ownerEmail}$`))
    expect(text).not.toContain(bare.ownerEmail)
  })
})

describe('a mail server with problems', () => {
  const troubles: [Mood, RegExp, number][] = [
    ['busy', /451/, 0],
    ['silent', /greeting|timeout/i, 0],
    ['hangup', /close|connect|ECONN|socket/i, 0],
    ['hang', /timeout/i, 1],
    ['drop', /close|connect|ECONN|socket/i, 1],
  ]

  /**
   * The connection pool must not keep an open connection from an earlier test, so each test gets a new
   * worker.
   */
  async function freshWorker(mood: Mood) {
    await worker.stop()
    const { service } = holdfast
    const smtpUrl = mood === 'silent' || mood === 'hang' ? smtp.impatientUrl : smtp.url
    const config = { ...service.config, smtpUrl }
    worker = startWorker({ ...service, config }, holdfast.connection, holdfast.app.log)
  }

  it.each(troubles)(
    '%s: the email waits with its error, and is sent later, unchanged',
    async (mood, why, seen) => {
      await freshWorker(mood)
      smtp.moods.push(mood)
      const { email } = await take('BOOKED')
      const [waiting] = await eventually(async () => {
        const mails = await mailsTo(holdfast, email)
        return mails[0]!.attempts > 0 && mails
      })
      expect(waiting).toMatchObject({ state: 'queued', attempts: 1, lastError: expect.stringMatching(why) })
      const firstTry = smtp.tried.filter(sentEmail => sentEmail.to === email)
      expect(firstTry).toHaveLength(seen)
      const [job] = await eventually(async () => {
        const jobs = await jobsOf(email)
        return jobs[0]?.locked_at === null && jobs
      })
      expect(job!.attempts).toBe(1)
      expect(job!.waits).toBeGreaterThan(2)

      await tryNow(email)
      const [sentEmail] = await delivered(email)
      expect(sentEmail!.messageId).toBe(`<${waiting!.uuid}@holdfast.test>`)
      for (const first of firstTry) {
        expect(first.messageId).toBe(sentEmail!.messageId)
        expect(first.mail.text).toBe(sentEmail!.mail.text)
      }
      const sent = await eventually(async () => {
        const [mail] = await mailsTo(holdfast, email)
        return mail!.state === 'sent' && mail
      })
      expect(sent).toMatchObject({ attempts: 2, lastError: null })
      expect(smtp.to(email)).toHaveLength(1)
    },
  )

  it('is retried after a growing pause, always with the same Message-ID', async () => {
    const times = 4
    await freshWorker('drop')
    smtp.moods.push(...Array.from({ length: times }, () => 'drop' as const))
    const { email } = await take('BOOKED')
    const pauses: number[] = []
    for (let attempts = 1; attempts <= times; attempts++) {
      const [job] = await eventually(async () => {
        const jobs = await jobsOf(email)
        return jobs[0]?.attempts === attempts && jobs[0].locked_at === null && jobs
      })
      pauses.push(job!.pause)
      await tryNow(email)
    }
    await delivered(email)
    for (const [index, pause] of pauses.slice(1).entries())
      expect(pause).toBeGreaterThan(pauses[index]! * 1.5)
    const ids = smtp.tried.filter(sentEmail => sentEmail.to === email).map(sentEmail => sentEmail.messageId)
    expect(ids).toHaveLength(times + 1)
    expect(new Set(ids).size).toBe(1)
  })

  it('does not delay other emails', async () => {
    await freshWorker('hang')
    smtp.moods.push('hang')
    const stuck = await take('BOOKED')
    await eventually(async () => smtp.tried.some(sentEmail => sentEmail.to === stuck.email))
    const { email } = await take('BOOKED')
    expect(await delivered(email)).toHaveLength(1)
    expect(smtp.to(stuck.email)).toEqual([])
    await eventually(async () => {
      await tryNow(stuck.email)
      return smtp.to(stuck.email).length > 0
    })
  })

  it.each([
    ['that refuses the recipient: at once', 'refuse', 25, '550'],
    ['that is busy: after the last try', 'busy', 1, '451'],
  ] as const)(
    '%s the mail has failed, an event says so, and the console can send it again',
    async (_when, mood, tries, why) => {
      await worker.stop()
      await jobsQueued(holdfast)
      // Jobs of earlier tests would use up the server's failures.
      await ask('delete from graphile_worker._private_jobs')
      smtp.moods.push(mood)
      const { email } = await take('BOOKED')
      await jobsQueued(holdfast)
      await ask(`update graphile_worker._private_jobs set max_attempts = ${tries}`)
      worker = startWorker(holdfast.service, holdfast.connection, holdfast.app.log)
      const failed = await eventually(async () => {
        const [mail] = await mailsTo(holdfast, email)
        return mail!.state === 'failed' && mail
      })
      expect(failed.lastError).toContain(why)
      const events = await ask(
        `select kind from event where subject = (select id from mail where uuid = '${failed.uuid}') and kind like 'mail.%'`,
      )
      expect(events).toEqual([{ kind: 'mail.failed' }])
      await eventually(async () => (await jobsOf(email)).length === 0 || mood === 'busy')

      const { status, body } = await consoleCall(holdfast.app, 'POST', `/mails/${failed.uuid}/resend`)
      expect([status, body]).toMatchObject([200, { uuid: failed.uuid, kind: 'booked', attempts: 0 }])
      const [sentEmail] = await delivered(email)
      expect(sentEmail!.messageId).toBe(`<${failed.uuid}@holdfast.test>`)
    },
  )
})

describe('resending', () => {
  const resend = ({ uuid }: Pick<Mail, 'uuid'>) => consoleCall(holdfast.app, 'POST', `/mails/${uuid}/resend`)

  it('sends the same email again: same Message-ID and text, though the data has changed', async () => {
    const { reference, email, customerReference } = await take('BOOKED')
    await delivered(email)
    await holdfast.crm.put(`${practice.path}/customers/${encodeURIComponent(customerReference)}`, {
      userName: 'Another Person',
    })
    await holdfast.crm.post(
      `${practice.path}/participations/${encodeURIComponent(reference)}?sendMails=false`,
      {
        state: 'CANCELED',
      },
    )
    const [mail] = await mailsTo(holdfast, email)
    expect((await resend(mail!)).status).toBe(200)
    const [first, second] = await delivered(email, 2)
    expect(second!.messageId).toBe(first!.messageId)
    expect(second!.mail.text).toBe(first!.mail.text)
    expect(calendarOf(second!)).toEqual(calendarOf(first!))
  })

  it('returns 404 for an unknown email and for an erased recipient', async () => {
    const { email, customerReference } = await take('BOOKED', {
      start: '2020-01-06T10:00',
      end: '2020-01-06T11:00',
    })
    await delivered(email)
    const [mail] = await mailsTo(holdfast, email)
    await holdfast.crm.delete(`${practice.path}/customers/${encodeURIComponent(customerReference)}`)
    expectRefusal(await resend(mail!), 404, 'not-found')
    expectRefusal(await resend({ uuid: '00000000-0000-4000-8000-000000000000' }), 404, 'not-found')
    const { body } = await consoleCall(holdfast.app, 'GET', `/mails/${mail!.uuid}`)
    expect(body).toMatchObject({ to: null, subject: null, text: null, html: null, ics: null })
  })
})

describe('a worker that is killed', () => {
  function startProcess(): ChildProcess {
    const env = {
      SMTP_URL: smtp.url,
      BASE_URL: holdfast.service.baseUrl,
      MAIL_FROM: holdfast.service.config.mailFrom,
    }
    const script = new URL('../support/worker-process.ts', import.meta.url)
    const child = spawn(process.execPath, [script.pathname], {
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        WORKER: JSON.stringify({ connection: holdfast.connection, env }),
      },
      stdio: 'inherit',
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    return child
  }

  /** Advances the time after which a worker counts as dead. */
  const letTimePass = () =>
    ask(`
      with aged as (update worker_heartbeat set seen_at = seen_at - interval '1 minute')
      update graphile_worker._private_jobs set locked_at = locked_at - interval '1 minute' where locked_at is not null
    `)

  it('between sending and recording: another takes over, and the email arrives at most twice with one Message-ID', async () => {
    await worker.stop()
    const child = startProcess()
    const gone = once(child, 'exit')
    smtp.beforeAnswer = async () => {
      smtp.beforeAnswer = null
      child.kill('SIGKILL')
      await gone
    }
    const { email } = await take('BOOKED')
    const [_first, signal] = await gone
    expect(signal).toBe('SIGKILL')
    expect(await mailsTo(holdfast, email)).toMatchObject([{ state: 'queued', attempts: 0 }])
    expect(await jobsOf(email)).toMatchObject([{ locked_by: expect.any(String) }])

    await letTimePass()
    worker = startWorker(holdfast.service, holdfast.connection, holdfast.app.log)
    await eventually(async () => (await mailsTo(holdfast, email))[0]!.state === 'sent')
    const tried = smtp.tried.filter(sentEmail => sentEmail.to === email)
    expect(tried).toHaveLength(2)
    expect(tried[0]!.messageId).toBe(tried[1]!.messageId)
    expect(tried[0]!.mail.text).toBe(tried[1]!.mail.text)
  })

  it('not at all, but never learned which job it took: the email is still sent', async () => {
    await worker.stop()
    const proxy = await startCutProxy(holdfast.connection)
    const unlucky = startWorker(holdfast.service, proxy.connection, holdfast.app.log)
    proxy.cut('after an email job was taken')
    const { email } = await take('BOOKED')
    await eventually(async () => proxy.cuts() === 1)
    expect(await jobsOf(email)).toMatchObject([{ locked_by: expect.any(String) }])
    await eventually(async () => {
      await letTimePass()
      return (await mailsTo(holdfast, email))[0]!.state === 'sent'
    }, 30)
    await unlucky.stop()
    worker = startWorker(holdfast.service, holdfast.connection, holdfast.app.log)
  })
})

it('a worker that takes minutes for an email keeps it, and no other sends it meanwhile', async () => {
  let handedOn: number | undefined
  smtp.beforeAnswer = async sentEmail => {
    smtp.beforeAnswer = null
    const [job] = await jobsOf(sentEmail.to)
    await ask(
      "update graphile_worker._private_jobs set locked_at = now() - interval '5 minutes' where id = $1",
      job.id,
    )
    handedOn = await releaseStaleJobs(holdfast.service.db)
  }
  const { email } = await take('BOOKED')
  await delivered(email)
  expect(handedOn).toBe(0)
  expect(smtp.tried.filter(sentEmail => sentEmail.to === email)).toHaveLength(1)
})

describe('a slow mail server', () => {
  it('gets confirmations while hundreds of reminders wait', async () => {
    smtp.beforeAnswer = () => pause(100)
    const { id: crmId } = (await ask(`select id from crm where name = 'crm'`))[0]
    const reminder = (index: number): NewMessage => ({
      crmId: Number(crmId),
      kind: 'reminder',
      to: `reminded-${index}@example.org`,
      language: 'en',
      data: dataFor('reminder'),
    })
    const { db } = holdfast.service
    await db.transaction(tx =>
      queueMessages(
        tx,
        Array.from({ length: 400 }, (_, index) => reminder(index)),
      ),
    )
    const reminded = () => smtp.accepted.filter(one => one.kind === 'reminder').length
    await eventually(async () => reminded() > 8)
    const before = reminded()
    const booking = { ...reminder(0), kind: 'booked' as const, to: 'booked-meanwhile@example.org' }
    await db.transaction(tx => queueMessages(tx, [booking]))
    await eventually(async () => smtp.to('booked-meanwhile@example.org').length === 1)
    // Those that were on their way, and a few that started meanwhile.
    expect(reminded() - before).toBeLessThan(60)
    smtp.beforeAnswer = null
    await eventually(async () => reminded() >= 400, 60)
  })
})
