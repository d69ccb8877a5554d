// Small faults of the desk that were found by working in it.

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { screenshot } from '../support/browser.ts'
import { makeAppointment, unique } from '../support/build.ts'
import { consolePage } from '../support/console-page.ts'
import { consoleCall } from '../support/service.ts'
import { dayIn, expectNoBarriers, openPractice, soon, useSite } from '../support/widget.ts'

const site = await useSite()
const practice = await openPractice(site)
const tomorrow = dayIn(1)

const send = async (method: string, path: string, body?: object) =>
  (await consoleCall(site.holdfast.app, method, path, body)).body

async function at(path: string, options = {}): Promise<Page> {
  const { page } = await consolePage(site, practice.owner, path, options)
  return page
}

describe('public holidays', () => {
  it('are those of the next twelve months, of a region chosen by name', async () => {
    const page = await at('/offers/closures')
    await page.getByRole('button', { name: 'Public holidays' }).click()
    const dialog = page.getByRole('dialog')
    const list = dialog.getByRole('list').getByRole('listitem')
    await soon(() => list.count()).toBeGreaterThan(5)
    expect(await dialog.getByLabel('Period').locator('option:checked').textContent()).toBe('Next 12 months')
    const days = await list.allTextContents()
    const year = Number(tomorrow.slice(0, 4))
    expect(days.filter(one => one.includes('New Year') || one.includes('Neujahr'))).toHaveLength(1)
    expect(days.join()).toContain(String(year + 1))
    await dialog.getByLabel('Country').selectOption('CH')
    await dialog.getByRole('option', { name: 'Zürich' }).waitFor({ state: 'attached' })
    await dialog.getByLabel('State').selectOption('ZH')
    await screenshot(page, 'holidays', false)
    await dialog.getByLabel('Country').selectOption('GB')
    await dialog.getByRole('option', { name: 'Scotland' }).waitFor({ state: 'attached' })
  })
})

describe('a customer', () => {
  it('has no cancelled bookings among those to come', async () => {
    const customer = await send('POST', `/providers/${practice.uuid}/customers`, { name: 'Carla Canceled' })
    const body = {
      resourceUuid: practice.resourceUuid,
      productUuid: practice.productUuid,
      start: `${tomorrow}T09:00`,
      end: `${tomorrow}T10:00`,
      customerUuid: customer.uuid,
    }
    const { uuid } = await send('POST', `/providers/${practice.uuid}/appointments?ignoreConflicts=true`, body)
    await send('POST', `/appointments/${uuid}/cancel`, {})
    const page = await at(`/customers/${customer.uuid}`)
    const coming = page.locator('section', { has: page.getByRole('heading', { name: 'Upcoming' }) })
    await coming.getByText('No appointments.').waitFor()
    expect(await coming.getByRole('listitem').count()).toBe(0)
  })

  it('is found by the last digits of the number', async () => {
    const path = `/providers/${practice.uuid}/customers`
    await send('POST', path, { name: 'Dora Digits', mobile: '+49 171 5550123' })
    const { customers } = await send('GET', `${path}?search=550123`)
    expect(customers.map((one: { name: string }) => one.name)).toEqual(['Dora Digits'])
    expect((await send('GET', `${path}?search=550124`)).customers).toEqual([])
  })
})

it('a resource without hours is not called active', async () => {
  await send('POST', `/providers/${practice.uuid}/resources`, { publicName: 'Unused room' })
  const page = await at('/offers')
  const row = page.getByRole('row', { name: /Unused room/ })
  await row.getByText('no opening hours').waitFor()
  expect(await row.getByText('active', { exact: true }).count()).toBe(0)
})

it('the same message is shown once, however often it is triggered', async () => {
  const page = await at('/offers/products')
  for (const minutes of ['35', '40', '45']) {
    await page.getByRole('table').getByRole('link').first().click()
    await page
      .getByRole('dialog')
      .getByLabel(/^Duration/)
      .fill(minutes)
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await soon(() => page.getByRole('dialog').count()).toBe(0)
  }
  expect(await page.locator('.toast', { hasText: 'Saved.' }).count()).toBe(1)
})

it('all pages show the clock of the business', async () => {
  await makeAppointment(site.holdfast.crm, practice, {
    start: `${tomorrow}T12:00`,
    end: `${tomorrow}T13:00`,
    participations: [{ reference: unique('p'), name: 'Zoe', email: 'zoe@example.org', state: 'BOOKED' }],
  })
  const times = async (timezoneId: string) => {
    const page = await at('/people', { timezoneId })
    const line = page.getByText('Last login', { exact: false }).first()
    await line.waitFor()
    return /\d\d:\d\d/.exec((await line.textContent()) ?? '')?.[0]
  }
  const here = (await times('Europe/Berlin'))!
  const there = (await times('America/New_York'))!
  const minutes = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))
  // The second login is a moment later, and not five hours earlier.
  expect((minutes(there) - minutes(here) + 1440) % 1440).toBeLessThan(30)
})

it('a person’s calendar and a room’s with the same name can be distinguished', async () => {
  const { people } = await send('GET', `/providers/${practice.uuid}/people`)
  await send('POST', `/providers/${practice.uuid}/resources`, { publicName: people[0].name })
  const page = await at('/channels/subscriptions')
  await page.getByRole('button', { name: 'Create address' }).first().click()
  const options = await page.getByRole('dialog').locator('option').allTextContents()
  expect(new Set(options).size).toBe(options.length)
})

it('a product with only a shortest duration says so', async () => {
  await send('POST', `/providers/${practice.uuid}/products`, { name: 'Open end', minDuration: 30 })
  const page = await at('/offers/products')
  await page
    .getByRole('row', { name: /Open end/ })
    .getByText('at least 30 min')
    .waitFor()
})

it.each(['/foo/bar', '/offers/resources'])(
  'the address %s, which no page has, says so and leads to Today',
  async path => {
    const page = await at('')
    await page.evaluate(there => history.pushState(null, '', there), `/console${path}`)
    const heading = page.getByRole('heading', { level: 1, name: 'Page not found' })
    await heading.waitFor()
    expect(await page.title()).toBe('Page not found · Holdfast')
    await soon(() => heading.evaluate(one => one === document.activeElement)).toBe(true)
    await page.reload()
    await heading.waitFor()
    await expectNoBarriers(page)
    await screenshot(page, 'no-page')
    await page.getByRole('main').getByRole('link', { name: 'Today' }).click()
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
    expect(new URL(page.url()).pathname).toMatch(/^\/console\/?$/)
  },
)

it('counts one booking as one', async () => {
  const customer = await send('POST', `/providers/${practice.uuid}/customers`, { name: 'Una Single' })
  await send('POST', `/providers/${practice.uuid}/appointments?ignoreConflicts=true`, {
    resourceUuid: practice.resourceUuid,
    productUuid: practice.productUuid,
    start: `${tomorrow}T15:00`,
    end: `${tomorrow}T16:00`,
    customerUuid: customer.uuid,
  })
  const page = await at(`/customers/${customer.uuid}`)
  await page.getByRole('button', { name: /^Erase/ }).click()
  await page.getByRole('dialog').getByText('Affects 1 booking (1 upcoming').waitFor()
})

describe('my login', () => {
  it('saves name, language and password with one button, and loses no password to a new language', async () => {
    const page = await at('/me')
    await page.getByLabel('New password').waitFor()
    expect(
      await page
        .getByRole('main')
        .getByRole('button', { name: /^(Save|Set password)$/ })
        .count(),
    ).toBe(1)
    await page.getByLabel('New password').fill('correct horse battery')
    await page.getByLabel('Language').selectOption('de')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Wenn Sie Ihr Passwort ändern').waitFor()
    await page.getByLabel('Sprache').selectOption('en')
    await page.getByRole('button', { name: 'Speichern', exact: true }).click()
    await page.getByText('Changing your password ends').waitFor()
  })
})
