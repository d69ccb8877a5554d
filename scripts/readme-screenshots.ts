// The two pictures in the README, taken of the demo: `npm run screenshots:readme`.

import type { Browser } from 'playwright-core'
import { startBrowser } from '../test/support/chromium.ts'
import { type Demo, startDemo } from './demo-service.ts'
import { useInter } from './screenshots/inter.ts'

const docs = new URL('../docs/', import.meta.url).pathname
const wide = { width: 1280, height: 680 }
const visitor = { locale: 'en-GB', timezoneId: 'Europe/Berlin', reducedMotion: 'reduce' } as const

async function takeBooking(browser: Browser, { bookingPage }: Demo) {
  const page = await browser.newPage({ ...visitor, viewport: { width: 1040, height: 620 } })
  await page.goto(bookingPage)
  await page.locator('holdfast-booking [part~="product"]').first().click()
  await page.locator('holdfast-booking [part~="slot"]').first().waitFor()
  await page.screenshot({ path: `${docs}booking.png` })
}

async function takeConsole(browser: Browser, { origin, link }: Demo) {
  const page = await browser.newPage({ ...visitor, viewport: wide })
  await page.goto(link)
  await page.getByRole('button').click()
  await page.getByRole('button', { name: 'Explore the demo' }).click()
  await page.goto(`${origin}/console/`)
  await page.getByRole('button', { name: 'Not now' }).click()
  await page.locator('.today tbody tr').first().waitFor()
  await page.screenshot({ path: `${docs}console.png` })
}

useInter()
const demo = await startDemo()
const browser = await startBrowser()
try {
  await takeBooking(browser, demo)
  await takeConsole(browser, demo)
} finally {
  await browser.close()
  await demo.stop()
}
