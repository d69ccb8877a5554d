// The setup on slow and broken lines, with Back and reloads, and beside changes that are made elsewhere.

import type { Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { inviteAdministrator } from '../../src/actions/console/login.ts'
import { visitAfresh } from '../support/browser.ts'
import { soon, useSite } from '../support/widget.ts'

const site = await useSite()
beforeEach(async () => {
  await site.holdfast.query('truncate crm cascade')
  await site.holdfast.query(`insert into crm (name) values ('clinic')`)
})

const next = (page: Page) => page.getByRole('button', { name: 'Continue' })
const headings = {
  service: 'What can people book?',
  team: 'Who can be booked, and where?',
  hours: 'When are you open?',
  look: 'Make it yours',
}
const isAt = (page: Page, step: keyof typeof headings) =>
  page.getByRole('heading', { name: headings[step] }).waitFor()

/** Holds such requests back until the returned function is called. */
async function holdBack(page: Page, method: string, address: RegExp) {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(address, async route => {
    if (route.request().method() === method) await promise
    await route.continue()
  })
  return resolve
}

const businesses = () => site.holdfast.query('select name from provider')
async function openNew() {
  const link = await inviteAdministrator(site.holdfast.service, 'clinic', 'ada@clinic.test', 'Ada Admin')
  const { page } = await visitAfresh(site.browser, link, { viewport: { width: 1280, height: 900 } })
  await page.getByRole('button').first().click()
  await page.getByRole('button', { name: 'Set up your business' }).click()
  await page.getByLabel('Business name').fill('Clinic')
  return page
}

async function openServices() {
  const page = await openNew()
  await next(page).click()
  await isAt(page, 'service')
  await page.getByLabel('Name').fill('Massage')
  return page
}

it('makes one business, however often Continue is pressed', async () => {
  const page = await openNew()
  await page.getByLabel('Phone for customers').fill('+49 30 1234567')
  const release = await holdBack(page, 'PATCH', /console\/api\/providers\/[^/]+$/)
  await next(page).click()
  await soon(async () => (await businesses()).length).toBe(1)
  await soon(() => next(page).getAttribute('aria-busy')).toBe('true')
  await next(page).click()
  await page.getByLabel('Business name').press('Enter')
  release()
  await isAt(page, 'service')
  expect(await businesses()).toEqual([{ name: 'Clinic' }])
})

it('goes one step on, however often Continue is pressed', async () => {
  const page = await openServices()
  const release = await holdBack(page, 'GET', /providers\/[^/]+\/products$/)
  const asked = page.waitForRequest(one => one.method() === 'GET' && one.url().endsWith('/products'))
  await next(page).click()
  await asked
  await next(page).click()
  release()
  await isAt(page, 'team')
  await page.waitForLoadState('networkidle')
  await page.goBack()
  await isAt(page, 'service')
  await page.goBack()
  await page.getByRole('heading', { name: 'What is your business called?' }).waitFor()
})
