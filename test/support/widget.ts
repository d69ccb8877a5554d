// Shared by the widget tests: a service on a port, slots to book, a page on another host, and a visitor's actions.

import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, expect, onTestFinished, vi } from 'vitest'
import type { Day } from '../../web/shared/dates.ts'
import { makeFormat } from '../../web/shared/format.ts'
import { startBrowser } from './browser.ts'
import { makePractice, makeTimeslot, type Practice } from './build.ts'
import { startsOf } from './consumer.ts'
import { call, startTestService, type TestService } from './service.ts'

export type Site = { holdfast: TestService; origin: string; browser: Browser; close(): Promise<void> }

/** The service and the browser of a test file, closed when its tests are done. */
export async function useSite(env: Record<string, string> = {}): Promise<Site> {
  // A browser on a busy machine is slow; no test here waits for time to pass. Set in this function, because the module is
  // shared and every file needs it.
  vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })
  const site = await openSite(env)
  afterAll(() => site.close())
  return site
}

async function openSite(env: Record<string, string> = {}): Promise<Site> {
  const [holdfast, browser] = await Promise.all([startTestService(env), startBrowser()])
  const origin = await holdfast.app.listen({ port: 0, host: '127.0.0.1' })
  // Links must point to the actual address of the service.
  holdfast.service.baseUrl = origin
  return {
    holdfast,
    origin,
    browser,
    async close() {
      await browser.close()
      await holdfast.close()
    },
  }
}

const now = () => Temporal.Now.zonedDateTimeISO('Europe/Berlin')

// A test that starts today must not end tomorrow, because it expects one date.
const untilMidnight = now().add({ days: 1 }).startOfDay().epochMilliseconds - now().epochMilliseconds
if (untilMidnight < 120_000) await pause(untilMidnight + 1000)

/** The day this many days from today, in the service's default zone. */
export const dayIn = (days: number) => now().add({ days }).toPlainDate().toString()

type SlotOptions = { days?: number[]; from?: string; to?: string } & Record<string, unknown>

/** A Resource with times from 9 to 12 and from 13 to 16 on the next days. */
export async function openPractice(
  { holdfast }: Site,
  fields: Record<string, unknown> = {},
  { days = [1, 2, 3], from = '09:00', to = '16:00', ...slot }: SlotOptions = {},
): Promise<Practice> {
  const practice = await makePractice(holdfast.crm, {
    name: 'Harbour Practice',
    impressum: 'Harbour Practice, Hafenstrasse 1, 20359 Hamburg',
    email: 'hello@example.org',
    ...fields,
  })
  await Promise.all(days.map(day => addTimes({ holdfast } as Site, practice, dayIn(day), from, to, slot)))
  return practice
}

export function addTimes(
  { holdfast }: Site,
  practice: Practice,
  day: string,
  from: string,
  to: string,
  fields: Record<string, unknown> = {},
) {
  return makeTimeslot(holdfast.crm, practice, { start: `${day}T${from}`, end: `${day}T${to}`, ...fields })
}

/** The start times that the public list offers until tomorrow: `10:00`. */
export async function openTimes({ holdfast }: Site, { resource }: { resource: string }): Promise<string[]> {
  const answer = await call(holdfast.app, 'GET', `/resources/${resource}/upcoming_bookables?to=${dayIn(2)}`)
  return startsOf(answer).map(start => start.slice(11, 16))
}

export const bookPage = ({ origin }: Site, { resource }: { resource: string }, query = '') =>
  `${origin}/book/${encodeURIComponent(resource)}${query}`

export const times = (page: Page) => page.locator('holdfast-booking [part="times"] button')
export const time = (page: Page, name: string | RegExp) =>
  page.locator('holdfast-booking [part="times"]').getByRole('button', { name })

export async function fillForm(page: Page, fields: Partial<Record<string, string>> = {}) {
  const all = { 'First name': 'Ann', 'Last name': 'Winter', Email: 'ann@example.org', ...fields }
  for (const [label, value] of Object.entries(all)) await page.getByLabel(label).fill(value!)
}

// The minified file, and no result to send back: the full one takes twice as long.
const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const axeScript = `${readFileSync(axeFile, 'utf8')};void 0`

/** Checks the page, or a part of it, against the WCAG 2.2 AA rules that can be tested automatically. */
/**
 * `contrastOnly`: for a page that was checked in other colours. `names`: also that the name of each control contains its
 * visible text, which is not part of the rules by default.
 */
export async function expectNoBarriers(
  page: Page,
  part?: string,
  { contrastOnly = false, names = false } = {},
) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeScript)
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
  const runOnly = contrastOnly ? ['color-contrast'] : tags
  const found = await page.evaluate(
    async ([selector, runOnly, names]) => {
      const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(
        selector ?? document,
        {
          runOnly,
          rules: { 'label-content-name-mismatch': { enabled: names } },
          resultTypes: ['violations'],
          // Preloading is only needed for rules about audio and video.
          preload: false,
        },
      )
      return violations.map(one => `${one.id}: ${one.nodes.map(node => node.html.slice(0, 160)).join(' | ')}`)
    },
    [part, runOnly, names] as const,
  )
  expect(found).toEqual([])
}

/** Serves a host page with its own policy and styles until the test ends, and returns its URL. */
export async function openHost(body: string, { css = '', policy = '', head = '' } = {}): Promise<string> {
  return serveUntilEnd((request, response) => {
    const isCss = request.url === '/host.css'
    response.setHeader('content-type', isCss ? 'text/css' : 'text/html; charset=utf-8')
    if (policy) response.setHeader('content-security-policy', policy)
    response.end(
      isCss
        ? css
        : `<!doctype html><html lang="en"><head><title>Host</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/host.css">${head}</head><body>${body}</body></html>`,
    )
  })
}

/** The address of a separate server that runs until the test ends. */
export async function serveUntilEnd(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** What a page shows shortly after an action. A busy machine may need more than the default second. */
export const soon = <T>(look: () => Promise<T>) => expect.poll(look, { timeout: 10_000 })

/** The layout shifts that the browser has counted. */
export async function watchShifts(page: Page) {
  await page.addInitScript(() => {
    const seen = globalThis as unknown as { shifts: number[] }
    seen.shifts = []
    new PerformanceObserver(list => {
      for (const entry of list.getEntries()) seen.shifts.push((entry as unknown as { value: number }).value)
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

export const shiftsOf = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { shifts: number[] }).shifts)

/** "Wednesday, 18 November": how calendars and lists name a day. */
export const dayName = (day: string, tag = 'en-GB') => makeFormat(tag).day(day as Day)
