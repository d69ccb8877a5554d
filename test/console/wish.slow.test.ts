// A receptionist finds a time by wish, and settles the day of a colleague who is ill.

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { makeAppointment, makeCustomer, makeRoom, setProduct, unique } from '../support/build.ts'
import { consolePage } from '../support/console-page.ts'
import { consoleCall } from '../support/service.ts'
import { addTimes, dayIn, openPractice, useSite } from '../support/widget.ts'

const site = await useSite()

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const toast = (page: Page, text: string) => page.locator('.toast', { hasText: text })
const weekdayOf = (day: string) =>
  new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'UTC' }).format(Date.parse(day))
/** For looking at the screens: `PICTURES=folder`. */
const picture = async (page: Page, name: string) => {
  const folder = process.env.PICTURES
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

it('finds times by wish when booking and moving, and spreads the day of a colleague who is ill', async () => {
  const [first, second] = [dayIn(1), dayIn(2)]
  const hours = { days: [1, 2], from: '08:00', to: '19:00' }
  const practice = await openPractice(site, {}, hours)
  await setProduct(site.holdfast, practice.productUuid, { minDuration: 30, maxDuration: 30 })
  const emma = await makeRoom(site.holdfast.crm, practice, { internalName: 'Emma' })
  const tom = await makeRoom(site.holdfast.crm, practice, { internalName: 'Tom' })
  for (const place of [emma, tom])
    for (const day of [first, second])
      await addTimes(site, place, day, '08:00', '19:00', { defaultAcceptBookings: place === emma })
  const book = (start: string, end: string, name: string, at = practice) =>
    makeAppointment(site.holdfast.crm, at, {
      start: `${first}T${start}`,
      end: `${first}T${end}`,
      capacity: 1,
      participations: [
        {
          reference: unique('p'),
          name,
          email: `${unique('w').split('@')[0]}@example.org`,
          mobile: '+49 170 1234567',
          state: 'BOOKED',
        },
      ],
    })
  await book('09:00', '09:30', 'Ann Early')
  await book('10:00', '10:30', 'Ben Later')
  await book('11:00', '11:30', 'Cleo Last')
  await book('12:00', '12:30', 'Dan Noon')
  for (const place of [emma, tom]) await book('12:00', '12:30', 'In The Way', place)
  const { customerReference } = await makeCustomer(site.holdfast.crm, practice, { userName: 'Wanda Wish' })
  const { body } = await consoleCall(site.holdfast.app, 'GET', `/providers/${practice.uuid}/customers`)
  const { uuid } = body.customers.find((one: { reference: string }) => one.reference === customerReference)
  const { page } = await consolePage(site, practice.owner, `/customers/${uuid}`, {
    ...(process.env.PHONE ? { viewport: { width: 390, height: 844 } } : {}),
    ...(process.env.DARK ? { colorScheme: 'dark' as const } : {}),
  })
  await page.getByRole('button', { name: 'Book' }).click()
  const booking = dialog(page, 'Book an appointment')
  await booking.getByRole('button', { name: 'Find a time…' }).click()
  await booking.getByRole('button', { name: weekdayOf(second), exact: true }).click()
  await booking.getByLabel('Not before').fill('17:00')
  await booking.getByLabel('Minutes').fill('45')
  const found = booking.getByRole('group', { name: 'Available times' }).last()
  await found.getByText('Not online: Planned, or for staff only.').waitFor()
  await picture(page, 'wish-book')
  await found.getByRole('button', { name: /17:00, Emma$/ }).click()
  await booking.locator('.in-words', { hasText: '17:00 – 17:45' }).getByText('Emma').waitFor()
  // Others have the same time.
  expect(await found.getByRole('button', { pressed: true }).count()).toBe(1)
  await booking.getByLabel('Notify by email').uncheck()
  expect(await booking.getByLabel('From', { exact: true }).inputValue()).toBe('17:00')
  expect(await booking.getByLabel('To', { exact: true }).inputValue()).toBe('17:45')
  await booking.getByRole('button', { name: 'Book', exact: true }).click()
  await toast(page, 'Emma').waitFor()

  await page.goto(`${site.origin}/console/?day=${second}`)
  await page.getByText('Wanda Wish').first().click()
  await page.getByRole('button', { name: 'Move…' }).click()
  const moving = dialog(page, 'Move this appointment')
  await moving.getByRole('button', { name: 'Find a time…' }).click()
  await moving.getByLabel('Not before').fill('18:00')
  await moving.getByLabel('With').selectOption({ label: 'Tom' })
  await moving
    .getByRole('button', { name: /18:00, Tom$/ })
    .last()
    .click()
  await moving.getByLabel('Notify by email').uncheck()
  await moving.getByRole('button', { name: 'Move without notifying' }).click()
  await toast(page, 'Moved.').waitFor()

  await page.goto(`${site.origin}/console/?day=${first}`)
  await page.getByRole('button', { name: 'Absence…' }).click()
  const absence = dialog(page, 'Someone is absent')
  await absence.getByLabel('Who is absent?').selectOption({ label: 'R1' })
  await absence.getByText('Free colleagues for 3 of 4: 2 Emma, 1 Tom').waitFor()
  await absence.getByText('1 appointment stays with R1.').waitFor()
  expect(await absence.getByText('No colleague is free at this time.').count()).toBe(1)
  await absence.getByLabel('What happens to Cleo Last').selectOption({ label: 'Cancel' })
  await absence.getByLabel('What happens to Dan Noon').selectOption({ label: 'Another time' })
  await absence.getByText('Choose a time for 1 appointment.').waitFor()
  await absence
    .getByRole('button', { name: /more: Tom$/ })
    .first()
    .click()
  await absence
    .getByRole('button', { name: /13:00, Tom$/ })
    .first()
    .click()
  await absence.getByLabel('Notify by email').uncheck()
  await picture(page, 'absence')
  // Another booking takes the colleague before the confirmation.
  const line = absence.getByLabel('What happens to Ann Early')
  const colleague = (await line.locator('option:checked').textContent())!.includes('Emma') ? emma : tom
  await book('09:00', '09:30', 'Quick Rival', colleague)
  await absence.getByRole('button', { name: 'Confirm 4 changes' }).click()
  const results = dialog(page, 'Result')
  await results.getByText('Not changed: this time has been taken since.').waitFor()
  await results.getByText(/Moved: Tom · .*13:00/).waitFor()
  // Without an email all four have to be called; what failed can be planned again.
  expect(await results.getByRole('link', { name: '+49 170 1234567' }).count()).toBe(4)
  await results.getByRole('button', { name: 'Plan the rest' }).waitFor()
  await picture(page, 'absence-results')
  await toast(page, '2 moved, 1 cancelled.').getByRole('button', { name: 'Undo' }).click()
  await toast(page, 'Restored.').waitFor()
  const diary = await consoleCall(site.holdfast.app, 'GET', `/providers/${practice.uuid}/diary?from=${first}`)
  const own = diary.body.entries.filter((one: { resource: { name: string } }) => one.resource.name === 'R1')
  expect(own.map((one: { state: string }) => one.state)).toEqual(Array(4).fill('ACTIVE'))
  const blocks = await consoleCall(site.holdfast.app, 'GET', `/resources/${practice.resourceUuid}/blocks`)
  expect(blocks.body.blocks).toEqual([])
}, 120_000)
