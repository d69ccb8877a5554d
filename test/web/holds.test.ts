// Two visitors and one time: expiry, loss, and keeping the input.

import type { Page, Request } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { screenshot, visit, visitAfresh } from '../support/browser.ts'
import { eventually } from '../support/service.ts'
import {
  bookPage,
  expectNoBarriers,
  fillForm,
  openPractice,
  openTimes,
  soon,
  time,
  times,
  useSite,
} from '../support/widget.ts'

const site = await useSite()
beforeEach(() => {
  site.holdfast.clock.shiftMs = 0
})

/** A visitor whose clock the test moves. */
async function visitor(url: string) {
  const opened = await visitAfresh(site.browser, 'about:blank')
  const { page } = opened
  const unanswered = new Set<Request>()
  page.on('request', request => unanswered.add(request))
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', request => unanswered.delete(request))
  await page.clock.install()
  await page.goto(url)
  await page.clock.resume()

  /** Lets some minutes pass, for the browser and optionally for the service. */
  async function letTimePass(seconds: number, onServer = true) {
    // Every response sets the widget’s clock: a late one would turn it back.
    await soon(async () => unanswered.size).toBe(0)
    if (onServer) site.holdfast.clock.shiftMs += seconds * 1000
    await page.clock.fastForward(seconds * 1000)
  }
  return { ...opened, letTimePass }
}

const heard = (page: Page) => page.locator('holdfast-booking [role="status"].unseen').innerText()

describe('a hold that expires', () => {
  it('is announced at 60 and at 15 seconds, then renewed, and the input stays', async () => {
    const practice = await openPractice(site)
    const { page, letTimePass } = await visitor(bookPage(site, practice))
    await time(page, '10:00').click()
    await page.getByLabel('First name').fill('Ann')
    await letTimePass(121, false)
    await soon(() => heard(page)).toBe('One minute left to finish your booking.')
    await letTimePass(45, false)
    await soon(() => heard(page)).toBe('15 seconds left to finish your booking.')
    await letTimePass(20, false)
    await soon(() => heard(page)).toContain('Your hold expired, so we’ve renewed it.')
    await page.getByText('Your hold expired, so we’ve renewed it.').first().waitFor()
    expect(await page.getByLabel('First name').inputValue()).toBe('Ann')
    await expectNoBarriers(page)
    await screenshot(page, '1280-light-held-again')
  })

  it('is not renewed forever if the form is unattended', async () => {
    const practice = await openPractice(site)
    const { page, letTimePass } = await visitor(bookPage(site, practice))
    await time(page, '10:00').click()
    await page.getByText('Reserved for you').waitFor()
    await letTimePass(185)
    await page.getByText('Your hold expired, so we’ve renewed it.').first().waitFor()
    await letTimePass(370)
    await page.getByText('Your hold has expired. Reserve this time again?').waitFor()
    const other = await visit(site.browser, bookPage(site, practice))
    await time(other.page, '10:00').waitFor()
  })

  it('is lost if another client was faster: the form says so, offers three times, keeps the input', async () => {
    const practice = await openPractice(site)
    const first = await visitor(bookPage(site, practice))
    await time(first.page, '10:00').click()
    await fillForm(first.page, { Email: 'first@example.org' })

    const second = await visit(site.browser, bookPage(site, practice))
    await times(second.page).first().waitFor()
    await soon(() => time(second.page, '10:00').count()).toBe(0)

    site.holdfast.clock.shiftMs = 185_000
    await second.page.evaluate(() =>
      document.querySelector<HTMLElement & { refresh(): void }>('holdfast-booking')!.refresh(),
    )
    await time(second.page, '10:00').click()
    await fillForm(second.page, { Email: 'second@example.org' })
    await second.page.getByRole('button', { name: 'Book now' }).click()
    await second.page.getByRole('heading', { name: 'You’re booked' }).waitFor()

    await first.letTimePass(185, false)
    const lost = first.page.getByRole('region', { name: 'Sorry, this time has just been taken.' })
    await lost.waitFor()
    await lost.getByRole('button', { name: /9:30/ }).waitFor()
    await soon(() => lost.getByRole('button').allInnerTexts()).toHaveLength(4)
    expect(await first.page.getByLabel('Email').inputValue()).toBe('first@example.org')
    await expectNoBarriers(first.page)
    await screenshot(first.page, '1280-light-lost')

    await lost.getByRole('button', { name: /10:30/ }).click()
    await first.page.getByText('Reserved for you').waitFor()
    await first.page.getByRole('button', { name: 'Book now' }).click()
    await first.page.getByRole('heading', { name: 'You’re booked' }).waitFor()
  })
})

describe('a time that is taken at the last moment', () => {
  it('is reported next to the times if it can no longer be held', async () => {
    const practice = await openPractice(site)
    const first = await visit(site.browser, bookPage(site, practice))
    await time(first.page, '10:00').waitFor()
    // Another visitor: tabs of the same visitor would share the hold.
    const second = await visitAfresh(site.browser, bookPage(site, practice))
    await time(second.page, '10:00').click()
    await second.page.getByText('Reserved for you').waitFor()
    await time(first.page, '10:00').click()
    await first.page.getByRole('region', { name: 'Sorry, this time has just been taken.' }).waitFor()
    await soon(() => time(first.page, '10:00').count()).toBe(0)
    await screenshot(first.page, '1280-light-lost-time')
  })

  it('is released when the visitor leaves the page', async () => {
    const practice = await openPractice(site)
    const first = await visit(site.browser, bookPage(site, practice))
    await time(first.page, '10:00').click()
    await first.page.getByText('Reserved for you').waitFor()
    await first.page.goto('about:blank')
    await eventually(async () => (await openTimes(site, practice)).includes('10:00'))
  })
})

describe('a visitor whose clock is wrong', () => {
  it('sees the time that is actually left', async () => {
    const practice = await openPractice(site)
    const { page } = await visitAfresh(site.browser, 'about:blank')
    await page.clock.install({ time: Date.now() - 7_200_000 })
    await page.goto(bookPage(site, practice))
    await page.clock.resume()
    await time(page, '10:00').click()
    await page.getByText(/Reserved for you: (3:00|2:5\d)/).waitFor()
  })
})
