// A person's own page: what it shows, to whom, and what asking for it tells a stranger.

import { describe, expect, it } from 'vitest'
import { makeCustomer, makePractice, makeTimeslot, type Practice, setProvider } from '../support/build.ts'
import { asConsumer, form, newPerson, overApp, slotsOf } from '../support/consumer.ts'
import { mailKindsTo, mailsTo } from '../support/mailbox.ts'
import { bookAt } from '../support/moves.ts'
import { call, consoleCall, eventually, useService } from '../support/service.ts'

const test = await useService()
const consumer = asConsumer(overApp(test.app))
const page = (path: string) => call(test.app, 'GET', path)
const send = (path: string, body = '') => call(test.app, 'POST', path, body, { headers: form })

async function openPractice() {
  const practice = await makePractice(test.crm, { email: 'desk@practice.example' })
  await makeTimeslot(test.crm, practice)
  return { practice, slots: slotsOf(await consumer.list(practice.resourceUuid)) }
}

/** The path of the page in the latest email to this address. */
async function linkTo(email: string): Promise<string> {
  const mail = (await mailsTo(test, email)).at(-1)!
  return /(\/my\/[\w.-]+)/.exec(mail.text.replaceAll('\r\n', '\n'))![1]!
}

const askAt = (practice: Practice, email: string) =>
  send(`/my/at/${practice.uuid}`, `email=${encodeURIComponent(email)}`)

describe('the own page', () => {
  it('tells the bookings of one address apart, and hands out and erases its data', async () => {
    const { practice, slots } = await openPractice()
    const ann = { ...newPerson(), firstname: 'Ann', lastname: 'Berg' }
    await bookAt(consumer, slots[0]!, ann)
    await bookAt(consumer, slots[1]!, { ...ann, firstname: 'Ben' })
    const other = await bookAt(consumer, slots[2]!, { ...newPerson(), firstname: 'Otto', lastname: 'Else' })
    await makeCustomer(test.crm, practice, {
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
    for (let time = 0; time < 2; time++) expect((await send(`${path}/erasure`)).status).toBe(303)
    const notices = (await mailKindsTo(test, 'desk@practice.example')).filter(
      kind => kind === 'erasure-notice',
    )
    expect(notices).toHaveLength(1)
    const found = await consoleCall(test.app, 'GET', `/providers/${practice.uuid}/customers?search=cleo`)
    const [{ uuid }] = found.body.customers
    expect((await consoleCall(test.app, 'GET', `/customers/${uuid}`)).body.erasureRequestedAt).not.toBeNull()
  })

  it('opens only with a link to the address that is known now', async () => {
    const { practice, slots } = await openPractice()
    const { email } = await bookAt(consumer, slots[0]!)
    const path = await linkTo(email)
    const foreign = (await mailsTo(test, email))[0]!.text.match(/\/cancel\/([\w.-]+)/)![1]!
    for (const wrong of [`/my/${foreign}`, `${path}x`, '/my/nothing', `/my/at/${crypto.randomUUID()}`])
      expect((await page(wrong)).status, wrong).toBe(404)
    const [{ uuid }] = (await consoleCall(test.app, 'GET', `/providers/${practice.uuid}/customers`)).body
      .customers
    const change = { email: `new.${email}` }
    expect((await consoleCall(test.app, 'PATCH', `/customers/${uuid}`, change)).status).toBe(200)
    for (const part of ['', '/data.json', '/data.pdf']) expect((await page(path + part)).status).toBe(404)
    expect((await send(`${path}/erasure`)).status).toBe(404)
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
    await eventually(async () => expect(await mailKindsTo(test, email)).toContain('my-link'))
    expect((await mailKindsTo(test, email)).filter(kind => kind === 'my-link')).toHaveLength(1)
    expect(await mailKindsTo(test, stranger)).toEqual([])
    expect((await page(await linkTo(email))).status).toBe(200)
    expect((await askAt(practice, 'no-address')).status).toBe(400)
  })

  it('is in the language of the reader, with the look of the business', async () => {
    const { practice } = await openPractice()
    await setProvider(test, practice.uuid, { accentColor: '#aa3300' })
    const shown = await call(test.app, 'GET', `/my/at/${practice.uuid}`, undefined, {
      headers: { 'accept-language': 'it' },
    })
    expect(shown.text).toContain('Invia il link')
    expect(shown.text).toContain('#aa3300')
  })
})
