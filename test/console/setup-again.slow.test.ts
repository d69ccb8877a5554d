// The setup on slow and broken lines, with Back and reloads, and beside changes that are made elsewhere.

import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
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
const go = async (page: Page, step: keyof typeof headings) => {
  await page.goto(`${site.origin}/console/start/${step}`)
  await isAt(page, step)
}
const fieldsOf = (page: Page, name: RegExp) =>
  page.getByRole('textbox', { name }).evaluateAll(all => all.map(one => (one as HTMLInputElement).value))
const isInvalid = (page: Page, label: string) =>
  soon(() => page.getByLabel(label, { exact: true }).getAttribute('aria-invalid')).toBe('true')

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
const services = () => site.holdfast.query('select name, min_duration from product order by id')
const people = () => site.holdfast.query('select public_name from resource order by id')

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

async function openTeam() {
  const page = await openServices()
  await next(page).click()
  await isAt(page, 'team')
  return page
}

/** With Ada and Bob. */
async function openHours() {
  const page = await openTeam()
  await page.getByRole('button', { name: 'Add another' }).click()
  await page.keyboard.type('Bob')
  await next(page).click()
  await isAt(page, 'hours')
  return page
}

/** What the console's service says. */
async function ask(page: Page, path: string) {
  const [{ uuid }] = (await site.holdfast.query('select uuid from provider')) as [{ uuid: string }]
  const answer = await page.request.get(`${site.origin}/console/api/providers/${uuid}${path}`)
  return answer.json()
}

type Rule = { from: string; raster: number }

/** When each person opens, and for how long a slot is. */
const hoursOf = async (page: Page): Promise<string[]> =>
  (await ask(page, '/hours')).resources.map((one: { rules: Rule[] }) =>
    one.rules.map(rule => `${rule.from} ${rule.raster}`).join(),
  )

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

describe('services', () => {
  it('are kept over a reload, and corrected without a second one', async () => {
    const page = await openServices()
    await page.reload()
    expect(await page.getByLabel('Name').inputValue()).toBe('Massage')
    await next(page).click()
    await isAt(page, 'team')
    await page.goBack()
    await page.getByLabel('Duration (minutes)').fill('45')
    await next(page).click()
    await isAt(page, 'team')
    expect(await services()).toEqual([{ name: 'Massage', min_duration: 45 }])
  })

  it('are forgotten if they were deleted elsewhere, and have what was changed elsewhere', async () => {
    const page = await openServices()
    await page.getByRole('button', { name: 'Add another' }).click()
    await page.keyboard.type('Gymnastics')
    await next(page).click()
    await isAt(page, 'team')
    await page.goBack()
    await page.getByLabel('Name', { exact: true }).fill('Long massage')
    await page.getByLabel('Name 2').fill('Pilates')
    await site.holdfast.query(`delete from product where name = 'Massage'`)
    await site.holdfast.query('update product set min_duration = 50, max_duration = 50')
    await page.reload()
    await isAt(page, 'service')
    expect(await fieldsOf(page, /^Name/)).toEqual(['Pilates'])
    await next(page).click()
    await isAt(page, 'team')
    expect(await services()).toEqual([{ name: 'Pilates', min_duration: 50 }])
  })

  it('keep their names', async () => {
    const page = await openServices()
    await page.getByRole('button', { name: 'Add another' }).click()
    await page.keyboard.type('Gymnastics')
    await next(page).click()
    await isAt(page, 'team')
    await page.goBack()
    await page.getByLabel('Name 2').fill('')
    await next(page).click()
    await isInvalid(page, 'Name 2')
  })
})

describe('people', () => {
  it('are there once after Back from their invitation links', async () => {
    const page = await openTeam()
    await page.getByRole('textbox', { name: /^Email/ }).fill('ben@clinic.test')
    await next(page).click()
    const link = page.getByLabel('Link for Ada Admin', { exact: true })
    const first = await link.inputValue()
    await page.getByRole('link', { name: 'Back' }).click()
    await isAt(page, 'service')
    await next(page).click()
    await isAt(page, 'team')
    await page.getByLabel('Name', { exact: true }).fill('Ada Berg')
    await next(page).click()
    // It may have been passed on already, so it still works.
    expect(await page.getByLabel(/^Link for/).inputValue()).toBe(first)
    // A link is not kept in the browser: after a reload there is another one.
    await page.reload()
    await next(page).click()
    const second = await page.getByLabel(/^Link for/).inputValue()
    expect(second).toContain('/login/')
    expect(second).not.toBe(first)
    await next(page).click()
    await isAt(page, 'hours')
    expect(await people()).toEqual([{ public_name: 'Ada Berg' }])
    // One that was passed on is not shown beside the next.
    await page.goBack()
    await page.getByRole('button', { name: 'Add another' }).click()
    await page.keyboard.type('Bob')
    await page.getByLabel('Email 2').fill('bob@clinic.test')
    await next(page).click()
    await page.getByLabel(/^Link for Bob/).waitFor()
    expect(await page.getByLabel(/^Link for/).count()).toBe(1)
  })

  it('are kept over a reload, without overwriting an address', async () => {
    const page = await openHours()
    await page.goBack()
    await isAt(page, 'team')
    await page.getByLabel('Name 2').fill('Bob Berg')
    const [{ uuid }] = (await ask(page, '/resources')).resources
    const address = { street: 'Quay', number: '1', zip: '1000', city: 'Basel', countryCode: 'CH' }
    await page.evaluate(
      ([path, body]) =>
        fetch(path!, { method: 'PATCH', body: body!, headers: { 'content-type': 'application/json' } }),
      [`/console/api/resources/${uuid}`, JSON.stringify({ address })],
    )
    await page.reload()
    await isAt(page, 'team')
    expect(await fieldsOf(page, /^Name/)).toEqual(['Ada Admin', 'Bob Berg'])
    await next(page).click()
    await isAt(page, 'hours')
    expect(await people()).toEqual([{ public_name: 'Ada Admin' }, { public_name: 'Bob Berg' }])
    expect((await ask(page, '/resources')).resources[0].address).toMatchObject({ city: 'Basel' })
    // One that was typed is everyone's.
    await page.goBack()
    await page.getByLabel('City').fill('Bern')
    await page.reload()
    await next(page).click()
    await isAt(page, 'hours')
    const { resources } = await ask(page, '/resources')
    expect(resources.map((one: { address: { city: string } }) => one.address.city)).toEqual(['Bern', 'Bern'])
  })

  it('keep their names', async () => {
    const page = await openHours()
    await page.goBack()
    await page.getByLabel('Name 2').fill('')
    await next(page).click()
    await isInvalid(page, 'Name 2')
  })
})

describe('what was typed', () => {
  it('is not shown to the next person', async () => {
    const page = await openTeam()
    await page.getByRole('textbox', { name: /^Email/ }).fill('private@clinic.test')
    await site.holdfast.query('delete from console_session')
    const other = await inviteAdministrator(site.holdfast.service, 'clinic', 'eve@clinic.test', 'Eve Other')
    await page.goto(other)
    await page.getByRole('button').first().click()
    await page.getByRole('link', { name: 'Today' }).first().waitFor()
    await go(page, 'team')
    expect(await fieldsOf(page, /^(Name|Email)/)).toEqual(['Eve Other', ''])
  })

  it('is forgotten with a log-out', async () => {
    const page = await openTeam()
    await page.getByLabel('Name', { exact: true }).fill('Ada Berg')
    const kept = () => page.evaluate(() => Object.keys(localStorage).filter(one => one.includes('typed')))
    expect(await kept()).toHaveLength(1)
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByLabel('Email').waitFor()
    expect(await kept()).toEqual([])
  })
})

describe('hours', () => {
  const useWorkingWeek = (page: Page) => page.getByRole('button', { name: /^Use Monday/ }).click()

  it('are everyone’s on a slow line', async () => {
    const page = await openHours()
    const release = await holdBack(page, 'GET', /providers\/[^/]+\/hours$/)
    await page.reload()
    await useWorkingWeek(page)
    const saved = page.waitForResponse(one => one.request().method() === 'PUT')
    await next(page).click()
    await saved
    release()
    await isAt(page, 'look')
    expect(await hoursOf(page)).toEqual(['09:00 30', '09:00 30'])
  })

  it('reach everyone at the second try, also those who had the former ones', async () => {
    const page = await openHours()
    await useWorkingWeek(page)
    await next(page).click()
    await isAt(page, 'look')
    await page.goBack()
    let count = 0
    await page.route(/\/hours$/, async route => {
      if (route.request().method() === 'PUT' && ++count === 2) await route.abort()
      else await route.continue()
    })
    await page.locator('.week-list input').first().fill('08:00')
    await next(page).click()
    await page.locator('.toast').waitFor()
    expect(new Set(await hoursOf(page)).size).toBe(2)
    await next(page).click()
    await isAt(page, 'look')
    const [one, other] = await hoursOf(page)
    expect(one).toContain('08:00')
    expect(other).toBe(one)
  })

  it('follow a changed duration, without a question on the way back', async () => {
    const page = await openHours()
    await useWorkingWeek(page)
    await next(page).click()
    await isAt(page, 'look')
    await go(page, 'service')
    await page.getByLabel('Duration (minutes)').fill('45')
    await next(page).click()
    await isAt(page, 'team')
    await next(page).click()
    await page.locator('.week-list input').first().waitFor()
    await page.getByRole('link', { name: 'Back' }).click()
    await isAt(page, 'team')
    await next(page).click()
    await page.locator('.week-list input').first().waitFor()
    await next(page).click()
    await isAt(page, 'look')
    expect(await hoursOf(page)).toEqual(['09:00 45', '09:00 45'])
  })
})
