import type { Browser } from 'playwright-core'
import { startBrowser } from '../../test/support/chromium.ts'
import { spread } from '../lib/compare.ts'
import { progress } from '../lib/progress.ts'
import { type Row, reported } from '../lib/report.ts'
import { makePractice, type Seeded } from '../lib/seed.ts'
import { consoleToken, type Running, withSql } from '../lib/service.ts'
import { onStage } from '../lib/stage.ts'

const scale = Number(process.env.SCALE ?? 1)
const rooms = Math.round(3000 * scale)
const guests = Math.round(2000 * scale)
const limitMs = 100

const screens = {
  Today: { path: '/?day=', seen: '.today tbody th', scrolled: 'html' },
  'Calendar, week': { path: '/calendar?view=week&day=', seen: '.entry-mark', scrolled: '.week-frame' },
  'Calendar, day': { path: '/calendar?view=day&day=', seen: '.entry-mark', scrolled: '.ec-main' },
}

/** The console of a Provider with 3,000 Resources and 2,000 Appointments in a day, in Chromium: the longest task. */
export const longTables = (): Promise<Row[]> =>
  onStage(
    async ({ service }) => {
      const seeded = await fillDay(service)
      const browser = await startBrowser()
      try {
        const rows: Row[] = []
        for (const name of Object.keys(screens) as (keyof typeof screens)[])
          rows.push(await measure(browser, service, name, seeded.days[0]!))
        return rows
      } finally {
        await browser.close()
      }
    },
    { args: ['--without-jobs'], data: 'none' },
  )

export async function fillDay(service: Running): Promise<Seeded> {
  const seeded = await makePractice(service, 1, 1)
  await withSql(service, async client => {
    await client.query(
      `insert into resource (provider_id, reference, public_name, internal_name)
       select provider_id, 'long-' || number, 'Room ' || number, 'Room ' || number
       from resource, generate_series(2, $1::int) as number`,
      [rooms],
    )
    await client.query(
      `with made as (
         insert into appointment (provider_id, resource_id, product_id, reference, origin, start_at, end_at, blocked_from, blocked_to,
           capacity, accept_bookings)
         select provider_id, id, (select id from product limit 1), 'long-' || id, 'provider', at, at + interval '30 minutes', at,
           at + interval '30 minutes', 1, false
         from resource, lateral (select $2::timestamptz + id % 20 * interval '30 minutes' as at) as times
         order by resource.id limit $1 returning id, provider_id, reference
       )
       insert into participation (provider_id, appointment_id, reference, name, email, state)
       select provider_id, id, reference, 'Guest ' || id, 'guest@example.org', 'BOOKED' from made`,
      [guests, `${seeded.days[0]}T07:00Z`],
    )
    await client.query('vacuum analyze')
  })
  return seeded
}

/** While the page is opened, and while it is scrolled to its end. */
async function measure(
  browser: Browser,
  { origin }: Running,
  name: keyof typeof screens,
  day: string,
): Promise<Row> {
  const { path, seen, scrolled } = screens[name]
  const found: { longest: number; nodes: number }[] = []
  for (let round = 0; round < 4; round++) {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      extraHTTPHeaders: { authorization: `Bearer ${consoleToken}` },
    })
    const page = await context.newPage()
    await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] })
    await page.goto(`${origin}/console${path}${day}`)
    await page.locator(seen).first().waitFor()
    for (let step = 1; step <= 10; step++) {
      await page
        .locator(scrolled)
        .evaluate((frame, part) => frame.scrollTo(0, frame.scrollHeight * part), step / 10)
      await page.evaluate(() => new Promise(done => setTimeout(done, 100)))
    }
    const nodes = await page.evaluate(() => document.querySelectorAll('*').length)
    found.push({ longest: longestTaskMs(await browser.stopTracing()), nodes })
    await context.close()
  }
  // The first round compiles the service's code.
  const longest = spread(found.slice(1).map(one => one.longest))
  const nodes = Math.max(...found.map(one => one.nodes))
  progress(`  ${name}: ${longest.median} ms, ${nodes} elements`)
  return {
    ...reported(
      `${name}: longest task`,
      `${longest.median.toFixed(0)} ms of CPU (${longest.least.toFixed(0)} to ${longest.most.toFixed(0)}), ${nodes.toLocaleString('en')} elements`,
      `at most ${limitMs} ms`,
    ),
    reached: longest.median <= limitMs,
  }
}

type Traced = { name: string; tid: number; pid: number; tdur?: number; args: { name?: string } }

/** In CPU time of the page's main thread: waiting for a busy machine does not count. */
function longestTaskMs(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: Traced[] }
  const mains = new Set(
    traceEvents
      .filter(one => one.name === 'thread_name' && one.args.name === 'CrRendererMain')
      .map(one => `${one.pid} ${one.tid}`),
  )
  const tasks = traceEvents.filter(
    one => one.name.endsWith('RunTask') && mains.has(`${one.pid} ${one.tid}`) && one.tdur !== undefined,
  )
  if (tasks.length === 0) throw new Error('The trace has no tasks.')
  return Math.max(...tasks.map(one => one.tdur! / 1000))
}
