// What a finger does on a phone: it pages through weeks, and presses buttons that must stay where they are.

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { visit, visitAfresh, wide } from '../support/browser.ts'
import { mailKindsTo } from '../support/mailbox.ts'
import {
  addTimes,
  bookPage,
  dayIn,
  dayName,
  expectNoBarriers,
  fillForm,
  openPractice,
  soon,
  time,
  times,
  useSite,
} from '../support/widget.ts'

const site = await useSite()

const phone = { width: 390, height: 844 }
const heading = (page: Page) => page.locator('holdfast-booking [part="times"] h4')
const strip = (page: Page) => page.locator('holdfast-booking .day:visible')
const weekOf = (day: string) =>
  Temporal.PlainDate.from(day).subtract({ days: Temporal.PlainDate.from(day).dayOfWeek - 1 })

describe('paging by week', () => {
  it('selects the first free day of the shown week, forwards and backwards', async () => {
    const practice = await openPractice(site, {}, { days: [1, 2] })
    const later = weekOf(dayIn(14)).add({ days: 2 }).toString()
    await addTimes(site, practice, later, '09:00', '12:00')
    const { page } = await visit(site.browser, bookPage(site, practice), { viewport: phone })
    await soon(() => heading(page).innerText()).toBe(dayName(dayIn(1)))
    while (!(await page.locator(`holdfast-booking .day:visible[data-day="${later}"]`).count()))
      await page.getByRole('button', { name: 'Next week' }).click()
    await soon(() => heading(page).innerText()).toBe(dayName(later))
    await expectNoBarriers(page)
    const back = page.getByRole('button', { name: 'Previous week' })
    while (!(await page.locator(`holdfast-booking .day:visible[data-day="${dayIn(1)}"]`).count()))
      await back.click()
    await soon(() => heading(page).innerText()).toBe(dayName(dayIn(1)))
    // What is shown is what is booked.
    await time(page, '10:00').click()
    await page
      .locator('holdfast-booking [part="chosen"]', {
        hasText: dayName(dayIn(1)).split(' ').slice(1).join(' '),
      })
      .waitFor()
  })

  it('says that a week has no times, with a link to the next', async () => {
    const practice = await openPractice(site, {}, { days: [1] })
    const later = weekOf(dayIn(22)).toString()
    await addTimes(site, practice, later, '09:00', '12:00')
    const { page } = await visit(site.browser, bookPage(site, practice), { viewport: phone })
    await times(page).first().waitFor()
    const next = page.getByRole('button', { name: 'Next week' })
    await next.click()
    await page.getByRole('button', { name: `Next: ${dayName(later)}` }).click()
    await soon(() => heading(page).innerText()).toBe(dayName(later))
    await soon(() => next.getAttribute('aria-disabled')).toBe('true')
  })

  it('shows seven days at the end of a month too, including selectable days of the next', async () => {
    const today = Temporal.PlainDate.from(dayIn(0))
    // The next month whose end lies within a week.
    let end = today.add({ days: 1 }).with({ day: 1 }).add({ months: 1 }).subtract({ days: 1 })
    while (end.dayOfWeek === 7 || end.equals(today))
      end = end.add({ days: 1 }).add({ months: 1 }).subtract({ days: 1 })
    const practice = await openPractice(site, {}, { days: [] })
    const first = end.add({ days: 1 }).toString()
    await addTimes(site, practice, end.toString(), '09:00', '10:00')
    await addTimes(site, practice, first, '13:00', '14:00')
    const { page } = await visit(site.browser, bookPage(site, practice), { viewport: phone })
    await soon(() => heading(page).innerText()).toBe(dayName(end.toString()))
    expect(await strip(page).count()).toBe(7)
    await page.locator(`holdfast-booking .day.free:visible[data-day="${first}"]`).click()
    await soon(() => times(page).allInnerTexts()).toEqual(['13:00', '13:30'])
    expect(await strip(page).count()).toBe(7)
    await page.setViewportSize(wide)
    expect(await page.locator('holdfast-booking .outside:visible').count()).toBe(0)
  })
})

describe('a press', () => {
  it.each([
    ['a mouse', {}],
    ['a finger', { hasTouch: true, isMobile: true }],
  ])('on "Book now" by %s books although leaving the field before shows a question', async (who, options) => {
    const practice = await openPractice(site)
    const { page } = await visitAfresh(site.browser, bookPage(site, practice), {
      viewport: phone,
      ...options,
    })
    await time(page, '10:00').click()
    const email = `${'hasTouch' in options ? 'finger' : 'mouse'}@gmial.com`
    await fillForm(page, { Email: email })
    const button = page.getByRole('button', { name: 'Book now' })
    await button.scrollIntoViewIfNeeded()
    await page.getByLabel('Email').focus()
    const box = (await button.boundingBox())!
    const [x, y] = [box.x + 20, box.y + 6]
    if ('hasTouch' in options) await page.touchscreen.tap(x, y)
    else await page.mouse.click(x, y, { delay: 60 })
    await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
    expect([who, await mailKindsTo(site.holdfast, email)]).toEqual([who, ['booked']])
  })

  it('defers all drawing until it ends', async () => {
    const practice = await openPractice(site)
    const { page } = await visit(site.browser, bookPage(site, practice), { viewport: phone })
    await time(page, '10:00').click()
    await page.getByLabel('Email').fill('ann@gmial.com')
    await page.getByLabel('Email').focus()
    const hint = page.getByText('Did you mean')
    const label = (await page.getByText('Message', { exact: false }).first().boundingBox())!
    await page.mouse.move(label.x + 2, label.y + 2)
    await page.mouse.down()
    expect(await hint.count()).toBe(0)
    await page.mouse.up()
    await hint.waitFor()
  })

  it('on a time of the page is not lost when the widget loads', async () => {
    const practice = await openPractice(site)
    const { page } = await visitAfresh(site.browser, 'about:blank', { viewport: phone })
    const arrival = Promise.withResolvers<void>()
    await page.route(/assets\/widget/, route => arrival.promise.then(() => route.continue()))
    await page.goto(bookPage(site, practice), { waitUntil: 'commit' })
    const box = (await page.locator('.stand-in .slots button').first().boundingBox())!
    await page.mouse.move(box.x + 5, box.y + 5)
    await page.mouse.down()
    const arrived = page.waitForResponse(/assets\/widget/)
    arrival.resolve()
    await (await arrived).finished()
    await page.evaluate(() => new Promise(requestAnimationFrame))
    await page.mouse.up()
    await page.getByRole('heading', { name: 'Your details' }).waitFor()
  })
})
