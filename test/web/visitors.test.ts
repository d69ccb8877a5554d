// People as they come: with large letters, on a train, for their children, and with bad intentions.

import { brotliDecompressSync, constants, gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { narrow, visit, visitAfresh } from '../support/browser.ts'
import { makeProduct, makeRoom, setChannel } from '../support/build.ts'
import { mailsTo } from '../support/mailbox.ts'
import { call } from '../support/service.ts'
import {
  addTimes,
  bookPage,
  dayIn,
  fillForm,
  openPractice,
  soon,
  time,
  times,
  useSite,
} from '../support/widget.ts'

const site = await useSite()

const bookNow = (page: Page) => page.getByRole('button', { name: 'Book now' }).click()
const confirmed = (page: Page) => page.getByRole('heading', { name: 'You’re booked' })

it('shows everything on a phone at twice the size, without overflow', async () => {
  const practice = await openPractice(site)
  const { page } = await visitAfresh(site.browser, bookPage(site, practice), {
    viewport: { width: 180, height: 370 },
  })
  const fits = async () =>
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  await time(page, '10:00').waitFor()
  await fits()
  await time(page, '10:00').click()
  await fillForm(page, { Email: 'wilhelmine.oberhuber-schmidtbauer@example.org' })
  await fits()
  await bookNow(page)
  await confirmed(page).waitFor()
  await fits()
  await page.goto((await page.getByRole('link', { name: 'Cancel appointment' }).getAttribute('href'))!)
  await fits()
})

describe('on a train', () => {
  it('what could not be cancelled is not cancelled later, once they have thought better of it', async () => {
    const practice = await openPractice(site)
    const { page } = await visitAfresh(site.browser, bookPage(site, practice))
    await time(page, '10:00').click()
    await fillForm(page, { Email: 'train@example.org' })
    await bookNow(page)
    await confirmed(page).waitFor()
    await page.evaluate(() =>
      Object.defineProperty(navigator, 'onLine', { get: () => false, configurable: true }),
    )
    const sent: string[] = []
    await page.route(/\/customers\//, route => {
      sent.push(route.request().method())
      return route.abort('internetdisconnected')
    })
    await page.getByRole('link', { name: 'Cancel appointment' }).click()
    await page.getByRole('button', { name: 'Yes, cancel' }).click()
    await page.getByText('You’re offline.').waitFor()
    await page.getByRole('button', { name: 'Keep appointment' }).click()
    expect(await page.getByText('You’re offline.').count()).toBe(0)
    const before = sent.length
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await page.getByRole('link', { name: 'Cancel appointment' }).waitFor()
    expect(sent.length).toBe(before)
  })
})

it('names the child on each link when one address books for three children', async () => {
  const practice = await openPractice(site)
  const { page } = await visit(site.browser, bookPage(site, practice), { viewport: narrow })
  const children = { Ada: '9:30', Ben: '10:00', Cleo: '10:30' }
  for (const [child, at] of Object.entries(children)) {
    await time(page, at).click()
    await fillForm(page, { 'First name': child, 'Last name': 'Kind', Email: 'mum@example.org' })
    await bookNow(page)
    await confirmed(page).waitFor()
    if (child !== 'Cleo') await page.getByRole('button', { name: 'Book another appointment' }).click()
  }
  const mails = await mailsTo(site.holdfast, 'mum@example.org')
  const links = mails.map(mail => ({
    cancel: /http:\S+\/cancel\/[\w.-]+/.exec(mail.text)![0],
    move: /http:\S+\/move\/[\w.-]+/.exec(mail.text)![0],
  }))
  for (const [index, child] of Object.keys(children).entries()) {
    expect(mails[index]!.text).toContain(`${child} Kind`)
    for (const link of Object.values(links[index]!)) {
      await page.goto(link)
      await page.getByText(`${child} Kind`).filter({ visible: true }).waitFor()
    }
  }
  await page.goto(links[1]!.move)
  await page.getByRole('button', { name: '11:00' }).first().click()
  await page.getByRole('button', { name: 'Reschedule appointment' }).click()
  await page.getByRole('heading', { name: 'Your appointment has been rescheduled' }).waitFor()
  await page.goto(links[2]!.cancel)
  await page.getByRole('button', { name: 'Cancel appointment' }).click()
  await page.getByRole('heading', { name: 'Appointment cancelled' }).waitFor()
  await page.goto(links[0]!.move)
  await soon(async () =>
    (await page.locator('.slots button').allInnerTexts()).slice(0, 4).map(one => one.slice(0, 5)),
  ).toEqual(['09:00', '10:00', '10:30', '11:30'])
})

it('a script in any name is shown as text, on every page and in every email', async () => {
  const script = (name: string) => `<img src=x onerror=alert(1)>"'</script>${name}`
  const practice = await openPractice(site, { name: script('practice') })
  await makeProduct(site.holdfast.crm, practice, {
    reference: practice.product,
    name: script('product'),
    description: script('hint'),
  })
  const room = await makeRoom(site.holdfast.crm, practice, { publicName: script('room') })
  await addTimes(site, room, dayIn(1), '09:00', '12:00')
  await setChannel(site.holdfast, room.resourceUuid, { bookingProcess: 'REQUESTED' })
  const { page, problems } = await visitAfresh(site.browser, bookPage(site, room))
  const dialogs: string[] = []
  page.on('dialog', dialog => {
    dialogs.push(dialog.message())
    return dialog.dismiss()
  })
  const harmless = async () => {
    expect(await page.locator('img[src="x"]').count()).toBe(0)
    expect(await page.locator('holdfast-booking img[src="x"]').count()).toBe(0)
  }
  await times(page).first().waitFor()
  await harmless()
  await time(page, '10:00').click()
  await fillForm(page, {
    'First name': script('first'),
    'Last name': script('last'),
    Email: 'script@example.org',
    Message: script('message'),
  })
  await page.getByRole('button', { name: 'Send request' }).click()
  await page.getByRole('heading', { name: 'Your request has been sent' }).waitFor()
  await harmless()
  const own = await mailsTo(site.holdfast, 'script@example.org')
  const theirs = (await mailsTo(site.holdfast, 'hello@example.org')).slice(-1)
  const links = [...own, ...theirs].flatMap(mail => [
    ...mail.text.matchAll(/http:\S+\/(?:cancel|move|accept|decline)\/[\w.-]+/g),
  ])
  expect(links.length).toBeGreaterThanOrEqual(4)
  for (const [link] of [[page.url()], ...links]) {
    await page.goto(link!)
    await page.getByText('onerror=alert(1)').first().waitFor()
    await harmless()
  }
  expect(problems).toEqual([])
  // Mails have styles of their own, which the policy of our pages would refuse.
  await page.goto('about:blank')
  for (const mail of [...own, ...theirs]) {
    expect(mail.html).not.toContain('<img src=x')
    expect(mail.subject).not.toMatch(/[\r\n]/)
    await page.setContent(mail.html)
    await harmless()
  }
  expect(dialogs).toEqual([])
})

it('forms that none of our pages would send get an error page', async () => {
  const practice = await openPractice(site)
  const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } }
  const path = `/book/${encodeURIComponent(practice.resource)}`
  for (const time of ['', 'soon', 'NaN', '-1e309', '9'.repeat(400), '8640000000000001']) {
    const fields = new URLSearchParams({
      start: time,
      end: time,
      slot: `${time} ${time}`,
      email: 'a@example.org',
    })
    for (const step of ['complete', 'reserve']) {
      const { status, text } = await call(site.holdfast.app, 'POST', `${path}/${step}`, String(fields), form)
      expect([step, time, text.includes('role="alert"')]).toEqual([step, time, true])
      expect([200, 400], `${step} ${time}`).toContain(status)
    }
  }
  for (const date of ['9999-12-31', '0000-01-01', '2026-02-30', '-271821-04-20', '+275760-09-13']) {
    const { status, text } = await call(site.holdfast.app, 'GET', `${path}?date=${encodeURIComponent(date)}`)
    expect([date, status, text.includes('name="slot"')]).toEqual([date, 200, true])
  }
})

it.each([
  ['zstd', (some: Buffer) => zstdDecompressSync(some, { finishFlush: constants.ZSTD_e_flush })],
  ['br', (some: Buffer) => brotliDecompressSync(some, { finishFlush: constants.BROTLI_OPERATION_FLUSH })],
  ['gzip', (some: Buffer) => gunzipSync(some, { finishFlush: constants.Z_SYNC_FLUSH })],
])('on a slow line the first times can be read before the rest is there: %s', async (encoding, unpack) => {
  const practice = await openPractice(site, {}, { days: Array.from({ length: 20 }, (_, index) => index + 1) })
  const url = `/book/${encodeURIComponent(practice.resource)}`
  const { app } = site.holdfast
  const { rawPayload, headers } = await app.inject({ url, headers: { 'accept-encoding': encoding } })
  expect(headers['content-encoding']).toBe(encoding)
  const readUpTo = (bytes: number) => unpack(rawPayload.subarray(0, bytes)).toString()
  const whole = readUpTo(rawPayload.length)
  expect(whole).toMatch(/<\/html>\s*$/)
  const first = whole.slice(0, whole.indexOf('</ul>') + 5)
  expect(first).toContain('name="slot"')
  // Fewer bytes than this show less than the first list of times; with this many, it is complete.
  let [short, enough] = [0, rawPayload.length]
  while (enough - short > 1) {
    const middle = Math.floor((short + enough) / 2)
    if (readUpTo(middle).length < first.length) short = middle
    else enough = middle
  }
  expect(enough).toBeLessThan(rawPayload.length * 0.8)
  expect(readUpTo(enough)).toBe(first)
})
