// Browser pages for tests.

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
 * A visitor with their own page. Visitors with the same settings share a profile, and pages are reused between tests,
 * because opening one costs more than the rest of most tests. This is safe: the service stores nothing in a browser
 * (another test checks that).
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

/** With a separate profile: an empty cache, its own scripts, and a clock that tests can move. */
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

/** Collects errors of the page, for tests to check. */
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
 * For people to look at, if SCREENSHOTS is set. Takes the whole page by default, for which the browser briefly makes its
 * window taller.
 */
export async function screenshot(page: Page, name: string, fullPage = true) {
  if (!process.env.SCREENSHOTS) return
  mkdirSync(screenshots, { recursive: true })
  await page.screenshot({ path: new URL(`${name}.png`, screenshots).pathname, fullPage })
}

/** The next response of this kind never arrives, although the request is processed. */
export async function loseAnswer(page: Page, url: string | RegExp, method: string, status: number) {
  let isNext = true
  await page.route(url, async route => {
    if (route.request().method() !== method || !isNext) return route.fallback()
    isNext = false
    expect((await route.fetch()).status()).toBe(status)
    return route.abort()
  })
}
