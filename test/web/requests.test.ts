// Requests to move: every page and email says what it is. And pages without JavaScript that the back button can show again.

import { describe, expect, it } from 'vitest'
import { narrow, screenshot, visit, visitAfresh } from '../support/browser.ts'
import { setChannel } from '../support/build.ts'
import { asConsumer, newPerson, overApp, slotsOf } from '../support/consumer.ts'
import { mailsTo } from '../support/mailbox.ts'
import { bookAt } from '../support/moves.ts'
import { call, consoleCall } from '../support/service.ts'
import {
  bookPage,
  dayName,
  expectNoBarriers,
  fillForm,
  openPractice,
  time,
  useSite,
} from '../support/widget.ts'

const site = await useSite()
const plain = { javaScriptEnabled: false, viewport: narrow }

async function booked() {
  const desk = `desk-${crypto.randomUUID()}@example.org`
  const practice = await openPractice(site, { email: desk }, { days: [1] })
  const consumer = asConsumer(overApp(site.holdfast.app))
  const [slot] = slotsOf(await consumer.list(practice.resource))
  const booking = await bookAt(consumer, slot!, newPerson())
  await setChannel(site.holdfast, practice.resourceUuid, { bookingProcess: 'REQUESTED' })
  return { practice, desk, ...booking }
}

/** A visitor requests ten o'clock instead of nine, by the link in their email. */
async function askToMove() {
  const booking = await booked()
  const { page } = await visitAfresh(site.browser, booking.moveLink, plain)
  await page.getByText('will confirm by email.').waitFor()
  // Each time says which day it is.
  const times = page.locator('.slots button')
  expect(await times.first().textContent()).toMatch(/^09:30 \w+day/)
  await page.getByRole('button', { name: /^10:00 \w+day/ }).click()
  await page.getByRole('button', { name: 'Request this time' }).click()
  await page.getByRole('heading', { name: 'Your request to reschedule has been sent' }).waitFor()
  return { ...booking, page }
}

it('the move page has no accessibility violations', async () => {
  const { moveLink } = await booked()
  const { page } = await visit(site.browser, moveLink)
  await expectNoBarriers(page)
  await time(page, '10:00').click()
  await page.getByRole('button', { name: 'Request this time' }).waitFor()
  await expectNoBarriers(page)
})

const both = /09:00[\s\S]*10:00/

describe('a request to move', () => {
  it('is called a request on the page, with both times and no calendar entry of the old one', async () => {
    const { page } = await askToMove()
    const text = await page.locator('main').innerText()
    expect(text).toMatch(/When\n[\s\S]*10:00[\s\S]*Current appointment\n.*09:00/)
    expect(await page.getByRole('region', { name: 'Add to calendar' }).count()).toBe(0)
    await screenshot(page, '360-move-requested')
  })

  it('is called a request in both emails, also when it is withdrawn: the booking stays', async () => {
    const { page, desk, email } = await askToMove()
    const [own] = (await mailsTo(site.holdfast, email)).slice(-1)
    const [notice] = (await mailsTo(site.holdfast, desk)).slice(-1)
    expect(own!.subject).toMatch(/^New time requested: /)
    expect(notice!.subject).toMatch(/^Request to reschedule, please reply: /)
    for (const mail of [own!, notice!]) {
      expect(mail.text).toContain('09:00')
      expect(mail.text).toContain('10:00')
    }
    await page.goto(/http:\S+\/cancel\/[\w.-]+/.exec(own!.text)![0])
    await page.getByRole('heading', { name: 'Withdraw request to reschedule' }).waitFor()
    expect(await page.locator('main').innerText()).toMatch(both)
    await page.getByRole('button', { name: 'Withdraw request' }).click()
    await page.getByRole('heading', { name: 'Your request to reschedule has been withdrawn' }).waitFor()
    const text = await page.locator('main').innerText()
    expect(text).toContain('Your appointment stays as it is.')
    expect(text).toContain('09:00')
    expect(text).not.toContain('cancelled')
    const [after] = (await mailsTo(site.holdfast, desk)).slice(-1)
    expect(after!.subject).toMatch(/^Request to reschedule withdrawn: /)
    expect(after!.text).toContain('Still booked')
    const [mine] = (await mailsTo(site.holdfast, email)).slice(-1)
    expect(mine!.subject).toMatch(/^Request to reschedule withdrawn: /)
  })

  it.each([
    ['accept', 'Accept new time', 'Accept', 'Appointment rescheduled', /^Appointment rescheduled: /],
    ['decline', 'Decline new time', 'Decline', 'New time declined', /^New time not confirmed: /],
  ])('is called a request on the decision page: %s', async (verb, title, button, done, subject) => {
    const { page, desk, email } = await askToMove()
    const [notice] = (await mailsTo(site.holdfast, desk)).slice(-1)
    await page.goto(new RegExp(`http:\\S+/${verb}/[\\w.-]+`).exec(notice!.text)![0])
    await page.getByRole('heading', { name: title }).waitFor()
    expect(await page.locator('main').innerText()).toMatch(both)
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('heading', { name: done }).waitFor()
    // Back and forward again answer nothing a second time.
    await page.goBack()
    await page.goForward()
    await page.getByRole('heading', { name: done }).waitFor()
    const [own] = (await mailsTo(site.holdfast, email)).slice(-1)
    expect(own!.subject).toMatch(subject)
    expect(own!.text).toContain('09:00')
    expect(own!.text).toContain('10:00')
  })
})

it('a withdrawn request is not shown to the provider as a cancellation', async () => {
  const desk = `desk-${crypto.randomUUID()}@example.org`
  const practice = await openPractice(site, { email: desk }, { days: [1] })
  await setChannel(site.holdfast, practice.resourceUuid, { bookingProcess: 'REQUESTED' })
  const consumer = asConsumer(overApp(site.holdfast.app))
  const [slot] = slotsOf(await consumer.list(practice.resource))
  const { cancelLink } = await bookAt(consumer, slot!, newPerson())
  await consumer.send('POST', new URL(cancelLink).pathname, undefined)
  const [notice] = (await mailsTo(site.holdfast, desk)).slice(-1)
  expect(notice!.subject).toMatch(/^Request withdrawn: /)
})

describe('without JavaScript', () => {
  it('back and reload show each step again, including one with an invalid form', async () => {
    const practice = await openPractice(site)
    const { page } = await visitAfresh(site.browser, bookPage(site, practice), plain)
    await page
      .getByRole('button', { name: /^10:00/ })
      .first()
      .click()
    await page.getByText('Reserved for you until').waitFor()
    expect(await page.title()).toBe('Your details – Harbour Practice')
    await page.reload()
    await page.getByText('Reserved for you until').waitFor()
    await fillForm(page, { Email: 'not an address' })
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByText('Enter an email such as').waitFor()
    await page.getByLabel('Email').fill('plain-back@example.org')
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
    await page.goBack()
    await page.getByText('Enter an email such as').waitFor()
    await page.goBack()
    await page.getByText('Reserved for you until').waitFor()
    await page.goBack()
    await page
      .getByRole('button', { name: /^11:00/ })
      .first()
      .waitFor()
  })

  it('a lost time leads to a list that survives back and forward', async () => {
    const practice = await openPractice(site)
    const [first, second] = await Promise.all([
      visitAfresh(site.browser, bookPage(site, practice), plain),
      visitAfresh(site.browser, bookPage(site, practice), plain),
    ])
    await first.page
      .getByRole('button', { name: /^10:00/ })
      .first()
      .click()
    await first.page.getByText('Reserved for you until').waitFor()
    await second.page
      .getByRole('button', { name: /^10:00/ })
      .first()
      .click()
    await second.page.getByText('Sorry, this time has just been taken.').waitFor()
    await second.page
      .getByRole('button', { name: /^11:00/ })
      .first()
      .click()
    await second.page.getByText('Reserved for you until').waitFor()
    await second.page.goBack()
    await second.page.getByText('Sorry, this time has just been taken.').waitFor()
  })
})

it('says why and until when it is closed, instead of that nothing is available', async () => {
  const practice = await openPractice(site, {}, { days: [] })
  const day = (count: number) =>
    Temporal.Now.zonedDateTimeISO('Europe/Berlin').add({ days: count }).toPlainDate()
  const closure = { name: 'Winter break', from: `${day(-1)}T00:00`, to: `${day(9)}T00:00` }
  const made = await consoleCall(site.holdfast.app, 'POST', `/providers/${practice.uuid}/closures`, {
    from: closure.from,
    to: closure.to,
    reason: closure.name,
  })
  expect([made.status, made.text]).toEqual([201, expect.anything()])
  const name = dayName(day(9).toString())
  for (const javaScriptEnabled of [true, false]) {
    const { page } = await visit(site.browser, bookPage(site, practice), {
      javaScriptEnabled,
      viewport: narrow,
    })
    await page.getByText(`Closed until ${name} (Winter break).`).filter({ visible: true }).first().waitFor()
    if (javaScriptEnabled) await expectNoBarriers(page)
  }
})

it('an unknown path returns a page to browsers and an error to programs', async () => {
  const { page } = await visit(site.browser, `${site.origin}/nowhere`, { viewport: narrow })
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await expectNoBarriers(page)
  // A link that was cut in an email, within an escape.
  await page.goto(`${site.origin}/cancel/abc%2`)
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  const answer = await call(site.holdfast.app, 'GET', '/nowhere')
  expect([answer.status, answer.body.errors[0].errorCode]).toEqual([404, 'not-found'])
})

it('the demo page has margins on a phone', async () => {
  const practice = await openPractice(site)
  const url = `${site.origin}/demo?ref=${encodeURIComponent(practice.resource)}`
  const { page } = await visit(site.browser, url, { viewport: narrow })
  for (const part of ['h1', 'main > p', 'pre', 'h2']) {
    const { x } = (await page.locator(part).first().boundingBox())!
    expect([part, x >= 16]).toEqual([part, true])
  }
})
