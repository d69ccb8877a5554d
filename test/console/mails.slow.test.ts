import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createKey } from '../../src/actions/setup/keys.ts'
import { recordHeartbeat, releaseStaleJobs } from '../../src/db/base/jobs.ts'
import { queueMessages } from '../../src/db/mails.ts'
import { ensureCrm } from '../../src/db/setup/crms.ts'
import { startWorker } from '../../src/start/worker.ts'
import { makeConsumer, makeUser, unique } from '../support/build.ts'
import { startSecondInstance } from '../support/instances.ts'
import { countMails, mailsTo } from '../support/mailbox.ts'
import { expectRefusal } from '../support/refusals.ts'
import {
  call,
  consoleCall,
  consoleToken,
  eventually,
  jobsQueued,
  runJobs,
  useService,
} from '../support/service.ts'
import { startSmtp, type TestSmtp } from '../support/smtp.ts'

const holdfast = await useService()

const query = (text: string, ...values: unknown[]) => holdfast.query(text, values)

/** A mail server, until the test ends. */
async function startMailServer(port = 0): Promise<TestSmtp> {
  const smtp = await startSmtp(port)
  onTestFinished(smtp.close)
  return smtp
}

/** A port without a listener. */
async function freePort(): Promise<number> {
  const { port, close } = await startSmtp()
  await close()
  return port
}

/** Runs the jobs with this mail server, until the test ends. */
function runJobsWith(smtpUrl: string) {
  const config = { ...holdfast.service.config, smtpUrl, mailFrom: 'Practice <hello@example.org>' }
  return runJobs({ ...holdfast, service: { ...holdfast.service, config } })
}

/** Blocks all connections to the test's database, and allows them again. */
async function reachFromOutside() {
  const { database } = holdfast.connection
  const client = new pg.Client({ ...holdfast.connection, database: 'postgres' } as pg.ClientConfig)
  await client.connect()
  onTestFinished(() => client.end())
  const allow = (yes: boolean) => client.query(`alter database "${database}" allow_connections ${yes}`)
  return {
    async takeAway() {
      await allow(false)
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
        database,
      ])
    },
    giveBack: () => allow(true),
  }
}

const mailTo = async (address: string) => (await mailsTo(holdfast, address))[0]!
const mailInState = (address: string, state: string) =>
  eventually(async () => {
    const mail = await mailTo(address)
    return mail.state === state && mail
  })

const jobOf =
  "select jobs.id from graphile_worker._private_jobs jobs join mail on payload::jsonb->'mailIds' @> to_jsonb(mail.id) where recipient = $1"
/** Without waiting for the pause to end: moves the job to now and wakes the workers, as a new job would. */
async function retryNow(address: string) {
  // The queue records a failure slightly later than the email, and only then sets the time of the next attempt.
  const move = `update graphile_worker._private_jobs set run_at = now() where locked_at is null and id in (${jobOf}) returning id`
  await eventually(async () => (await query(move, address)).length > 0)
  await query(`select pg_notify('jobs:insert', '{"r":"retry","count":1}')`)
}

describe('Create User queues a verification email', () => {
  it('to the User, with a link, and the job that delivers it', async () => {
    const { email } = await makeUser(holdfast.crm, { firstName: 'Anna' })
    const mails = await mailsTo(holdfast, email)
    expect(mails).toHaveLength(1)
    expect(mails[0]).toMatchObject({
      kind: 'verification',
      to: email,
      language: 'en',
      state: 'queued',
      attempts: 0,
    })
    expect(mails[0]!.text).toContain('Hello Anna Berg,')
    expect(mails[0]!.text).toMatch(/http:\/\/holdfast\.test\/verify\/\S+/)
    await jobsQueued(holdfast)
    expect(await query(jobOf, email)).toHaveLength(1)
  })

  it('to the address variant that the User got', async () => {
    const { email } = await makeUser(holdfast.crm)
    const { email: variant } = await makeUser(holdfast.crm, { email })
    expect(variant).not.toBe(email)
    expect(await mailsTo(holdfast, variant)).toHaveLength(1)
    expect(await mailsTo(holdfast, email)).toHaveLength(1)
  })

  it('to a person who once booked and now gets a reference', async () => {
    await makeConsumer(holdfast, 'booked@example.org')
    await makeUser(holdfast.crm, { email: 'booked@example.org' })
    expect(await mailsTo(holdfast, 'booked@example.org')).toHaveLength(1)
  })

  it('only once: an update sends none', async () => {
    const { email, reference } = await makeUser(holdfast.crm)
    await makeUser(holdfast.crm, { reference, email })
    expect(await mailsTo(holdfast, email)).toHaveLength(1)
  })

  it('unless the User is refused', async () => {
    const { username } = await makeUser(holdfast.crm)
    const before = await countMails(holdfast)
    const body = { reference: unique('user'), email: 'refused@example.org', username, lastName: 'Berg' }
    expectRefusal(await holdfast.crm.post('/user', body), 409, 'username-exists', 'username')
    expect(await countMails(holdfast)).toBe(before)
  })

  it('in the same transaction: a later failure also rolls back the email and its job', async () => {
    await query(`alter table event add constraint trap check (kind <> 'user.created') not valid`)
    const body = {
      reference: unique('user'),
      email: 'undone@example.org',
      username: 'undone',
      lastName: 'Berg',
    }
    const { status } = await holdfast.crm.post('/user', body)
    await query('alter table event drop constraint trap')
    expect(status).toBe(500)
    expect(await mailsTo(holdfast, 'undone@example.org')).toEqual([])
    expect(await query('select id from app_user where reference = $1', body.reference)).toEqual([])
    await jobsQueued(holdfast)
    const jobs = await query('select payload from graphile_worker._private_jobs')
    const ids = (await query('select id from mail')).map(row => row.id)
    for (const { payload } of jobs) expect(ids).toEqual(expect.arrayContaining(payload.mailIds))
  })
})

describe('the language of an email', () => {
  const subjects = {
    de: 'Bitte bestätigen Sie Ihre E-Mail-Adresse',
    en: 'Please confirm your email address',
  }
  const create = async (key: string, crm: string, cookie?: string, app = holdfast.app) => {
    const reference = unique('speaker')
    const name = reference.replace('@', '.')
    const body = { reference, email: `${name}@example.org`, username: name, lastName: 'Berg' }
    const headers = { 'x-service-client-id': key, ...(cookie ? { cookie } : {}) }
    expect((await call(app, 'POST', `/crms/${crm}/user`, body, { headers })).status).toBe(201)
    return mailTo(body.email)
  }
  async function crmWithoutLanguage() {
    await ensureCrm(holdfast.service.db, 'mute')
    return createKey(holdfast.service, { crm: 'mute' })
  }

  it('is that of the CRM', async () => {
    expect(await create(holdfast.crm.key, 'crm')).toMatchObject({ language: 'en', subject: subjects.en })
  })

  it.each([
    ['PLAY_LANG=de', 'de'],
    ['PLAY_LANG=fr', 'fr'],
    ['PLAY_LANG=es', 'es'],
    ['PLAY_LANG=it', 'it'],
    ['PLAY_LANG=de-AT', 'de'],
    ['PLAY_LANG=FR', 'fr'],
    ['a=b; PLAY_LANG=it; c=d', 'it'],
  ])('is changed by the cookie %s', async (cookie, language) => {
    expect(await create(holdfast.crm.key, 'crm', cookie)).toMatchObject({ language })
  })

  it.each([
    'PLAY_LANG=xx',
    'PLAY_LANG=',
    'PLAY_LANG',
    'PLAY_LANG=%',
    'PLAY_LANG=__proto__',
    '=;;=',
    'play_lang=de',
  ])('is not changed by the cookie %s', async cookie => {
    expect(await create(holdfast.crm.key, 'crm', cookie)).toMatchObject({ language: 'en' })
  })

  it('is the default if the CRM has none', async () => {
    const key = await crmWithoutLanguage()
    expect(await create(key, 'mute')).toMatchObject({ language: 'de', subject: subjects.de })
    const config = { ...holdfast.service.config, language: 'it' as const }
    const app = await startSecondInstance(holdfast, { config })
    expect(await create(key, 'mute', undefined, app)).toMatchObject({ language: 'it' })
    expect(await create(key, 'mute', 'PLAY_LANG=fr', app)).toMatchObject({ language: 'fr' })
  })
})

describe('the console API', () => {
  const list = (search = '') => consoleCall(holdfast.app, 'GET', `/mails${search}`)

  it('requires a login to show an email', async () => {
    const { uuid } = (await list()).body.mails[0]
    for (const path of ['/console/api/mails', `/console/api/mails/${uuid}`])
      for (const headers of [
        {},
        { authorization: 'Bearer wrong' },
        { authorization: 'Bearer ' },
        { authorization: consoleToken },
        { authorization: `Basic ${consoleToken}` },
        { 'x-service-client-id': holdfast.crm.key },
        { cookie: 'holdfast_session=wrong' },
        { cookie: `holdfast_session=${consoleToken}` },
      ] as Record<string, string>[])
        expectRefusal(await call(holdfast.app, 'GET', path, undefined, { headers }), 401, 'login-required')
  })

  it('has no token when none is set', async () => {
    const config = { ...holdfast.service.config, bootstrapConsoleToken: null }
    const app = await startSecondInstance(holdfast, { config })
    for (const token of ['null', 'undefined', consoleToken]) {
      const headers = { authorization: `Bearer ${token}` }
      expectRefusal(
        await call(app, 'GET', '/console/api/mails', undefined, { headers }),
        401,
        'login-required',
      )
    }
  })

  it('lists emails, newest first', async () => {
    const { email: older } = await makeUser(holdfast.crm)
    const { email: newer } = await makeUser(holdfast.crm)
    const { status, body } = await list('?limit=2')
    expect(status).toBe(200)
    expect(body.mails.map((mail: { to: string }) => mail.to)).toEqual([newer, older])
    expect(body.mails[0]).toEqual({
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      kind: 'verification',
      to: newer,
      language: 'en',
      subject: 'Please confirm your email address',
      state: 'queued',
      attempts: 0,
      lastError: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      sentAt: null,
    })
  })

  it('pages through all of them, each exactly once', async () => {
    for (let count = 0; count < 5; count++) await makeUser(holdfast.crm)
    const seen: string[] = []
    let next: string | null = ''
    while (next !== null) {
      const { body } = await list(`?limit=3${next && `&before=${next}`}`)
      expect(body.mails.length).toBeLessThanOrEqual(3)
      seen.push(...body.mails.map((mail: { uuid: string }) => mail.uuid))
      next = body.next
    }
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toHaveLength(await countMails(holdfast))
  })

  it('filters by recipient (ignoring case), kind and state', async () => {
    const { email } = await makeUser(holdfast.crm)
    const found = async (search: string) =>
      (await list(search)).body.mails.map((mail: { to: string }) => mail.to)
    expect(await found(`?to=${encodeURIComponent(email.toUpperCase())}`)).toEqual([email])
    expect(await found(`?to=${encodeURIComponent(email)}&kind=verification&state=queued`)).toEqual([email])
    expect(await found(`?to=${encodeURIComponent(email)}&state=sent`)).toEqual([])
    expect(await found(`?to=${encodeURIComponent(email)}&kind=booked`)).toEqual([])
    expect(await found('?to=nobody@example.org')).toEqual([])
    expect(await found(`?to=${encodeURIComponent(email)}&state=undefined&kind=null&before=`)).toEqual([email])
  })

  it.each(['state=lost', 'kind=spam', 'limit=0', 'limit=201', 'limit=many', 'limit=1.5', 'to=%00'])(
    'refuses %s',
    async search => {
      expectRefusal(await list(`?${search}`), 400, 'invalid-field', search.split('=')[0])
    },
  )

  it.each(['x', '00000000-0000-4000-8000-000000000000'])('answers 404 for a page before %s', async before => {
    expectRefusal(await list(`?before=${before}`), 404, 'not-found')
  })

  it('shows one email as it is sent: text and HTML', async () => {
    const { email } = await makeUser(holdfast.crm, { lastName: '<b>Berg</b> & "Co"' })
    const { uuid } = (await list(`?to=${encodeURIComponent(email)}`)).body.mails[0]
    const { status, body } = await consoleCall(holdfast.app, 'GET', `/mails/${uuid}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ uuid, to: email, subject: 'Please confirm your email address', ics: null })
    const link = body.text.match(/http:\/\/holdfast\.test\/verify\/\S+/)[0]
    expect(body.html).toContain(`href="${link}"`)
    expect(body.html).not.toContain('<b>Berg</b>')
  })

  it.each(['x', '00000000-0000-4000-8000-000000000000', '%00'])(
    'answers no mail for the uuid %s',
    async uuid => {
      const { status } = await consoleCall(holdfast.app, 'GET', `/mails/${uuid}`)
      expect(status).toBe(uuid === '%00' ? 400 : 404)
    },
  )

  it('shows nothing of an email whose recipient was erased', async () => {
    const { email } = await makeUser(holdfast.crm)
    const { uuid } = await mailTo(email)
    await query(`update mail set recipient = null, data = '{}' where uuid = $1`, uuid)
    const { status, body } = await consoleCall(holdfast.app, 'GET', `/mails/${uuid}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ to: null, subject: null, text: null, html: null, ics: null })
  })
})

describe('delivery', () => {
  it('without a mail server, keeps the email for the console', async () => {
    const { email } = await makeUser(holdfast.crm)
    runJobs(holdfast)
    const mail = await mailInState(email, 'kept')
    expect(mail).toMatchObject({ attempts: 0, lastError: null })
    expect(await eventually(async () => (await query(jobOf, email)).length === 0)).toBe(true)
  })

  it('passes the email to the mail server, with Message-ID and kind', async () => {
    const smtp = await startMailServer()
    const { email } = await makeUser(holdfast.crm, { firstName: 'Zoë' })
    runJobsWith(smtp.url)
    const mail = await mailInState(email, 'sent')
    expect(mail).toMatchObject({ attempts: 1, lastError: null })
    const [letter] = smtp.to(email)
    expect(letter).toMatchObject({ kind: 'verification', messageId: `<${mail.uuid}@holdfast.test>` })
    expect(letter!.mail).toMatchObject({
      from: { name: 'Practice', address: 'hello@example.org' },
      to: [{ address: email }],
      subject: mail.subject,
      attachments: [],
    })
    expect(letter!.mail.headers).toContainEqual(
      expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
    )
    expect(letter!.mail.text?.trim()).toBe(mail.text.trim())
    expect(letter!.mail.text).toContain('Zoë')
    expect(letter!.mail.html).toContain(mail.text.match(/http\S+verify\S+/)![0])
  })

  it.each(['ann(work)@example.org', 'group:ann@example.org', "o'brien+tag@example.org"])(
    'reaches only %s',
    async email => {
      const smtp = await startMailServer()
      await makeUser(holdfast.crm, { email })
      runJobsWith(smtp.url)
      await mailInState(email, 'sent')
      // SMTP quotes unusual characters before the at sign.
      expect(smtp.accepted.map(letter => letter.to.replaceAll('"', ''))).toContain(email)
    },
  )

  it('waits for an unavailable mail server, and reports why', async () => {
    const port = await freePort()
    const { email } = await makeUser(holdfast.crm)
    runJobsWith(`smtp://127.0.0.1:${port}`)
    const waiting = await eventually(async () => {
      const mail = await mailTo(email)
      return mail.attempts > 0 && mail
    })
    expect(waiting).toMatchObject({
      state: 'queued',
      attempts: 1,
      lastError: expect.stringContaining('ECONNREFUSED'),
    })
    const smtp = await startMailServer(port)
    await retryNow(email)
    expect(await mailInState(email, 'sent')).toMatchObject({ attempts: 2, lastError: null })
    expect(smtp.to(email)).toHaveLength(1)
  })

  it('retries with the same Message-ID, after growing pauses', async () => {
    await jobsQueued(holdfast)
    await query('delete from graphile_worker._private_jobs')
    const { email } = await makeUser(holdfast.crm)
    const smtp = await startMailServer()
    smtp.moods.push('drop', 'drop')
    runJobsWith(smtp.url)
    const pauses: number[] = []
    for (const attempts of [1, 2]) {
      const [job] = await eventually(async () => {
        const jobs = await query(
          `select extract(epoch from run_at - now())::float8 as pause from graphile_worker._private_jobs
           where id in (${jobOf}) and attempts = $2 and locked_at is null`,
          email,
          attempts,
        )
        return jobs.length > 0 && jobs
      })
      pauses.push(job!.pause)
      expect(await mailTo(email)).toMatchObject({
        attempts,
        state: 'queued',
        lastError: expect.any(String),
      })
      await retryNow(email)
    }
    await mailInState(email, 'sent')
    expect(pauses[1]).toBeGreaterThan(pauses[0]! + 1)
    const ids = smtp.tried.map(letter => letter.messageId)
    expect(ids).toHaveLength(3)
    expect(new Set(ids).size).toBe(1)
  })

  it('happens once, however often the email is resent while it waits', async () => {
    const smtp = await startMailServer()
    const { email } = await makeUser(holdfast.crm)
    const { uuid } = await mailTo(email)
    for (let times = 0; times < 3; times++)
      expect((await consoleCall(holdfast.app, 'POST', `/mails/${uuid}/resend`)).body.state).toBe('queued')
    runJobsWith(smtp.url)
    await mailInState(email, 'sent')
    await eventually(async () => (await query(jobOf, email)).length === 0)
    expect(smtp.to(email)).toHaveLength(1)
  })

  it('of emails that share a job stays one job, whichever of them is resent while they wait', async () => {
    const smtp = await startMailServer()
    const emails = [1, 2, 3]
      .map(() => unique('together').replace('@', '.at.'))
      .map(one => `${one}@example.org`)
    const rows = await holdfast.query('select min(id)::int as id from crm')
    const mail = {
      crmId: rows[0].id,
      kind: 'verification',
      language: 'en',
      data: { name: 'Ann', link: '' },
    } as const
    await holdfast.service.db.transaction(tx =>
      queueMessages(
        tx,
        emails.map(to => ({ ...mail, to })),
      ),
    )
    const last = await mailTo(emails[2]!)
    await query(`update mail set state = 'sent' where uuid = $1`, last.uuid)
    expect((await consoleCall(holdfast.app, 'POST', `/mails/${last.uuid}/resend`)).body.state).toBe('queued')
    const jobs = await Promise.all(emails.map(email => query(jobOf, email)))
    expect(jobs).toEqual([jobs[0], jobs[0], jobs[0]])
    expect(jobs[0]).toHaveLength(1)
    runJobsWith(smtp.url)
    for (const email of emails) await mailInState(email, 'sent')
    expect(emails.map(email => smtp.to(email).length)).toEqual([1, 1, 1])
  })

  it('is repeated on request, with the same Message-ID', async () => {
    const smtp = await startMailServer()
    const { email } = await makeUser(holdfast.crm)
    runJobsWith(smtp.url)
    const { uuid } = await mailInState(email, 'sent')
    expect((await consoleCall(holdfast.app, 'POST', `/mails/${uuid}/resend`)).status).toBe(200)
    await eventually(async () => smtp.to(email).length === 2)
    expect(new Set(smtp.to(email).map(letter => letter.messageId)).size).toBe(1)
  })

  it('survives a database outage between sending and recording', async () => {
    const { email } = await makeUser(holdfast.crm)
    const smtp = await startMailServer()
    const database = await reachFromOutside()
    const away = new Promise<void>(resolve => {
      smtp.beforeAnswer = async () => {
        smtp.beforeAnswer = null
        await database.takeAway()
        resolve()
      }
    })
    runJobsWith(smtp.url)
    await away
    await eventually(async () => smtp.accepted.length > 0)
    // Time for the job to fail and for the queue to notice that it cannot say so.
    await new Promise(resolve => setTimeout(resolve, 500))
    await database.giveBack()
    const { email: next } = await makeUser(holdfast.crm)
    await mailInState(next, 'sent')
    // The first one is left locked by a runner that is gone; others take it over as that of any dead worker.
    expect(await query(jobOf, email)).toHaveLength(1)
  })

  it('gives up after the last attempt', async () => {
    const { email } = await makeUser(holdfast.crm)
    await jobsQueued(holdfast)
    await query(`update graphile_worker._private_jobs set max_attempts = 1 where id in (${jobOf})`, email)
    runJobsWith(`smtp://127.0.0.1:${await freePort()}`)
    expect(await mailInState(email, 'failed')).toMatchObject({ attempts: 1, lastError: expect.any(String) })
  })

  it('sends nothing that was erased in the meantime', async () => {
    const smtp = await startMailServer()
    const { email } = await makeUser(holdfast.crm)
    const { uuid } = await mailTo(email)
    await query(`update mail set recipient = null, data = '{}' where uuid = $1`, uuid)
    const { email: next } = await makeUser(holdfast.crm)
    runJobsWith(smtp.url)
    await mailInState(next, 'sent')
    expect(smtp.to(email)).toEqual([])
  })
})

describe('a worker that died', () => {
  async function lock(email: string, worker: string, secondsAgo: number) {
    await jobsQueued(holdfast)
    await query(
      `update graphile_worker._private_jobs set locked_by = $2, locked_at = now() - make_interval(secs => $3), attempts = 1
       where id in (${jobOf})`,
      email,
      worker,
      secondsAgo,
    )
  }
  const lockOf = async (email: string) =>
    (await query(`select locked_by from graphile_worker._private_jobs where id in (${jobOf})`, email))[0]
      ?.locked_by

  it('leaves its jobs to others', async () => {
    const { email } = await makeUser(holdfast.crm)
    await lock(email, 'worker-dead', 60)
    runJobs(holdfast)
    expect(await mailInState(email, 'kept')).toBeDefined()
  })

  it('is distinguished from a live worker, and from one that only just took the job', async () => {
    const [dead, alive, fresh] = [
      await makeUser(holdfast.crm),
      await makeUser(holdfast.crm),
      await makeUser(holdfast.crm),
    ]
    await lock(dead.email, 'worker-dead', 60)
    await lock(alive.email, 'worker-alive', 60)
    await lock(fresh.email, 'worker-fresh', 5)
    await recordHeartbeat(holdfast.service.db, ['worker-alive'])
    expect(await releaseStaleJobs(holdfast.service.db)).toBe(1)
    expect(await lockOf(dead.email)).toBeNull()
    expect(await lockOf(alive.email)).toBe('worker-alive')
    expect(await lockOf(fresh.email)).toBe('worker-fresh')
    await query('update graphile_worker._private_jobs set locked_by = null, locked_at = null')
  })
})

it('a worker can be stopped while it is still starting', async () => {
  await startWorker(holdfast.service, holdfast.connection, holdfast.app.log).stop()
})

describe('the verification link', () => {
  async function linkOf(email: string) {
    const mails = await mailsTo(holdfast, email)
    return new URL(mails.at(-1)!.text.match(/http:\/\/holdfast\.test\/verify\/\S+/)![0]).pathname
  }
  const verifiedAt = async (email: string) =>
    (await query('select verified_at from app_user where email = $1', email))[0]!.verified_at
  const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } }

  it('shows a page on GET and HEAD, and changes nothing', async () => {
    const { email } = await makeUser(holdfast.crm)
    const link = await linkOf(email)
    for (const method of ['GET', 'HEAD', 'GET']) {
      const { status, headers, text } = await call(holdfast.app, method, link)
      expect(status).toBe(200)
      expect(headers['content-type']).toContain('text/html')
      if (method === 'GET') expect(text).toContain(email)
    }
    expect(await verifiedAt(email)).toBeNull()
  })

  it('verifies the address on POST, as a browser form sends it, and can be repeated', async () => {
    const { email } = await makeUser(holdfast.crm)
    const link = await linkOf(email)
    const { status, text } = await call(holdfast.app, 'POST', link, '', form)
    expect(status).toBe(200)
    expect(text).toContain('Address confirmed')
    const when = await verifiedAt(email)
    expect(when).not.toBeNull()
    expect((await call(holdfast.app, 'POST', link, '', form)).status).toBe(200)
    expect(await verifiedAt(email)).toEqual(when)
  })

  it('uses the language of the User', async () => {
    const { email } = await makeUser(holdfast.crm)
    await query(`update app_user set language = 'fr' where email = $1`, email)
    expect((await call(holdfast.app, 'GET', await linkOf(email))).text).toContain('<html lang="fr">')
  })

  it('shows hostile text as text, on a page that runs no script', async () => {
    const { email } = await makeUser(holdfast.crm, {
      email: `'onload=alert(1)&${unique('x').replace('@', '')}@example.org`,
    })
    const { text, headers } = await call(holdfast.app, 'GET', await linkOf(email))
    expect(text).not.toContain(`'onload`)
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['referrer-policy']).toBe('same-origin')
  })

  it('that was tampered with returns a friendly 404, on GET and POST', async () => {
    const { email } = await makeUser(holdfast.crm)
    const { email: other } = await makeUser(holdfast.crm)
    const link = await linkOf(email)
    const [subject, mac] = link.split('.')
    const [otherSubject] = (await linkOf(other)).split('.')
    const tampered = [
      '/verify/x',
      '/verify/x.y',
      `${link}x`,
      `${link}.x`,
      link.slice(0, -1),
      subject!,
      `${subject}.`,
      `${otherSubject}.${mac}`,
      `${subject}.${mac!.toUpperCase()}`,
      `/verify/${'x'.repeat(3000)}`,
      '/verify/%00',
    ]
    for (const path of tampered)
      for (const method of ['GET', 'POST']) {
        const { status, headers, text } = await call(holdfast.app, method, path)
        expect([path, status]).toEqual([path, 404])
        expect(headers['content-type']).toContain('text/html')
        expect(text).not.toContain(email)
      }
    expect(await verifiedAt(email)).toBeNull()
    expect(await verifiedAt(other)).toBeNull()
  })

  it('does not accept a token for another purpose', async () => {
    const { email } = await makeUser(holdfast.crm)
    const [user] = await query('select uuid, verification_nonce from app_user where email = $1', email)
    const token = holdfast.service.signer.sign(
      'cancel',
      `${user!.uuid}:${user!.verification_nonce}`,
      Date.parse('2035-01-01'),
    )
    expect((await call(holdfast.app, 'POST', `/verify/${token}`)).status).toBe(404)
  })

  it('becomes invalid when a new verification begins', async () => {
    const uuid = await makeConsumer(holdfast, 'newcomer@example.org')
    const [{ verification_nonce: nonce }] = (await query(
      'select verification_nonce from app_user where uuid = $1',
      uuid,
    )) as [{ verification_nonce: string }]
    const old = `/verify/${holdfast.service.signer.sign('verify', `${uuid}:${nonce}`, Date.parse('2035-01-01'))}`
    expect((await call(holdfast.app, 'GET', old)).status).toBe(200)
    await makeUser(holdfast.crm, { email: 'newcomer@example.org' })
    expect((await call(holdfast.app, 'GET', old)).status).toBe(404)
    expect((await call(holdfast.app, 'POST', old)).status).toBe(404)
    expect(await verifiedAt('newcomer@example.org')).toBeNull()
    expect((await call(holdfast.app, 'POST', await linkOf('newcomer@example.org'))).status).toBe(200)
    expect(await verifiedAt('newcomer@example.org')).not.toBeNull()
  })
})
