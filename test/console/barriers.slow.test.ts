// Every page of the console, in light and dark, by the rules of WCAG 2.2 AA that a machine can check.

import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { inviteOperator } from '../../src/actions/console/login.ts'
import { visitAfresh } from '../support/browser.ts'
import { makeAppointment, makeCustomer, setChannel, unique } from '../support/build.ts'
import { asConsumer, bookingOf, overApp, slotsOf } from '../support/consumer.ts'
import { consoleCall } from '../support/service.ts'
import { dayIn, expectNoBarriers, openPractice, useSite } from '../support/widget.ts'

const site = await useSite()
const day = dayIn(1)
const practice = await openPractice(site, {}, { days: [1], from: '08:00', to: '18:00' })
const appointment = await makeAppointment(site.holdfast.crm, practice, {
  start: `${day}T09:00`,
  end: `${day}T10:00`,
  capacity: 2,
  participations: [{ reference: unique('p'), name: 'Ann Axe', email: 'axe@example.org', state: 'BOOKED' }],
})
await makeCustomer(site.holdfast.crm, practice, { userName: 'Cora Customer' })
await somebodyAsks()
const read = async (path: string) => (await consoleCall(site.holdfast.app, 'GET', path)).body
const [customer, otherCustomer] = (await read(`/providers/${practice.uuid}/customers`)).customers
const { body: upload } = await consoleCall(site.holdfast.app, 'POST', `/providers/${practice.uuid}/imports`, {
  kind: 'customers',
  fileName: 'c.csv',
  content: btoa('Name,Email\nAnn,ann@example.org'),
})
const [mail] = (await read('/mails?limit=1')).mails

async function somebodyAsks() {
  await setChannel(site.holdfast, practice.resourceUuid, { bookingProcess: 'REQUESTED' })
  const consumer = asConsumer(overApp(site.holdfast.app))
  const [slot] = slotsOf(await consumer.list(practice.resourceUuid))
  expect((await consumer.complete(practice.resourceUuid, bookingOf(slot!))).status).toBe(201)
}

const press = (name: string) => (page: Page) =>
  page.getByRole('button', { name, exact: true }).first().click()

const pressDecline = (page: Page) => page.getByRole('button', { name: /^Decline: / }).click()
const pressInMenu = (name: string) => async (page: Page) => {
  await press('Actions')(page)
  await expectNoBarriers(page, 'dialog')
  await page.getByRole('menuitem', { name }).click()
}

/** What is opened on a page before it is looked at. */
type Row = { path: string; shows?: string; open?: (page: Page) => Promise<void> }

/** Addresses as App.tsx has them, and what there is to open. */
const table: Record<string, Row[]> = {
  '/': [
    { path: `/?day=${day}`, shows: 'tr' },
    { path: `/?day=${day}`, shows: 'tr', open: press('Book') },
    { path: `/?day=${day}`, shows: 'tr', open: press('Absence…') },
    { path: `/?day=${day}&appointment=${appointment.uuid}`, shows: 'dialog strong' },
    {
      path: `/?day=${day}&appointment=${appointment.uuid}`,
      shows: 'dialog strong',
      open: pressInMenu('Move…'),
    },
    {
      path: `/?day=${day}&appointment=${appointment.uuid}`,
      shows: 'dialog strong',
      open: pressInMenu('Swap…'),
    },
    { path: '/', open: page => page.keyboard.press('?') },
  ],
  '/requests': [
    { path: '/requests', shows: '.requests' },
    { path: '/requests', shows: '.requests', open: pressDecline },
  ],
  '/waiting': [
    { path: '/waiting' },
    { path: '/waiting', open: press('Add a customer to the waiting list…') },
  ],
  '/calendar': [
    ...['day', 'week', 'month', 'list'].map(view => ({
      path: `/calendar?view=${view}&day=${day}`,
      shows: '.entry-mark',
    })),
    { path: `/calendar?day=${day}`, shows: '.entry-mark', open: press('Block time') },
    { path: `/calendar?day=${day}`, shows: '.entry-mark', open: press('Add hours') },
  ],
  '/customers': [
    { path: '/customers', shows: 'tbody tr' },
    { path: '/customers', shows: 'tbody tr', open: press('Add customer') },
  ],
  '/customers/duplicates': [{ path: '/customers/duplicates', shows: '.empty' }],
  '/customers/:uuid/merge/:other': [
    { path: `/customers/${customer.uuid}/merge/${otherCustomer.uuid}`, shows: '.merge-details' },
  ],
  '/customers/import': [{ path: '/customers/import' }],
  '/customers/import/:uuid': [{ path: `/customers/import/${upload.uuid}`, shows: 'select' }],
  '/customers/:uuid': [{ path: `/customers/${customer.uuid}`, shows: '.facts' }],
  '/offers': [{ path: '/offers' }],
  '/offers/resources/:uuid': [
    { path: `/offers/resources/${practice.resourceUuid}`, shows: 'dialog form' },
    { path: '/offers/resources/new', shows: 'dialog form' },
  ],
  '/offers/resources/:uuid/hours': [{ path: `/offers/resources/${practice.resourceUuid}/hours` }],
  '/offers/products': [{ path: '/offers/products' }],
  '/offers/products/:uuid': [{ path: `/offers/products/${practice.productUuid}`, shows: 'dialog form' }],
  '/offers/questions/:which?': [
    { path: '/offers/questions' },
    { path: '/offers/questions/new', shows: 'dialog form' },
  ],
  '/offers/calendars/:which?/:what?': [
    { path: '/offers/calendars' },
    { path: '/offers/calendars/new', shows: 'dialog form' },
  ],
  '/offers/closures/:which?': [
    { path: '/offers/closures' },
    { path: '/offers/closures/new', shows: 'dialog form' },
    { path: '/offers/closures/holidays', shows: 'dialog' },
  ],
  '/offers/contacts/:which?': [
    { path: '/offers/contacts' },
    { path: '/offers/contacts/new', shows: 'dialog form' },
  ],
  '/channels': [{ path: '/channels' }],
  '/channels/resources': [{ path: '/channels/resources' }],
  '/channels/look': [{ path: '/channels/look' }],
  '/channels/subscriptions': [{ path: '/channels/subscriptions' }],
  '/channels/:uuid/:key': [{ path: `/channels/${practice.resourceUuid}/RESOURCE_PUBLIC` }],
  '/start/:step?': [{ path: '/start' }, { path: '/start/business' }, { path: '/start/team' }],
  '/start/new': [{ path: '/start/new' }],
  '/people': [{ path: '/people' }],
  '/mails': [{ path: '/mails' }, { path: `/mails?mail=${mail.uuid}`, shows: 'dialog' }],
  '/mails/texts/:kind?': [{ path: '/mails/texts', shows: 'iframe' }],
  '/reports': [{ path: '/reports' }],
  '/audit': [{ path: '/audit' }],
  '/integration': [{ path: '/integration' }],
  '/operator': [{ path: '/operator' }],
  '/me': [{ path: '/me' }],
}

it('the table lists every page of the console', () => {
  const app = readFileSync(new URL('../../web/console/src/App.tsx', import.meta.url), 'utf8')
  const paths = [...app.matchAll(/^ {2}'(\/[^']+)':/gm)].map(([_match, path]) => path!)
  expect(paths.length).toBeGreaterThan(15)
  expect(Object.keys(table).sort()).toEqual(['/', ...paths].sort())
})

it('no page has a barrier, in light and dark', { timeout: 300_000 }, async () => {
  const link = await inviteOperator(site.holdfast.service, 'op@example.org', 'Olga')
  const { page } = await visitAfresh(site.browser, `${site.origin}/console`)
  let runs = 0
  const look = async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await expectNoBarriers(page, undefined, { contrastOnly: colorScheme === 'dark' })
      runs++
    }
  }
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  await look()
  await page.goto(link)
  await page.getByRole('button').click()
  await page.waitForURL(/\/console$/)
  const rows = Object.values(table).flat()
  for (const { path, shows, open } of rows) {
    await page.goto(`${site.origin}/console${path}`)
    await page
      .locator(shows ?? 'h1')
      .first()
      .waitFor()
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    await open?.(page)
    if (open) await page.locator('dialog[open]').last().waitFor()
    await look().catch(error => {
      throw new Error(`${path}: ${JSON.stringify(error.actual ?? error.message)}`)
    })
  }
  console.log(`axe: ${Object.keys(table).length + 1} pages, ${rows.length + 1} states of them, ${runs} runs`)
})
