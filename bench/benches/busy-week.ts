import type { Browser, Page } from 'playwright-core'
import { startBrowser } from '../../test/support/chromium.ts'
import { type Spread, spread } from '../lib/compare.ts'
import { progress } from '../lib/progress.ts'
import { type Row, reported } from '../lib/report.ts'
import { consoleToken, type Running } from '../lib/service.ts'
import { onStage } from '../lib/stage.ts'
import { fillWeek } from '../lib/week.ts'

// The console's calendar with 40 Resources and 2,000 Appointments in a week, in Chromium with an empty cache:
// from opening the address to the first frame that shows Appointments.

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
        for (const view of ['week', 'day'] as const)
          rows.push(...(await carries(browser, service, view, days[0]!)))
        return rows
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

/** Dragged: in the week table across ten rows, in the day grid by an hour across the Resource columns. */
const carried = {
  week: { mark: '.week-table .mark', across: 4, down: 8 },
  day: { mark: '.ec-event.entry-mark', across: 14, down: 4 },
}

/** The longest wait of a pointer move for its frame, and whether all moves were drawn. */
async function carries(
  browser: Browser,
  service: Running,
  view: keyof typeof carried,
  day: string,
): Promise<Row[]> {
  const page = await open(browser, service, `view=${view}&day=${day}`)
  const rounds: { longest: number; moves: number }[] = []
  for (let round = 0; round < 5; round++) rounds.push(await carry(page, view))
  await page.context().close()
  const moves = Math.min(...rounds.map(one => one.moves))
  const found = spread(rounds.map(one => one.longest))
  progress(`  ${view}: ${moves} of 60 movements seen, the longest wait ${inMs(found)}`)
  return [
    limited(`${view}: longest wait of a movement while one is carried`, found, frameLimitMs),
    { ...reported(`${view}: movements seen of 60`, String(moves), 'all'), reached: moves === 60 },
  ]
}

async function carry(page: Page, view: keyof typeof carried): Promise<{ longest: number; moves: number }> {
  const { mark, across, down } = carried[view]
  const box = (await page.locator(mark).first().boundingBox())!
  await page.mouse.move(box.x + 30, box.y + 8)
  await page.mouse.down()
  await page.evaluate(watchMoves)
  for (let step = 1; step <= 60; step++)
    await page.mouse.move(box.x + 30 + step * across, box.y + 8 + step * down)
  const seen = await page.evaluate(() => (globalThis as unknown as Seen).carried!)
  if (view === 'week') await page.keyboard.press('Escape')
  await page.mouse.up()
  // A drop asks whether to notify participants; nothing is moved.
  if (view === 'day') {
    await page.locator('dialog[open]').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('dialog[open]').waitFor({ state: 'detached' })
  }
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

/** Runs in the page: records when the first frame with an Appointment was shown. */
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
