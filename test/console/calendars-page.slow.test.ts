// External calendars in the console, in a browser.

import { afterAll, beforeEach, expect, it } from 'vitest'
import { screenshot } from '../support/browser.ts'
import { makeAppointment, type Practice } from '../support/build.ts'
import { calendarWith, startCalendarServer } from '../support/calendar-server.ts'
import { consolePage } from '../support/console-page.ts'
import { startRadicale } from '../support/radicale.ts'
import { eventually, runJobs } from '../support/service.ts'
import { dayIn, expectNoBarriers, openPractice, useSite } from '../support/widget.ts'

let practice: Practice
const site = await useSite({ WEBHOOK_ALLOW_PRIVATE: '1' })
const server = await startCalendarServer()
const radicale = await startRadicale()
afterAll(() => Promise.all([server.close(), radicale.close()]))
beforeEach(async () => {
  practice = await openPractice(site)
})

const sizes = [
  ['375', { viewport: { width: 375, height: 740 } }],
  ['1280-dark', { colorScheme: 'dark' }],
] as const

it.each(sizes)(
  'connects a calendar after a test, and shows its state and conflicts: %s',
  async (size, options) => {
    runJobs(site.holdfast)
    const start = Date.parse(`${dayIn(3)}T10:00:00Z`)
    await makeAppointment(site.holdfast.crm, practice, {
      start: new Date(start).toISOString(),
      end: new Date(start + 1_800_000).toISOString(),
    })
    const address = server.serve(
      `/${size}.ics`,
      calendarWith([{ from: start, to: start + 3_600_000 }]).replace(
        'END:VCALENDAR',
        `BEGIN:VEVENT\r\nUID:whole\r\nDTSTART;VALUE=DATE:${dayIn(4).replaceAll('-', '')}\r\nEND:VEVENT\r\nEND:VCALENDAR`,
      ),
    )
    const { page, problems } = await consolePage(site, practice.owner, '/offers/calendars', options)
    await page.getByText('No calendars connected yet').waitFor()
    await page.getByRole('button', { name: 'Connect calendar' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Address').fill(`${server.url}/none.ics`)
    await dialog.getByRole('button', { name: 'Test' }).click()
    await dialog.getByText('There is no calendar at this address.').waitFor()
    await dialog.getByLabel('Address').fill(address)
    await dialog.getByRole('button', { name: 'Test' }).click()
    await dialog.getByText('Works: 2 busy times in the next week.').waitFor()
    await screenshot(page, `calendars-connect-${size}`)
    await expectNoBarriers(page)
    await dialog.getByLabel('Name (optional)').fill('Ann, private')
    await dialog.getByRole('button', { name: 'Connect calendar' }).click()
    await page.getByText('Up to date').waitFor()
    await page.getByText('1 appointment is booked while a calendar is busy:').waitFor()
    await screenshot(page, `calendars-${size}`)
    await expectNoBarriers(page)
    for (const view of ['day', 'week', 'month', 'list']) {
      await page.goto(`${site.origin}/console/calendar?view=${view}&day=${dayIn(view === 'day' ? 3 : 4)}`)
      await page.getByText('Busy').first().waitFor()
      await screenshot(page, `calendars-busy-${view}-${size}`, false)
    }
    await page.goto(`${site.origin}/console/offers/calendars`)
    await page.getByRole('button', { name: /^Pause/ }).click()
    await page.getByText('Paused').waitFor()
    await page.getByRole('button', { name: /^Resume/ }).click()
    await page.getByText('Up to date').waitFor()
    await page.getByRole('button', { name: /^Edit/ }).click()
    await dialog.getByLabel('Name (optional)').fill('Ann, home')
    await dialog.getByText(/Leave blank to keep the address at 127.0.0.1/).waitFor()
    await expectNoBarriers(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Ann, home').waitFor()
    await page.getByText('Up to date').waitFor()
    await page.getByRole('button', { name: /^Remove/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No calendars connected yet').waitFor()
    expect(problems).toEqual([])
  },
)

// One size in a usual run; the others are looked at.
it.each(process.env.SCREENSHOTS ? sizes : sizes.slice(0, 1))(
  'writes bookings to a CalDAV calendar, and again after a change there: %s',
  async (size, options) => {
    runJobs(site.holdfast)
    const work = await radicale.makeCalendar(`Work${size}`)
    const birthdays = await radicale.makeCalendar(`Birthdays${size}`)
    const start = Date.parse(`${dayIn(3)}T10:00:00Z`)
    await makeAppointment(site.holdfast.crm, practice, {
      start: new Date(start).toISOString(),
      end: new Date(start + 1_800_000).toISOString(),
    })
    const { page, problems } = await consolePage(site, practice.owner, '/offers/calendars/new', options)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Type').selectOption('caldav')
    await dialog.getByLabel('Address').fill(radicale.url)
    await dialog.getByLabel('User name').fill('ann')
    await dialog.getByLabel('App password').fill('app-password')
    await dialog.getByRole('button', { name: 'Test' }).click()
    await dialog.getByText(/Found \d calendars; \d busy times in the next week./).waitFor()
    await dialog.getByLabel(`Birthdays${size}`).uncheck()
    await dialog.getByLabel('Name (optional)').fill('Ann, work')
    await screenshot(page, `calendars-caldav-${size}`)
    await expectNoBarriers(page)
    await dialog.getByRole('button', { name: 'Connect calendar' }).click()
    await page.getByText('Ann, work').waitFor()
    await page.getByText('Up to date').waitFor()

    // The mirror is switched on later, without the address or password.
    await page.getByRole('button', { name: /^Edit/ }).click()
    await dialog.getByText(/Found \d calendars/).waitFor()
    await dialog.getByLabel('Write bookings to').selectOption(`Work${size}`)
    await dialog.getByLabel('Name customer and service').check()
    await screenshot(page, `calendars-edit-${size}`)
    await expectNoBarriers(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Bookings are in the calendar.').waitFor()
    const rows = await site.holdfast.query(
      `select calendars, path from calendar_source join calendar_mirror on source_id = calendar_source.id
     where name = 'Ann, work' and calendar_source.resource_id = (select id from resource where uuid = $1)`,
      [practice.resourceUuid],
    )
    expect(rows[0].path).toBe(work)
    expect(rows[0].calendars).not.toContain(birthdays)

    const [name] = await radicale.namesIn(work)
    await radicale.send('DELETE', work + name)
    await site.holdfast.query(`update calendar_mirror set look_at = now()`)
    const notice = page.getByText('1 booking was changed or deleted in the calendar')
    await eventually(async () => {
      await page.reload()
      return notice.isVisible()
    })
    await screenshot(page, `calendars-notice-${size}`)
    await expectNoBarriers(page)
    await page.getByRole('button', { name: /^Write again/ }).click()
    await notice.waitFor({ state: 'detached' })
    await eventually(async () => (await radicale.namesIn(work)).length === 1)
    expect(problems).toEqual([])
  },
)
