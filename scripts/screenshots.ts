// Pictures of every screen, for people to review: `npm run screenshots`, or with parts of their names (`npm run
// screenshots calendar,emails/`). Console, booking pages, pages behind links and emails, of a throw-away practice with
// six people and 240 bookings, in the font Inter, below screenshots/. WIDTHS, SCHEMES and LOCALE select fewer, or others.

import { startBrowser } from '../test/support/chromium.ts'
import { startDemo } from './demo-service.ts'
import { shootConsole, shootLogin } from './screenshots/console.ts'
import { useInter } from './screenshots/inter.ts'
import { fillPractice } from './screenshots/practice.ts'
import { countPictures, isWanted, locale } from './screenshots/shot.ts'
import { shootBooking, shootEmails } from './screenshots/visitors.ts'

useInter()
// No notice about a missing mail server in the pictures; nothing is delivered.
process.env.SMTP_URL ??= 'smtp://localhost:9'
const demo = await startDemo()
const browser = await startBrowser()
try {
  const context = await browser.newContext({ locale, timezoneId: 'Europe/Berlin' })
  const page = await context.newPage()
  await page.goto(demo.link)
  await page.getByRole('button').click()
  await page.waitForURL(/\/console\/?$/)
  const practice = await fillPractice(page)
  await context.addInitScript(uuid => {
    localStorage.setItem('holdfast-console-provider', uuid)
    localStorage.setItem('holdfast-console-retention-seen', '1')
    localStorage.setItem('holdfast-console-welcomed', '1')
  }, practice.provider.uuid)
  // First, so that the console has a request and emails to show.
  if (['booking/', 'request/', 'links/'].some(isWanted)) await shootBooking(browser, demo.origin, practice)
  await shootEmails(browser, practice)
  await shootLogin(browser, demo.origin)
  await shootConsole(page, practice)
  console.log(countPictures())
} finally {
  await browser.close()
  await demo.stop()
}
