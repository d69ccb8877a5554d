import { beforeAll, describe, expect, it } from 'vitest'
import { resume, suspend } from '../../src/actions/console/operator.ts'
import { remind } from '../../src/actions/scheduling/housekeeping.ts'
import { findCrm } from '../../src/db/setup/crms.ts'
import { takeDueWebhooks } from '../../src/db/webhook-queue.ts'
import { deliver, makeDeliverer } from '../../src/messages/deliver.ts'
import { makePractice, type Practice } from '../support/build.ts'
import { asConsumer, holdOf, overHttp, type Slot } from '../support/consumer.ts'
import { mailsTo } from '../support/mailbox.ts'
import { startReceiver } from '../support/receiver.ts'
import { type Room, roomsOf } from '../support/rooms.ts'
import { consoleCall, eventually, runJobs, useService } from '../support/service.ts'

const holdfast = await useService({ WEBHOOK_ALLOW_PRIVATE: '1' })
const { service, app } = holdfast
const consumer = asConsumer(overHttp(await app.listen({ port: 0, host: '127.0.0.1' })))
let practice: Practice
let room: Room
let other: Room
let crmId: number
const own = roomsOf(() => ({ holdfast, practice, consumer }))

beforeAll(async () => {
  practice = await makePractice(holdfast.crm)
  room = await own.roomWith()
  const elsewhere = await makePractice(holdfast.otherCrm)
  const others = roomsOf(() => ({
    holdfast: { ...holdfast, crm: holdfast.otherCrm },
    practice: elsewhere,
    consumer,
  }))
  other = await others.roomWith()
  crmId = (await findCrm(service.db, 'crm'))!.id
})

const refresh = () => service.suspensions.refresh()
const suspended = async (work: () => Promise<void>) => {
  await suspend(service, crmId)
  await refresh()
  try {
    await work()
  } finally {
    await resume(service, crmId)
    await refresh()
  }
}

const codeOf = ({ status, body, headers }: Awaited<ReturnType<typeof consumer.list>>) => [
  status,
  body?.errors?.[0].errorCode,
  headers['retry-after'],
]
const refused = [503, 'suspended', '30']

describe('a suspended CRM', () => {
  it('serves no list from a cache, and serves its lists again when it is resumed', async () => {
    const list = () => consumer.list(room.resource)
    // The third response is served before Fastify.
    for (let turn = 0; turn < 3; turn++) expect((await list()).status).toBe(200)
    await suspended(async () => {
      for (let turn = 0; turn < 3; turn++) expect(codeOf(await list())).toEqual(refused)
      expect((await consumer.list(other.resource)).status).toBe(200)
    })
    expect((await list()).status).toBe(200)
  })

  it('is detected by each instance within a few seconds', async () => {
    await suspend(service, crmId)
    try {
      await eventually(async () => (await consumer.list(room.resource)).status === 503)
    } finally {
      await resume(service, crmId)
      await eventually(async () => (await consumer.list(room.resource)).status === 200)
    }
  })

  it('returns 503 for holds, bookings, links and API calls, without affecting other CRMs', async () => {
    const [slot, next] = (await own.slots(room)) as [Slot, Slot]
    const hold = await own.hold(room, slot)
    const { cancel } = await linksOf()
    await suspended(async () => {
      expect(codeOf(await consumer.reserve(room.resource, holdOf(next)))).toEqual(refused)
      expect(codeOf(await own.completeHold(hold))).toEqual(refused)
      expect(
        codeOf(await consumer.send('GET', `/bookables/cancelable_bookable`, undefined, token(cancel))),
      ).toEqual(refused)
      expect(codeOf(await holdfast.crm.get('/events'))).toEqual(refused)
      expect(codeOf(await holdfast.crm.post(`${practice.path}/customers`, {}))).toEqual(refused)
      expect((await holdfast.otherCrm.get('/events')).status).toBe(200)
      const [free] = (await consumer.list(other.resource)).body
        ? await roomsOf(() => ({ holdfast, practice, consumer })).slots(other)
        : []
      expect((await consumer.reserve(other.resource, holdOf(free!))).status).toBe(200)
    })
    expect((await own.completeHold(hold)).status).toBe(201)
  })

  it.each([
    ['en', 'Temporarily unavailable'],
    ['de', 'Gerade nicht erreichbar'],
    ['fr', 'Temporairement indisponible'],
    ['es', 'No disponible por el momento'],
    ['it', 'Al momento non disponibile'],
  ])('shows a page in %s', (language, title) =>
    suspended(async () => {
      const headers = { accept: 'text/html', 'accept-language': language }
      const page = await consumer.send('GET', `/book/${room.resource}`, undefined, { headers })
      expect([page.status, page.headers['retry-after']]).toEqual([503, expect.any(String)])
      expect(page.text).toContain(title)
    }),
  )

  it('sends neither emails nor reminders nor webhooks until it is resumed', async () => {
    const receiver = await startReceiver()
    await holdfast.crm.post('/webhooks', { url: receiver.url, kinds: ['participation.booked'] })
    const [slot] = (await own.slots(room)) as [Slot]
    await own.book(room, slot, { email: 'waits@example.org' })
    const states = async () => (await mailsTo(holdfast, 'waits@example.org')).map(mail => mail.state)
    await suspended(async () => {
      holdfast.clock.shiftMs = Date.parse(slot.start) - Date.now() - 3_600_000
      await remind(service)
      holdfast.clock.shiftMs = 0
      await deliver(deliverer, await mailIds(), { jobId: '1', isLastAttempt: false })
      expect(await takeDueWebhooks(service.db, taking())).toEqual([])
      expect(new Set(await states())).toEqual(new Set(['queued']))
      expect(receiver.received).toEqual([])
    })
    runJobs(holdfast)
    await eventually(async () => (await states()).every(state => state === 'kept'))
    await eventually(async () => receiver.received.length > 0)
    expect((await mailsTo(holdfast, 'waits@example.org')).map(mail => mail.kind)).not.toContain('reminder')
    await receiver.close()
  })

  it('is read-only for its staff in the console', () =>
    suspended(async () => {
      const { body } = await consoleCall(app, 'GET', '/crms')
      expect(body.crms).toEqual([
        expect.objectContaining({ name: 'crm', isSuspended: true, movedTo: null }),
        expect.objectContaining({ name: 'other', isSuspended: false }),
      ])
      const session = await consoleCall(app, 'GET', '/session')
      expect(session.body.providers.map((one: { isSuspended: boolean }) => one.isSuspended).sort()).toEqual([
        false,
        true,
      ])
    }))
})

describe('a CRM that has moved', () => {
  const away = async (address: string, work: () => Promise<void>) => {
    const set = (text: string) => service.db.pool.query(`update crm set ${text} where id = ${crmId}`)
    await set(`suspended_until = 'infinity', moved_to = '${address}'`)
    await refresh()
    try {
      await work()
    } finally {
      await set('suspended_until = null, moved_to = null')
      await refresh()
    }
  }

  it('returns 308 with the new address of the same path', () =>
    away('https://new.example', async () => {
      const path = `/resources/${room.resource}/upcoming_bookables?channelKey=RESOURCE_PUBLIC`
      const list = await consumer.send('GET', path)
      expect([list.status, list.headers.location]).toEqual([308, `https://new.example${path}`])
      const page = await consumer.send('GET', `/book/${room.resource}?lang=de`, undefined, {
        headers: { accept: 'text/html' },
      })
      expect([page.status, page.headers.location]).toEqual([
        308,
        `https://new.example/book/${room.resource}?lang=de`,
      ])
      const events = await holdfast.crm.get('/events')
      expect([events.status, events.headers.location]).toEqual([308, 'https://new.example/crms/crm/events'])
    }))

  it('returns 410 without a new address', () =>
    away('', async () => {
      expect(codeOf(await consumer.list(room.resource)).slice(0, 2)).toEqual([410, 'moved'])
      const headers = { accept: 'text/html', 'accept-language': 'en' }
      const page = await consumer.send('GET', `/book/${room.resource}`, undefined, { headers })
      expect([page.status, page.text]).toEqual([410, expect.stringContaining('This page has moved')])
    }))
})

const token = (value: string) => ({ headers: { 'x-signed-app-customer': value } })

async function linksOf() {
  const [slot] = (await own.slots(await own.roomWith())) as [Slot]
  const place = await own.roomWith()
  const [free] = (await own.slots(place)) as [Slot]
  await own.book(place, free ?? slot, { email: 'links@example.org' })
  const [mail] = await mailsTo(holdfast, 'links@example.org')
  return { cancel: /\/cancel\/([\w.-]+)/.exec(mail!.text)![1]! }
}

const taking = () => ({ limit: 8, ofOneCrm: 8, busyCrms: [], crms: [crmId], ids: [], seconds: 5 })

const mailIds = async () =>
  (await service.db.pool.query(`select id from mail where crm_id = ${crmId} and state = 'queued'`)).rows.map(
    row => Number(row.id),
  )

/** Without a mail server emails are kept, which the tests check. */
const deliverer = makeDeliverer({
  db: service.db,
  channel: 'email',
  sender: null,
  giveUp: async () => {},
  outcomes: service.metrics.mails,
})
