// Without a mail server: no page promises an email, and visitors keep the link instead.

import { describe, expect, it } from 'vitest'
import { createDemo } from '../../src/start/demo.ts'
import { narrow, screenshot, visit, visitAfresh } from '../support/browser.ts'
import { setChannel } from '../support/build.ts'
import { asConsumer, newPerson, overApp, slotsOf } from '../support/consumer.ts'
import { mailsTo } from '../support/mailbox.ts'
import { bookAt } from '../support/moves.ts'
import { call } from '../support/service.ts'
import {
  bookPage,
  dayIn,
  expectNoBarriers,
  fillForm,
  openPractice,
  soon,
  time,
  times,
  useSite,
} from '../support/widget.ts'

const site = await useSite({ SMTP_URL: '' })
const plain = { javaScriptEnabled: false, viewport: narrow }
const noEmails =
  'We can’t send emails at the moment. Save the link below to view, reschedule or cancel your appointment.'
const inDemo = 'This demo sends no emails. Find yours in the console under Emails.'

/** Nothing of what pages say with a mail server. */
const promises = /on its way|we’ll email|we’ve emailed|by email|inbox|send again/i

const email = () => `${crypto.randomUUID()}@example.org`

describe('the widget', () => {
  it.each(['light', 'dark'] as const)('shows the link to keep after booking (%s)', async colorScheme => {
    const practice = await openPractice(site)
    const { page, problems } = await visitAfresh(site.browser, bookPage(site, practice), {
      viewport: { width: 390, height: 844 },
      colorScheme,
    })
    await time(page, '10:00').click()
    await fillForm(page, { Email: email() })
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByText(noEmails).waitFor()
    const link = await page.getByRole('link', { name: 'Link to your appointment' }).getAttribute('href')
    expect(link).toBe(page.url())
    const { height } = (await page.getByRole('heading', { name: 'You’re booked' }).boundingBox())!
    expect(height).toBeGreaterThan(0)
    await screenshot(page, `390-${colorScheme}-no-email`)
    expect(await page.locator('main').innerText()).not.toMatch(promises)
    expect(await page.getByRole('button', { name: 'Wrong address?' }).count()).toBe(0)
    await expectNoBarriers(page)
    await page.reload()
    await page.getByText(noEmails).waitFor()
    expect(await page.getByLabel('Link to your appointment').inputValue()).toBe(link)
    await screenshot(page, `390-${colorScheme}-no-email-page`)
    expect(problems).toEqual([])
  })

  it('says how requests are confirmed and answered, before and after', async () => {
    const practice = await openPractice(site)
    await setChannel(site.holdfast, practice.resourceUuid, { bookingProcess: 'REQUESTED' })
    const { page } = await visit(site.browser, bookPage(site, practice), { viewport: narrow })
    const hint = page.getByText('Harbour Practice will confirm each request.').last()
    await hint.waitFor()
    await time(page, '10:00').click()
    await hint.waitFor()
    await fillForm(page, { Email: email() })
    await page.getByRole('button', { name: 'Send request' }).click()
    await page.getByText(`Not confirmed yet. ${noEmails}`).waitFor()
    expect(await page.locator('main').innerText()).not.toMatch(promises)
  })

  it('says nothing of emails after rescheduling', async () => {
    const practice = await openPractice(site, {}, { days: [1] })
    const consumer = asConsumer(overApp(site.holdfast.app))
    const { moveLink } = await bookAt(
      consumer,
      slotsOf(await consumer.list(practice.resource))[0]!,
      newPerson(),
    )
    const { page } = await visit(site.browser, moveLink)
    await time(page, '10:00').click()
    await page.getByRole('button', { name: 'Reschedule appointment' }).click()
    await page.getByText(noEmails).waitFor()
    expect(await page.locator('main').innerText()).not.toMatch(promises)
  })
})

describe('pages without JavaScript', () => {
  it('show the link to keep', async () => {
    const practice = await openPractice(site)
    const { page } = await visit(site.browser, bookPage(site, practice), plain)
    await page.getByRole('button', { name: '10:00' }).first().click()
    await fillForm(page, { Email: email() })
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByText(noEmails).waitFor()
    expect(await page.getByLabel('Link to your appointment').inputValue()).toBe(page.url())
    expect(await page.locator('main').innerText()).not.toMatch(promises)
  })

  it('show that a request or a move waits, without promising an email', async () => {
    const practice = await openPractice(site, { email: 'desk@example.org' }, { days: [1] })
    const consumer = asConsumer(overApp(site.holdfast.app))
    const { moveLink } = await bookAt(
      consumer,
      slotsOf(await consumer.list(practice.resource))[0]!,
      newPerson(),
    )
    await setChannel(site.holdfast, practice.resourceUuid, { bookingProcess: 'REQUESTED' })
    const { page } = await visitAfresh(site.browser, moveLink, plain)
    await page.getByText('Harbour Practice will confirm each request.').waitFor()
    await page.getByRole('button', { name: /^10:00/ }).click()
    await page.getByRole('button', { name: 'Request this time' }).click()
    await page.getByText(`Not confirmed yet. Your appointment stays as it is. ${noEmails}`).waitFor()
    expect(await page.locator('main').innerText()).not.toMatch(promises)
    // Who accepts it tells the customer.
    const [notice] = (await mailsTo(site.holdfast, 'desk@example.org')).slice(-1)
    await page.goto(/http:\S+\/accept\/[\w.-]+/.exec(notice!.text)![0])
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('Please tell the customer yourself.').waitFor()
    expect(await page.locator('main').innerText()).not.toMatch(promises)
  })

  it('ask for no address to send links to', async () => {
    const practice = await openPractice(site)
    const { page } = await visit(site.browser, `${site.origin}/my/at/${practice.uuid}`, plain)
    await page.getByText('Open the link you saved when you booked, or contact Harbour Practice.').waitFor()
    expect(await page.locator('form').count()).toBe(0)
    const answer = await call(site.holdfast.app, 'POST', `/my/at/${practice.uuid}`, {
      email: 'a@example.org',
    })
    expect(answer.text).toContain('We can’t send emails at the moment.')
  })
})

it('the waiting list, whose entries are confirmed by email, is not offered', async () => {
  const practice = await openPractice(site)
  await setChannel(site.holdfast, practice.resourceUuid, { waitingList: true })
  const bundle = await call(site.holdfast.app, 'GET', `/resources/bundle?ref=${practice.resource}`)
  expect(bundle.body.places[0]).toMatchObject({ provider: { emails: 'off' }, channel: { waitingList: null } })
  const consumer = asConsumer(overApp(site.holdfast.app))
  const { page } = await visit(site.browser, bookPage(site, practice))
  await times(page).first().waitFor()
  expect(await page.getByRole('link', { name: /waiting list/ }).count()).toBe(0)
  const { text, status } = await call(site.holdfast.app, 'GET', `/book/${practice.resourceUuid}/waiting`)
  expect(status).toBe(404)
  expect(text).toContain('There is currently no waiting list here.')
  // The entry could not be confirmed. Staff can still add people.
  const wish = { from: dayIn(1), to: dayIn(2), firstname: 'Ann', lastname: 'Berg', email: email() }
  const joined = await call(site.holdfast.app, 'POST', `/resources/${practice.resource}/waiting_list`, {
    product_uuid: bundle.body.products[0].uuid,
    ...wish,
  })
  expect([joined.status, joined.body.errors]).toEqual([
    403,
    [expect.objectContaining({ errorCode: 'channel-hidden', rule: 'no-email' })],
  ])
  // Nor would an offer of an earlier time arrive.
  const { moveLink } = await bookAt(
    consumer,
    slotsOf(await consumer.list(practice.resource))[0]!,
    newPerson(),
  )
  const earlier = await call(site.holdfast.app, 'POST', `${new URL(moveLink).pathname}/earlier`)
  expect(earlier.status).toBe(403)
  expect(earlier.text).toContain('There is currently no waiting list here.')
  expect(await site.holdfast.query('select from waiting_entry')).toEqual([])
})

it('the console asks for a password, and says why there is no link', async () => {
  const { page } = await visit(site.browser, `${site.origin}/console`, {
    viewport: { width: 320, height: 700 },
  })
  await page.getByText(/^Login links can’t be emailed/).waitFor()
  await page.getByLabel('Password').waitFor()
  expect(await page.getByRole('button', { name: /link/ }).count()).toBe(0)
  await expectNoBarriers(page)
  await screenshot(page, '320-login-no-email')
})

describe('in the demo', () => {
  it('says where the emails are', async () => {
    await createDemo(site.holdfast.service)
    const [row] = await site.holdfast.query(`select uuid from resource where reference = 'room-1@demo'`)
    await setChannel(site.holdfast, row.uuid, { waitingList: true })
    const { page } = await visitAfresh(site.browser, `${site.origin}/book/${row.uuid}`, {
      viewport: { width: 390, height: 844 },
    })
    await soon(async () => (await page.getByRole('button', { name: /Consultation/ }).count()) > 0).toBe(true)
    await page
      .getByRole('button', { name: /Consultation/ })
      .first()
      .click()
    await times(page).first().click()
    await fillForm(page, { Email: email() })
    await page.getByRole('button', { name: /Book now|Send request/ }).click()
    await page.getByText(inDemo).waitFor()
    expect(await page.locator('main').innerText()).not.toMatch(promises)
    await screenshot(page, '390-light-no-email-demo')
    await page.goto(`${site.origin}/my/at/${row.uuid}`)
    await page.getByText(inDemo).waitFor()
    expect(await page.locator('form').count()).toBe(1)
    await page.goto(`${site.origin}/book/${row.uuid}/waiting?product=consultation@demo`)
    await page.getByText(inDemo).waitFor()
  })
})
