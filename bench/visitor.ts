// node bench/visitor.ts [folder ...]: what a visitor waits for and presses until they have a booking, on a
// phone with a slow connection. Each folder is a checkout of Holdfast with its packages and built web part;
// the default is this checkout. Candidates take turns, round by round, so that other load on the machine
// affects all of them alike.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { startBrowser } from '../test/support/chromium.ts'

const rounds = Number(process.env.ROUNDS ?? 5)
/** Adds 400 ms to each answer and limits the line to 400 kbit/s. */
const line = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }
const folders = process.argv.length > 2 ? process.argv.slice(2) : [resolve(import.meta.dirname, '..')]

type Seen = Record<'requests' | 'kilobytes' | 'firstTimeMs' | 'shift' | 'clicks' | 'bookedMs', number>
type Candidate = { name: string; pages: Record<'hosted' | 'embedded', string>; stop(): Promise<void> }

/** Each checkout seeds its service with its own code. */
async function open(folder: string): Promise<Candidate> {
  const from = (path: string) => import(pathToFileURL(join(resolve(folder), 'bench/lib', path)).href)
  // Nothing is delivered, but a widget without a mail server loads more: it says that no emails will come.
  const env = { HOLD_SECONDS: '180', SMTP_URL: 'smtp://127.0.0.1:9' }
  const service = await (await from('service.ts')).startService({ env })
  const { makePractice, makeTimeslots } = await from('seed.ts')
  const seeded = await makePractice(service, 1, 28)
  await makeTimeslots(service, seeded)
  const hasLoader = (await fetch(`${service.origin}/embed.js`)).ok
  const script = hasLoader
    ? `<script src="${service.origin}/embed.js"></script>`
    : `<script type="module" src="${service.origin}/widget.js"></script>`
  const { uuid } = seeded.resources[0]
  const host = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><html lang="en"><head><title>Host</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width">${script}</head><body><h1>Our practice</h1><p>Book a talk:</p>
<holdfast-booking ref="${uuid}"></holdfast-booking><p>We look forward to your visit.</p></body></html>`)
  })
  await new Promise<void>(done => host.listen(0, '127.0.0.1', done))
  const port = (host.address() as AddressInfo).port
  return {
    name: folder,
    pages: { hosted: `${service.origin}/book/${uuid}?lang=en`, embedded: `http://127.0.0.1:${port}/` },
    async stop() {
      host.close()
      await service.stop()
    },
  }
}

/** From an empty cache to the confirmation, without thinking time. */
async function visit(browser: Browser, url: string, email: string): Promise<Seen> {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, locale: 'en-GB' })
  try {
    const page = await context.newPage()
    const network = await context.newCDPSession(page)
    await network.send('Network.enable')
    await network.send('Network.emulateNetworkConditions', line)
    await page.addInitScript(watch)
    let bytes = 0
    network.on('Network.loadingFinished', one => {
      bytes += one.encodedDataLength
    })
    const begun = performance.now()
    await page.goto(url, { waitUntil: 'commit' })
    await page.waitForFunction(() => (globalThis as unknown as Watched).firstTime !== undefined)
    const clicks = await book(page, email)
    const bookedMs = performance.now() - begun
    const seen = await page.evaluate(() => {
      const { firstTime, requests, shift } = globalThis as unknown as Watched
      return { firstTimeMs: firstTime!, requests: requests!, shift }
    })
    return { ...seen, kilobytes: bytes / 1024, clicks, bookedMs }
  } finally {
    await context.close()
  }
}

type Watched = { firstTime?: number; requests?: number; shift: number }

/** Runs in the page: records when the first available time is visible, and the layout shift. */
function watch() {
  const seen = globalThis as unknown as Watched
  seen.shift = 0
  new PerformanceObserver(list => {
    for (const one of list.getEntries() as unknown as { hadRecentInput: boolean; value: number }[])
      if (!one.hadRecentInput) seen.shift += one.value
  }).observe({ type: 'layout-shift', buffered: true })
  const look = () => {
    const element = document.querySelector('holdfast-booking')
    const slot =
      element?.shadowRoot?.querySelector('[part="slot"]') ?? document.querySelector('.slots button')
    if (!slot || slot.getBoundingClientRect().height === 0) return requestAnimationFrame(look)
    seen.firstTime = performance.now()
    // The page itself, and what had loaded by then.
    const all = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    seen.requests = 1 + all.filter(one => one.responseEnd > 0 && one.responseEnd <= seen.firstTime!).length
  }
  requestAnimationFrame(look)
}

async function book(page: Page, email: string): Promise<number> {
  let clicks = 0
  const press = async (selector: string) => {
    await page.locator(`holdfast-booking ${selector}`).first().click()
    clicks++
  }
  await press('[part="slot"]')
  await press('[name="firstname"]')
  // Moves from field to field with the phone's keyboard.
  for (const text of ['Ann', 'Winter', email]) {
    await page.keyboard.insertText(text)
    await page.keyboard.press('Tab')
  }
  await press('[part="submit"]')
  await page.locator('holdfast-booking [part~="done"]').waitFor()
  return clicks
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

const candidates = await Promise.all(folders.map(open))
const browser = await startBrowser()
const results = new Map<string, Seen[]>()
try {
  for (let round = 0; round <= rounds; round++)
    for (const { name, pages } of candidates)
      for (const [kind, url] of Object.entries(pages)) {
        const seen = await visit(browser, url, `visitor${round}.${kind}@example.org`)
        // The first round warms up.
        if (round > 0) results.set(`${kind} | ${name}`, [...(results.get(`${kind} | ${name}`) ?? []), seen])
      }
} finally {
  await browser.close()
  for (const one of candidates) await one.stop()
}
console.log('| Page | Version | Requests | KB | First time | Layout shift | Clicks | Booked after |')
console.log('|---|---|---|---|---|---|---|---|')
for (const [name, all] of results) {
  const of = (key: keyof Seen, digits = 0) => median(all.map(one => one[key])).toFixed(digits)
  const seconds = (key: 'firstTimeMs' | 'bookedMs') => (median(all.map(one => one[key])) / 1000).toFixed(2)
  console.log(
    `| ${name} | ${of('requests')} | ${of('kilobytes')} | ${seconds('firstTimeMs')} s | ${of('shift', 3)} | ${of('clicks')} | ${seconds('bookedMs')} s |`,
  )
}
