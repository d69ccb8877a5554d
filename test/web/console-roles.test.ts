// What a role may not use is not there: navigation, buttons, pages.

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { inviteStaff } from '../../src/actions/console/login.ts'
import { screenshot, visitAfresh } from '../support/browser.ts'
import { makePractice, makeResource, makeTimeslot, makeUser } from '../support/build.ts'
import { consoleCall } from '../support/service.ts'
import { expectNoBarriers, useSite } from '../support/widget.ts'

const site = await useSite()
const practice = await makePractice(site.holdfast.crm)
await makeTimeslot(site.holdfast.crm, practice)
const booked = await consoleCall(site.holdfast.app, 'POST', `/providers/${practice.uuid}/appointments`, {
  resourceUuid: practice.resourceUuid,
  productUuid: practice.productUuid,
  start: '2030-01-07T10:00',
  end: '2030-01-07T10:30',
  customer: { name: 'Ann Winter', email: 'ann@example.org' },
})
expect(booked.status).toBe(201)

const english = { locale: 'en-GB' }
const day = '?day=2030-01-07'

async function enter(link: string, options = {}) {
  const { page, problems } = await visitAfresh(site.browser, link, { ...english, ...options })
  await page.getByRole('button').click()
  await page.waitForURL(/\/console$/)
  return { page, problems }
}

async function member(role: string, options = {}) {
  const { reference } = await makeUser(site.holdfast.crm)
  await site.holdfast.crm.post(`${practice.path}/staff`, { userReference: reference })
  await site.holdfast.query(
    'update staff set role = $2 where user_id = (select id from app_user where reference = $1)',
    [reference, role],
  )
  return enter(await inviteStaff(site.holdfast.service, 'crm', reference), options)
}

const shown = async (page: Page) => {
  await page.getByRole('link', { name: 'Today' }).first().waitFor()
  return (await page.getByRole('navigation').first().locator('a.entry').allInnerTexts()).map(text =>
    text.trim(),
  )
}

const open = (page: Page, path: string) => page.goto(`${site.origin}/console${path}`)
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

it('a reader sees calendar and customers, and nothing to press', async () => {
  const { page, problems } = await member('reader')
  expect(await shown(page)).toEqual([
    'Today',
    'Requests',
    'Calendar',
    'Customers',
    'Waiting list',
    'Emails',
    'Reports',
  ])
  await open(page, `/${day}`)
  await page.getByText('Ann Winter').first().waitFor()
  expect(await button(page, /Book|Arrived|No-show/).count()).toBe(0)
  await expectNoBarriers(page)
  await screenshot(page, 'role-reader-today')
  await page.getByText('Ann Winter').first().click()
  const panel = page.getByRole('dialog')
  await panel.getByText('ann@example.org').first().waitFor()
  expect(await panel.getByRole('button').allInnerTexts()).toEqual(['✕'])
  await screenshot(page, 'role-reader-appointment')
  await open(page, `/calendar${day}`)
  await page.locator('.mark').first().waitFor()
  expect(await button(page, /Book|Block|hours/).count()).toBe(0)
  await screenshot(page, 'role-reader-calendar')
  await open(page, '/customers')
  await page.getByRole('link', { name: 'Ann Winter' }).click()
  await page.getByRole('heading', { level: 1, name: 'Ann Winter' }).waitFor()
  expect(await button(page, /Book|Edit|Erase|Add/).count()).toBe(0)
  await open(page, '/offers')
  await page.getByText('This no longer exists, or you don’t have access to it.').waitFor()
  expect(problems).toEqual([])
})

it('the reception works with calendar and customers, without settings', async () => {
  const { page, problems } = await member('reception')
  expect(await shown(page)).toEqual(['Today', 'Requests', 'Calendar', 'Customers', 'Waiting list', 'Emails'])
  await open(page, `/calendar${day}`)
  await button(page, /^Block/)
    .first()
    .click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await open(page, `/${day}&appointment=${booked.body.uuid}`)
  await button(page, /^Move/).first().waitFor()
  await open(page, `/${day}`)
  await button(page, /^Book/).first().click()
  await page
    .getByRole('dialog')
    .getByLabel(/Name|Customer/)
    .first()
    .waitFor()
  await screenshot(page, 'role-reception-book')
  expect(problems).toEqual([])
})

it('a practitioner sees their own calendar', async () => {
  const other = await makeResource(site.holdfast.crm, practice, { internalName: 'Other room' })
  const { page, problems } = await member('practitioner')
  expect(await shown(page)).toEqual(['Today', 'Requests', 'Calendar', 'Customers', 'Waiting list'])
  await open(page, '/customers')
  await page.getByText('No customers yet').waitFor()
  expect(await button(page, /Add/).count()).toBe(0)
  await site.holdfast.query(
    `update staff set resource_ids = array(select id from resource where uuid = $1) where role = 'practitioner'`,
    [practice.resourceUuid],
  )
  await open(page, `/calendar${day}`)
  await page.getByText('Ann Winter').first().waitFor()
  expect(await page.getByText('Other room').count()).toBe(0)
  await screenshot(page, 'role-practitioner-calendar')
  await button(page, /^Block/)
    .first()
    .waitFor()
  await open(page, `/${day}`)
  await page.getByText('Ann Winter').first().click()
  await button(page, /^Move/).first().waitFor()
  await page
    .getByText(/^Emails/)
    .first()
    .click()
  await screenshot(page, 'role-practitioner-appointment')
  expect(await button(page, /Send again/).count()).toBe(0)
  expect(other.uuid).toBeTruthy()
  expect(problems).toEqual([])
})

it('the owner invites with a role and changes it', async () => {
  const { page, problems } = await enter(await inviteStaff(site.holdfast.service, 'crm', practice.owner))
  await open(page, '/people')
  await button(page, 'Invite someone').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email address').fill('desk@example.org')
  await dialog.getByLabel('Last name').fill('Desk')
  await dialog.getByLabel('Role').selectOption('reception')
  await dialog.getByText('Calendar and customers. No settings.').waitFor()
  await expectNoBarriers(page)
  await screenshot(page, 'role-invite')
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  const line = page.getByRole('listitem').filter({ hasText: 'desk@example.org' })
  await line.getByText('reception').waitFor()
  await page.keyboard.press('Escape')
  await line.getByRole('button', { name: /Change role/ }).click()
  await page.getByRole('dialog').getByLabel('Role').selectOption('reader')
  await page.getByRole('dialog').getByLabel('Role').selectOption('practitioner')
  await page.getByRole('dialog').getByLabel('R1').first().waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').getByRole('alert').waitFor()
  await expectNoBarriers(page)
  await screenshot(page, 'role-change')
  await page.getByRole('dialog').getByLabel('R1').first().check()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await line.getByText('practitioner').waitFor()
  await line.getByRole('button', { name: /Change role/ }).click()
  await page.getByRole('dialog').getByLabel('Role').selectOption('reader')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await line.getByText('read-only').waitFor()
  await screenshot(page, 'role-team')
  expect(problems.filter(one => !one.includes('400'))).toEqual([])
})

it.each([
  ['phone', { viewport: { width: 375, height: 812 }, hasTouch: true, colorScheme: 'dark' }],
  ['desk', { viewport: { width: 1280, height: 900 } }],
])('the team fits: %s', async (name, options) => {
  const { page } = await enter(await inviteStaff(site.holdfast.service, 'crm', practice.owner), options)
  await open(page, '/people')
  await page
    .getByRole('button', { name: /Change role/ })
    .first()
    .waitFor()
  await screenshot(page, `role-team-${name}`)
  const wide = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)
  expect(wide).toBe(true)
})
