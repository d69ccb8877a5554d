// Every page of the console, and what opens on a click.

import type { Browser, Page } from 'playwright-core'
import type { Practice } from '../front-desk/practice.ts'
import { isWanted, locale, shoot } from './shot.ts'

/** `open` runs on the page before the picture. */
type Shot = { name: string; path: string; open?: (page: Page) => Promise<void> }

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()

async function shotsOf({ send, at, people, teacher, customers, physio }: Practice): Promise<Shot[]> {
  const today = new Date().toISOString().slice(0, 10)
  const { entries } = await send('GET', `${at}/calendar?from=${today}`)
  const { mails } = await send('GET', `/mails?limit=1`)
  const resource = people[0]!.uuid
  const noted = entries.find((one: { notes: string | null }) => one.notes)
  const group = entries.find(
    (one: { resource: { uuid: string }; people: unknown[] }) =>
      one.resource.uuid === teacher.uuid && one.people.length > 1,
  )
  const appointment = (one: { uuid: string }) => `/?appointment=${one.uuid}`
  return [
    { name: 'today', path: '/' },
    { name: 'requests', path: '/requests' },
    ...['day', 'week', 'month', 'list'].map(view => ({
      name: `calendar-${view}`,
      path: `/calendar?view=${view}`,
    })),
    { name: 'calendar-week-one', path: `/calendar?view=week&resource=${resource}` },
    { name: 'appointment', path: appointment(noted) },
    { name: 'appointment-class', path: appointment(group) },
    { name: 'appointment-move', path: appointment(noted), open: press(/^Move…/) },
    { name: 'customers', path: '/customers' },
    { name: 'customer-new', path: '/customers', open: press('Add customer') },
    { name: 'customer', path: `/customers/${customers[0]!.uuid}` },
    { name: 'waiting', path: '/waiting' },
    { name: 'offers', path: '/offers' },
    { name: 'offers-resource', path: `/offers/resources/${resource}` },
    { name: 'offers-resource-new', path: '/offers/resources/new' },
    { name: 'offers-hours', path: `/offers/resources/${resource}/hours` },
    { name: 'offers-products', path: '/offers/products' },
    { name: 'offers-product', path: `/offers/products/${physio.uuid}` },
    { name: 'offers-product-delete', path: `/offers/products/${physio.uuid}`, open: press(/^Delete/) },
    { name: 'offers-closures', path: '/offers/closures' },
    { name: 'offers-closure-new', path: '/offers/closures/new' },
    { name: 'offers-holidays', path: '/offers/closures/holidays' },
    { name: 'offers-contacts', path: '/offers/contacts' },
    { name: 'offers-contact-new', path: '/offers/contacts/new' },
    { name: 'channels', path: '/channels' },
    { name: 'channels-look', path: '/channels/look' },
    { name: 'channels-subscriptions', path: '/channels/subscriptions' },
    { name: 'channels-subscription-new', path: '/channels/subscriptions', open: press('Create address') },
    { name: 'mails', path: '/mails' },
    ...(mails[0] ? [{ name: 'mail', path: `/mails?mail=${mails[0].uuid}` }] : []),
    { name: 'mail-texts', path: '/mails/texts' },
    { name: 'reports', path: '/reports' },
    { name: 'people', path: '/people' },
    { name: 'integration', path: '/integration' },
    { name: 'integration-webhook', path: '/integration', open: press('Add webhook') },
    { name: 'audit', path: '/audit' },
    { name: 'operator', path: '/operator' },
    { name: 'me', path: '/me' },
    { name: 'start', path: '/start' },
    { name: 'keys', path: '/', open: page => page.keyboard.press('?') },
    { name: 'today-book', path: '/', open: press('Book') },
    { name: 'calendar-block', path: '/calendar', open: press('Block') },
    { name: 'calendar-here', path: '/calendar', open: pressFreeTime },
    {
      name: 'frame-more',
      path: '/',
      open: async page => {
        if (page.viewportSize()!.width < 760) await press('More')(page)
      },
    },
  ]
}

/** Below the last booking of the first column. */
async function pressFreeTime(page: Page) {
  await page.locator('.calendar .band').first().waitFor()
  const box = (await page.locator('.calendar .ec-body').first().boundingBox())!
  await page.mouse.click(box.x + 120, Math.min(box.y + box.height, page.viewportSize()!.height) - 150)
}

export async function shootConsole(page: Page, practice: Practice) {
  const shots = await shotsOf(practice)
  // What opens on a click is found by its English name.
  const shown = locale.startsWith('en') ? shots : shots.filter(shot => !shot.open)
  for (const { name, path, open } of shown) {
    if (!isWanted(`console/${name}`)) continue
    await shoot(
      page,
      `console/${name}`,
      () => openPage(page, path, open),
      !open && !/appointment=|mail=/.test(path),
    )
  }
}

async function openPage(page: Page, path: string, open: Shot['open']) {
  await page.goto(new URL(`/console${path}`, page.url()).href)
  await page.locator('h1').first().waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  await open?.(page)
  // Parts that load when they are first opened.
  await page.locator('[data-opening]').waitFor({ state: 'detached' })
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  // Previews and emails are separate documents.
  for (const frame of page.frames()) await frame.waitForLoadState()
  // What a dialog or the panel of an appointment looks for comes a moment later.
  if (open || page.frames().length > 1 || path.includes('appointment=')) await page.waitForTimeout(1_000)
}

/** Seen without a login, so it needs a browser context of its own. */
export async function shootLogin(browser: Browser, origin: string) {
  if (!isWanted('console/login')) return
  const page = await (await browser.newContext({ locale })).newPage()
  await shoot(page, 'console/login', async () => {
    await page.goto(`${origin}/console/`)
    await page.locator('h1').waitFor()
  })
  await page.context().close()
}
