// Visitors book several places of a class, with and without JavaScript; a receptionist runs the class.

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { visitAfresh } from '../support/browser.ts'
import { type Practice, setProduct } from '../support/build.ts'
import { consolePage } from '../support/console-page.ts'
import { mailsTo } from '../support/mailbox.ts'
import { call, consoleCall } from '../support/service.ts'
import {
  bookPage,
  dayIn,
  expectNoBarriers,
  fillForm,
  openPractice,
  time,
  useSite,
} from '../support/widget.ts'

const site = await useSite()
const tomorrow = dayIn(1)

const options = {
  ...(process.env.PHONE ? { viewport: { width: 390, height: 844 } } : {}),
  ...(process.env.DARK ? { colorScheme: 'dark' as const } : {}),
}
/** For looking at the screens: `PICTURES=folder`. */
const picture = async (page: Page, name: string) => {
  const folder = process.env.PICTURES
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}
const toast = (page: Page, text: string) => page.locator('.toast', { hasText: text })
const kindsTo = async (email: string) => (await mailsTo(site.holdfast, email)).map(mail => mail.kind)

/** Three places, one name forgotten at first. */
async function bookInWidget(practice: Practice) {
  const { page, problems } = await visitAfresh(site.browser, bookPage(site, practice), options)
  await time(page, /^9:00|^09:00/).click()
  await page.getByLabel('Number of places').selectOption('3')
  await fillForm(page)
  await page.getByLabel('Name of person 1').fill('Ann Winter')
  await page.getByLabel('Name of person 2').fill('Mia Winter')
  await expectNoBarriers(page)
  await page.getByRole('button', { name: 'Book now' }).click()
  await page.getByRole('button', { name: 'Name of person 3: Enter a name.' }).click()
  await page.keyboard.type('Tom Winter')
  await picture(page, 'widget-form')
  await page.getByRole('button', { name: 'Book now' }).click()
  await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
  await page.getByText('3 places').waitFor()
  await picture(page, 'widget-done')
  expect(problems).toEqual([])
}

/** More places than are left at first; then one of two is given up again. */
async function bookWithoutScripts(practice: Practice) {
  const { page } = await visitAfresh(site.browser, bookPage(site, practice), {
    ...options,
    javaScriptEnabled: false,
  })
  await page.getByRole('button', { name: '09:00' }).first().click()
  await fillForm(page, { 'First name': 'Bob', 'Last name': 'Reed', Email: 'bob@example.org' })
  const book = () => page.getByRole('button', { name: 'Book now' }).click()
  await page.getByLabel('Number of places').selectOption('4')
  await page.getByLabel('Names, one per line').fill('Bob\nEve\nIda\nKim')
  await book()
  await page.getByText('There aren’t enough places left.').waitFor()
  await page.getByLabel('Number of places').selectOption('2')
  await page.getByLabel('Names, one per line').fill('Bob')
  await book()
  await page.getByText('Enter 2 names, one per line.').waitFor()
  await picture(page, 'plain-form')
  await page.getByLabel('Names, one per line').fill('Bob\nEve')
  await book()
  await page.getByText('2 (Bob, Eve)', { exact: true }).waitFor()
  await picture(page, 'plain-done')
  await page.getByRole('link', { name: 'Cancel appointment' }).click()
  await page.getByLabel('Bob', { exact: true }).check()
  await page.getByText('The other places will be cancelled.').waitFor()
  await picture(page, 'plain-cancel')
  await page.getByLabel('Message').fill('Eve is ill.')
  await page.getByRole('button', { name: 'Cancel appointment' }).click()
  await page.getByRole('heading', { name: 'Your booking has changed' }).waitFor()
  expect(await page.getByText('Eve').count()).toBe(0)
  expect(await kindsTo('bob@example.org')).toEqual(['booked', 'changed'])
}

async function openPanel(practice: Practice) {
  const diary = await consoleCall(
    site.holdfast.app,
    'GET',
    `/providers/${practice.uuid}/diary?from=${tomorrow}`,
  )
  const { page, problems } = await consolePage(
    site,
    practice.owner,
    `/?day=${tomorrow}&appointment=${diary.body.entries[0].uuid}`,
    options,
  )
  return { page, problems }
}

/** Sees who is in it, adds, changes, writes, ticks off and removes. */
async function runClass(practice: Practice) {
  const { page, problems } = await openPanel(practice)
  const panel = page.locator('dialog.panel')
  const dialog = (name: string | RegExp) => page.getByRole('dialog', { name })
  const line = (name: string) => panel.locator('li', { has: page.locator('strong', { hasText: name }) })
  await panel.getByText('4 of 6 places taken · 2 places left').waitFor()
  await line('Bob Reed').getByText('1 place · Bob').waitFor()
  await line('Ann Winter').getByText('3 places · Ann Winter, Mia Winter, Tom Winter').waitFor()
  await picture(page, 'panel')

  await panel.getByRole('button', { name: 'Add customer…' }).click()
  const adding = dialog('Add customer')
  await adding.getByLabel('Customer').fill('Cleo Young')
  await adding.getByRole('option', { name: /Cleo Young/ }).click()
  await adding.getByLabel('Places').fill('3')
  await adding.getByText('This appointment is full.').waitFor()
  await adding.getByLabel('Places').fill('2')
  await adding.getByText('This appointment is full.').waitFor({ state: 'detached' })
  await adding.getByLabel('Names (one per line)').fill('Cleo\nDora')
  await expectNoBarriers(page, 'dialog:not(.panel)')
  await picture(page, 'add')
  await adding.getByRole('button', { name: 'Add', exact: true }).click()
  await panel.getByText('6 of 6 places taken · full').waitFor()

  await line('Cleo Young').getByRole('button', { name: 'Change places…' }).click()
  const changing = dialog('Change places: Cleo Young')
  await changing.getByLabel('Places', { exact: true }).fill('1')
  await changing.getByLabel('Names (one per line)').fill('Cleo')
  await expectNoBarriers(page, 'dialog:not(.panel)')
  await picture(page, 'places')
  await changing.getByRole('button', { name: 'Save' }).click()
  await panel.getByText('5 of 6 places taken · 1 place left').waitFor()
  await toast(page, 'Places changed.').getByRole('button', { name: 'Undo' }).click()
  await panel.getByText('6 of 6 places taken · full').waitFor()

  await panel.getByRole('button', { name: 'Message all…' }).click()
  const message = dialog('Message all participants')
  await message.getByText('No email address: Cleo Young').waitFor()
  await message.getByLabel('Your message').fill('Bring a towel.')
  await expectNoBarriers(page, 'dialog:not(.panel)')
  await picture(page, 'message')
  await message.getByRole('button', { name: 'Send' }).click()
  await toast(page, '2 emails sent.').waitFor()
  expect((await mailsTo(site.holdfast, 'ann@example.org')).at(-1)).toMatchObject({
    kind: 'message',
    text: expect.stringContaining('Bring a towel.'),
  })

  await panel.getByRole('button', { name: 'Attendance…' }).click()
  const attendance = dialog('Attendance')
  await attendance.getByRole('button', { name: 'All arrived' }).click()
  await attendance.getByRole('group', { name: 'Bob Reed' }).getByLabel('No-show').check()
  await expectNoBarriers(page, 'dialog:not(.panel)')
  await picture(page, 'attendance')
  await attendance.getByRole('button', { name: 'Save' }).click()
  await toast(page, 'Attendance saved.').waitFor()
  const pressed = (name: string, mark: string) =>
    line(name).getByRole('button', { name: mark, pressed: true }).waitFor()
  await pressed('Ann Winter', 'Arrived')
  await pressed('Cleo Young', 'Arrived')
  await pressed('Bob Reed', 'No-show')

  await line('Bob Reed').getByRole('button', { name: 'Cancel booking…' }).click()
  await dialog(/Cancel Bob Reed/)
    .getByRole('button', { name: 'Cancel booking' })
    .click()
  await panel.getByText('5 of 6 places taken · 1 place left').waitFor()
  await line('Bob Reed').getByText('cancelled').waitFor()
  await picture(page, 'panel-after')
  expect(await kindsTo('bob@example.org')).toEqual(['booked', 'changed', 'message', 'cancelled'])
  expect(problems).toEqual([])
}

it('takes bookings of several places, and one panel to work with everyone in a class', async () => {
  const practice = await openPractice(site, {}, { days: [1], to: '12:00', defaultCapacity: 6 })
  await setProduct(site.holdfast, practice.productUuid, { maxPlaces: 4, placeNamesRequired: true })
  await bookInWidget(practice)
  await bookWithoutScripts(practice)
  const notices = await mailsTo(site.holdfast, 'hello@example.org')
  expect(notices.map(mail => mail.kind)).toEqual(['booking-notice', 'booking-notice', 'change-notice'])
  expect(notices.at(-1)!.text).toMatch(/Places: 1 \(previously: 2\)[\s\S]*Eve is ill\./)
  await runClass(practice)
  const feed = await site.holdfast.crm.post(`${practice.path}/calendars`, { names: true })
  const { text } = await call(site.holdfast.app, 'GET', new URL(feed.body.url).pathname)
  expect(text).toContain('Ann Winter (3 places) – ')
})
