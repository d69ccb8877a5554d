// The pages behind the links in mails: cancel, accept, decline, verify. Everything here runs without JavaScript too.

import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { propose } from '../../src/actions/booking/propose.ts'
import { narrow, screenshot, visit, wide } from '../support/browser.ts'
import { makeUser, setChannel } from '../support/build.ts'
import { asConsumer, bookingOf, holdOf, newPerson, overApp, slotsOf } from '../support/consumer.ts'
import { mailKindsTo, mailsTo } from '../support/mailbox.ts'
import { expectNoBarriers, openPractice, useSite } from '../support/widget.ts'

const site = await useSite()

/** A link, and what can be seen of its effect from outside. */
type Link = { url: string; effect(): Promise<unknown> }

async function book(message?: string, bookingProcess = 'IMMEDIATE') {
  const practice = await openPractice(site, {}, { days: [1] })
  await setChannel(site.holdfast, practice.resourceUuid, { bookingProcess })
  const consumer = asConsumer(overApp(site.holdfast.app))
  const [slot] = slotsOf(await consumer.list(practice.resource))
  const { email, ...person } = newPerson()
  const request = bookingOf(slot!, { ...person, email, message, locale: 'en' })
  const { body } = await consumer.complete(practice.resource, request)
  return {
    url: body.createdAppointment.cancelLink as string,
    effect: () => mailKindsTo(site.holdfast, email),
  }
}

async function ask(answer: 'accept' | 'decline'): Promise<Link> {
  const { effect } = await book('I come by bike.\nIs there a place for it?', 'REQUESTED')
  return { url: await linkTo('hello@example.org', answer), effect }
}

async function join(): Promise<Link> {
  const { email } = await makeUser(site.holdfast.crm)
  const effect = async () => {
    const text = 'select verified_at from app_user where email = $1'
    return (await site.holdfast.query(text, [email]))[0].verified_at !== null
  }
  return { url: await linkTo(email, 'verify'), effect }
}

/** What an agent proposes. */
async function proposal(): Promise<Link> {
  const practice = await openPractice(site, {}, { days: [1] })
  const consumer = asConsumer(overApp(site.holdfast.app))
  const [slot] = slotsOf(await consumer.list(practice.resource))
  const { body } = await consumer.reserve(practice.resource, holdOf(slot!))
  const { email, firstname, lastname } = newPerson()
  await propose(site.holdfast.service, {
    placeholder: body.participation.customer_uuid,
    email,
    firstName: firstname,
    lastName: lastname,
    mobile: null,
    message: 'By the window, please.',
    answers: {},
    language: 'en',
    locale: 'en',
    timeZone: null,
    client: null,
  })
  return { url: await linkTo(email, 'confirm'), effect: () => mailKindsTo(site.holdfast, email) }
}

/** The link in the newest mail to this address. */
async function linkTo(address: string, what: string): Promise<string> {
  const mail = (await mailsTo(site.holdfast, address)).at(-1)!
  return new RegExp(`http://\\S+/${what}/[\\w.-]+`).exec(mail.text)![0]
}

const pages = [
  {
    name: 'cancel',
    open: () => book(),
    effects: [['booked'], ['booked', 'cancelled']],
    question: 'Cancel appointment',
    field: 'Message (optional)',
    button: 'Cancel appointment',
    done: 'Appointment cancelled',
    over: [410, 'This appointment is already cancelled'],
  },
  {
    name: 'accept',
    open: () => ask('accept'),
    effects: [['requested'], ['requested', 'booked']],
    question: 'Accept request',
    field: 'Message to the customer (optional)',
    button: 'Accept',
    done: 'Request accepted',
    over: [410, 'This request has already been answered'],
  },
  {
    name: 'decline',
    open: () => ask('decline'),
    effects: [['requested'], ['requested', 'declined']],
    question: 'Decline request',
    field: 'Message to the customer (optional)',
    button: 'Decline',
    done: 'Request declined',
    over: [410, 'This request has already been answered'],
  },
  {
    name: 'confirm',
    open: proposal,
    effects: [['proposal'], ['proposal', 'booked']],
    question: 'Confirm this appointment?',
    field: null,
    button: 'Book appointment',
    done: 'You’re booked',
    over: [200, 'You’re booked'],
  },
  {
    name: 'verify',
    open: join,
    effects: [false, true],
    question: 'Confirm your email address',
    field: null,
    button: 'Confirm address',
    done: 'Address confirmed',
    over: [200, 'Address confirmed'],
  },
] as const

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

/** No barrier, and nothing that sticks out, on a wide and on a narrow screen. */
async function look(page: Page, name: string) {
  for (const viewport of [wide, narrow]) {
    await page.setViewportSize(viewport)
    await expectNoBarriers(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
    await screenshot(page, `${viewport.width}-light-${name}`)
  }
}

// Without JavaScript the accessibility check cannot run; the pages are the same.
describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('%s', (_what, javaScriptEnabled) => {
  it.each(pages)(
    'the link to $name shows the page, acts once, and says so if it is used again',
    async what => {
      const link = await what.open()
      const options = { javaScriptEnabled, viewport: narrow }
      const { page, context, problems } = await visit(site.browser, link.url, options)
      const step = (name: string) => javaScriptEnabled && look(page, `${what.name}-${name}`)
      await heading(page, what.question).waitFor()
      await step('1-question')
      expect(await link.effect()).toEqual(what.effects[0])

      const late = await context.newPage()
      onTestFinished(() => late.close())
      await late.goto(link.url)
      if (what.field) await page.getByLabel(what.field).fill('See you <b>soon</b>')
      await page.getByRole('button', { name: what.button }).click()
      await heading(page, what.done).waitFor()
      await step('2-done')
      expect(await link.effect()).toEqual(what.effects[1])
      expect(problems).toEqual([])

      const [status, title] = what.over
      const answered = late.waitForResponse(withoutQuery(link.url))
      await late.getByRole('button', { name: what.button }).click()
      // Or a redirect to the page that says so.
      expect([status, 303]).toContain((await answered).status())
      await heading(late, title).waitFor()
      expect((await page.goto(link.url))!.status()).toBe(status)
      await heading(page, title).waitFor()
      await step('3-over')
      expect(await link.effect()).toEqual(what.effects[1])
    },
  )
})

const withoutQuery = (url: string) => url.replace(/[?#].*/, '')

it('a tampered link only says that it is invalid, and changes nothing', async () => {
  const { page } = await visit(site.browser, 'about:blank')
  for (const { open, effects } of pages) {
    const link = await open()
    const answer = await page.goto(`${withoutQuery(link.url)}x`)
    expect(answer!.status()).toBe(404)
    await heading(page, 'This link is no longer valid').waitFor()
    expect(await page.getByRole('button').count()).toBe(0)
    expect(await link.effect()).toEqual(effects[0])
  }
  await look(page, 'invalid-link')
})

it('an expired link names the business and leads to new times and to the own bookings', async () => {
  const { signer } = site.holdfast.service
  const { url, effect } = await book()
  const [_path, purpose, token] = new URL(url).pathname.split('/')
  const { page } = await visit(site.browser, 'about:blank', { viewport: narrow })
  for (const kind of ['cancel', 'move', 'booked', 'answers'] as const) {
    const over = signer.sign(kind, signer.open(purpose as 'cancel', token!)!, Date.now() - 1000)
    const answer = await page.goto(`${site.origin}/${kind}/${over}`)
    expect(answer!.status()).toBe(410)
    await heading(page, 'This link has expired').waitFor()
    expect(await page.locator('.brand').innerText()).toBe('Harbour Practice')
  }
  await expectNoBarriers(page)
  await look(page, 'expired-link')
  await page.getByRole('link', { name: 'My bookings' }).waitFor()
  await page.getByRole('link', { name: 'Book another appointment' }).click()
  await page.getByRole('heading', { name: 'Harbour Practice' }).waitFor()
  expect(await effect()).toEqual(['booked'])
})

it('a person who opened the accept link can decline instead', async () => {
  const link = await ask('accept')
  const { page } = await visit(site.browser, link.url, { javaScriptEnabled: false })
  expect(await page.locator('.typed').innerText()).toBe('I come by bike.\nIs there a place for it?')
  await page.getByRole('link', { name: 'Decline request' }).click()
  await page.getByRole('link', { name: 'Accept request' }).waitFor()
  await page.getByRole('button', { name: 'Decline' }).click()
  await heading(page, 'Request declined').waitFor()
  expect(await link.effect()).toEqual(['requested', 'declined'])
})
