// What a front desk does between bookings: hours of the team, the next appointment, lists for customers.

import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { screenshot, type visitAfresh } from '../support/browser.ts'
import { makeResource } from '../support/build.ts'
import { consolePage } from '../support/console-page.ts'
import { mailsTo } from '../support/mailbox.ts'
import { consoleCall } from '../support/service.ts'
import { dayIn, expectNoBarriers, openPractice, soon, useSite } from '../support/widget.ts'

const site = await useSite()

async function open(path: string, who: string, options: Parameters<typeof visitAfresh>[2] = {}) {
  const visitor = await consolePage(site, who, path, options)
  return visitor
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).last().click()
const { app } = site.holdfast
const smallDesk = { width: 1366, height: 768 }

it('hours are copied, change on a date and from week to week, on single days, and for several at once', async () => {
  const practice = await openPractice(site)
  const second = await makeResource(site.holdfast.crm, practice, { internalName: 'Tom' })
  const path = `/resources/${second.uuid}/hours`
  const weekdays = ['1', '2', '3', '4', '5', '6', '7']
  await consoleCall(app, 'PUT', `/resources/${practice.resourceUuid}/hours`, {
    rules: [{ weekdays, from: '09:00', to: '12:00', raster: 30 }],
  })
  const hoursOf = async (uuid: string) => (await consoleCall(app, 'GET', `/resources/${uuid}/hours`)).body
  const { page, problems } = await open(`/offers${path}`, practice.owner)

  await button(page, 'Copy from a colleague…').click()
  await press(page, 'Copy')
  await page.getByLabel('Monday: from').waitFor()

  await button(page, 'New hours from a date…').click()
  await page.getByLabel('First day of the new hours').fill(dayIn(30))
  await press(page, 'New hours from a date')
  await page.getByLabel('Monday: to').fill('14:00')
  await page.getByLabel('Two alternating weeks').check()
  // The weeks are those of the new hours.
  await page
    .getByLabel('Week', { exact: true })
    .getByText(/^Week from/)
    .nth(1)
    .waitFor({ state: 'attached' })
  await page.getByLabel('Week', { exact: true }).selectOption('1')
  await page.getByLabel('Tuesday: to').fill('15:00')
  await button(page, 'Add day…').click()
  await page.getByLabel('Day', { exact: true }).fill(dayIn(3))
  await page.getByLabel('Closes').fill('10:00')
  await page.getByRole('dialog').getByRole('button', { name: 'Add more hours' }).click()
  await page.getByLabel('Opens (2)').fill('09:30')
  await press(page, 'Add day')
  await page.getByText('These times overlap.').waitFor()
  await page.getByLabel('Opens (2)').fill('15:00')
  await press(page, 'Add day')
  await screenshot(page, 'hours-pattern', true)
  await expectNoBarriers(page)
  await press(page, 'Save')
  await soon(async () => (await hoursOf(second.uuid)).exceptions).toMatchObject([
    {
      day: dayIn(3),
      times: [
        { from: '09:00', to: '10:00' },
        { from: '15:00', to: '17:00' },
      ],
    },
  ])
  const { rules } = await hoursOf(second.uuid)
  const until = dayIn(29)
  expect(rules.filter((one: { validUntil: string }) => one.validUntil === until)).toHaveLength(1)
  expect(rules.filter((one: { everyWeeks: number }) => one.everyWeeks === 2)).toMatchObject([
    { weekdays: ['2'], to: '12:00' },
    { weekdays: ['2'], to: '15:00' },
  ])

  // A colleague gets the new hours from that day, and keeps the present ones until then.
  await button(page, 'Save for several…').click()
  await page.getByRole('dialog').getByRole('checkbox').nth(1).check()
  await page
    .getByLabel('What to save')
    .getByText(/^The hours from/)
    .waitFor({ state: 'attached' })
  // Someone else saves the colleague's hours meanwhile: nothing is overwritten unseen.
  await consoleCall(app, 'PUT', `/resources/${practice.resourceUuid}/hours`, {
    ...(await hoursOf(practice.resourceUuid)),
    hoursWeeks: 11,
  })
  await press(page, 'Save')
  await page.getByText(/have changed in the meantime. Nothing was saved/).waitFor()
  expect((await hoursOf(second.uuid)).rules).toEqual(rules)
  await press(page, 'Save')
  await page.getByText('Hours of 2 people saved.').waitFor()
  const shared = (await hoursOf(practice.resourceUuid)).rules
  expect(shared.filter((one: { validUntil: string }) => one.validUntil === until)).toMatchObject([
    { weekdays, from: '09:00', to: '12:00', validFrom: null },
  ])
  expect(shared.filter((one: { everyWeeks: number }) => one.everyWeeks === 2)).toHaveLength(2)
  expect((await hoursOf(practice.resourceUuid)).exceptions).toEqual([])

  // Someone is booked where the new hours leave no room: their name is shown before saving.
  const customer = { name: 'Ada Byron' }
  const start = `${dayIn(2)}T11:00`
  await consoleCall(app, 'POST', `/providers/${practice.uuid}/appointments?ignoreConflicts=true`, {
    resourceUuid: practice.resourceUuid,
    productUuid: practice.productUuid,
    start,
    end: `${dayIn(2)}T11:30`,
    customer,
  })
  await page.goto(`${site.origin}/console/offers/resources/${practice.resourceUuid}/hours`)
  await button(page, 'Add day…').click()
  await page.getByLabel('Day', { exact: true }).fill(dayIn(2))
  await page.getByLabel('Closed all day').check()
  await press(page, 'Add day')
  await button(page, 'Save for several…').click()
  await page.getByLabel('Tom').check()
  await page.getByLabel('What to save').selectOption('days')
  await press(page, 'Save')
  await page.getByText('1 appointment falls outside the new hours.').waitFor()
  await page.getByText('Ada Byron').waitFor()
  await screenshot(page, 'hours-stranded', false)
  await press(page, 'Save anyway')
  const days = async (uuid: string) => (await hoursOf(uuid)).exceptions.map((one: { day: string }) => one.day)
  await soon(() => days(second.uuid)).toEqual([dayIn(2), dayIn(3)])
  expect(await days(practice.resourceUuid)).toEqual([dayIn(2)])
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
  await soon(() => days(second.uuid)).toEqual([dayIn(3)])
  expect((await hoursOf(second.uuid)).rules).toEqual(rules)
  await soon(() => page.getByText('Days with different hours appear here.').count()).toBe(1)
  // Only the refusal above.
  expect(problems.filter(one => !one.includes('409'))).toEqual([])
})

it('books the next appointment from the panel or by arrow keys, and sends the list of a customer', async () => {
  const days = [1, 8]
  const practice = await openPractice(site, {}, { days, from: '09:00', to: '12:00' })
  const customer = {
    name: 'Ada Byron',
    email: `ada-${practice.uuid}@example.org`,
    note: 'Needs the lift.',
    language: 'de',
  }
  const { body: ada } = await consoleCall(app, 'POST', `/providers/${practice.uuid}/customers`, customer)
  const booked = await consoleCall(app, 'POST', `/providers/${practice.uuid}/appointments?sendMails=false`, {
    resourceUuid: practice.resourceUuid,
    productUuid: practice.productUuid,
    start: `${dayIn(1)}T10:00`,
    end: `${dayIn(1)}T10:30`,
    notes: 'Bring the X-rays.',
    customerUuid: ada.uuid,
  })
  const { page, problems } = await open(
    `/calendar?day=${dayIn(1)}&appointment=${booked.body.uuid}`,
    practice.owner,
  )
  await page.getByText('Needs the lift.').waitFor()
  await soon(() => page.getByLabel('Notes (for staff)').inputValue()).toBe('Bring the X-rays.')
  await screenshot(page, 'panel-notes', false)
  for (const size of [{ width: 390, height: 844 }, smallDesk]) {
    await page.setViewportSize(size)
    const notes = (await page.getByLabel('Notes (for staff)').boundingBox())!
    expect(notes.y + notes.height).toBeLessThan(size.height)
    // One row of buttons on a desk, and two on a phone.
    const rows = await page
      .locator('.panel .main-actions .button')
      .evaluateAll(all => new Set(all.map(one => one.getBoundingClientRect().top)).size)
    expect(rows).toBe(size === smallDesk ? 1 : 2)
  }
  // By keyboard: Escape closes the menu only.
  await page.locator('.panel .more > .button').focus()
  await page.keyboard.press('Enter')
  const names = () => page.getByRole('menuitem').allTextContents()
  await soon(names).toEqual(['Swap…', 'Add customer…', 'Arrived'])
  await page.keyboard.press('Escape')
  await soon(() => page.evaluate(() => document.activeElement!.textContent)).toBe('Actions')
  await button(page, 'Next appointment…').click()
  const dialog = page.getByRole('dialog', { name: 'Next appointment' })
  await dialog.getByText('Ada Byron').first().waitFor()
  expect(await dialog.getByLabel('Day', { exact: true }).inputValue()).toBe(dayIn(8))
  expect(await dialog.getByLabel('From', { exact: true }).inputValue()).toBe('10:00')
  const notify = dialog.getByLabel('Notify by email')
  if (await notify.isChecked()) await notify.uncheck()
  await expectNoBarriers(page)
  await screenshot(page, 'next-appointment', false)
  await dialog.getByRole('button', { name: 'Book', exact: true }).click()
  const history = async () =>
    (await consoleCall(app, 'GET', `/customers/${ada.uuid}`)).body.history.map((one: { start: string }) =>
      one.start.slice(0, 10),
    )
  await soon(history).toEqual([dayIn(8), dayIn(1)])

  // By keyboard: the first open time of the day, half an hour later, booked.
  await page.goto(`${site.origin}/console/calendar?day=${dayIn(1)}`)
  const cursor = page.locator('.slot-cursor')
  await cursor.waitFor({ state: 'attached' })
  await page.keyboard.press('f')
  await soon(() => cursor.evaluate(one => one === document.activeElement)).toBe(true)
  expect(await cursor.getAttribute('aria-label')).toContain('09:00')
  await page.keyboard.press('ArrowDown')
  expect(await cursor.getAttribute('aria-label')).toContain('09:30')
  // It is drawn half an hour above the booking at ten.
  const topOf = async (one: Locator) => (await one.boundingBox())!.y
  expect(await topOf(page.locator('.ec-event').first())).toBeCloseTo((await topOf(cursor)) + 38, -1)
  await screenshot(page, 'slot-cursor', false)
  await page.keyboard.press('Enter')
  // A small form at that time, as long as the service. What is typed there goes along to the dialog with everything.
  await page
    .getByRole('dialog', { name: /09:30 – / })
    .getByLabel('Customer')
    .fill('Ada')
  await expectNoBarriers(page, 'dialog')
  await button(page, 'More options…').click()
  await soon(() => page.getByRole('dialog').getByLabel('Customer').inputValue()).toBe('Ada')
  await page.getByRole('dialog').getByLabel('From', { exact: true }).waitFor()
  expect(await page.getByRole('dialog').getByLabel('From', { exact: true }).inputValue()).toBe('09:30')
  await page.keyboard.press('Escape')
  await button(page, 'Discard').click()

  await page.goto(`${site.origin}/console/customers/${ada.uuid}`)
  await button(page, 'Print or send…').click()
  const list = page.frameLocator('iframe')
  await list.getByText('Ihre nächsten Termine').first().waitFor()
  await screenshot(page, 'customer-list', false)
  await expectNoBarriers(page)
  await press(page, 'Send by email')
  await page.locator('.toast').getByText(`List sent to ${customer.email}.`).waitFor()
  const [mail, ...others] = await mailsTo(site.holdfast, customer.email)
  expect([mail!.kind, others.length]).toEqual(['reminder', 0])
  const text = mail!.text
  expect(text).toContain('Ihre 2 Termine')
  // Another one, a week after the last.
  await button(page, 'Next appointment…').click()
  await page.getByRole('dialog', { name: 'Next appointment' }).getByLabel('Day', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  expect(text.match(/\/booked\/|\/confirmation\/|https?:\/\//g)?.length).toBeGreaterThanOrEqual(2)
  expect(problems).toEqual([])
})
