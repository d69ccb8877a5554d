// Languages, regions and time zones as visitors bring them.

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { screenshot, visit } from '../support/browser.ts'
import { makeResource } from '../support/build.ts'
import { mailsTo } from '../support/mailbox.ts'
import {
  addTimes,
  bookPage,
  dayIn,
  dayName,
  openPractice,
  soon,
  time,
  times,
  useSite,
} from '../support/widget.ts'

const site = await useSite()

it('uses German for German visitors: texts, dates, week, email', async () => {
  const practice = await openPractice(site)
  const { page } = await visit(site.browser, bookPage(site, practice), { locale: 'de-DE' })
  await page.getByRole('heading', { name: 'Termin auswählen' }).waitFor()
  expect(await page.locator('holdfast-booking th').first().innerText()).toBe('Mo')
  await time(page, '10:00').click()
  await page.getByLabel('Vorname').fill('Änne')
  await page.getByLabel('Nachname').fill('Groß')
  await page.getByLabel('E-Mail').fill('aenne@example.org')
  await screenshot(page, '1280-light-german')
  await page.getByRole('button', { name: 'Jetzt buchen' }).click()
  await page.getByRole('heading', { name: 'Ihr Termin ist gebucht' }).waitFor()
  const [mail] = await mailsTo(site.holdfast, 'aenne@example.org')
  expect([mail!.language, mail!.text.includes('Änne')]).toEqual(['de', true])
})

it('uses American English for American visitors: 12 hours, the week from Sunday', async () => {
  const practice = await openPractice(site)
  const { page } = await visit(site.browser, bookPage(site, practice), { locale: 'en-US' })
  await time(page, '10:00 AM').waitFor()
  expect(await page.locator('holdfast-booking th').first().innerText()).toBe('Sun')
})

it.each([
  ['fr', 'Choisir un horaire'],
  ['es', 'Elegir hora'],
  ['it', 'Scelga un orario'],
])('uses %s if the link says so', async (language, heading) => {
  const practice = await openPractice(site)
  const { page } = await visit(site.browser, bookPage(site, practice, `?lang=${language}`))
  await page.getByRole('heading', { name: heading }).waitFor()
})

/** The Friday before and the Monday after the last Sunday of March, when Berlin changes its clocks. */
function aroundClockChange() {
  const start = Temporal.PlainDate.from(dayIn(30))
  const year = start.month < 3 ? start.year : start.year + 1
  const last = Temporal.PlainDate.from({ year, month: 3, day: 31 })
  const sunday = last.subtract({ days: last.dayOfWeek % 7 })
  return { before: sunday.subtract({ days: 2 }).toString(), after: sunday.add({ days: 1 }).toString() }
}

it('shows a visitor in New York their own hours, right on both sides of a clock change', async () => {
  const { before, after } = aroundClockChange()
  const practice = await openPractice(site, {}, { days: [] })
  for (const day of [before, after]) await addTimes(site, practice, day, '15:00', '16:00')
  const options = { locale: 'en-US', timezoneId: 'America/New_York' }
  const { page } = await visit(site.browser, bookPage(site, practice), options)
  // 15:00 in Berlin: five hours ahead of New York before the change, six hours after it.
  await time(page, '10:00 AM').waitFor()
  await soon(() => times(page).allInnerTexts()).toEqual(['10:00 AM', '10:30 AM'])
  await page.getByRole('button', { name: `${label(after)}, 2 available times` }).click()
  await time(page, '9:00 AM').waitFor()
  await page.getByText(/^New York time, \d+:\d\d [AP]M now$/).waitFor()
  await chooseZone(page, 'berl')
  await time(page, '3:00 PM').waitFor()
  await chooseZone(page, 'new york')
  await time(page, '9:00 AM').click()
  await page.getByText('New York time (UTC−4)').first().waitFor()
  await page.getByLabel('First name').fill('Nat')
  await page.getByLabel('Last name').fill('York')
  await page.getByLabel('Email').fill('nat@example.org')
  await page.getByRole('button', { name: 'Book now' }).click()
  await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
  const [mail] = await mailsTo(site.holdfast, 'nat@example.org')
  expect(mail!.text).toContain('3:00 PM')
})

const label = (day: string) => dayName(day, 'en-US')

async function chooseZone(page: Page, city: string) {
  await page.getByLabel('Time zone').fill(city)
  await page.getByLabel('Time zone').press('Enter')
}

it('moves the day with the zone: late in the evening here is tomorrow there', async () => {
  const practice = await openPractice(site, {}, { days: [1], from: '22:00', to: '23:00' })
  const { page } = await visit(site.browser, bookPage(site, practice))
  await time(page, '22:00').waitFor()
  await chooseZone(page, 'Nowhere')
  expect(await page.getByLabel('Time zone').inputValue()).toMatch(/^Berlin \(UTC/)
  await chooseZone(page, 'Tokyo')
  await page.getByRole('heading', { name: dayName(dayIn(2)) }).waitFor()
  await soon(() => times(page).first().innerText()).toMatch(/^0?[67]:00$|^0?[56]:00$/)
})

it('uses the zone of the place for appointments at a place', async () => {
  const practice = await openPractice(site, {}, { days: [] })
  const address = { city: 'Hamburg', zip: '20359', street: 'Hafenstrasse', number: '1' }
  const place = await makeResource(site.holdfast.crm, practice, { address })
  await addTimes(site, { ...practice, resource: place.reference }, dayIn(1), '15:00', '16:00')
  const options = { locale: 'en-US', timezoneId: 'America/New_York' }
  const { page } = await visit(site.browser, bookPage(site, { resource: place.reference }), options)
  await time(page, '3:00 PM').waitFor()
  await page.getByRole('link', { name: 'Hafenstrasse 1, 20359 Hamburg, DE' }).waitFor()
})
