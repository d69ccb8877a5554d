// The whole booking without a mouse, and what a screen reader announces.

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { visit } from '../support/browser.ts'
import { makeProduct } from '../support/build.ts'
import { addTimes, bookPage, dayIn, dayName, openPractice, soon, time, useSite } from '../support/widget.ts'

const site = await useSite()

/** What has the focus, as it is called. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement
    return element?.getAttribute('aria-label') ?? element?.getAttribute('name') ?? element?.textContent ?? ''
  })

async function pressUntil(page: Page, key: string, found: (name: string) => boolean) {
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press(key)
    if (found(await focused(page))) return
  }
  throw new Error(`${key} never reached it; the focus is on ${await focused(page)}`)
}

it('books by keyboard alone, with the focus on the next step', async () => {
  const practice = await openPractice(site)
  await makeProduct(site.holdfast.crm, practice, { name: 'Other' })
  const { page } = await visit(site.browser, bookPage(site, practice))
  const said = page.locator('holdfast-booking [role="status"].unseen')
  await page.getByRole('button', { name: 'Talk' }).waitFor()

  await pressUntil(page, 'Tab', name => name === 'Talk')
  await page.keyboard.press('Enter')
  await time(page, '10:00').waitFor()
  await soon(() => focused(page)).toBe('Choose a time')
  await soon(() => said.innerText()).toBe(`14 available times on ${dayName(dayIn(1))}`)

  await pressUntil(page, 'Tab', name => name.includes('available times'))
  await soon(() => focused(page)).toBe(`${dayName(dayIn(1))}, 14 available times`)
  await page.keyboard.press('ArrowRight')
  await soon(() => focused(page)).toBe(`${dayName(dayIn(2))}, 14 available times`)
  await page.keyboard.press('ArrowDown')
  await soon(() => focused(page)).toBe(`${dayName(dayIn(9))}, no available times`)
  await page.keyboard.press('ArrowUp')
  await soon(() => focused(page)).toBe(`${dayName(dayIn(2))}, 14 available times`)
  await page.keyboard.press('Enter')
  await soon(() => said.innerText()).toBe(`14 available times on ${dayName(dayIn(2))}`)

  await page.keyboard.press('Tab')
  await soon(() => focused(page)).toBe('09:00')
  await pressUntil(page, 'Tab', name => name.includes('Europe/Berlin'))
  await pressUntil(page, 'Shift+Tab', name => name === '10:00')
  await page.keyboard.press('Enter')
  await page.getByText('Reserved for you').waitFor()
  await soon(() => focused(page)).toBe('Your details')

  await page.keyboard.press('Tab')
  for (const text of ['Ann', 'Winter', 'not an address']) {
    await page.keyboard.type(text)
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  await page.getByText('Enter an email such as').waitFor()
  await soon(() => focused(page)).toBe('email')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('keys@example.org')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
  await soon(() => focused(page)).toBe('You’re booked')
  await soon(() => said.innerText()).toBe('You’re booked')
})

it('goes back with Escape, releases the held time and keeps the input', async () => {
  const practice = await openPractice(site)
  const { page } = await visit(site.browser, bookPage(site, practice))
  await time(page, '10:00').click()
  await page.getByLabel('First name').fill('Ann')
  const released = page.waitForResponse(response => response.url().includes('revoke_reservation'))
  await page.keyboard.press('Escape')
  await released
  await time(page, '10:00').waitFor()
  await time(page, '11:00').click()
  expect(await page.getByLabel('First name').inputValue()).toBe('Ann')
})

it('moves in the month with Home, End, Page Up and Page Down, as one tab stop', async () => {
  const practice = await openPractice(site)
  const next = Temporal.PlainDate.from(dayIn(1)).add({ months: 1 }).toString()
  await addTimes(site, practice, next, '09:00', '10:00')
  const { page } = await visit(site.browser, bookPage(site, practice))
  await time(page, '10:00').waitFor()
  const stops = page.locator('holdfast-booking table [tabindex="0"]')
  await soon(() => stops.count()).toBe(1)
  await stops.focus()
  await page.keyboard.press('PageDown')
  await soon(() => focused(page)).toBe(`${dayName(next)}, 2 available times`)
  await page.keyboard.press('End')
  await soon(() => focused(page)).toMatch(/^Sunday,/)
  await page.keyboard.press('Home')
  await soon(() => focused(page)).toMatch(/^Monday,/)
  await soon(() => stops.count()).toBe(1)
})
