import { describe, expect, it } from 'vitest'
import { inviteOperator, inviteStaff } from '../../src/actions/console/login.ts'
import { makePractice, makeTimeslot, makeUser, type Practice, setChannel } from '../support/build.ts'
import { asConsumer, form, newPerson, overApp, type Send, slotsOf } from '../support/consumer.ts'
import { cookieOf, sessionOf, tokenOf } from '../support/logins.ts'
import { mailsTo } from '../support/mailbox.ts'
import { bookAt, moveBooking, pathOf } from '../support/moves.ts'
import { call, consoleCall, useService } from '../support/service.ts'
import { startSmtp } from '../support/smtp.ts'

const smtp = await startSmtp()
const [holdfast, mailing] = [await useService(), await useService({ SMTP_URL: smtp.url })]
const cookieFor = async (link: string, world = holdfast) => cookieOf(await sessionOf(world, link)).cookie

async function newBooking(world = holdfast) {
  const practice = await makePractice(world.crm)
  await makeTimeslot(world.crm, practice)
  const consumer = asConsumer(overApp(world.app))
  const [slot] = slotsOf(await consumer.list(practice.resourceUuid))
  return { practice, consumer, slot: slot!, booked: await bookAt(consumer, slot!) }
}

const owner = async ({ owner }: Practice) => cookieFor(await inviteStaff(holdfast.service, 'crm', owner))
const lastActor = async (kind: string) => {
  const rows = await holdfast.query(
    'select actor_kind, actor from event where kind = $1 order by id desc limit 1',
    [kind],
  )
  return rows[0] as { actor_kind: string; actor: string | null }
}
const appointmentOf = async (email: string): Promise<string> => {
  const rows = await holdfast.query(
    `select appointment.uuid from appointment join participation on appointment_id = appointment.id
    where participation.email = $1 order by participation.id desc limit 1`,
    [email],
  )
  return rows[0].uuid
}
const signed = /[\w-]{8,}\.[0-9a-z]{4,9}\.[\w-]{27}/

describe('links of a customer', () => {
  it('are hidden from staff who read the email', async () => {
    const { practice, booked } = await newBooking()
    const [mail] = await mailsTo(holdfast, booked.email)
    expect(mail!.text).toMatch(signed)
    const headers = { cookie: await owner(practice) }
    const shown = await call(holdfast.app, 'GET', `/console/api/mails/${mail!.uuid}`, undefined, { headers })
    const page = await call(holdfast.app, 'GET', `/console/mail-view/${mail!.uuid}`, undefined, { headers })
    for (const text of [shown.text.replaceAll('\\r\\n ', ''), page.text]) {
      expect(text).not.toMatch(signed)
      expect(text).toContain('/cancel/hidden')
    }
    expect(shown.body.ics.content).toContain('BEGIN:VCALENDAR')
  })

  it('of requests are hidden, too', async () => {
    const practice = await makePractice(holdfast.crm, { email: 'desk@practice.example' })
    await makeTimeslot(holdfast.crm, practice)
    await setChannel(holdfast, practice.resourceUuid, { bookingProcess: 'REQUESTED' })
    const consumer = asConsumer(overApp(holdfast.app))
    const [slot] = slotsOf(await consumer.list(practice.resourceUuid))
    await bookAt(consumer, slot!)
    const rows = await holdfast.query(
      `select uuid from mail where kind = 'request-notice' order by id desc limit 1`,
    )
    const path = `/mails/${rows[0].uuid}`
    expect((await consoleCall(holdfast.app, 'GET', path)).text).toMatch(signed)
    const headers = { cookie: await owner(practice) }
    const shown = await call(holdfast.app, 'GET', `/console/api${path}`, undefined, { headers })
    expect([shown.status, signed.test(shown.text)]).toEqual([200, false])
  })

  it('are hidden from operators if a mail server delivers them', async () => {
    const { booked } = await newBooking(mailing)
    const cookie = await cookieFor(await inviteOperator(mailing.service, 'ops@example.org'), mailing)
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
    const done = await call(holdfast.app, 'POST', pathOf(booked.cancelLink), 'reason=ill', { headers })
    expect(done.status).toBe(200)
    const { body } = await call(holdfast.app, 'GET', '/console/api/session', undefined, { headers })
    expect(await lastActor('participation.cancelled')).toEqual({ actor_kind: 'console', actor: body.me.uuid })
  })

  it('are named by the event of a move', async () => {
    const { practice, consumer, booked } = await newBooking()
    const other = slotsOf(await consumer.list(practice.resourceUuid)).at(-1)!
    const headers = { ...form, cookie: await owner(practice) }
    const path = pathOf(booked.moveLink)
    const shown = await call(holdfast.app, 'GET', `${path}?date=${other.start.slice(0, 10)}`, undefined, {
      headers,
    })
    const value = /name="slot" value="([^"]+)"/.exec(shown.text)![1]!.replaceAll('&amp;', '&')
    const slot = new URLSearchParams({ slot: value })
    const requested = await call(holdfast.app, 'POST', path, slot.toString(), { headers })
    const fields = [...requested.text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)]
    const confirmed = new URLSearchParams(
      fields.map(([_key, name, text]) => [name!, text!.replaceAll('&amp;', '&')]),
    )
    expect((await call(holdfast.app, 'POST', path, confirmed.toString(), { headers })).status).toBe(200)
    expect(await lastActor('participation.moved')).toMatchObject({ actor_kind: 'console' })
  })

  it('are named by the events of the API if the browser sends their session', async () => {
    const { practice, consumer, booked } = await newBooking()
    const cookie = await owner(practice)
    const me = (await call(holdfast.app, 'GET', '/console/api/session', undefined, { headers: { cookie } }))
      .body.me
    const asStaff = { actor_kind: 'console', actor: me.uuid }
    const withCookie: Send = (method, url, body, options = {}) =>
      call(holdfast.app, method, url, body, { headers: { ...options.headers, cookie } })
    const staff = asConsumer(withCookie)
    const signed = (link: string) => ({ headers: { 'x-signed-app-customer': tokenOf(pathOf(link)) } })

    const other = slotsOf(await consumer.list(practice.resourceUuid)).at(-1)!
    expect((await moveBooking(staff, booked, other)).status).toBe(200)
    expect(await lastActor('participation.moved')).toEqual(asStaff)

    const email = `right-${booked.email}`
    const corrected = await staff.send('POST', '/bookings/email', { email }, signed(booked.confirmationLink!))
    expect(corrected.status).toBe(200)
    expect(await lastActor('customer.changed')).toEqual(asStaff)

    const path = `/customers/${booked.customer_uuid}/appointments/${await appointmentOf(email)}`
    const cancelled = await staff.send('DELETE', path, undefined, signed(booked.cancelLink))
    expect(cancelled.status).toBe(200)
    expect(await lastActor('participation.cancelled')).toEqual(asStaff)
  })

  it('are named when they withdraw a request to move', async () => {
    const { practice, consumer, slot, booked } = await newBooking()
    await setChannel(holdfast, practice.resourceUuid, { bookingProcess: 'REQUESTED' })
    const other = slotsOf(await consumer.list(practice.resourceUuid)).at(-1)!
    const requested = await moveBooking(consumer, booked, other)
    expect(requested.body.createdAppointment.state).toBe('REQUESTED')
    expect(await lastActor('participation.requested')).toMatchObject({ actor_kind: 'consumer' })
    const cookie = await owner(practice)
    const staff = asConsumer((method, url, body, options = {}) =>
      call(holdfast.app, method, url, body, { headers: { ...options.headers, cookie } }),
    )
    expect((await moveBooking(staff, booked, slot)).status).toBe(200)
    expect(await lastActor('participation.declined')).toMatchObject({ actor_kind: 'console' })
  })

  it('are named when they correct the address on the page without JavaScript', async () => {
    const { practice, booked } = await newBooking()
    const headers = { ...form, cookie: await owner(practice) }
    const path = `${pathOf(booked.confirmationLink!)}/email`
    const email = encodeURIComponent(`right-${booked.email}`)
    expect((await call(holdfast.app, 'POST', path, `email=${email}`, { headers })).status).toBe(200)
    expect(await lastActor('customer.changed')).toMatchObject({ actor_kind: 'console' })
  })

  it('are recorded as the actor when they confirm what was entered about the customer', async () => {
    const { practice, consumer } = await newBooking()
    const user = await makeUser(holdfast.crm)
    const [slot] = slotsOf(await consumer.list(practice.resourceUuid))
    await bookAt(consumer, slot!, { ...newPerson(), email: user.email, firstname: 'Ada' })
    const [mail] = (await mailsTo(holdfast, user.email)).slice(-1)
    const path = /\/details\/[\w.-]+/.exec(mail!.text)![0]
    const headers = { ...form, cookie: await owner(practice) }
    const shown = await call(holdfast.app, 'GET', path, undefined, { headers })
    const mark = /name="mark" value="([^"]+)"/.exec(shown.text)![1]!
    const done = await call(holdfast.app, 'POST', path, `answer=keep&mark=${mark}`, { headers })
    expect(done.status).toBe(200)
    expect(await lastActor('user.changed')).toMatchObject({ actor_kind: 'console' })
  })

  it('of another business act as the customer', async () => {
    const { booked } = await newBooking()
    const headers = { ...form, cookie: await owner((await newBooking()).practice) }
    await call(holdfast.app, 'POST', pathOf(booked.cancelLink), '', { headers })
    expect(await lastActor('participation.cancelled')).toEqual({ actor_kind: 'consumer', actor: null })
  })

  it('cannot be named by a stranger', async () => {
    const { booked } = await newBooking()
    const headers = { ...form, 'x-acting-staff': `x ${crypto.randomUUID()}` }
    await call(holdfast.app, 'POST', pathOf(booked.cancelLink), '', { headers })
    expect(await lastActor('participation.cancelled')).toEqual({ actor_kind: 'consumer', actor: null })
  })
})
