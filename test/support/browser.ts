// Pages for the tests of pages.

import { mkdirSync } from 'node:fs'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'

export { startBrowser } from './chromium.ts'

const screenshots = new URL('../../screenshots/', import.meta.url)

export const wide = { width: 1280, height: 900 }
export const narrow = { width: 360, height: 740 }

type Profile = { context: Promise<BrowserContext>; idle: Page[] }
const profiles = new WeakMap<Browser, Map<string, Profile>>()

/**
 * A visitor with a page of their own. Visitors with the same settings share a profile, and a page serves the next one
 * when a test is over, since new ones cost more than the rest of most tests: the service keeps nothing in a browser (a
 * test of its own), so there is nothing to share.
 */
export async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}) {
  const profile = profileOf(browser, options)
  const context = await profile.context
  const page = profile.idle.pop() ?? (await context.newPage())
  onTestFinished(async () => {
    page.removeAllListeners()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.goto('about:blank')
    await page.setViewportSize(options.viewport ?? wide)
    profile.idle.push(page)
  })
  return openPage(context, page, url)
}

function profileOf(browser: Browser, options: BrowserContextOptions): Profile {
  const known = profiles.get(browser) ?? new Map<string, Profile>()
  profiles.set(browser, known)
  const key = JSON.stringify(options)
  const profile = known.get(key) ?? { context: openContext(browser, options), idle: [] }
  known.set(key, profile)
  return profile
}

/** With a profile of their own: an empty cache, scripts of its own, and a clock that tests may move. */
export async function visitAfresh(browser: Browser, url: string, options: BrowserContextOptions = {}) {
  const context = await openContext(browser, options)
  onTestFinished(() => context.close())
  return openPage(context, await context.newPage(), url)
}

const openContext = (browser: Browser, options: BrowserContextOptions) =>
  browser.newContext({
    viewport: wide,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    ...options,
  })

/** Errors of the page fail the test that looks at them. */
async function openPage(context: BrowserContext, page: Page, url: string) {
  page.setDefaultTimeout(15_000)
  const problems: string[] = []
  page.on('pageerror', error => problems.push(String(error)))
  page.on('console', message => message.type() === 'error' && problems.push(message.text()))
  if (url !== 'about:blank') await page.goto(url)
  return { page, context, problems }
}

/** Counts clicks from now on, across all pages. Typing does not count. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  let count = 0
  await page.exposeFunction('countClick', () => void count++)
  const watch = () => {
    const seen = globalThis as unknown as { countClick(): void }
    addEventListener('pointerup', event => event.isTrusted && seen.countClick(), true)
  }
  await page.addInitScript(watch)
  await page.evaluate(watch)
  return async () => count
}

/**
 * For people to look at, when SCREENSHOTS is set. The whole page, unless told otherwise: for that the browser makes its
 * window taller for a moment.
 */
export async function screenshot(page: Page, name: string, fullPage = true) {
  if (!process.env.SCREENSHOTS) return
  mkdirSync(screenshots, { recursive: true })
  await page.screenshot({ path: new URL(`${name}.png`, screenshots).pathname, fullPage })
}

/** The next answer of this kind never arrives, though the work is done. */
export async function loseAnswer(page: Page, url: string | RegExp, method: string, status: number) {
  let isNext = true
  await page.route(url, async route => {
    if (route.request().method() !== method || !isNext) return route.fallback()
    isNext = false
    expect((await route.fetch()).status()).toBe(status)
    return route.abort()
  })
}
