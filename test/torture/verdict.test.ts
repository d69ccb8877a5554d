// Checks that the verdict detects every kind of failure.

import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import nodemailer from 'nodemailer'
import { expect, it, onTestFinished } from 'vitest'
import { openMailSink } from '../../src/torture/mail-sink.ts'
import { judgeEvents, startReader } from '../../src/torture/reader.ts'
import { startUpgrade } from '../../src/torture/upgrade.ts'
import { judge } from '../../src/torture/verdict.ts'

const booked = (...emails: string[]) => emails.map(email => ({ email, state: 'BOOKED' }))
const appointment = (fields: object = {}) => ({
  resourceReference: 'room',
  start: '2030-01-07T08:00:00Z',
  end: '2030-01-07T08:30:00Z',
  state: 'ACTIVE',
  capacity: 1,
  participations: booked('a@x'),
  ...fields,
})
const promised = (emails: string[], cancelled: string[] = []) => ({
  booked: new Set(emails),
  cancelled: new Set(cancelled),
  oversold: 0,
})
const mail = (to: string, messageId = `<${to}>`, kind = 'booked') => ({ to, kind, messageId })
const fine = { oversold: 0, lost: 0, complaints: [], withoutMail: [], doubleMails: 0, mailCopies: 0 }

it('accepts bookings that exist with one email each', () => {
  const cancelled = appointment({ state: 'CANCELLED', participations: [{ email: 'b@x', state: 'CANCELED' }] })
  const mails = [mail('a@x'), mail('b@x'), mail('b@x', '<2>', 'cancelled')]
  expect(judge([appointment(), cancelled], promised(['a@x', 'b@x'], ['b@x']), mails)).toEqual(fine)
})

it('counts a missing booking and a missing cancellation as lost', () => {
  const verdict = judge([appointment({ participations: booked('b@x') })], promised(['a@x', 'b@x'], ['b@x']), [
    mail('a@x'),
    mail('b@x'),
  ])
  const complaints = ['a@x was booked and is missing', 'b@x was cancelled and is still booked']
  expect(verdict).toEqual({ ...fine, lost: 2, complaints })
})

it('counts a moved booking that also keeps its old place', () => {
  const later = appointment({ start: '2030-01-07T09:00:00Z', end: '2030-01-07T09:30:00Z' })
  expect(judge([appointment(), later], promised(['a@x']), [mail('a@x')])).toEqual({
    ...fine,
    lost: 1,
    complaints: ['a@x has several places'],
  })
})

it('counts more people than places, and overlapping Appointments, as oversold', () => {
  const crowded = appointment({ resourceReference: 'other', participations: booked('a@x', 'b@x') })
  const next = appointment({ start: '2030-01-07T08:30:00Z', end: '2030-01-07T09:00:00Z' })
  const overlapping = appointment({ start: '2030-01-07T08:15:00Z', end: '2030-01-07T08:20:00Z' })
  const none = promised([])
  expect(judge([crowded, appointment(), next], none, [])).toEqual({ ...fine, oversold: 1 })
  expect(judge([appointment(), next, overlapping], none, [])).toEqual({ ...fine, oversold: 1 })
})

it('counts overselling during the run, even if it was resolved', () => {
  expect(judge([appointment()], { ...promised([]), oversold: 2 }, [])).toEqual({ ...fine, oversold: 2 })
})

it('counts missing emails, duplicates with another Message-ID, and copies with the same', () => {
  const there = [appointment({ capacity: 2, participations: booked('a@x', 'b@x') })]
  const promises = promised(['a@x', 'b@x'])
  expect(judge(there, promises, [mail('a@x')])).toEqual({ ...fine, withoutMail: ['b@x'] })
  const again = [mail('a@x'), mail('a@x'), mail('b@x'), mail('b@x', '<other>')]
  expect(judge(there, promises, again)).toEqual({ ...fine, doubleMails: 1, mailCopies: 1 })
})

it('the mail sink accepts emails and survives broken connections', async () => {
  const sink = await openMailSink()
  onTestFinished(() => sink.close())
  const rude = connect(Number(new URL(sink.url).port), '127.0.0.1')
  rude.write('EHLO x\r\nDATA\r\nhalf a mail')
  rude.destroy()
  const mailer = nodemailer.createTransport({ url: sink.url, pool: true })
  for (const to of ['one@x.example', 'two@x.example'])
    await mailer.sendMail({
      from: 'us@x.example',
      to,
      messageId: `<${to}>`,
      subject: 'A long subject that is folded over several lines because it does not end where it should',
      text: 'Hello\n.\nbye',
      headers: { 'X-Holdfast-Mail': 'booked' },
    })
  mailer.close()
  expect(sink.arrivals).toEqual([
    mail('one@x.example', '<one@x.example>'),
    mail('two@x.example', '<two@x.example>'),
  ])
})

it('a log reader can be stopped while the service is unavailable', async () => {
  const server = createServer((_, response) => response.writeHead(503).end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const reader = startReader(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  server.close()
  server.closeAllConnections()
  expect(await reader.stop()).toBeUndefined()
})

it('a log reader waits for events that older transactions hold back', async () => {
  const since = Date.now()
  const booked = { id: '1', kind: 'participation.booked', data: { participation: { email: 'a@x' } } }
  const server = createServer((request, response) => {
    const isRead = /after=1/.test(request.url!)
    const events = isRead || Date.now() < since + 700 ? [] : [booked]
    response.end(JSON.stringify({ events, next: events.length > 0 || isRead ? '1' : '0', more: false }))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const reader = startReader(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  expect(await reader.judge(new Set(['a@x']))).toEqual({ eventsMissed: 0, eventsTwice: 0, read: 1 })
})

it('counts events that were missed, not logged or seen twice', () => {
  const event = (id: string, email: string | null = null) => ({
    id,
    kind: 'participation.booked',
    data: { participation: { email } },
  })
  const log = [event('1', 'a@x'), event('2', 'b@x')]
  expect(judgeEvents(log, log, new Set(['a@x']))).toEqual({ eventsMissed: 0, eventsTwice: 0 })
  expect(judgeEvents([log[0]!], log, new Set())).toEqual({ eventsMissed: 1, eventsTwice: 0 })
  expect(judgeEvents([...log, log[1]!], log, new Set())).toEqual({ eventsMissed: 0, eventsTwice: 1 })
  expect(judgeEvents(log, log, new Set(['c@x']))).toEqual({ eventsMissed: 1, eventsTwice: 0 })
})

it.each([
  ['nothing', {}, /does not contain Holdfast/],
  [
    'another baseline',
    { 'bin/holdfast.js': '', 'migrations/0001_baseline.sql': '-- works from 1' },
    /0001_baseline\.sql of .* differs from this version/,
  ],
])('refuses a previous version with %s', async (_, files, reason) => {
  const from = mkdtempSync(join(tmpdir(), 'holdfast-before-'))
  onTestFinished(() => rmSync(from, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(from, name)), { recursive: true })
    writeFileSync(join(from, name), text)
  }
  await expect(startUpgrade({ from, dataDir: from, smtpUrl: '', log: () => {} })).rejects.toThrow(reason)
})
