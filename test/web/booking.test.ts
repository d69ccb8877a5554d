// The whole booking in a real browser against the real service, on a wide and on a narrow screen, light and dark.

import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterEach, describe, expect, it } from 'vitest'
import { narrow, screenshot, visit, wide } from '../support/browser.ts'
import { makeProduct } from '../support/build.ts'
import { mailKindsTo, mailsTo } from '../support/mailbox.ts'
import { consoleCall } from '../support/service.ts'
import {
  bookPage,
  expectNoBarriers,
  fillForm,
  openPractice,
  soon,
  time,
  times,
  useSite,
} from '../support/widget.ts'

const site = await useSite()

const screens = [
  { name: '1280-light', viewport: wide, colorScheme: 'light' },
  { name: '1280-dark', viewport: wide, colorScheme: 'dark' },
  { name: '360-light', viewport: narrow, colorScheme: 'light', hasTouch: true },
  { name: '360-dark', viewport: narrow, colorScheme: 'dark', hasTouch: true },
] as const

describe.each(screens)('booking by mouse at $name', ({ name, ...screen }) => {
  it('goes from the product to the confirmation, with no accessibility violations on any step', async () => {
    const practice = await openPractice(site, {}, { defaultCapacity: 5 })
    await makeProduct(site.holdfast.crm, practice, {
      name: 'Long talk',
      minDuration: 60,
      description: 'With everything that belongs to it.',
    })
    const { page, problems } = await visit(site.browser, bookPage(site, practice), screen)
    const step = async (what: string) => {
      await expectNoBarriers(page)
      await screenshot(page, `${name}-${what}`)
    }

    await page.getByRole('button', { name: /Long talk/ }).waitFor()
    await step('1-product')
    await page.getByRole('button', { name: /Long talk/ }).click()
    await time(page, '10:00').waitFor()
    await soon(() => times(page).count()).toBe(13)
    expect(await time(page, '10:00').innerText()).toContain('5 of 5 left')
    await step('2-time')
    await time(page, '10:00').click()
    await page.getByText(/Reserved for you: [23]:\d\d/).waitFor()
    await step('3-form')
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByText('Enter your first name.').first().waitFor()
    await step('4-errors')
    const email = `${name}@example.org`
    await fillForm(page, { Email: email, 'Message (optional)': 'See you' })
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
    await step('5-done')
    expect(await mailKindsTo(site.holdfast, email)).toEqual(['booked'])

    await page.getByRole('link', { name: 'Cancel appointment' }).click()
    await page.getByRole('button', { name: 'Yes, cancel' }).click()
    await page.getByRole('heading', { name: 'Your appointment is cancelled' }).waitFor()
    await step('6-cancelled')
    expect(await mailKindsTo(site.holdfast, email)).toEqual(['booked', 'cancelled'])
    expect(problems).toEqual([])
  })
})

describe('a channel where the provider confirms', () => {
  it('announces it before the form and ends in a request, not in a confirmation', async () => {
    const practice = await openPractice(site)
    const channel = `/resources/${practice.resourceUuid}/channels/RESOURCE_PUBLIC`
    await consoleCall(site.holdfast.app, 'PATCH', channel, { bookingProcess: 'REQUESTED' })
    const { page } = await visit(site.browser, bookPage(site, practice))
    const widget = page.getByRole('region', { name: 'Book an appointment' })
    await widget.getByText('will confirm by email.').waitFor()
    await time(page, '10:00').click()
    await fillForm(page, { Email: 'request@example.org' })
    await page.getByRole('button', { name: 'Send request' }).click()
    await page.getByRole('heading', { name: 'Your request has been sent' }).waitFor()
    await page.getByText('Not confirmed yet').waitFor()
    expect(await page.getByText('Add to calendar').count()).toBe(0)
    await expectNoBarriers(page)
    await screenshot(page, '1280-light-requested')
    expect(await mailKindsTo(site.holdfast, 'request@example.org')).toEqual(['requested'])
  })
})

describe('the calendar entry', () => {
  afterEach(() => {
    site.holdfast.clock.shiftMs = 0
  })

  async function calendarFile(page: Page): Promise<string> {
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Apple / ICS' }).click()
    return readFileSync((await (await download).path())!, 'utf8')
  }

  const uidIn = (ics: string) => /^UID:(\S+)/m.exec(ics)![1]

  it.each([
    ['held', 0],
    ['booked again after the hold expired', 185],
  ])('has the same name as in the email when the time was %s', async (_what, seconds) => {
    const practice = await openPractice(site)
    const { page } = await visit(site.browser, bookPage(site, practice))
    await time(page, '10:00').click()
    const email = `uid-${seconds}@example.org`
    await fillForm(page, { Email: email })
    site.holdfast.clock.shiftMs = seconds * 1000
    await page.getByRole('button', { name: 'Book now' }).click()
    const text = await calendarFile(page)
    const [mail] = await mailsTo(site.holdfast, email)
    expect(uidIn(text)).toBe(uidIn(mail!.ics!.content))
  })

  it('is offered as a file and as links, with the right instant', async () => {
    const practice = await openPractice(site)
    const { page } = await visit(site.browser, bookPage(site, practice))
    await time(page, '10:00').click()
    await fillForm(page, { Email: 'calendar@example.org' })
    await page.getByRole('button', { name: 'Book now' }).click()
    const text = await calendarFile(page)
    const linkOf = async (name: string) =>
      (
        await fetch((await page.getByRole('link', { name }).getAttribute('href'))!, { redirect: 'manual' })
      ).headers.get('location')
    const start = /DTSTART:(\S+)/.exec(text)![1]!
    expect(text).toMatch(/^BEGIN:VCALENDAR\r\n[\s\S]*SUMMARY:Talk – Room\r\n/)
    expect(await linkOf('Google')).toMatch(new RegExp(`^https://calendar.google.com/.*dates=${start}%2F`))
    expect(await linkOf('Outlook')).toMatch(/^https:\/\/outlook.live.com\/.*subject=Talk%2C\+/)
    const shown = Temporal.Instant.from(
      start.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/, '$1-$2-$3T$4:$5:$6Z'),
    )
    expect(shown.toZonedDateTimeISO('Europe/Berlin').hour).toBe(10)
  })
})

describe('a booking that is submitted twice', () => {
  it('is made once', async () => {
    const practice = await openPractice(site)
    const { page } = await visit(site.browser, bookPage(site, practice))
    await time(page, '10:00').click()
    await fillForm(page, { Email: 'twice@example.org' })
    await page.getByRole('button', { name: 'Book now' }).dblclick()
    await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
    expect(await mailKindsTo(site.holdfast, 'twice@example.org')).toEqual(['booked'])
  })
})
