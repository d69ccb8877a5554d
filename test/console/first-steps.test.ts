// From a fresh service to a page that can be booked, in the browser and without the API.

import type { Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { inviteOperator } from '../../src/actions/console/login.ts'
import { countClicks, screenshot, visitAfresh } from '../support/browser.ts'
import { expectNoBarriers, fillForm, soon, time, times, useSite } from '../support/widget.ts'

const site = await useSite()
// Nothing is there but the tables.
beforeEach(async () => {
  await site.test.service.db.pool.query('truncate crm cascade')
})

const sizes = [
  ['1280', { width: 1280, height: 900 }, 'en-GB'],
  ['390', { width: 390, height: 844 }, 'de-DE'],
] as const

const words = {
  'en-GB': {
    heading: 'First steps',
    business: 'Name of the business',
    owner: 'Your name',
    email: 'Your email',
    next: 'Continue',
    product: 'What can be booked?',
    minutes: 'How many minutes does it take?',
    resource: 'With whom, or where?',
    save: 'Save',
    done: 'People can book with you now',
    snippet: 'For your website',
    preview: 'What customers see',
  },
  'de-DE': {
    heading: 'Erste Schritte',
    business: 'Name des Betriebs',
    owner: 'Ihr Name',
    email: 'Ihre E-Mail-Adresse',
    next: 'Weiter',
    product: 'Was kann gebucht werden?',
    minutes: 'Wie viele Minuten dauert es?',
    resource: 'Bei wem oder wo?',
    save: 'Speichern',
    done: 'Jetzt kann man bei Ihnen buchen',
    snippet: 'Für Ihre Website',
    preview: 'Was Kunden sehen',
  },
}

async function paintWorkingWeek(page: Page) {
  const grid = page.getByTestId('week')
  await grid.scrollIntoViewIfNeeded()
  const box = (await grid.boundingBox())!
  // From six to nine in the evening are shown, an hour is 24 pixels high: Monday 8 to Sunday 18.
  await page.mouse.move(box.x + 8, box.y + 2 * 24 + 4)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width - 8, box.y + 12 * 24 - 4, { steps: 5 })
  await page.mouse.up()
}

it.each(sizes)('leads from the login to a booked appointment at %s px', async (width, viewport, locale) => {
  const say = words[locale]
  const link = await inviteOperator(site.test.service, `operator-${width}@example.org`)
  const { page, problems } = await visitAfresh(site.browser, link, { viewport, locale })
  const clicks = await countClicks(page)
  await page.getByRole('button').first().click()
  await page.getByRole('heading', { name: say.heading }).waitFor()
  await firstBusiness(page, say, width)
  await soon(() => page.getByRole('heading', { name: say.done }).isVisible()).toBe(true)
  // The link's button, three times on, one stroke over the week, and save.
  expect(await clicks()).toBeLessThanOrEqual(6)
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await expectNoBarriers(page)
  await screenshot(page, `start-done-${width}`)
  const snippet = await page.getByLabel(say.snippet, { exact: true }).inputValue()
  const uuid = snippet.match(/resource="([0-9a-f-]{36})"/)![1]
  const preview = page.frameLocator('iframe')
  await preview.locator('holdfast-booking [part="times"] button').first().waitFor()
  expect(problems).toEqual([])
  await bookAt(page, uuid!)
})

type Words = (typeof words)['en-GB']

async function firstBusiness(page: Page, say: Words, width: string) {
  await expectNoBarriers(page)
  await screenshot(page, `start-business-${width}`)
  await page.getByLabel(say.business).fill('Harbour Practice')
  await page.getByLabel(say.owner).fill('Anna Berg')
  await page.getByLabel(say.email).fill(`anna-${width}@example.org`)
  await page.getByRole('button', { name: say.next }).click()
  await page.getByRole('heading', { name: say.product }).waitFor()
  await page.getByLabel('Name').fill('First talk')
  await page.getByLabel(say.minutes).fill('30')
  await page.getByRole('button', { name: say.next }).click()
  await page.getByRole('heading', { name: say.resource }).waitFor()
  await page.getByLabel('Name').fill('Dr. Anna Berg')
  await page.getByRole('button', { name: say.next }).click()
  await page.getByTestId('week').waitFor()
  await paintWorkingWeek(page)
  await expectNoBarriers(page)
  await screenshot(page, `start-hours-${width}`)
  await page.getByRole('button', { name: say.save }).click()
}

async function bookAt(page: Page, uuid: string) {
  await page.goto(`${site.origin}/book/${uuid}?lang=en`)
  await times(page).first().waitFor()
  await time(page, /./).first().click()
  await fillForm(page)
  await page.getByRole('button', { name: /^Book/ }).click()
  await soon(() =>
    page
      .locator('holdfast-booking')
      .getByText(/booked|confirmed/i)
      .count(),
  ).toBeGreaterThan(0)
}
