// A real Chromium for the tests of pages. Found, or installed and said so; never downloaded behind one's back.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { onTestFinished } from 'vitest'

// The shell without windows shows the same pages for two thirds of the work.
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
const screenshots = new URL('../../screenshots/', import.meta.url)

export async function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

function findChromium(): string {
  const found = [process.env.CHROMIUM, ...places].find(path => path && existsSync(path))
  if (found) return found
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    throw new Error('The tests of pages need Chromium. Install it, or set CHROMIUM to its path.')
  console.error('Chromium is missing: installing it with apt-get ...')
  execFileSync('apt-get', ['update', '-qq'], { stdio: 'inherit' })
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium-headless-shell'], {
    stdio: 'inherit',
  })
  return places[0]!
}

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

/**
 * For people to look at, when SCREENSHOTS is set. The whole page, unless told otherwise: for that the browser makes its
 * window taller for a moment.
 */
export async function screenshot(page: Page, name: string, fullPage = true) {
  if (!process.env.SCREENSHOTS) return
  mkdirSync(screenshots, { recursive: true })
  await page.screenshot({ path: new URL(`${name}.png`, screenshots).pathname, fullPage })
}
