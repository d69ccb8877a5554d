import type { Browser, Page } from 'playwright-core'
import { startBrowser } from '../../test/support/chromium.ts'
import { type Spread, spread } from '../lib/compare.ts'
import { progress } from '../lib/progress.ts'
import { type Row, reported } from '../lib/report.ts'
import { consoleToken, type Running } from '../lib/service.ts'
import { onStage } from '../lib/stage.ts'
import { fillWeek } from '../lib/week.ts'

// The console's calendar with 40 Resources and 2,000 Appointments in a week, in Chromium, with an empty cache each time: from
// opening the address to the first frame that shows Appointments.

const paintLimitMs = 1000
const frameLimitMs = 100
const views = ['week', 'day', 'month', 'list'] as const

export const busyWeek = (): Promise<Row[]> =>
  onStage(
    async ({ service }) => {
      const { days } = await fillWeek(service)
      const browser = await startBrowser()
      try {
        const rows: Row[] = []
        for (const view of views) rows.push(await paints(browser, service, view, days[0]!))
        return [...rows, ...(await carries(browser, service, days[0]!))]
      } finally {
        await browser.close()
      }
    },
    { data: 'none' },
  )

async function paints(browser: Browser, service: Running, view: string, day: string): Promise<Row> {
  const times: number[] = []
  for (let round = 0; round < 6; round++) {
    const page = await open(browser, service, `view=${view}&day=${day}`)
    times.push(await page.evaluate(() => (globalThis as unknown as Seen).painted!))
    await page.context().close()
  }
  // The first round compiles the service's code.
  const found = spread(times.slice(1))
  progress(`  ${view}: ${inMs(found)}`)
  return limited(`${view}: first Appointments on the screen`, found, paintLimitMs)
}

/** An Appointment of the week is carried over ten rows: the longest that a movement waited for its frame. */
async function carries(browser: Browser, service: Running, day: string): Promise<Row[]> {
  const page = await open(browser, service, `view=week&day=${day}`)
  const rounds: { longest: number; moves: number }[] = []
  for (let round = 0; round < 5; round++) rounds.push(await carry(page))
  const moves = Math.min(...rounds.map(one => one.moves))
  return [
    limited(
      'week: longest wait of a movement while one is carried',
      spread(rounds.map(one => one.longest)),
      frameLimitMs,
    ),
    { ...reported('movements seen of 60', String(moves), 'all'), reached: moves === 60 },
  ]
}

async function carry(page: Page): Promise<{ longest: number; moves: number }> {
  const box = (await page.locator('.week-table .mark').first().boundingBox())!
  await page.mouse.move(box.x + 30, box.y + 8)
  await page.mouse.down()
  await page.evaluate(watchMoves)
  for (let step = 1; step <= 60; step++) await page.mouse.move(box.x + 30 + step * 4, box.y + 8 + step * 8)
  const seen = await page.evaluate(() => (globalThis as unknown as Seen).carried!)
  await page.keyboard.press('Escape')
  await page.mouse.up()
  return seen
}

type Seen = { painted?: number; carried?: { longest: number; moves: number } }

/** Runs in the page. */
function watchMoves() {
  const carried = { longest: 0, moves: 0 }
  Object.assign(globalThis, { carried })
  addEventListener('pointermove', event => {
    carried.moves++
    requestAnimationFrame(() => {
      carried.longest = Math.max(carried.longest, performance.now() - event.timeStamp)
    })
  })
}

/** Runs in the page: notes when the first frame with an Appointment was shown. */
function watchPaint() {
  const look = () => {
    if (!document.querySelector('.entry-mark')) return requestAnimationFrame(look)
    return requestAnimationFrame(() =>
      setTimeout(() => Object.assign(globalThis, { painted: performance.now() })),
    )
  }
  look()
}

async function open(browser: Browser, { origin }: Running, query: string): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    extraHTTPHeaders: { authorization: `Bearer ${consoleToken}` },
  })
  const page = await context.newPage()
  await page.addInitScript(watchPaint)
  await page.goto(`${origin}/console/calendar?${query}`)
  await page.waitForFunction(() => (globalThis as unknown as Seen).painted)
  return page
}

const inMs = ({ median, least, most }: Spread) =>
  `${median.toFixed(0)} ms (${least.toFixed(0)} to ${most.toFixed(0)})`

const limited = (bench: string, found: Spread, limitMs: number): Row => ({
  ...reported(bench, inMs(found), `at most ${limitMs} ms`),
  reached: found.median <= limitMs,
})
