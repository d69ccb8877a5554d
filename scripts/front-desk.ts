// Ten tasks of a front desk in a throw-away practice: counts clicks and seconds for docs/front-desk.md and takes its
// pictures. `npm run front-desk`

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { startBrowser } from '../test/support/chromium.ts'
import { startDemo } from './demo-service.ts'
import { type Count, Desk } from './front-desk/desk.ts'
import { fillDay, makePractice } from './front-desk/practice.ts'

const docs = new URL('../docs/', import.meta.url).pathname
const day = 86_400_000
const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10)
const mondayIn = (weeks: number) =>
  dateOf(Date.now() + ((8 - (new Date().getUTCDay() || 7)) % 7 || 7) * day + (weeks - 1) * 7 * day)
/** The days of all tasks, so that none gets in the way of another. */
const [monday, second, third] = [mondayIn(1), mondayIn(2), mondayIn(3)]
const january = `${new Date().getFullYear() + 1}-01-05`

// No notice about a missing mail server in the pictures; nothing is delivered.
process.env.SMTP_URL ??= 'smtp://localhost:9'
const demo = await startDemo()
const browser = await startBrowser()
try {
  const context = await browser.newContext({
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    viewport: { width: 1366, height: 768 },
  })
  const page = await context.newPage()
  await page.goto(demo.link)
  await page.getByRole('button').click()
  await page.waitForURL(/\/console\/?$/)
  const practice = await makePractice(page)
  for (const date of [monday, second, third]) await fillDay(practice, date)
  await context.addInitScript(uuid => {
    localStorage.setItem('holdfast-console-provider', uuid)
    localStorage.setItem('holdfast-console-retention-seen', '1')
    localStorage.setItem('holdfast-console-welcomed', '1')
  }, practice.provider.uuid)
  mkdirSync(`${docs}pictures`, { recursive: true })
  report(await runTasks(page))
} finally {
  await browser.close()
  await demo.stop()
}

/** Of the open dialog or panel, or of the page. */
async function picture(page: Page, name: string) {
  const options = { path: `${docs}pictures/${name}.png`, style: '.toasts { visibility: hidden }' }
  const dialog = page.locator('dialog[open]').last()
  await ((await dialog.count()) > 0 ? dialog : page).screenshot(options)
}

async function runTasks(page: Page) {
  const desk = new Desk(page)
  const dialog = () => desk.dialog()
  /** Customers that were found. */
  const options = () => page.locator('.options [role="option"]')
  const book = dialog().getByRole('button', { name: 'Book', exact: true })
  const toast = (text: string | RegExp) => page.locator('.toast', { hasText: text }).waitFor()
  const customer = async (name: string) => {
    await desk.press('n')
    await desk.type(page.getByLabel('Customer'), name)
    await options().first().waitFor()
    await desk.press('Enter')
  }
  const counts: Count[] = []
  const task = async (path: string, run: () => Promise<void>) => void counts.push(await desk.count(path, run))

  await task('/', async () => {
    await customer('Petra Neumann')
    await desk.type(page.getByLabel('Mobile'), '01701234567')
    await desk.click(dialog().locator('.next-free button').nth(1))
    await desk.click(book)
    await toast('Booked: Petra Neumann')
  })

  await task('/', async () => {
    await customer('Ida Young')
    await desk.choose(dialog().getByLabel('Person or room'), 'Jonas Lindqvist')
    await desk.type(dialog().getByLabel('Day', { exact: true }), second)
    await desk.type(dialog().getByLabel('From', { exact: true }), '11:00')
    await desk.choose(dialog().getByLabel('Repeat'), 'Weekly')
    // One is taken: a time that is proposed.
    await dialog().getByText('10 dates, 2 not free').waitFor()
    await page.locator('.series-dates').scrollIntoViewIfNeeded()
    for (const _ of [1, 2]) {
      const open = page.locator('.series-dates [data-state="open"]').first()
      await desk.click(open.locator('.instead button').first())
    }
    await picture(page, 'series')
    await desk.click(dialog().getByRole('button', { name: 'Book 10 dates' }))
    await toast('Booked: 10 dates')
  })

  await task('/', async () => {
    await customer('Hugo Fischer')
    await desk.choose(dialog().getByLabel('Service'), 'Manual therapy')
    await desk.click(desk.button('Find a time…'))
    await desk.click(dialog().getByRole('button', { name: 'Tue', exact: true }))
    await desk.click(dialog().getByRole('button', { name: 'Thu', exact: true }))
    await desk.type(dialog().getByLabel('From day'), january)
    await desk.type(dialog().getByLabel('Not before'), '17:00')
    const found = dialog()
      .getByRole('button', { name: /^Tue 5 Jan, 17:30/ })
      .or(dialog().getByRole('button', { name: /17:30/ }))
    await page.locator('.results[aria-busy="false"]').waitFor()
    await desk.click(found.first())
    await page.locator('.wish-search').evaluate(one => one.scrollIntoView())
    await picture(page, 'find-a-time')
    await desk.click(book)
    await toast('Booked: Hugo Fischer')
  })

  await task(`/?day=${monday}`, async () => {
    await desk.click(desk.button('Absence…'))
    await desk.choose(dialog().getByLabel('Who is absent?'), 'Emma Clarke')
    await dialog()
      .getByText(/for \d of 9/)
      .waitFor()
    await picture(page, 'absence')
    await desk.click(dialog().getByRole('button', { name: /^Confirm/ }))
    await dialog().getByText('Moved: ').first().waitFor()
    await desk.click(dialog().getByRole('button', { name: 'Close', exact: true }).last())
  })

  // Two people get the hours of a colleague, who works every second week, from a date on.
  const hoursOf = async (name: string) => {
    await desk.click(page.getByRole('link', { name: 'Services' }))
    await desk.click(page.getByRole('link', { name: 'People and rooms' }))
    await desk.click(page.locator('tr, li', { hasText: name }).getByRole('link', { name: /hours/i }).first())
    await page.locator('.hours').waitFor()
  }
  await task('/', async () => {
    await hoursOf('Tom Becker')
    await desk.click(desk.button('New hours from a date…'))
    await desk.type(page.getByLabel('First day of the new hours'), third)
    await desk.click(dialog().getByRole('button', { name: 'New hours from a date' }))
    await desk.click(desk.button('Copy from a colleague…'))
    await desk.choose(dialog().getByLabel('Colleague'), 'Claire Dubois')
    await desk.click(dialog().getByRole('button', { name: 'Copy' }))
    await page.getByLabel('Two alternating weeks').waitFor()
    await picture(page, 'hours')
    await desk.click(desk.button('Save for several…'))
    await desk.click(dialog().getByLabel('Mateo García-Hernández'))
    await desk.click(dialog().getByRole('button', { name: 'Save', exact: true }))
    await desk.click(desk.button('Save anyway'))
    await toast('Hours of 2 people saved.')
  })

  await task('/', async () => {
    await hoursOf('Anna Schmidt-Rottluff')
    await desk.click(desk.button('Add day…'))
    await desk.type(page.getByLabel('Day', { exact: true }), january)
    await desk.type(page.getByLabel('Opens'), '10:00')
    await desk.type(page.getByLabel('Closes'), '15:00')
    await desk.click(dialog().getByRole('button', { name: 'Add day' }))
    await desk.click(desk.button('Save'))
    await toast('Saved')
  })

  await task(`/?day=${monday}`, async () => {
    await desk.click(page.locator('tr', { hasText: 'Yoga class' }).getByRole('link').first())
    for (const name of ['Max Oliveira', 'Nora Reed']) {
      await desk.click(desk.button('Add customer…'))
      await desk.type(dialog().getByLabel('Customer'), name)
      await options().first().waitFor()
      await desk.press('Enter')
      await dialog().locator('.chosen').waitFor()
      await desk.click(dialog().getByRole('button', { name: 'Add', exact: true }))
      await page.locator('.panel .person', { hasText: name }).waitFor()
    }
    await picture(page, 'class')
    await desk.click(desk.button('Cancel booking…').first())
    await desk.click(dialog().getByRole('button', { name: 'Cancel booking', exact: true }))
    await page.locator('.panel').getByText('cancelled').first().waitFor()
    await desk.click(desk.button('Message all…'))
    await desk.type(dialog().getByLabel('Your message'), 'Please bring a towel.')
    await desk.click(dialog().getByRole('button', { name: 'Send', exact: true }))
    await toast('emails sent')
    await desk.click(desk.button('Attendance…'))
    await desk.click(dialog().getByRole('button', { name: 'All arrived' }))
    await desk.click(dialog().getByRole('button', { name: 'Save', exact: true }))
    await toast('Attendance saved.')
  })

  const openCustomer = async (name: string) => {
    await desk.press('/')
    await desk.type(page.getByRole('searchbox'), name)
    await desk.click(page.getByRole('link', { name }).first())
    await page.getByRole('heading', { level: 1, name }).waitFor()
  }
  await task('/', async () => {
    await openCustomer('Ida Young')
    await desk.click(page.getByText('Series: 0 of 10'))
    await desk.click(page.locator('.series-progress li a').nth(2))
    await desk.click(desk.button('Move…'))
    await desk.choose(dialog().getByLabel('Applies to'), 'This and later ones')
    await desk.type(dialog().getByLabel('From', { exact: true }), '14:00')
    await dialog()
      .getByText(/^8 dates/)
      .waitFor()
    await desk.click(dialog().getByRole('button', { name: 'Move 8 dates' }))
    await toast('8 dates moved.')
  })

  await task('/', async () => {
    await openCustomer('Ida Young')
    await desk.click(desk.button('Print or send…'))
    await page.frameLocator('iframe').getByText('Your upcoming appointments').first().waitFor()
    await picture(page, 'customer-list')
    await desk.click(desk.button('Send by email'))
    await toast('sent')
    // A week after the last one, at the same time.
    await desk.click(desk.button('Next appointment…'))
    await desk.click(book)
    await toast('Booked: Ida Young')
  })

  await task(`/calendar?day=${second}`, async () => {
    await page.locator('.slot-cursor').waitFor({ state: 'attached' })
    await desk.press('f', 'ArrowRight', ...Array<string>(8).fill('ArrowDown'), 'Enter')
    await desk.type(page.getByLabel('Customer'), 'Finn Fischer')
    await options().first().waitFor()
    await desk.press('Enter')
    await dialog().getByText('already has an appointment then').waitFor()
    await desk.press('Escape')
  })
  return counts
}

/** Replaces the last two columns of the table. */
function report(counts: Count[]) {
  const file = `${docs}front-desk.md`
  let row = 0
  const lines = readFileSync(file, 'utf8').split('\n')
  const text = lines.map(line => {
    if (!/^\| \d+ \|/.test(line)) return line
    const { clicks, keys, seconds } = counts[row++]!
    return [...line.split(' | ').slice(0, -2), `${clicks} + ${keys}`, `${seconds} |`].join(' | ')
  })
  writeFileSync(file, text.join('\n'))
  console.table(counts)
}
