// Texts that a business adds to its emails: saved by managers, and sent.

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { textKinds } from '../../src/rules/messages/messages.ts'
import {
  makeAppointment,
  makeCustomer,
  makeParticipation,
  makePractice,
  type Practice,
} from '../support/build.ts'
import { mailsTo } from '../support/mailbox.ts'
import { expectRefusal } from '../support/refusals.ts'
import { call, consoleCall, consoleToken, eventually, runJobs, useService } from '../support/service.ts'
import { startSmtp } from '../support/smtp.ts'

const holdfast = await useService()
let practice: Practice
let path: string
beforeEach(async () => {
  practice = await makePractice(holdfast.crm)
  path = `/providers/${practice.uuid}/email-texts`
})

const get = (kind: string) => consoleCall(holdfast.app, 'GET', `${path}/${kind}`)
const patch = (kind: string, body: object, tag?: string) =>
  call(holdfast.app, 'PATCH', `/console/api${path}/${kind}`, body, {
    headers: { authorization: `Bearer ${consoleToken}`, ...(tag && { 'if-match': tag }) },
  })
const preview = (kind: string, body: object) =>
  consoleCall(holdfast.app, 'POST', `${path}/${kind}/preview`, body)

let people = 0
/** Books a person who reads this language, and returns the address. */
async function book(language = 'en', userName = 'Ann Berg') {
  const email = `reader-${++people}@example.org`
  const customer = await makeCustomer(holdfast.crm, practice, { userName, email, language })
  const { reference } = await makeAppointment(holdfast.crm, practice)
  await makeParticipation(holdfast.crm, practice, reference, 'BOOKED', customer)
  return email
}

const none = { de: null, en: null, fr: null, es: null, it: null }

describe('saving', () => {
  it('keeps a text for each kind and language, and removes it again', async () => {
    expect((await get('booked')).body).toEqual({ kind: 'booked', ...none })
    const { body } = await patch('booked', { en: 'Bring your card.\r\n', de: 'Bringen Sie Ihre Karte mit.' })
    const both = { ...none, en: 'Bring your card.', de: 'Bringen Sie Ihre Karte mit.' }
    expect(body).toEqual({ kind: 'booked', ...both })
    expect((await patch('booked', { de: ' ' })).body).toEqual({ kind: 'booked', ...both, de: null })
    expect((await patch('booked', { en: null })).body).toEqual({ kind: 'booked', ...none })
  })

  it('lists all kinds with the placeholders and their meaning', async () => {
    await patch('reminder', { it: 'A presto.' })
    const { body } = await consoleCall(holdfast.app, 'GET', path)
    expect(body.kinds.map((one: { kind: string }) => one.kind)).toEqual(textKinds)
    expect(body.kinds.find((one: { kind: string }) => one.kind === 'reminder').it).toBe('A presto.')
    expect(body.placeholders).toContainEqual({ name: 'customer', meaning: 'Name of the customer.' })
    expect(body.maxLength).toBe(2000)
  })

  it.each([
    ['Hi {nmae}', /\{nmae\} is not a placeholder. Use \{customer\}/],
    ['[x](javascript:alert(1))', /must start with https/],
    ['x'.repeat(2001), /2000/],
  ])('refuses %.40s, in the preview too', async (text, message) => {
    const refused = await patch('booked', { en: 'Good', fr: text })
    expectRefusal(refused, 400, 'invalid-field', 'fr')
    expect(refused.body.errors[0].message).toMatch(message)
    expectRefusal(await preview('booked', { language: 'fr', text }), 400, 'invalid-field', 'text')
    expect((await get('booked')).body).toEqual({ kind: 'booked', ...none })
  })

  it('knows no texts of emails to staff', async () => {
    expectRefusal(await patch('booking-notice', { en: 'Hi' }), 404, 'not-found')
    expectRefusal(await get('toString'), 404, 'not-found')
  })

  it('lets one of two people who save at the same time win, and tells the other', async () => {
    const tag = String((await get('moved')).headers.etag)
    const answers = await Promise.all(['One', 'Two', 'Three'].map(en => patch('moved', { en }, tag)))
    expect(answers.map(one => one.status).sort()).toEqual([200, 409, 409])
    const winner = answers.find(one => one.status === 200)!
    for (const one of answers) if (one !== winner) expectRefusal(one, 409, 'changed', 'If-Match')
    const now = await get('moved')
    expect([now.body, now.headers.etag]).toEqual([winner.body, winner.headers.etag])
    expect((await patch('cancelled', { en: 'Another kind' }, tag)).status).toBe(409)
  })

  it('is recorded once', async () => {
    await patch('booked', { en: 'Hello' })
    await patch('booked', { en: 'Hello ' })
    const rows = await holdfast.query(
      `select event.kind, detail from event join provider on provider.id = provider_id where provider.uuid = $1 and event.kind = 'settings.changed'`,
      [practice.uuid],
    )
    expect(rows).toEqual([{ kind: 'settings.changed', detail: 'email-texts' }])
  })
})

describe('an email', () => {
  it('is sent with the text of the moment in which it was queued', async () => {
    const smtp = await startSmtp()
    onTestFinished(smtp.close)
    await patch('booked', {
      en: 'Dear {customer}, bring your **card** for *{service}*: [map](https://example.org/map)',
    })
    const first = await book('en', 'Ann *Berg* [x](tel:12345)')
    await patch('booked', { en: 'Now another text.' })
    const second = await book()
    await patch('booked', { en: null })
    const third = await book()
    const config = { ...holdfast.service.config, smtpUrl: smtp.url, mailFrom: 'Practice <hello@example.org>' }
    runJobs({ ...holdfast, service: { ...holdfast.service, config } })
    const letter = (to: string) => eventually(async () => smtp.to(to)[0]?.mail)
    const { text, html } = await letter(first)
    expect(text).toContain(
      'Dear Ann *Berg* [x](tel:12345), bring your card for Talk: map (https://example.org/map)',
    )
    expect(html).toContain('bring your <strong>card</strong> for <em>Talk</em>')
    expect(html).not.toContain('tel:12345"')
    expect((await letter(second)).text).toContain('Now another text.')
    expect((await letter(third)).text).not.toContain('text')
    const [shown] = await mailsTo(holdfast, first)
    expect(shown!.text.trim()).toBe(text!.trim())
  })

  it('in a language without a text has none, nor has one of another kind or business', async () => {
    await patch('booked', { de: 'Nur deutsch' })
    await patch('reminder', { en: 'Only reminder' })
    const english = await book('en')
    const german = await book('de')
    expect((await mailsTo(holdfast, english))[0]!.text).not.toMatch(/Nur deutsch|Only reminder/)
    expect((await mailsTo(holdfast, german))[0]!.text).toContain('Nur deutsch')
    practice = await makePractice(holdfast.crm)
    expect((await mailsTo(holdfast, await book('de')))[0]!.text).not.toContain('Nur deutsch')
  })
})

describe('the preview', () => {
  it('is the real email, with names of the business', async () => {
    const { status, body } = await preview('reminder', { language: 'fr', text: 'Bonjour **{customer}**' })
    expect(status).toBe(200)
    expect(body.text).toContain('Bonjour Camille Martin')
    expect(body.html).toContain('Bonjour <strong>Camille Martin</strong>')
    expect(body.subject).toMatch(/^Rappel/)
    expect(body.text).toContain('Talk – Room')
    expect((await preview('reminder', { language: 'fr', text: null })).body.text).not.toContain(
      'Bonjour Camille Martin\n\n',
    )
  })

  it('has the buttons of the real email', async () => {
    const booked = await preview('booked', { language: 'en', text: null })
    expect(booked.body.text).toContain('Add to calendar')
    const cancelled = await preview('cancelled', { language: 'en', text: null })
    expect(cancelled.body.text).toContain('Book again')
  })

  it('exists for every kind', async () => {
    for (const kind of textKinds) {
      const { body } = await preview(kind, { language: 'es', text: 'Hola {customer}' })
      expect([kind, body.text]).toEqual([kind, expect.stringContaining('Hola Lucía García')])
    }
  })

  it('is a document of its own for a frame, in light or dark', async () => {
    const show = (form: Record<string, string>) =>
      call(
        holdfast.app,
        'POST',
        `/console/mail-preview/${practice.uuid}`,
        String(new URLSearchParams(form)),
        {
          headers: {
            authorization: `Bearer ${consoleToken}`,
            'content-type': 'application/x-www-form-urlencoded',
          },
        },
      )
    const dark = await show({ kind: 'booked', language: 'en', text: 'Hi {customer}', scheme: 'dark' })
    expect([dark.status, dark.text]).toEqual([200, expect.stringContaining('Hi Emma Clarke')])
    expect(dark.text).toContain('@media all')
    expect(String(dark.headers['content-security-policy'])).toContain('sandbox')
    const light = await show({ kind: 'booked', language: 'en', scheme: 'light' })
    expect(light.text).not.toContain('@media all')
    expect((await show({ text: '{nmae}' })).status).toBe(400)
    expect((await call(holdfast.app, 'POST', `/console/mail-preview/${practice.uuid}`, '{}')).status).toBe(
      401,
    )
  })
})
