import { beforeEach, describe, expect, it } from 'vitest'
import {
  makeAppointment,
  makeParticipation,
  makePractice,
  makeRoom,
  makeTimeslot,
  type Practice,
  setChannel,
  setClock,
  setProvider,
} from '../support/build.ts'
import { asConsumer, bookingOf, form, holdOf, newPerson, overApp, slotsOf } from '../support/consumer.ts'
import { harmless } from '../support/hostile.ts'
import { countMails, mailKindsTo, mailsTo } from '../support/mailbox.ts'
import { expectRefusal } from '../support/refusals.ts'
import { type Answer, useService } from '../support/service.ts'

const holdfast = await useService()
const practice = await makePractice(holdfast.crm, { email: 'desk@example.org' })
const consumer = asConsumer(overApp(holdfast.app))
beforeEach(() => {
  holdfast.clock.shiftMs = 0
})

type Body = Record<string, Answer['body']>

async function roomWith(fields: Body = {}, where?: Practice) {
  const place = where ?? (await makeRoom(holdfast.crm, practice))
  await makeTimeslot(holdfast.crm, place, { end: '2030-01-07T10:00', ...fields })
  return place
}
const slots = async (where: Practice) => slotsOf(await consumer.list(where.resource))
const appointments = async (where: Practice): Promise<Body[]> =>
  (await holdfast.crm.get(`${where.path}/appointments?resourceRef=${where.resource}`)).body
const statesIn = async (where: Practice) =>
  (await appointments(where)).map(one => [one.state, ...one.participations.map((who: Body) => who.state)])

/** Books the first slot. `path` is that of the cancel page, `token` what the link hands on. */
async function book(where: Practice, fields: Body = {}) {
  const person = newPerson()
  const [slot] = await slots(where)
  const { status, body } = await consumer.complete(where.resource, bookingOf(slot!, { ...person, ...fields }))
  if (status !== 201) throw new Error(JSON.stringify(body))
  const link = new URL(body.createdAppointment.cancelLink)
  const token = link.searchParams.get('X-SIGNED-APP-CUSTOMER')!
  return {
    where,
    email: person.email,
    link,
    token,
    path: link.pathname,
    slot: slot!,
    booked: body.createdAppointment as Body,
  }
}
const booking = async (fields: Body = {}, slotFields: Body = {}) => book(await roomWith(slotFields), fields)

const get = (path: string, headers = {}) => consumer.send('GET', path, undefined, { headers })
const post = (path: string, fields: Record<string, string> = {}) =>
  consumer.send('POST', path, new URLSearchParams(fields).toString(), { headers: form })

function expectPage({ status, headers, text }: Answer, wanted: number) {
  expect([status, headers['content-type']]).toEqual([wanted, 'text/html; charset=utf-8'])
  expect(text).toMatch(/^<!doctype html>/)
  const policy = String(headers['content-security-policy'])
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).toContain("form-action 'self'")
  expect(policy).toContain("base-uri 'none'")
  expect(policy).not.toContain('unsafe')
  expect(policy).not.toContain('script-src')
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  })
  expect(headers).not.toHaveProperty('set-cookie')
  expect(text).not.toMatch(/<script/)
}

/** The same token with one character changed. */
function tampered(token: string, at: number) {
  const index = at < 0 ? token.length + at : at
  return token.slice(0, index) + (token[index] === 'A' ? 'B' : 'A') + token.slice(index + 1)
}

describe('the cancel link', () => {
  it('is our page, with what a page with a widget hands on', async () => {
    const { where, link, token, booked } = await booking()
    expect(link.origin + link.pathname).toBe(`http://holdfast.test/cancel/${token}`)
    expect(Object.fromEntries(link.searchParams)).toEqual({
      ref: where.resourceUuid,
      resId: where.resourceUuid,
      pDataPlatform: 'crm',
      pDataId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      'X-SIGNED-APP-CUSTOMER': token,
    })
    expect(link.hash).toBe(`#/appointment/${booked.appointment_uuid}`)
  })

  it('of two bookings of one person have nothing in common that says so', async () => {
    const { email, link } = await booking()
    const { link: other } = await booking({ email })
    const rows = await holdfast.query('select uuid from customer where email = $1', [email])
    const ids = [link, other].map(one => one.searchParams.get('pDataId')!)
    expect(new Set([...ids, ...rows.map(row => row.uuid)]).size).toBe(2 + rows.length)
  })

  it('ends by itself a month after the start, whatever the database says', async () => {
    const { token, booked } = await booking()
    const end = Date.parse(booked.start) + 30 * 86_400_000
    const { signer } = holdfast.service
    expect(signer.open('cancel', token, end - 1)).not.toBeNull()
    expect(signer.open('cancel', token, end)).toBeNull()
  })

  it('stands in the mail as well', async () => {
    const { email, path } = await booking()
    const [mail] = await mailsTo(holdfast, email)
    expect(mail!.text).toContain(`http://holdfast.test${path}`)
  })

  it('says nothing personal', async () => {
    const { link, email } = await booking({ message: 'private' })
    const text = decodeURIComponent(link.href) + Buffer.from(link.pathname, 'base64url').toString()
    for (const secret of [email, 'Ann', 'Winter', 'private']) expect(text).not.toContain(secret)
  })
})

describe('the cancel page', () => {
  it('shows what, when and where, and a form that works without JavaScript', async () => {
    const { path, link } = await booking({ locale: 'en' })
    for (const url of [path, path + link.search]) {
      const page = await get(url)
      expectPage(page, 200)
      for (const text of [
        'Talk',
        'Room',
        'Practice',
        '08:00',
        '<form method="post"',
        'name="reason"',
        '<html lang="en">',
      ])
        expect(page.text).toContain(text)
      expect(page.text).toMatch(/Europe\/Berlin|Central European|Berlin/)
    }
  })

  it.each(['de', 'en', 'fr', 'es', 'it'])('speaks the language of the consumer: %s', async locale => {
    const { path } = await booking({ locale })
    expect((await get(path)).text).toContain(`<html lang="${locale}">`)
  })

  it('GET and HEAD change nothing, however often a mail scanner opens the link', async () => {
    const { where, path, link, email } = await booking()
    const mails = await countMails(holdfast)
    for (let time = 0; time < 3; time++) {
      expect((await get(path + link.search)).status).toBe(200)
      expect((await consumer.send('HEAD', path + link.search)).status).toBe(200)
    }
    expect(await statesIn(where)).toEqual([['ACTIVE', 'BOOKED']])
    expect(await slots(where)).toHaveLength(3)
    expect(await countMails(holdfast)).toBe(mails)
    expect(await mailKindsTo(holdfast, email)).toEqual(['booked'])
  })

  it('POST cancels, tells both sides, and the slot is free again', async () => {
    const { where, path, email } = await booking({ locale: 'fr' })
    const page = await post(path, { reason: 'I am <b>ill</b>' })
    expectPage(page, 200)
    expect(page.text).toContain('<html lang="fr">')
    expect(await statesIn(where)).toEqual([['CANCELLED', 'CANCELED']])
    expect((await slots(where)).map(slot => slot.kind)).toEqual(Array(4).fill('models.Bookable'))

    const [booked, cancelled] = await mailsTo(holdfast, email)
    expect([cancelled!.kind, cancelled!.language]).toEqual(['cancelled', 'fr'])
    expect(cancelled!.ics!.method).toBe('CANCEL')
    const line = (ics: string, name: string) => ics.match(new RegExp(`^${name}[:;].*$`, 'm'))![0].trim()
    expect(line(cancelled!.ics!.content, 'UID')).toBe(line(booked!.ics!.content, 'UID'))
    expect([booked, cancelled].map(mail => line(mail!.ics!.content, 'SEQUENCE'))).toEqual([
      'SEQUENCE:0',
      'SEQUENCE:1',
    ])

    const notice = (await mailsTo(holdfast, 'desk@example.org')).at(-1)!
    expect(notice.kind).toBe('cancel-notice')
    expect(notice.text).toContain('I am <b>ill</b>')
    expect(notice.html).not.toContain('<b>ill')
  })

  it('keeps the reason with the Participation', async () => {
    const { where, path } = await booking()
    await post(path, { reason: 'ill' })
    expect((await appointments(where))[0]!.participations[0].messages).toEqual(['ill'])
  })

  it('offers reasons in the language of the consumer, and passes the chosen one on in that of the provider', async () => {
    const { where, path } = await booking({ locale: 'fr' })
    const shown = (await get(path)).text
    expect(shown).toContain('L’horaire ne convient plus')
    await post(path, { why: 'time', reason: 'Meeting until six' })
    const [{ participations }] = (await appointments(where)) as [Body]
    expect(participations[0].messages).toEqual(['The time no longer works: Meeting until six'])
    const other = await booking()
    await post(other.path, { why: 'mistake' })
    expect((await appointments(other.where))[0]!.participations[0].messages).toEqual(['Booked by mistake'])
  })

  it.each([
    ['no body', undefined],
    ['an unknown choice', 'why=constructor'],
    ['two choices', 'why=time&why=need'],
    ['a choice and far too much', `why=time&reason=${'x'.repeat(5000)}`],
    ['an empty form', ''],
    ['blanks', 'reason=+%20'],
    ['the field twice', 'reason=a&reason=b'],
    ['NUL', 'reason=a%00b'],
    ['broken UTF-8', 'reason=%ff%fe'],
    ['half a character at the limit', `reason=${encodeURIComponent(`${'x'.repeat(1023)}🙂🙂`)}`],
    ['far too much', `reason=${'x'.repeat(100_000)}`],
  ])('takes any reason: %s', async (_, body) => {
    const { where, path } = await booking()
    const answer = await consumer.send('POST', path, body, { headers: body === undefined ? {} : form })
    expect(answer.status).toBe(200)
    expect(await statesIn(where)).toEqual([['CANCELLED', 'CANCELED']])
  })

  it('used a second time is 410 for every method, and sends no email', async () => {
    const { path, email } = await booking()
    await post(path)
    for (const page of [await get(path), await post(path, { reason: 'again' })]) expectPage(page, 410)
    expect((await consumer.send('HEAD', path)).status).toBe(410)
    expect(await mailKindsTo(holdfast, email)).toEqual(['booked', 'cancelled'])
  })

  it('pressed five times at once cancels once and mails once', async () => {
    const { path, email } = await booking()
    const statuses = (await Promise.all(Array.from({ length: 5 }, () => post(path)))).map(
      answer => answer.status,
    )
    expect(statuses.sort()).toEqual([200, 410, 410, 410, 410])
    expect(await mailKindsTo(holdfast, email)).toEqual(['booked', 'cancelled'])
  })

  it('is 410 once the Appointment has started', async () => {
    const { where, path } = await booking()
    setClock(holdfast, '2030-01-07T06:59:50Z')
    expect((await get(path)).status).toBe(200)
    setClock(holdfast, '2030-01-07T07:00:00Z')
    for (const page of [await get(path), await post(path)]) expectPage(page, 410)
    expect(await statesIn(where)).toEqual([['ACTIVE', 'BOOKED']])
  })

  it('is 410 when the provider has cancelled or deleted it', async () => {
    for (const kind of ['', '/withoutNotification']) {
      const { where, path } = await booking()
      const [appointment] = await appointments(where)
      await holdfast.crm.delete(`${practice.path}/appointments${kind}`, {
        appointmentReference: appointment!.reference,
      })
      for (const page of [await get(path), await post(path)]) expectPage(page, 410)
    }
  })

  it.each([0, 5, 20, -1, -2, -10])('is 404 for a token that was tampered with, at %s', async at => {
    const { where, token } = await booking()
    for (const page of [
      await get(`/cancel/${tampered(token, at)}`),
      await post(`/cancel/${tampered(token, at)}`),
    ])
      expectPage(page, 404)
    expect(await statesIn(where)).toEqual([['ACTIVE', 'BOOKED']])
  })

  it.each([
    'x',
    '.',
    '..',
    'a.b',
    '%00',
    '%ff',
    '%2F..%2F',
    'x'.repeat(3000),
    '<script>alert(1)</script>',
    '',
  ])('is a friendly 404 for anything else: %s', async token => {
    const page = await get(`/cancel/${token}`)
    expect([400, 404]).toContain(page.status)
    expect(page.text).not.toContain('<script>alert')
  })

  it('gives no hint: an invented token and a tampered one look the same', async () => {
    const { token } = await booking()
    expect((await get(`/cancel/${tampered(token, 3)}`)).text).toBe((await get('/cancel/invented')).text)
  })

  it('a token for something else opens nothing', async () => {
    const { token } = await booking()
    const uuid = Buffer.from(token.split('.')[0]!, 'base64url').toString()
    for (const purpose of ['decide', 'verify'] as const)
      expectPage(
        await get(`/cancel/${holdfast.service.signer.sign(purpose, uuid, Date.parse('2035-01-01'))}`),
        404,
      )
    expectPage(await get(`/accept/${token}`), 404)
  })

  it('leaves the others in the group, whose Appointment goes on', async () => {
    const where = await roomWith({ defaultCapacity: 3 })
    const mine = await book(where)
    const theirs = await book(where)
    await post(mine.path)
    expect(await statesIn(where)).toEqual([['ACTIVE', 'CANCELED', 'BOOKED']])
    expect((await slots(where))[0]).toMatchObject({ kind: 'models.LotAppointment', capacity_left: 2 })
    expect(await mailKindsTo(holdfast, theirs.email)).toEqual(['booked'])
    await post(theirs.path)
    expect((await statesIn(where))[0]![0]).toBe('CANCELLED')
    expect((await slots(where))[0]!.kind).toBe('models.Bookable')
  })

  it('lets the next consumer make a new Appointment', async () => {
    const one = await booking()
    await post(one.path)
    const two = await book(one.where)
    expect(two.slot.start).toBe(one.slot.start)
    expect(two.booked.appointment_uuid).not.toBe(one.booked.appointment_uuid)
  })

  it('leaves an Appointment of the provider as it is', async () => {
    const where = await makeRoom(holdfast.crm, practice)
    await makeAppointment(holdfast.crm, where, { acceptBookings: true })
    const { path } = await book(where)
    await post(path)
    expect(await statesIn(where)).toEqual([['ACTIVE', 'CANCELED']])
    expect((await slots(where))[0]!.capacity_left).toBe(10)
  })

  it('works for a Customer whom the provider put in, by the link of their mail', async () => {
    const where = await makeRoom(holdfast.crm, practice)
    const { reference } = await makeAppointment(holdfast.crm, where, {})
    const { email } = await makeParticipation(holdfast.crm, practice, reference, 'BOOKED')
    const [mail] = await mailsTo(holdfast, email)
    const [_match, path] = mail!.text.match(/http:\/\/holdfast\.test(\/cancel\/[\w.-]+)/)!
    expectPage(await post(path!), 200)
    expect(await statesIn(where)).toEqual([['ACTIVE', 'CANCELED']])
  })

  it('withdraws a request as well', async () => {
    const where = await roomWith()
    await setChannel(holdfast, where.resourceUuid, { bookingProcess: 'REQUESTED' })
    const { path, email } = await book(where)
    expectPage(await get(path), 200)
    expectPage(await post(path), 200)
    expect(await statesIn(where)).toEqual([['CANCELLED', 'CANCELED']])
    expect((await mailKindsTo(holdfast, email))[0]).toBe('requested')
    expect(await slots(where)).toHaveLength(4)
  })

  it('escapes hostile names', async () => {
    const hostile = '<script>alert(1)</script><img src=x onerror=alert(1)>"\'&'
    const shop = await makePractice(holdfast.crm, { name: hostile })
    await holdfast.crm.post(`${shop.path}/products`, { reference: shop.product, name: hostile })
    const where = await roomWith(
      { address: hostile },
      await makeRoom(holdfast.crm, shop, { publicName: hostile }),
    )
    const { path } = await book(where)
    for (const page of [await get(path), await post(path)]) {
      expectPage(page, 200)
      expect(page.text).not.toMatch(/<img[^>]*onerror/)
      expect(page.text.match(/&lt;script&gt;alert\(1\)/g)!.length).toBeGreaterThanOrEqual(3)
    }
  })
})

describe('my booking, for a widget', () => {
  const header = (token: string) => ({ headers: { 'X-SIGNED-APP-CUSTOMER': token } })
  const mine = (token: string, prefix = '') =>
    consumer.send('GET', `${prefix}/bookables/cancelable_bookable`, undefined, header(token))
  const remove = (customer: string, appointment: string, token: string, query = '', prefix = '') =>
    consumer.send(
      'DELETE',
      `${prefix}/customers/${customer}/appointments/${appointment}${query}`,
      undefined,
      header(token),
    )

  it('cancelable_bookable is the one Appointment, as {date: [Bookable]}', async () => {
    const { where, token, slot, booked } = await booking()
    for (const prefix of ['', '/rest/1']) {
      const { status, body } = await mine(token, prefix)
      expect(status).toBe(200)
      expect(body).toEqual({
        '2030-01-07': [
          {
            ...slot,
            kind: 'models.LotAppointment',
            appointment_uuid: booked.appointment_uuid,
            capacity_left: 0,
            resource_uuid: where.resourceUuid,
            state: 'BOOKED',
            channel_key: 'RESOURCE_PUBLIC',
            changeable: true,
            questions: [],
            requested: null,
          },
        ],
      })
    }
  })

  it('has the day of the Provider', async () => {
    const shop = await makePractice(holdfast.crm)
    await setProvider(holdfast, shop.uuid, { timeZone: 'Asia/Tokyo' })
    const where = await roomWith({ start: '2030-01-08T00:30', end: '2030-01-08T01:00' }, shop)
    const { token } = await book(where)
    const { body } = await mine(token)
    expect(Object.keys(body)).toEqual(['2030-01-08'])
    expect(body['2030-01-08'][0].formattedStart).toBe('2030-01-08 00:30')
  })

  it('names the Timeslot around an Appointment of the provider, as the list does', async () => {
    const where = await roomWith()
    await makeAppointment(holdfast.crm, where, {
      start: '2030-01-07T08:00',
      end: '2030-01-07T09:00',
      acceptBookings: true,
    })
    const { token, slot } = await book(where)
    expect((await mine(token)).body['2030-01-07'][0].timeslot_uuid).toBe(slot.timeslot_uuid)
  })

  it('DELETE cancels, with the message in the notice', async () => {
    const { where, token, link, booked, email } = await booking()
    const customer = link.searchParams.get('pDataId')!
    const { status, body } = await remove(
      customer,
      booked.appointment_uuid,
      token,
      '?message=too%20far',
      '/rest/1',
    )
    expect([status, body]).toEqual([200, { 'api-info': { version: '1' } }])
    expect(await statesIn(where)).toEqual([['CANCELLED', 'CANCELED']])
    expect(await mailKindsTo(holdfast, email)).toEqual(['booked', 'cancelled'])
    const notice = (await mailsTo(holdfast, 'desk@example.org')).at(-1)!
    expect([notice.kind, notice.text.includes('too far')]).toEqual(['cancel-notice', true])
    expect(await slots(where)).toHaveLength(4)
  })

  it('DELETE with message=undefined has no message; uuids come in any case', async () => {
    const { where, token, link, booked } = await booking()
    const customer = link.searchParams.get('pDataId')!.toUpperCase()
    await remove(customer, booked.appointment_uuid.toUpperCase(), token, '?message=undefined')
    expect((await appointments(where))[0]!.participations[0].messages).toBeNull()
  })

  it('DELETE refuses the uuid of another Appointment', async () => {
    const { where, token, link } = await booking()
    const other = await booking()
    const customer = link.searchParams.get('pDataId')!
    for (const uuid of [other.booked.appointment_uuid, '00000000-0000-4000-8000-000000000000', 'nonsense'])
      expectRefusal(await remove(customer, uuid, token), 404, 'invalid-token')
    expect(await statesIn(where)).toEqual([['ACTIVE', 'BOOKED']])
    expect(await statesIn(other.where)).toEqual([['ACTIVE', 'BOOKED']])
  })

  it('DELETE twice answers like the first time, and emails once', async () => {
    const { token, link, booked, email } = await booking()
    const once = () => remove(link.searchParams.get('pDataId')!, booked.appointment_uuid, token)
    const [first, second] = [await once(), await once()]
    expect([second.status, second.body]).toEqual([first.status, first.body])
    expect(await mailKindsTo(holdfast, email)).toEqual(['booked', 'cancelled'])
    expectRefusal(await mine(token), 404, 'invalid-token')
  })

  it('takes the tokens that the booking returned', async () => {
    const { booked } = await booking()
    for (const token of [booked.cancelToken, booked.moveToken]) expect((await mine(token)).status).toBe(200)
    expect((await remove('x', booked.appointment_uuid, booked.moveToken)).status).toBe(404)
    expect((await remove('x', booked.appointment_uuid, booked.cancelToken)).status).toBe(200)
  })

  it('both refuse a missing or tampered token, and one whose Appointment has started', async () => {
    const { token, link, booked } = await booking()
    const customer = link.searchParams.get('pDataId')!
    const refused = async (one: string) => {
      expectRefusal(await mine(one), 404, 'invalid-token')
      expectRefusal(await remove(customer, booked.appointment_uuid, one), 404, 'invalid-token')
    }
    for (const one of ['', 'x', tampered(token, 4), tampered(token, -1)]) await refused(one)
    expectRefusal(await consumer.send('GET', '/bookables/cancelable_bookable'), 404, 'invalid-token')
    setClock(holdfast, '2030-01-07T07:00:01Z')
    await refused(token)
    holdfast.clock.shiftMs = 0
  })

  it('a message over 1024 characters is 400', async () => {
    const { token, link, booked } = await booking()
    const answer = await remove(
      link.searchParams.get('pDataId')!,
      booked.appointment_uuid,
      token,
      `?message=${'x'.repeat(1025)}`,
    )
    expectRefusal(answer, 400, 'invalid-field', 'message')
  })
})

describe('the pages that accept and decline', () => {
  async function request(fields: Body = {}, owner?: string) {
    const shop = await makePractice(holdfast.crm, owner ? { email: owner } : {})
    const where = await roomWith({}, shop)
    await setChannel(holdfast, where.resourceUuid, { bookingProcess: 'REQUESTED' })
    const booked = await book(where, fields)
    const notice = (await mailsTo(holdfast, owner ?? shop.ownerEmail)).at(-1)!
    const path = (what: string) =>
      notice.text.match(new RegExp(`http://holdfast\\.test(/${what}/[\\w.-]+)`))![1]!
    return { ...booked, notice, accept: path('accept'), decline: path('decline') }
  }

  it('are linked from the request-notice', async () => {
    const { notice } = await request({ message: 'please' })
    expect(notice.kind).toBe('request-notice')
    expect(notice.text).toContain('please')
  })

  it('GET and HEAD change nothing', async () => {
    const { where, accept, decline, email } = await request({ message: 'please <b>' })
    for (const path of [accept, decline]) {
      const page = await get(path)
      expectPage(page, 200)
      expect(page.text).toContain('please &lt;b&gt;')
      expect((await consumer.send('HEAD', path)).status).toBe(200)
    }
    expect(await statesIn(where)).toEqual([['ACTIVE', 'REQUESTED']])
    expect(await mailKindsTo(holdfast, email)).toEqual(['requested'])
  })

  it('POST accepts: booked, with a mail that has a calendar entry and the provider’s words', async () => {
    const { where, accept, email } = await request()
    expectPage(await post(accept, { message: 'See you <i>soon</i>' }), 200)
    expect(await statesIn(where)).toEqual([['ACTIVE', 'BOOKED']])
    const mail = (await mailsTo(holdfast, email)).at(-1)!
    expect([mail.kind, mail.ics!.method]).toEqual(['booked', 'REQUEST'])
    expect(mail.text).toContain('See you <i>soon</i>')
    expect(mail.html).not.toContain('<i>soon')
  })

  it('POST declines: a mail without a calendar entry, and the slot is free again', async () => {
    const { where, decline, email } = await request()
    expectPage(await post(decline, { message: 'no time' }), 200)
    expect(await statesIn(where)).toEqual([['CANCELLED', 'CANCELED']])
    const mail = (await mailsTo(holdfast, email)).at(-1)!
    expect([mail.kind, mail.ics]).toEqual(['declined', null])
    expect(mail.text).toContain('no time')
    expect(await slots(where)).toHaveLength(4)
  })

  it('once answered, both are 410 and nothing changes any more', async () => {
    for (const first of ['accept', 'decline'] as const) {
      const { where, email, ...links } = await request()
      await post(links[first])
      const states = await statesIn(where)
      const mails = await mailKindsTo(holdfast, email)
      for (const path of [links.accept, links.decline])
        for (const page of [await get(path), await post(path)]) expectPage(page, 410)
      expect(await statesIn(where)).toEqual(states)
      expect(await mailKindsTo(holdfast, email)).toEqual(mails)
    }
  })

  it('a request that was withdrawn is 410', async () => {
    const { accept, path } = await request()
    await post(path)
    for (const page of [await get(accept), await post(accept)]) expectPage(page, 410)
  })

  it('tampered and invented links are 404', async () => {
    const { accept, where } = await request()
    const token = accept.split('/').pop()!
    for (const one of [tampered(token, 2), tampered(token, -1), 'x'])
      for (const page of [await get(`/accept/${one}`), await post(`/decline/${one}`)]) expectPage(page, 404)
    expect(await statesIn(where)).toEqual([['ACTIVE', 'REQUESTED']])
  })

  it('pressed five times at once, and declined meanwhile: one wins, one mail goes out', async () => {
    const { accept, decline, email } = await request()
    const answers = await Promise.all([...Array(5).fill(accept), decline].map(path => post(path)))
    expect(answers.every(({ status }) => status === 200 || status === 410)).toBe(true)
    expect(await mailKindsTo(holdfast, email)).toHaveLength(2)
  })

  it('take any message', async () => {
    for (const message of ['a\0b', `${'x'.repeat(1023)}🙂🙂`]) {
      const { accept, where } = await request()
      expectPage(await post(accept, { message }), 200)
      expect(await statesIn(where)).toEqual([['ACTIVE', 'BOOKED']])
    }
  })

  it('speak the Provider’s language and escape hostile names', async () => {
    const { accept } = await request({ firstname: '<img src=x onerror=alert(1)>', lastname: '"\'&' })
    const page = await get(accept)
    expect(page.text).toContain('<html lang="en">')
    expect(page.text).toContain('&lt;img src=x onerror=alert(1)&gt;')
  })
})

it.each(harmless)('a reason comes back as it was: %s', async (_, text) => {
  const { where, path } = await booking()
  await post(path, { reason: text })
  expect((await appointments(where))[0]!.participations[0].messages).toEqual([text.trim()])
})

it('a hold has no cancel link: its placeholder opens nothing', async () => {
  const where = await roomWith()
  const { body } = await consumer.reserve(where.resource, holdOf((await slots(where))[0]!))
  expectPage(await get(`/cancel/${body.participation.customer_uuid}`), 404)
})
