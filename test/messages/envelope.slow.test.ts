// Emails as a real server receives them: sender name, reply address, thread and signature.

import { createHash, createPublicKey, createVerify, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { StartError } from '../../src/lib/start-error.ts'
import { openTransport } from '../../src/messages/email/transport.ts'
import { makePractice, makeTimeslot, type Practice } from '../support/build.ts'
import { asConsumer, bookingOf, type Consumer, overApp, slotsOf } from '../support/consumer.ts'
import { consoleCall, eventually, runJobs, startTestService, type TestService } from '../support/service.ts'
import { startSmtp, type TestSmtp } from '../support/smtp.ts'

const folder = mkdtempSync(join(tmpdir(), 'holdfast-dkim-'))
const keyFile = join(folder, 'key.pem')
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

let smtp: TestSmtp
let holdfast: TestService
let practice: Practice
let consumer: Consumer
beforeAll(async () => {
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  smtp = await startSmtp()
  holdfast = await startTestService({
    SMTP_URL: smtp.url,
    MAIL_FROM: 'Holdfast <no-reply@holdfast.test>',
    DKIM_DOMAIN: 'holdfast.test',
    DKIM_SELECTOR: 'mail',
    DKIM_KEY_FILE: keyFile,
  })
  practice = await makePractice(holdfast.crm, { name: 'Praxis "Größe", Söhne', email: 'praxis@example.org' })
  await makeTimeslot(holdfast.crm, practice, { end: '2030-01-07T12:00' })
  consumer = asConsumer(overApp(holdfast.app))
})
afterAll(async () => {
  await holdfast.close()
  await smtp.close()
  rmSync(folder, { recursive: true })
})

async function book(email: string) {
  const [slot] = slotsOf(await consumer.list(practice.resource))
  const { body } = await consumer.complete(practice.resource, bookingOf(slot!, { email }))
  return body.createdAppointment as { cancelLink: string }
}

const letterOf = (to: string, kind: string) =>
  eventually(async () => smtp.accepted.find(letter => letter.to === to && letter.kind === kind))

it("has the Provider's name, replies go to the contact, and each booking is one thread", async () => {
  runJobs(holdfast)
  const { cancelLink } = await book('ann@example.org')
  const booked = await letterOf('ann@example.org', 'booked')
  expect(booked.mail.from).toMatchObject({ name: 'Praxis "Größe", Söhne', address: 'no-reply@holdfast.test' })
  expect(booked.mail.replyTo).toMatchObject([{ address: 'praxis@example.org' }])
  const notice = await letterOf('praxis@example.org', 'booking-notice')
  expect(notice.mail.from?.name).toBe('Praxis "Größe", Söhne')
  expect(notice.mail.replyTo).toMatchObject([{ address: 'ann@example.org' }])

  await consumer.cancel(cancelLink)
  const cancelled = await letterOf('ann@example.org', 'cancelled')
  const cancelNotice = await letterOf('praxis@example.org', 'cancel-notice')
  const [participation = ''] = new URL(cancelLink).pathname.split('/').at(-1)!.split('.')
  const thread = `<booking.${Buffer.from(participation, 'base64url')}@holdfast.test>`
  for (const { mail } of [booked, notice, cancelled, cancelNotice])
    expect([mail.inReplyTo, mail.references]).toEqual([thread, thread])
  const ids = [booked, notice, cancelled, cancelNotice].map(letter => letter.messageId)
  expect(new Set([...ids, thread]).size).toBe(5)

  await book('bea@example.org')
  expect((await letterOf('bea@example.org', 'booked')).mail.references).not.toBe(thread)
})

it('contains the short cancel link; only the API response has the parameters for widgets', async () => {
  runJobs(holdfast)
  const { cancelLink } = await book('cid@example.org')
  const { mail } = await letterOf('cid@example.org', 'booked')
  const short = cancelLink.split('?')[0]!
  const calendar = mail.attachments.find(one => one.mimeType === 'text/calendar')!
  const ics = new TextDecoder().decode(calendar.content as ArrayBuffer).replace(/\r?\n /g, '')
  for (const text of [mail.text!, mail.html!, ics]) {
    expect(text).toContain(short)
    expect(text).not.toContain('pDataPlatform')
  }
  expect(cancelLink).toContain('pDataPlatform=')
  expect((await consumer.cancel(short)).status).toBe(200)
})

it('has a valid signature', async () => {
  runJobs(holdfast)
  await book('dkim@example.org')
  const { raw } = await letterOf('dkim@example.org', 'booked')
  expect(isSigned(raw)).toBe(true)
  expect(isSigned(raw.replace('no-reply@holdfast.test', 'another@holdfast.test'))).toBe(false)
  expect(isSigned(`${raw}one more line\r\n`)).toBe(false)
})

it('refuses an unusable key at startup', () => {
  const config = { ...holdfast.service.config, dkimKeyFile: join(folder, 'missing.pem') }
  expect(() => openTransport(smtp.url, config)).toThrow(StartError)
  expect(() => openTransport(smtp.url, config)).toThrow(/^DKIM_KEY_FILE is invalid: .*openssl genrsa/)
})

it('comes from the operator if it is not about a booking', async () => {
  runJobs(holdfast)
  await holdfast.crm.post('/user', {
    reference: 'envelope@plat',
    email: 'envelope@example.org',
    username: 'envelope',
    lastName: 'Winter',
  })
  const { mail } = await letterOf('envelope@example.org', 'verification')
  expect(mail.from).toMatchObject({ name: 'Holdfast', address: 'no-reply@holdfast.test' })
  expect([mail.replyTo, mail.inReplyTo]).toEqual([undefined, undefined])
  expect((await consoleCall(holdfast.app, 'GET', '/mails?to=envelope@example.org')).status).toBe(200)
})

/** RFC 6376 as a receiver checks it, with relaxed canonicalisation of headers and body. */
function isSigned(raw: string): boolean {
  const end = raw.indexOf('\r\n\r\n')
  const headers = raw.slice(0, end).split(/\r\n(?![ \t])/)
  const named = (name: string) => headers.findLast(line => line.toLowerCase().startsWith(`${name}:`)) ?? ''
  const signature = named('dkim-signature')
  const tags = Object.fromEntries(
    signature
      .slice(signature.indexOf(':') + 1)
      .split(';')
      .map(tag =>
        tag
          .trim()
          .split(/=(.*)/s)
          .slice(0, 2)
          .map(part => part.trim()),
      ),
  ) as Record<string, string>
  if (tags.a !== 'rsa-sha256' || tags.d !== 'holdfast.test' || tags.s !== 'mail') return false
  const body = raw
    .slice(end + 4)
    .replace(/[ \t]+/g, ' ')
    .replace(/ +\r\n/g, '\r\n')
    .replace(/(\r\n)*$/, '\r\n')
  const bodyHash = createHash('sha256').update(body, 'latin1').digest('base64')
  if (bodyHash !== tags.bh!.replace(/\s/g, '')) return false
  const relaxed = (line: string) => {
    const colon = line.indexOf(':')
    const value = line
      .slice(colon + 1)
      .replace(/\r\n/g, '')
      .replace(/[ \t]+/g, ' ')
      .trim()
    return `${line.slice(0, colon).toLowerCase().trim()}:${value}`
  }
  const signed = tags
    .h!.split(':')
    .map(name => named(name.trim().toLowerCase()))
    .filter(Boolean)
  const unsigned = relaxed(signature).replace(/([;\s]b=)[^;]*/, '$1')
  const check = createVerify('rsa-sha256').update([...signed.map(relaxed), unsigned].join('\r\n'), 'latin1')
  return check.verify(
    createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })),
    tags.b!.replace(/\s/g, ''),
    'base64',
  )
}
