// Screenshots of every console page, for people to review: `npm run screenshots`, or with parts of their
// names (`npm run screenshots calendar,today`). Uses a throw-away service with the demo; at each width, in
// light and dark, below screenshots/console. WIDTHS, SCHEMES and LOCALE select fewer, or others.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { startBrowser } from '../test/support/chromium.ts'
import { startDemo } from './demo-service.ts'

const folder = new URL('../screenshots/console/', import.meta.url).pathname
const widths = (process.env.WIDTHS ?? '390,1280,1920').split(',').map(Number)
const schemes = (process.env.SCHEMES ?? 'light,dark').split(',') as ('light' | 'dark')[]
const locale = process.env.LOCALE ?? 'en-GB'
const wanted = (process.argv[2] ?? '').split(',')
const demo = await startDemo()

/** `open` runs on the page before the screenshot. */
type Shot = { name: string; path: string; open?: (page: Page) => Promise<void> }

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()

async function shotsOf(page: Page): Promise<Shot[]> {
  const read = (path: string) =>
    page.evaluate(async address => (await fetch(address)).json(), `/console/api${path}`)
  const { providers } = await read('/session')
  const provider = `/providers/${providers[0].uuid}`
  const { resources } = await read(`${provider}/resources`)
  const { products } = await read(`${provider}/products`)
  const { customers } = await read(`${provider}/customers`)
  const today = new Date().toISOString().slice(0, 10)
  const { entries } = await read(`${provider}/calendar?from=${today}`)
  const { mails } = await read('/mails?limit=1')
  const resource = resources[0].uuid
  const all: Shot[] = [
    { name: 'today', path: '/' },
    { name: 'requests', path: '/requests' },
    ...['day', 'week', 'month', 'list'].map(view => ({
      name: `calendar-${view}`,
      path: `/calendar?view=${view}`,
    })),
    ...(entries[0]
      ? [
          {
            name: 'appointment',
            path: `/?day=${entries[0].start.slice(0, 10)}&appointment=${entries[0].uuid}`,
          },
        ]
      : []),
    { name: 'customers', path: '/customers' },
    { name: 'reports', path: '/reports' },
    { name: 'customer-new', path: '/customers', open: press('Add customer') },
    ...(customers[0] ? [{ name: 'customer', path: `/customers/${customers[0].uuid}` }] : []),
    { name: 'offers', path: '/offers' },
    { name: 'offers-resource', path: `/offers/resources/${resource}` },
    { name: 'offers-resource-new', path: '/offers/resources/new' },
    { name: 'offers-hours', path: `/offers/resources/${resource}/hours` },
    { name: 'offers-products', path: '/offers/products' },
    { name: 'offers-product', path: `/offers/products/${products[0].uuid}` },
    {
      name: 'offers-product-delete',
      path: `/offers/products/${products[0].uuid}`,
      open: press(/^Delete/),
    },
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
    {
      name: 'calendar-here',
      path: '/calendar',
      open: async page => {
        await page.locator('.calendar .band').first().waitFor()
        await page.mouse.click(page.viewportSize()!.width / 2, 620)
      },
    },
    ...(entries[0]
      ? [
          {
            name: 'appointment-move',
            path: `/?day=${entries[0].start.slice(0, 10)}&appointment=${entries[0].uuid}`,
            open: press(/^Move…/),
          },
        ]
      : []),
    {
      name: 'frame-more',
      path: '/',
      open: async page => {
        if (page.viewportSize()!.width < 760) await press('More')(page)
      },
    },
  ]
  // What opens on a click is found by its English name.
  const shown = locale.startsWith('en') ? all : all.filter(shot => !shot.open)
  return shown.filter(shot => wanted.some(part => shot.name.includes(part)))
}

async function logIn(browser: Browser, link: string) {
  const context = await browser.newContext({ locale, timezoneId: 'Europe/Berlin' })
  const page = await context.newPage()
  await page.goto(link)
  await page.getByRole('button').click()
  await page.waitForURL(/\/console\/?$/)
  return page
}

/** Seen without a login, so it needs a browser context of its own. */
async function takeLogin(browser: Browser) {
  if (!wanted.some(part => 'login'.includes(part))) return
  const page = await (await browser.newContext({ locale })).newPage()
  for (const width of widths)
    for (const scheme of schemes) await take(page, { name: 'login', path: '/' }, width, scheme)
}

async function take(page: Page, { name, path, open }: Shot, width: number, scheme: 'light' | 'dark') {
  await page.setViewportSize({ width, height: width < 600 ? 844 : 900 })
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
  await page.goto(`${demo.origin}/console${path}`)
  await page.locator('h1').waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  await open?.(page)
  // Parts that load when they are first opened.
  await page.locator('[data-opening]').waitFor({ state: 'detached' })
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  // Previews and emails are separate documents.
  for (const frame of page.frames()) await frame.waitForLoadState()
  if (page.frames().length > 1) await page.waitForTimeout(700)
  await page.screenshot({ path: join(folder, `${name}-${width}-${scheme}.png`), fullPage: !open })
}

mkdirSync(folder, { recursive: true })
const browser = await startBrowser()
try {
  const page = await logIn(browser, demo.link)
  await takeLogin(browser)
  const shots = await shotsOf(page)
  for (const shot of shots)
    for (const width of widths) for (const scheme of schemes) await take(page, shot, width, scheme)
  console.log(`${shots.length * widths.length * schemes.length} pictures in ${folder}`)
} finally {
  await browser.close()
  await demo.stop()
}
