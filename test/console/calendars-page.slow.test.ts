// External calendars in the console, in a browser.

import { afterAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { inviteStaff } from '../../src/actions/console/login.ts'
import { screenshot, visitAfresh } from '../support/browser.ts'
import { makeAppointment, type Practice } from '../support/build.ts'
import { calendarWith, startCalendarServer } from '../support/calendar-server.ts'
import { startRadicale } from '../support/radicale.ts'
import { runJobs } from '../support/service.ts'
import { dayIn, expectNoBarriers, openPractice, useSite } from '../support/widget.ts'

let practice: Practice
const site = await useSite({ WEBHOOK_ALLOW_PRIVATE: '1' })
const server = await startCalendarServer()
afterAll(() => server.close())
beforeEach(async () => {
  practice = await openPractice(site)
})

const sizes = [
  ['1280', {}],
  ['375', { viewport: { width: 375, height: 740 } }],
  ['1280-dark', { colorScheme: 'dark' }],
] as const

it.each(sizes)(
  'connects a calendar after a test, and shows its state and conflicts: %s',
  async (size, options) => {
    runJobs(site.test)
    const start = Date.parse(`${dayIn(3)}T10:00:00Z`)
    await makeAppointment(site.test.crm, practice, {
      start: new Date(start).toISOString(),
      end: new Date(start + 1_800_000).toISOString(),
    })
    const address = server.serve(`/${size}.ics`, calendarWith([{ from: start, to: start + 3_600_000 }]))
    const link = await inviteStaff(site.test.service, 'crm', practice.owner)
    const { page, problems } = await visitAfresh(site.browser, link, options)
    await page.getByRole('button').first().click()
    await page.waitForURL(/\/console\/?$/)
    await page.goto(`${site.origin}/console/offers/calendars`)
    await page.getByText('No calendars connected yet').waitFor()
    await page.getByRole('button', { name: 'Connect calendar' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Address').fill(`${server.url}/none.ics`)
    await dialog.getByRole('button', { name: 'Test' }).click()
    await dialog.getByText('There is no calendar at this address.').waitFor()
    await dialog.getByLabel('Address').fill(address)
    await dialog.getByRole('button', { name: 'Test' }).click()
    await dialog.getByText('Works: 1 busy time in the next week.').waitFor()
    await screenshot(page, `calendars-connect-${size}`)
    await expectNoBarriers(page)
    await dialog.getByLabel('Name (optional)').fill('Ann, private')
    await dialog.getByRole('button', { name: 'Connect calendar' }).click()
    await page.getByText('Up to date').waitFor()
    await page.getByText('1 appointment is booked while a calendar is busy:').waitFor()
    await screenshot(page, `calendars-${size}`)
    await expectNoBarriers(page)
    await page.getByRole('button', { name: /^Pause/ }).click()
    await page.getByText('Paused').waitFor()
    await page.getByRole('button', { name: /^Resume/ }).click()
    await page.getByText('Up to date').waitFor()
    await page.getByRole('button', { name: /^Remove/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No calendars connected yet').waitFor()
    expect(problems).toEqual([])
  },
)

it('lists the calendars of a CalDAV account, and reads the selected ones', async () => {
  const radicale = await startRadicale()
  onTestFinished(() => radicale.close())
  await radicale.makeCalendar('Work')
  await radicale.makeCalendar('Birthdays')
  const link = await inviteStaff(site.test.service, 'crm', practice.owner)
  const { page } = await visitAfresh(site.browser, link)
  await page.getByRole('button').first().click()
  await page.waitForURL(/\/console\/?$/)
  await page.goto(`${site.origin}/console/offers/calendars/new`)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Type').selectOption('caldav')
  await dialog.getByLabel('Address').fill(radicale.url)
  await dialog.getByLabel('User name').fill('ann')
  await dialog.getByLabel('App password').fill('app-password')
  await dialog.getByRole('button', { name: 'Test' }).click()
  await dialog.getByText('Found 2 calendars; 0 busy times in the next week.').waitFor()
  await dialog.getByLabel('Birthdays').uncheck()
  await dialog.getByLabel('Name (optional)').fill('Work only')
  await screenshot(page, 'calendars-caldav')
  await expectNoBarriers(page)
  await dialog.getByRole('button', { name: 'Connect calendar' }).click()
  await page.getByText('Work only').waitFor()
  const { rows } = await site.test.service.db.pool.query(
    `select calendars from calendar_source where name = 'Work only'`,
  )
  expect(rows).toEqual([{ calendars: ['/ann/work/'] }])
})
