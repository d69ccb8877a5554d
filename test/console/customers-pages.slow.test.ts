// Customers in a browser: found while typing, with who came and who did not, changed, erased after a look.

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { screenshot } from '../support/browser.ts'
import { makeAppointment, type Practice } from '../support/build.ts'
import { consolePage } from '../support/console-page.ts'
import { expectNoBarriers, openPractice, soon, useSite } from '../support/widget.ts'

const site = await useSite()

/** Ann was expected yesterday and did not come. */
async function withHistory(): Promise<Practice> {
  const practice = await openPractice(site)
  const { crm } = site.holdfast
  const customer = {
    customerReference: `ann-${practice.reference}`,
    providerReference: practice.reference,
    userName: 'Ann Winter',
    email: 'ann@example.org',
  }
  const twin = { ...customer, customerReference: `zoe-${practice.reference}`, userName: 'Zoe Summer' }
  for (const one of [customer, twin])
    expect((await crm.post(`${practice.path}/customers`, one)).status).toBe(201)
  const field = { key: 'allergies', type: 'text', label: { en: 'Allergies' }, subject: 'customer' }
  expect((await crm.post(`${practice.path}/questions`, field)).status).toBe(201)
  const yesterday = Temporal.Now.plainDateISO('Europe/Berlin').subtract({ days: 1 })
  const { reference } = await makeAppointment(crm, practice, {
    capacity: 1,
    start: `${yesterday}T10:00`,
    end: `${yesterday}T10:30`,
  })
  const participation = {
    reference: `ann-${reference}`,
    appointmentReference: reference,
    customerReference: customer.customerReference,
    state: 'BOOKED',
  }
  expect((await crm.post(`${practice.path}/participations`, participation)).status).toBe(201)
  const path = `${practice.path}/participations/${encodeURIComponent(participation.reference)}`
  expect((await crm.post(`${path}/attendance`, { attendance: 'MISSED' })).status).toBe(200)
  return practice
}

/** From the duplicates to the customer, with the keyboard; undone there. Ends on Ann's page. */
async function mergeAndUndo(page: Page) {
  await page.getByRole('link', { name: /^Merge / }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Merge customers' }).waitFor()
  await page.getByRole('radio', { name: /Zoe Summer 0 bookings/ }).waitFor()
  await page.getByRole('radio', { name: /^Ann Winter/ }).check()
  await page.getByText('No bookings. Only the details are merged.').waitFor()
  await page.getByRole('radio', { name: /^Zoe Summer/ }).focus()
  await page.keyboard.press('Space')
  await page.getByText('1 booking').last().waitFor()
  await page.getByRole('radio', { name: 'Name: Ann Winter' }).focus()
  await page.keyboard.press('Space')
  await soon(() => page.getByRole('heading', { name: 'What moves to Zoe Summer' }).count()).toBe(1)
  await expectNoBarriers(page)
  await screenshot(page, `merge-${page.viewportSize()!.width}`)
  const merge = page.getByRole('button', { name: 'Merge', exact: true })
  await soon(() => merge.isEnabled()).toBe(true)
  await merge.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Ann Winter', level: 1 }).waitFor()
  await page.getByText(/Merged with Ann Winter on .* undo this until/).waitFor()
  await page.getByText('Rings twice.').waitFor()
  await expectNoBarriers(page)
  await screenshot(page, `merged-${page.viewportSize()!.width}`, false)
  await page.getByRole('button', { name: 'Undo merge with Ann Winter' }).click()
  await page.getByRole('heading', { name: 'Zoe Summer', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Merge with…' }).click()
  await page.getByRole('searchbox').last().fill('winter')
  await page.getByRole('dialog').getByRole('link', { name: 'Ann Winter' }).click()
  await page.getByRole('heading', { name: 'Merge customers' }).waitFor()
  await page.goto(`${site.origin}/console/customers?search=winter`)
  await page.getByRole('link', { name: 'Ann Winter' }).click()
  await page.getByText('Rings twice.').waitFor()
}

it.each([
  ['1280 px, light', { viewport: { width: 1280, height: 900 } }],
  ['390 px, dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
] as const)('at %s', async (_, options) => {
  const practice = await withHistory()
  const { page, problems } = await consolePage(site, practice.owner, '/customers', options)
  await page.getByRole('searchbox').fill('wint')
  await page.getByRole('link', { name: 'Ann Winter' }).waitFor()
  await expectNoBarriers(page)
  await page.getByRole('link', { name: 'Ann Winter' }).click()
  await page.locator('.chip', { hasText: 'no-show' }).waitFor()
  await expectNoBarriers(page)
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Note').fill('Rings twice.')
  await page.getByLabel('Date of birth').fill('1980-05-01')
  await page.getByText('Address, insurance and more').click()
  await page.getByLabel('Tags').fill('VIP, Knee')
  await page.getByLabel('Allergies').fill('Nuts')
  await page.getByLabel('City').fill('Köln')
  await expectNoBarriers(page)
  await screenshot(page, 'customer-form', false)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Rings twice.').waitFor()
  await page.getByText('Nuts').waitFor()
  await expectNoBarriers(page)
  await screenshot(page, 'customer', false)
  await page.getByRole('link', { name: 'Knee' }).click()
  await page.getByRole('link', { name: 'Zoe Summer' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Ann Winter' }).waitFor()
  await screenshot(page, 'customers-by-tag', false)
  await page.getByRole('link', { name: 'Find duplicates' }).click()
  await page.locator('.chip', { hasText: 'Same email' }).waitFor()
  await expectNoBarriers(page)
  await screenshot(page, 'duplicates', false)
  await page.getByRole('button', { name: /^Not the same person/ }).click()
  await page.getByText('No duplicates found.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.locator('.chip', { hasText: 'Same email' }).waitFor()
  await mergeAndUndo(page)
  const saved = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export as PDF' }).click()
  expect((await saved).suggestedFilename()).toMatch(/\.pdf$/)
  await page.getByRole('button', { name: /^Erase/ }).click()
  await page
    .locator('dialog')
    .getByText(/1 booking/)
    .waitFor()
  await page
    .locator('dialog')
    .getByRole('button', { name: /^Erase/ })
    .click()
  await page.waitForURL(/\/console\/customers$/)
  await soon(() => page.getByRole('link', { name: 'Ann Winter' }).count()).toBe(0)
  expect(problems).toEqual([])
})

it('sorts the list by its heads, which keep the focus, and on a phone by a field', async () => {
  const practice = await withHistory()
  const { page, problems } = await consolePage(site, practice.owner, '/customers')
  const names = () => page.locator('tbody th a').allTextContents()
  const head = page.getByRole('columnheader', { name: 'Name' })
  await soon(names).toEqual(['Zoe Summer', 'Ann Winter'])
  await head.getByRole('button').focus()
  await page.keyboard.press('Enter')
  await soon(names).toEqual(['Ann Winter', 'Zoe Summer'])
  expect(await head.getAttribute('aria-sort')).toBe('ascending')
  await expectNoBarriers(page)
  await page.keyboard.press('Enter')
  await soon(names).toEqual(['Zoe Summer', 'Ann Winter'])
  expect(await head.getAttribute('aria-sort')).toBe('descending')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.reload()
  await page.getByLabel('Sort by').selectOption('Name, A to Z')
  await soon(names).toEqual(['Ann Winter', 'Zoe Summer'])
  await expectNoBarriers(page)
  expect(problems).toEqual([])
})

it('says so if there are more than it shows', async () => {
  const practice = await openPractice(site)
  const add = (index: number) =>
    site.holdfast.crm.post(`${practice.path}/customers`, {
      customerReference: `${index}-${practice.reference}`,
      providerReference: practice.reference,
      userName: `Ann Winter ${index}`,
    })
  for (const index of Array.from({ length: 51 }).keys()) expect((await add(index)).status).toBe(201)
  const { page } = await consolePage(site, practice.owner, '/customers')
  await page.getByText('Showing the newest 50.').waitFor()
  const rows = page.getByRole('row').filter({ hasText: 'Ann Winter' })
  expect(await rows.count()).toBe(50)
  await page.getByRole('button', { name: 'Show more' }).click()
  await soon(() => rows.count()).toBe(51)
  expect(await page.getByText(/Showing the/).count()).toBe(0)
  // The button is gone: the keyboard goes on with the first new row.
  await soon(() =>
    rows
      .nth(50)
      .getByRole('link')
      .evaluate(link => link === document.activeElement),
  ).toBe(true)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Ann Winter' }).waitFor()
  await page.goBack()
  await soon(() => rows.count()).toBe(51)
  await page.getByRole('searchbox').fill('wint')
  await page.getByText('Showing the first 50.').waitFor()
  await page.getByRole('searchbox').fill('winter 49')
  await page.getByText(/Showing the/).waitFor({ state: 'detached' })
})
