// A real Chromium for the tests of pages. Found, or installed and said so; never downloaded behind one's back.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
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
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], {
    stdio: 'inherit',
  })
  return places[0]!
}

export const wide = { width: 1280, height: 900 }
export const narrow = { width: 360, height: 740 }

/** A visitor of their own: nothing is shared with others. Errors of the page fail the test that looks at them. */
export async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({
    viewport: wide,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    ...options,
  })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  const problems: string[] = []
  page.on('pageerror', error => problems.push(String(error)))
  page.on('console', message => message.type() === 'error' && problems.push(message.text()))
  await page.goto(url)
  return { page, context, problems }
}

/** The whole page, unless told otherwise: for that the browser makes its window taller for a moment. */
export async function screenshot(page: Page, name: string, fullPage = true) {
  mkdirSync(screenshots, { recursive: true })
  await page.screenshot({ path: new URL(`${name}.png`, screenshots).pathname, fullPage })
}
