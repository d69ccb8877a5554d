import { describe, expect, it } from 'vitest'
import { inviteOperator, inviteStaff, logInByLink } from '../../src/actions/console/login.ts'
import { makePractice, makeTimeslot, type Practice, setChannel } from '../support/build.ts'
import { asConsumer, form, overApp, slotsOf } from '../support/consumer.ts'
import { mailsTo } from '../support/mailbox.ts'
import { bookAt, pathOf } from '../support/moves.ts'
import { call, consoleCall, useService } from '../support/service.ts'
import { startSmtp } from '../support/smtp.ts'

const smtp = await startSmtp()
const [test, mailing] = [await useService(), await useService({ SMTP_URL: smtp.url })]
const tokenOf = (link: string) => link.split('/').at(-1)!
const sessionOf = async (link: string, { service } = test) =>
  `holdfast_session=${await logInByLink(service, tokenOf(link))}`

async function newBooking(world = test) {
  const practice = await makePractice(world.crm)
  await makeTimeslot(world.crm, practice)
  const consumer = asConsumer(overApp(world.app))
  const [slot] = slotsOf(await consumer.list(practice.resourceUuid))
  return { practice, consumer, slot: slot!, booked: await bookAt(consumer, slot!) }
}

const owner = async ({ owner }: Practice) => sessionOf(await inviteStaff(test.service, 'crm', owner))
const lastActor = async (kind: string) => {
  const { rows } = await test.service.db.pool.query(
    'select actor_kind, actor from event where kind = $1 order by id desc limit 1',
    [kind],
  )
  return rows[0] as { actor_kind: string; actor: string | null }
}
const signed = /[\w-]{8,}\.[0-9a-z]{4,9}\.[\w-]{27}/

describe('links of a customer', () => {
  it('are hidden from staff who read the email', async () => {
    const { practice, booked } = await newBooking()
    const [mail] = await mailsTo(test, booked.email)
    expect(mail!.text).toMatch(signed)
    const headers = { cookie: await owner(practice) }
    const shown = await call(test.app, 'GET', `/console/api/mails/${mail!.uuid}`, undefined, { headers })
    const page = await call(test.app, 'GET', `/console/mail-view/${mail!.uuid}`, undefined, { headers })
    for (const text of [shown.text.replaceAll('\\r\\n ', ''), page.text]) {
      expect(text).not.toMatch(signed)
      expect(text).toContain('/cancel/hidden')
    }
    expect(shown.body.ics.content).toContain('BEGIN:VCALENDAR')
  })

  it('of requests are hidden, too', async () => {
    const practice = await makePractice(test.crm, { email: 'desk@practice.example' })
    await makeTimeslot(test.crm, practice)
    await setChannel(test, practice.resourceUuid, { bookingProcess: 'REQUESTED' })
    const consumer = asConsumer(overApp(test.app))
    const [slot] = slotsOf(await consumer.list(practice.resourceUuid))
    await bookAt(consumer, slot!)
    const { rows } = await test.service.db.pool.query(
      `select uuid from mail where kind = 'request-notice' order by id desc limit 1`,
    )
    const path = `/mails/${rows[0].uuid}`
    expect((await consoleCall(test.app, 'GET', path)).text).toMatch(signed)
    const headers = { cookie: await owner(practice) }
    const shown = await call(test.app, 'GET', `/console/api${path}`, undefined, { headers })
    expect([shown.status, signed.test(shown.text)]).toEqual([200, false])
  })

  it('are hidden from operators where a mail server delivers them', async () => {
    const { booked } = await newBooking(mailing)
    const cookie = await sessionOf(await inviteOperator(mailing.service, 'ops@example.org'), mailing)
    const ask = (path: string) =>
      call(mailing.app, 'GET', `/console/api/mails${path}`, undefined, { headers: { cookie } })
    const { mails } = (await ask(`?to=${encodeURIComponent(booked.email)}`)).body
    expect((await ask(`/${mails[0].uuid}`)).text).not.toMatch(signed)
  })
})

describe('staff who use the link of a customer in their own browser', () => {
  it('are named by the event of a cancellation', async () => {
    const { practice, booked } = await newBooking()
    const headers = { ...form, cookie: await owner(practice) }
    const done = await call(test.app, 'POST', pathOf(booked.cancelLink), 'reason=ill', { headers })
    expect(done.status).toBe(200)
    const { body } = await call(test.app, 'GET', '/console/api/session', undefined, { headers })
    expect(await lastActor('participation.cancelled')).toEqual({ actor_kind: 'console', actor: body.me.uuid })
  })

  it('are named by the event of a move', async () => {
    const { practice, consumer, booked } = await newBooking()
    const other = slotsOf(await consumer.list(practice.resourceUuid)).at(-1)!
    const headers = { ...form, cookie: await owner(practice) }
    const path = pathOf(booked.moveLink)
    const shown = await call(test.app, 'GET', `${path}?date=${other.start.slice(0, 10)}`, undefined, {
      headers,
    })
    const value = /name="slot" value="([^"]+)"/.exec(shown.text)![1]!.replaceAll('&amp;', '&')
    const slot = new URLSearchParams({ slot: value })
    const asked = await call(test.app, 'POST', path, slot.toString(), { headers })
    const fields = [...asked.text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)]
    const confirmed = new URLSearchParams(
      fields.map(([, name, text]) => [name!, text!.replaceAll('&amp;', '&')]),
    )
    expect((await call(test.app, 'POST', path, confirmed.toString(), { headers })).status).toBe(200)
    expect(await lastActor('participation.moved')).toMatchObject({ actor_kind: 'console' })
  })

  it('of another business act as the customer', async () => {
    const { booked } = await newBooking()
    const headers = { ...form, cookie: await owner((await newBooking()).practice) }
    await call(test.app, 'POST', pathOf(booked.cancelLink), '', { headers })
    expect(await lastActor('participation.cancelled')).toEqual({ actor_kind: 'consumer', actor: null })
  })

  it('cannot be named by a stranger', async () => {
    const { booked } = await newBooking()
    const headers = { ...form, 'x-acting-staff': `x ${crypto.randomUUID()}` }
    await call(test.app, 'POST', pathOf(booked.cancelLink), '', { headers })
    expect(await lastActor('participation.cancelled')).toEqual({ actor_kind: 'consumer', actor: null })
  })
})
