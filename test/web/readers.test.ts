// What people meet who listen to the page, enlarge it, or use its keys.

import type { Browser, Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { narrow, startBrowser, visit, visitAfresh } from '../support/browser.ts'
import { setChannel } from '../support/build.ts'
import {
  addTimes,
  bookPage,
  dayIn,
  dayName,
  expectNoBarriers,
  fillForm,
  openHost,
  openPractice,
  soon,
  time,
  times,
  useSite,
} from '../support/widget.ts'

const site = await useSite()

/** What has the focus, as it is called; `body` where it got lost. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement
    return element === document.body ? 'body' : (element?.textContent ?? '').trim()
  })

const confirmed = 'You’re booked'

async function book(page: Page, email: string) {
  await time(page, '10:00').click()
  await fillForm(page, { Email: email })
  await page.getByRole('button', { name: 'Book now' }).click()
  await page.getByRole('heading', { name: confirmed }).waitFor()
}

describe('the focus', () => {
  it('goes to the day after "Next", to the link after "Keep it", and to the heading after "Send again"', async () => {
    const practice = await openPractice(site, {}, { days: [1] })
    await addTimes(site, practice, dayIn(9), '09:00', '12:00')
    const { page } = await visitAfresh(site.browser, bookPage(site, practice, `?date=${dayIn(4)}`))
    const next = page.getByRole('button', { name: `Next: ${dayName(dayIn(9))}` })
    await next.focus()
    await page.keyboard.press('Enter')
    await soon(() => focused(page)).toBe(dayName(dayIn(9)))
    await book(page, 'focus@example.org')
    const cancel = page.getByRole('link', { name: 'Cancel appointment' })
    await cancel.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Keep appointment' }).focus()
    await page.keyboard.press('Enter')
    await soon(() => focused(page)).toBe('Cancel appointment')
    const wrong = page.getByRole('button', { name: 'Wrong address?' })
    await wrong.click()
    await page.getByLabel('Email').fill('focus-two@example.org')
    await page.keyboard.press('Enter')
    await page.getByText('on its way to focus-two@example.org').first().waitFor()
    await soon(() => focused(page)).toBe(confirmed)
  })

  it('returns to what opened a confirmation when Escape closes it', async () => {
    const practice = await openPractice(site)
    const { page } = await visitAfresh(site.browser, bookPage(site, practice))
    await book(page, 'escape@example.org')
    await page.getByRole('link', { name: 'Cancel appointment' }).click()
    await page.getByRole('button', { name: 'Yes, cancel' }).focus()
    await page.keyboard.press('Escape')
    expect(await page.getByRole('button', { name: 'Yes, cancel' }).count()).toBe(0)
    await soon(() => focused(page)).toBe('Cancel appointment')
    await page.getByRole('button', { name: 'Wrong address?' }).click()
    await page.getByLabel('Email').focus()
    await page.keyboard.press('Escape')
    await soon(() => focused(page)).toBe('Wrong address?')
  })
})

describe('a screen reader', () => {
  it('announces the step in the title, the language, the hold, and nothing outdated', async () => {
    const practice = await openPractice(site)
    const { page } = await visitAfresh(site.browser, bookPage(site, practice))
    await soon(() => page.title()).toBe('Choose a time – Harbour Practice')
    const said = page.locator('holdfast-booking [role="status"].unseen')
    await time(page, '10:00').click()
    const heading = page.getByRole('heading', {
      name: 'Your details',
      description: /^Reserved for you: \d+:\d\d left$/,
    })
    await heading.waitFor()
    await soon(() => focused(page)).toBe('Your details')
    expect(await page.title()).toBe('Your details – Harbour Practice')
    await soon(() => said.innerText()).toBe('')
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByLabel('Language').selectOption('de')
    await soon(() => page.evaluate(() => document.documentElement.lang)).toBe('de')
    await soon(() => page.title()).toMatch(/wählen – Harbour Practice$/)
  })

  it('announces the confirmation in the title, also after Back and Forward', async () => {
    const practice = await openPractice(site)
    const { page } = await visitAfresh(site.browser, bookPage(site, practice))
    await time(page, '10:00').click()
    await fillForm(page)
    await page.getByRole('button', { name: 'Book now' }).click()
    const confirmed = 'You’re booked – Harbour Practice'
    await soon(() => page.title()).toBe(confirmed)
    await page.goBack()
    await soon(() => page.title()).toBe('Choose a time – Harbour Practice')
    await page.goForward()
    await soon(() => page.title()).toBe(confirmed)
  })

  it('announces a day in one sentence, and which one is selected', async () => {
    const practice = await openPractice(site)
    const { page } = await visit(site.browser, bookPage(site, practice))
    await times(page).first().waitFor()
    const cell = page.getByRole('gridcell', { selected: true })
    expect(await cell.count()).toBe(1)
    expect(await cell.getByRole('button').getAttribute('aria-label')).toBe(
      `${dayName(dayIn(1))}, 14 available times`,
    )
    expect(await page.locator('holdfast-booking [aria-pressed]').count()).toBe(0)
    expect(await page.getByRole('columnheader').count()).toBe(0)
    await expectNoBarriers(page)
  })
})

describe('the font size', () => {
  const sizeOn = async (browser: Browser, css: string) => {
    const practice = await openPractice(site)
    const element = `<script type="module" src="${site.origin}/widget.js"></script><holdfast-booking resource="${practice.resource}"></holdfast-booking>`
    const { page } = await visitAfresh(browser, await openHost(element, { css }))
    await times(page).first().waitFor()
    return times(page)
      .first()
      .evaluate(button => getComputedStyle(button).fontSize)
  }

  it('is the one set in the browser, on every page', async () => {
    const browser = await startBrowser('--blink-settings=defaultFontSize=24')
    onTestFinished(() => browser.close())
    expect(await sizeOn(browser, 'html { font-size: 10px }')).toBe('24px')
  })

  it.each(['62.5%', '40px'])('is not that of a host page with %s', async size => {
    expect(await sizeOn(site.browser, `html { font-size: ${size} }`)).toBe('16px')
  })
})

describe('back and forward', () => {
  it('lead from the confirmation to the times with a notice, and back to the confirmation', async () => {
    const practice = await openPractice(site)
    const { page } = await visitAfresh(site.browser, bookPage(site, practice))
    await book(page, 'forth@example.org')
    const address = page.url()
    await page.goBack()
    await time(page, '11:00').waitFor()
    expect(page.url()).toContain('/book/')
    const way = page.getByRole('button', { name: `${confirmed}:` })
    await way.waitFor()
    await page.goForward()
    await page.getByRole('heading', { name: confirmed }).waitFor()
    expect(page.url()).toBe(address)
    await page.goBack()
    await way.click()
    await page.getByRole('heading', { name: confirmed }).waitFor()
    // After a reload it is a separate page: going back from there, URL and content match.
    await page.reload()
    await page.getByRole('heading', { name: confirmed }).waitFor()
    await page.goBack()
    await times(page).first().waitFor()
    expect(page.url()).toContain('/book/')
  })
})

describe('a second tab', () => {
  it('continues with the time that the visitor holds in the first', async () => {
    const practice = await openPractice(site)
    const { page, context } = await visitAfresh(site.browser, bookPage(site, practice))
    await time(page, '10:00').click()
    await page.getByText('Reserved for you:').first().waitFor()
    const other = await context.newPage()
    await other.goto(bookPage(site, practice))
    await time(other, '10:00').click()
    await other.getByText('Reserved for you:').first().waitFor()
    expect(await other.getByText('has just been taken').count()).toBe(0)
    await page.close()
    await fillForm(other, { Email: 'tabs@example.org' })
    await other.getByRole('button', { name: 'Book now' }).click()
    await other.getByRole('heading', { name: confirmed }).waitFor()
  })
})

describe('shown early', () => {
  it('is that only customers can book', async () => {
    const practice = await openPractice(site)
    await setChannel(site.holdfast, practice.resourceUuid, { customersOnly: true })
    for (const javaScriptEnabled of [true, false]) {
      const { page } = await visit(site.browser, bookPage(site, practice), {
        viewport: narrow,
        javaScriptEnabled,
      })
      if (javaScriptEnabled) await times(page).first().waitFor()
      const said = page.getByText('Only invited customers can book here.').filter({ visible: true })
      await said.first().waitFor()
    }
  })

  it('is until when a booking can be changed, in days and hours, unless that is over', async () => {
    const practice = await openPractice(site, {}, { days: [1, 6] })
    await setChannel(site.holdfast, practice.resourceUuid, { changeNoticeMinutes: 3000 })
    const { page } = await visitAfresh(site.browser, bookPage(site, practice))
    await time(page, '10:00').click()
    await page.getByText('You can’t reschedule or cancel online.').waitFor()
    await fillForm(page, { Email: 'late@example.org' })
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByRole('heading', { name: confirmed }).waitFor()
    expect(await page.getByRole('link', { name: 'Cancel appointment' }).count()).toBe(0)
    await page.goto(bookPage(site, practice, `?date=${dayIn(6)}`))
    await time(page, '10:00').click()
    await page.getByText('online until 2 days 2 h before it starts').waitFor()
  })
})
