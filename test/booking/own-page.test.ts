// A person's own page: what it shows, to whom, and what asking for it tells a stranger.

import { describe, expect, it } from 'vitest'
import { sendOwnPageLink } from '../../src/actions/booking/own-page.ts'
import { findProviderByUuid } from '../../src/db/setup/providers.ts'
import {
  makeCustomer,
  makePractice,
  makeTimeslot,
  type Practice,
  setChannel,
  setProvider,
} from '../support/build.ts'
import { asConsumer, form, newPerson, overApp, slotsOf } from '../support/consumer.ts'
import { mailKindsTo, mailsTo } from '../support/mailbox.ts'
import { bookAt, pathOf } from '../support/moves.ts'
import { call, consoleCall, eventually, useService } from '../support/service.ts'

const holdfast = await useService()
const consumer = asConsumer(overApp(holdfast.app))
const page = (path: string) => call(holdfast.app, 'GET', path)
const send = (path: string, body = '') => call(holdfast.app, 'POST', path, body, { headers: form })

async function openPractice() {
  const practice = await makePractice(holdfast.crm, { email: 'desk@practice.example' })
  await makeTimeslot(holdfast.crm, practice)
  return { practice, slots: slotsOf(await consumer.list(practice.resourceUuid)) }
}

/** The path of the page in the latest email to this address. */
async function linkTo(email: string): Promise<string> {
  const mail = (await mailsTo(holdfast, email)).at(-1)!
  return /(\/my\/[\w.-]+)/.exec(mail.text.replaceAll('\r\n', '\n'))![1]!
}

type Event = { kind: string; actor: { kind: string }; data: { customer: { userName: string } } }

const askAt = (practice: Practice, email: string) =>
  send(`/my/at/${practice.uuid}`, `email=${encodeURIComponent(email)}`)

// First, while there is no other business.
it('a link that cannot be read leads to the business if there is only one, unless it is hidden', async () => {
  const open = (path: string) =>
    call(holdfast.app, 'GET', path, undefined, { headers: { 'accept-language': 'de,en;q=0.5' } })
  const isNamed = async (path = '/cancel/nonsense') => {
    const { status, text } = await open(path)
    expect(status).toBe(404)
    expect(text).toContain('Dieser Link ist nicht mehr gültig')
    const known = /href="\/book\/([\w-]+)".*href="\/my\/at\//.exec(text)?.[1]
    const help = text.includes('Hilft das nicht?')
    return known ?? help
  }
  expect(await isNamed()).toBe(true)
  const { practice } = await openPractice()
  for (const path of ['cancel', 'move', 'booked', 'my', 'offer'])
    expect(await isNamed(`/${path}/nonsense`)).toBe(practice.uuid)
  // Staff have nothing to book.
  for (const path of ['accept', 'verify', 'console/login'])
    expect(await isNamed(`/${path}/nonsense`)).toBe(false)
  const show = async (visible: boolean) => {
    for (const key of ['RESOURCE_PUBLIC', 'CALENDAR_PUBLIC'])
      await setChannel(holdfast, practice.resourceUuid, { visible }, key)
  }
  await show(false)
  expect(await isNamed()).toBe(true)
  await show(true)
  expect(await isNamed()).toBe(practice.uuid)
  await openPractice()
  expect(await isNamed()).toBe(true)
})

describe('the own page', () => {
  it('tells the bookings of one address apart, and hands out and erases its data', async () => {
    const { practice, slots } = await openPractice()
    const ann = { ...newPerson(), firstname: 'Ann', lastname: 'Berg' }
    await bookAt(consumer, slots[0]!, ann)
    await bookAt(consumer, slots[1]!, { ...ann, firstname: 'Ben' })
    const other = await bookAt(consumer, slots[2]!, { ...newPerson(), firstname: 'Otto', lastname: 'Else' })
    await makeCustomer(holdfast.crm, practice, {
      userName: 'Cleo Berg',
      email: ann.email,
      birthDate: '2015-05-01',
      note: 'secret note',
    })
    const path = await linkTo(ann.email)
    const { status, text } = await page(path)
    expect(status).toBe(200)
    for (const shown of ['Ann Berg', 'Ben Berg', '/move/', '/cancel/', 'Cleo Berg'])
      expect(text).toContain(shown)
    expect(text.match(/<h3>[^<]*Berg<\/h3>/g)).toHaveLength(2)
    for (const hidden of ['Otto', other.email, 'secret note']) expect(text).not.toContain(hidden)
    const json = await page(`${path}/data.json`)
    expect(json.body.bookings.map((one: { name: string }) => one.name)).toEqual(['Ben Berg', 'Ann Berg'])
    expect(json.body.people.map((one: { birthDate: string | null }) => one.birthDate)).toContain('2015-05-01')
    expect(json.text).not.toContain('secret note')
    const pdf = await page(`${path}/data.pdf`)
    expect([pdf.status, pdf.headers['content-type'], pdf.text.slice(0, 5)]).toEqual([
      200,
      'application/pdf',
      '%PDF-',
    ])
    const before = (await holdfast.crm.get('/events?after=now')).body
    for (let time = 0; time < 2; time++) expect((await send(`${path}/erasure`)).status).toBe(303)
    const notices = (await mailKindsTo(holdfast, 'desk@practice.example')).filter(
      kind => kind === 'erasure-notice',
    )
    expect(notices).toHaveLength(1)
    const { events } = (await holdfast.crm.get(`/events?after=${before.next}`)).body
    const told = events.filter((one: Event) => one.kind === 'customer.erasure_requested')
    expect(told.map((one: Event) => [one.actor.kind, one.data.customer.userName])).toContainEqual([
      'consumer',
      'Cleo Berg',
    ])
    expect(told).toHaveLength(json.body.people.length)
    const found = await consoleCall(holdfast.app, 'GET', `/providers/${practice.uuid}/customers?search=cleo`)
    const [{ uuid }] = found.body.customers
    expect(
      (await consoleCall(holdfast.app, 'GET', `/customers/${uuid}`)).body.erasureRequestedAt,
    ).not.toBeNull()
  })

  it('withdraws requests, cancels bookings, and books again what is over', async () => {
    const { practice, slots } = await openPractice()
    const person = newPerson()
    await bookAt(consumer, slots[0]!, person)
    await setChannel(holdfast, practice.resourceUuid, { bookingProcess: 'REQUESTED' })
    await bookAt(consumer, slots[1]!, person)
    const path = await linkTo(person.email)
    const { text } = await page(path)
    expect(text.match(/>(Cancel appointment|Withdraw request|Book again)</g)).toEqual([
      '>Cancel appointment<',
      '>Withdraw request<',
    ])
    const links = [...text.matchAll(/href="[^"]*(\/cancel\/[\w.-]+)"/g)].map(found => found[1]!)
    const withdrawal = links[1]!
    const question = await page(withdrawal)
    expect(question.text).toContain('>Keep request<')
    expect(question.text).not.toContain('Keep appointment')
    await send(withdrawal)
    const after = (await page(path)).text
    expect(after.match(/>(Cancel appointment|Withdraw request|Book again)</g)).toEqual([
      '>Cancel appointment<',
      '>Book again<',
    ])
    expect(after).toMatch(new RegExp(`href="/book/${practice.resourceUuid}\\?product=[\\w-]+">Book again`))
  })

  it('opens only with a link to the address that is known now', async () => {
    const { practice, slots } = await openPractice()
    const { email } = await bookAt(consumer, slots[0]!)
    const path = await linkTo(email)
    const foreign = (await mailsTo(holdfast, email))[0]!.text.match(/\/cancel\/([\w.-]+)/)![1]!
    for (const wrong of [`/my/${foreign}`, `${path}x`, '/my/nothing', `/my/at/${crypto.randomUUID()}`])
      expect((await page(wrong)).status, wrong).toBe(404)
    const [{ uuid }] = (await consoleCall(holdfast.app, 'GET', `/providers/${practice.uuid}/customers`)).body
      .customers
    const change = { email: `new.${email}` }
    expect((await consoleCall(holdfast.app, 'PATCH', `/customers/${uuid}`, change)).status).toBe(200)
    for (const part of ['', '/data.json', '/data.pdf']) expect((await page(path + part)).status).toBe(410)
    expect((await send(`${path}/erasure`)).status).toBe(410)
  })
})

describe('a link that has expired', () => {
  it('offers a new one, and does not say whose it was', async () => {
    const { practice, slots } = await openPractice()
    const { email } = await bookAt(consumer, slots[0]!)
    const path = await linkTo(email)
    const { signer } = holdfast.service
    const subject = signer.open('my', path.slice('/my/'.length))!
    const shown = await page(`/my/${signer.sign('my', subject, Date.now() - 1000)}`)
    expect(shown.status).toBe(410)
    expect(shown.text).toContain('This link has expired')
    expect(shown.text).toContain(`action="/my/at/${practice.uuid}"`)
    expect(shown.text).not.toContain(email)
  })

  it('is not needed: the booking page and the confirmation lead to where one asks for another', async () => {
    const { practice, slots } = await openPractice()
    const { confirmationLink } = await bookAt(consumer, slots[0]!)
    const links = await Promise.all(
      [`/book/${practice.resourceUuid}`, pathOf(confirmationLink!)].map(async shown => {
        const { text } = await page(shown)
        return /"(\/my\/at\/[\w-]+)"/.exec(text)![1]!
      }),
    )
    expect(links[1]).toBe(`/my/at/${practice.uuid}`)
    for (const link of links) expect((await page(link)).text).toContain(`action="/my/at/${practice.uuid}"`)
  })
})

describe('races on the own page', () => {
  it('sends one link, however often it is asked for at once', async () => {
    const { practice, slots } = await openPractice()
    const { email } = await bookAt(consumer, slots[0]!)
    const provider = (await findProviderByUuid(holdfast.service.db, practice.uuid))!
    await Promise.all(Array.from({ length: 8 }, () => sendOwnPageLink(holdfast.service, provider, email)))
    expect((await mailKindsTo(holdfast, email)).filter(kind => kind === 'my-link')).toHaveLength(1)
  })

  it('cancels once if staff cancel at the same moment', async () => {
    const { slots } = await openPractice()
    for (let round = 0; round < 3; round++) {
      const { email, appointment_uuid } = await bookAt(consumer, slots[round]!)
      const { text } = await page(await linkTo(email))
      const cancel = /\/cancel\/[\w.-]+/.exec(text)![0]
      const [own, staff] = await Promise.all([
        send(cancel),
        consoleCall(holdfast.app, 'POST', `/appointments/${appointment_uuid}/cancel`, {}),
      ])
      expect([200, 303, 410]).toContain(own.status)
      expect(staff.status).toBe(200)
      expect((await mailKindsTo(holdfast, email)).filter(kind => kind === 'cancelled')).toHaveLength(1)
      expect((await page(await linkTo(email))).text).not.toContain('/cancel/')
    }
  })
})

describe('asking for the link', () => {
  it('answers alike for known and unknown addresses, and emails the known one once', async () => {
    const { practice, slots } = await openPractice()
    const { email } = await bookAt(consumer, slots[0]!)
    const stranger = newPerson().email
    const answers = []
    for (const one of [stranger, email, email.toUpperCase(), stranger]) {
      const { status, headers, text } = await askAt(practice, one)
      answers.push({ status, location: headers.location, text })
    }
    expect(new Set(answers.map(one => JSON.stringify(one))).size).toBe(1)
    expect(answers[0]!.status).toBe(303)
    expect((await page(answers[0]!.location as string)).status).toBe(200)
    await eventually(async () => expect(await mailKindsTo(holdfast, email)).toContain('my-link'))
    expect((await mailKindsTo(holdfast, email)).filter(kind => kind === 'my-link')).toHaveLength(1)
    expect(await mailKindsTo(holdfast, stranger)).toEqual([])
    expect((await page(await linkTo(email))).status).toBe(200)
    expect((await askAt(practice, 'no-address')).status).toBe(400)
  })

  it('is in the language of the reader, with the look of the business', async () => {
    const { practice } = await openPractice()
    await setProvider(holdfast, practice.uuid, { accentColor: '#aa3300' })
    const shown = await call(holdfast.app, 'GET', `/my/at/${practice.uuid}`, undefined, {
      headers: { 'accept-language': 'it' },
    })
    expect(shown.text).toContain('Invia il link')
    expect(shown.text).toContain('#aa3300')
  })
})
