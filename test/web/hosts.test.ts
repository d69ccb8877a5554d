// The widget on other people's pages: hostile styles, strict policies, several at once, nothing that jumps.

import { gzipSync } from 'node:zlib'
import type { Response } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { narrow, screenshot, visit, visitAfresh, wide } from '../support/browser.ts'
import { makeAppointment, makeProduct, makeResource, unique } from '../support/build.ts'
import { call } from '../support/service.ts'
import {
  addTimes,
  bookPage,
  dayIn,
  fillForm,
  openHost,
  openPractice,
  shiftsOf,
  soon,
  time,
  times,
  useSite,
  watchShifts,
} from '../support/widget.ts'

const site = await useSite()

const host = (body: string, options: Parameters<typeof openHost>[1] = {}) =>
  openHost(`<script type="module" src="${site.origin}/widget.js"></script>${body}`, options)

const hostileCss = `
* { all: unset !important; }
* { display: inline !important; font: 40px/1 fantasy !important; color: red !important; letter-spacing: 1em !important; }
html { font-size: 62.5%; }
button, input { display: none !important; }
`

describe('a page with hostile styles and a strict policy', () => {
  it('gets a widget that looks and works as usual, and loads at most 32 KB for a booking', async () => {
    const practice = await openPractice(site)
    const policy = `default-src 'none'; script-src 'self' ${site.origin}; connect-src ${site.origin}; style-src 'self'; img-src data:`
    const url = await openHost(
      `<script src="${site.origin}/embed.js"></script><holdfast-booking ref="${practice.resource}"></holdfast-booking>`,
      { css: hostileCss, policy },
    )
    const { page, context, problems } = await visitAfresh(site.browser, 'about:blank')
    const requested: string[] = []
    const loaded: Response[] = []
    page.on('response', response => {
      if (response.url().startsWith(url)) return
      requested.push(new URL(response.url()).origin)
      if (response.request().resourceType() === 'script') loaded.push(response)
    })
    await page.goto(url)
    await time(page, '10:00').click()
    await fillForm(page, { Email: 'hostile@example.org' })
    await screenshot(page, '1280-light-hostile')
    const size = await page.getByLabel('Email').evaluate(input => {
      const { fontSize, color } = getComputedStyle(input)
      return { fontSize, color, height: input.getBoundingClientRect().height >= 44 }
    })
    expect(size).toEqual({ fontSize: '16px', color: 'rgb(28, 37, 40)', height: true })
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
    expect(problems).toEqual([])
    expect(await context.cookies()).toEqual([])
    expect([...new Set(requested)]).toEqual([site.origin])
    const names = loaded.map(one => one.url().replace(/.*\/(?:widget-)?|(-[\w-]{6})?\.js$/g, ''))
    expect(names.toSorted()).toEqual(['embed', 'en', 'main', 'steps'])
    const bodies = await Promise.all(loaded.map(one => one.body()))
    const bytes = bodies.reduce((sum, body) => sum + gzipSync(body).length, 0)
    expect(bytes).toBeLessThanOrEqual(32 * 1024)
  })
})

describe('a page that reads from right to left', () => {
  it('gets a right-to-left widget: nothing overflows, the arrows are mirrored', async () => {
    const practice = await openPractice(site)
    const url = await host(
      `<div dir="rtl"><holdfast-booking ref="${practice.resource}"></holdfast-booking></div>`,
    )
    for (const viewport of [wide, narrow]) {
      const { page } = await visit(site.browser, url, { viewport })
      await time(page, '10:00').waitFor()
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(overflow).toBeLessThanOrEqual(0)
      await screenshot(page, `${viewport.width}-light-rtl`)
      await page.locator('holdfast-booking table [tabindex="0"]').focus()
      await page.keyboard.press('ArrowLeft')
      const focusedDay = () =>
        page.evaluate(() =>
          document.querySelector('holdfast-booking')!.shadowRoot!.activeElement!.getAttribute('data-day'),
        )
      await soon(focusedDay).toBe(dayIn(2))
    }
  })
})

describe('two widgets on one page', () => {
  it('are independent', async () => {
    const one = await openPractice(site)
    const two = await openPractice(site, { name: 'Other Practice' })
    const url = await host(
      `<holdfast-booking id="one" ref="${one.resource}"></holdfast-booking><holdfast-booking id="two" ref="${two.resource}" lang="de" theme="dark"></holdfast-booking>`,
    )
    const { page } = await visit(site.browser, url)
    const first = page.locator('#one')
    const second = page.locator('#two')
    await first.getByRole('button', { name: '10:00' }).click()
    await first.getByLabel('First name').fill('Ann')
    await second.getByRole('button', { name: '11:00' }).click()
    await second.getByLabel('Vorname').fill('Bea')
    expect(await first.getByLabel('First name').inputValue()).toBe('Ann')
    await screenshot(page, '1280-two-widgets')
  })
})

describe('several resources', () => {
  it('share one calendar with an "any" choice, and another one is used if the first is taken', async () => {
    const practice = await openPractice(site, {}, { days: [1] })
    const other = await makeResource(site.holdfast.crm, practice, { publicName: 'Second room' })
    await addTimes(site, { ...practice, resource: other.reference }, dayIn(1), '10:00', '17:00')
    const url = await host(
      `<holdfast-booking ref="${practice.resource}, ${other.reference}"></holdfast-booking>`,
    )
    const { page } = await visit(site.browser, url)
    await time(page, '10:00').waitFor()
    await soon(() => times(page).count()).toBe(16)
    await screenshot(page, '1280-light-any')
    const rival = await visit(site.browser, bookPage(site, practice))
    await time(rival.page, '10:00').click()
    await rival.page.getByText('Reserved for you').waitFor()
    await time(page, '10:00').click()
    await page.getByText('Reserved for you').waitFor()
    await page.getByRole('heading', { name: 'Second room' }).waitFor()
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('combobox', { name: 'With' }).selectOption('Second room')
    await soon(() => times(page).count()).toBe(14)
  })

  it('are offered only for the services they have', async () => {
    const practice = await openPractice(site, {}, { days: [1] })
    const { crm } = site.holdfast
    const massage = await makeProduct(crm, practice, { name: 'Massage', minDuration: 30, maxDuration: 30 })
    const resources = [
      await makeResource(crm, practice, { publicName: 'Second room' }),
      await makeResource(crm, practice, { publicName: 'Massage room', products: [massage.reference] }),
    ]
    for (const { reference } of resources)
      await addTimes(site, { ...practice, resource: reference }, dayIn(1), '10:00', '12:00')
    const refs = [practice.resource, ...resources.map(one => one.reference)].join(',')
    const { page } = await visit(site.browser, bookPage(site, { resource: refs }))
    const offered = () => page.getByRole('combobox', { name: 'With' }).locator('option').allInnerTexts()
    await page.getByRole('button', { name: 'Talk' }).click()
    await soon(offered).toContain('Second room')
    expect(await offered()).not.toContain('Massage room')
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('button', { name: 'Massage' }).click()
    await soon(offered).toContain('Massage room')
  })

  it('share the bookings: "any" takes the one with the fewest bookings of the day', async () => {
    const practice = await openPractice(site, {}, { days: [1] })
    const other = await makeResource(site.holdfast.crm, practice, { publicName: 'Second room' })
    await addTimes(site, { ...practice, resource: other.reference }, dayIn(1), '09:00', '16:00')
    await makeAppointment(site.holdfast.crm, practice, {
      start: `${dayIn(1)}T09:00`,
      end: `${dayIn(1)}T09:30`,
      participations: [{ reference: unique('p'), name: 'Ada Early', email: unique('m'), state: 'BOOKED' }],
    })
    const both = { resource: `${practice.resource},${other.reference}` }
    const { page } = await visit(site.browser, bookPage(site, both))
    await time(page, '11:00').click()
    await page.getByText('Reserved for you').waitFor()
    await page.getByRole('heading', { name: 'Second room' }).waitFor()
  })
})

describe('the events', () => {
  it('bubble to the page in booking order, and contain no visitor input', async () => {
    const practice = await openPractice(site)
    const { page } = await visit(
      site.browser,
      `${site.origin}/demo?ref=${encodeURIComponent(practice.resource)}`,
    )
    await time(page, '10:00').click()
    await fillForm(page, { Email: 'events@example.org' })
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByRole('link', { name: 'Cancel appointment' }).click()
    await page.getByRole('button', { name: 'Yes, cancel' }).click()
    const lines = page.locator('#events li')
    await lines.filter({ hasText: 'holdfast-cancelled' }).waitFor()
    const names = (await lines.allInnerTexts())
      .map(line => line.split(' ')[0]!.replace('holdfast-', ''))
      .reverse()
    expect(names.filter(name => name !== 'slots-loaded')).toEqual([
      'ready',
      'reserved',
      'booked',
      'cancelled',
    ])
    expect(names).toContain('slots-loaded')
    expect(await page.locator('#events').innerText()).not.toContain('events@example.org')
    await screenshot(page, '1280-light-demo')
  })
})

describe('loading', () => {
  it.each([
    ['1280', wide],
    ['360', narrow],
  ])('moves nothing on the booking page at %s', async (_name, viewport) => {
    const practice = await openPractice(site)
    const { page } = await visitAfresh(site.browser, 'about:blank', { viewport })
    await watchShifts(page)
    await page.goto(bookPage(site, practice))
    await time(page, '10:00').waitFor()
    await page.waitForLoadState('networkidle')
    expect(await shiftsOf(page)).toEqual([])
  })

  it.each([
    ['1280', wide],
    ['360', narrow],
    ['360-tall', { width: 360, height: 1500 }],
  ])('moves nothing on a host page with the documented rule at %s', async (name, viewport) => {
    const practice = await openPractice(site)
    const css = `body { margin: 0 } holdfast-booking:not(:defined) { display: block; height: 0;
      padding: 0 0 max(608px, min(720px, (896px - 100%) * 999), min(832px, (576px - 100%) * 999)) }`
    const url = await host(
      `<holdfast-booking ref="${practice.resource}"></holdfast-booking><p>Below the widget</p>`,
      { css },
    )
    const { page } = await visitAfresh(site.browser, 'about:blank', { viewport })
    await watchShifts(page)
    // Slow enough to see the outline first.
    await page.route('**/resources/bundle*', async route => {
      await page.locator('holdfast-booking [part="skeleton"]').waitFor()
      await screenshot(page, `${name}-light-0-skeleton`, false)
      await route.continue()
    })
    await page.goto(url)
    await time(page, '10:00').waitFor()
    await page.waitForLoadState('networkidle')
    expect(await shiftsOf(page)).toEqual([])
  })

  it('moves nothing below the widget when a booking is confirmed', async () => {
    const practice = await openPractice(site)
    const url = await host(
      `<holdfast-booking ref="${practice.resource}"></holdfast-booking><p>Below the widget</p>`,
    )
    const { page } = await visitAfresh(site.browser, url, { viewport: { width: 360, height: 1500 } })
    await time(page, '10:00').click()
    await fillForm(page, {})
    const below = page.getByText('Below the widget')
    const before = await below.boundingBox()
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByRole('link', { name: 'Cancel appointment' }).waitFor()
    expect(await below.boundingBox()).toEqual(before)
  })

  it('sends no request before the first time on the booking page, and one on other pages', async () => {
    const practice = await openPractice(site)
    const count = async (url: string) => {
      const { page } = await visitAfresh(site.browser, 'about:blank')
      const requestedUrls: string[] = []
      page.on(
        'request',
        request =>
          /bundle|public_data|products|bookables/.test(request.url()) && requestedUrls.push(request.url()),
      )
      await page.addInitScript(() => {
        addEventListener('holdfast-slots-loaded', () => Object.assign(globalThis, { loaded: true }), {
          once: true,
        })
      })
      // Requests for later times get no answer: the first time must not depend on them.
      await page.route(/upcoming_bookables/, () => {})
      await page.goto(url)
      await time(page, '10:00').waitFor()
      return requestedUrls.filter(one => !one.includes('upcoming')).length
    }
    expect(await count(bookPage(site, practice))).toBe(0)
    const url = await host(`<holdfast-booking ref="${practice.resource}"></holdfast-booking>`)
    expect(await count(url)).toBe(1)
  })
})

describe('/embed.js', () => {
  it.each([
    ['a wide page', wide, 'auto', 0],
    ['a phone', narrow, 'auto', 0],
    // By some pixels: there the first day's times are taller than the outline.
    ['a column of a wide page', wide, '640px', 0.01],
  ])(
    'needs four requests to the first time on %s, and moves nothing there',
    async (_name, viewport, width, most) => {
      const practice = await openPractice(site)
      const url = await openHost(
        `<p>Above</p><div class="column"><script src="${site.origin}/embed.js"></script>
      <holdfast-booking resource="${practice.resource}"><a href="#">Book</a></holdfast-booking></div><p>Below</p>`,
        {
          css: `.column { width: ${width} }`,
          head: '<meta name="viewport" content="width=device-width">',
          policy: `default-src 'none'; script-src ${site.origin}; connect-src ${site.origin}; style-src 'self'; img-src data:`,
        },
      )
      const { page, problems } = await visitAfresh(site.browser, 'about:blank', { viewport })
      await watchShifts(page)
      const requestedUrls: string[] = []
      page.on('request', request => requestedUrls.push(new URL(request.url()).pathname))
      // Prefetching starts after the first time is shown.
      const ahead = /upcoming_bookables|widget-(en|steps)-/
      await page.route(ahead, () => {})
      // Slow enough for the page to be painted without the widget, which does not keep the first question waiting.
      await page.route(/widget-main/, async route => {
        await soon(async () => requestedUrls).toContain('/resources/bundle')
        await page.evaluate(
          () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))),
        )
        await route.continue()
      })
      await page.goto(url, { waitUntil: 'commit' })
      await time(page, '10:00').waitFor()
      const needed = requestedUrls.filter(path => !ahead.test(path) && path !== '/host.css')
      const main = expect.stringMatching(/^\/assets\/widget-main-/)
      expect(needed.toSorted()).toEqual(['/', main, '/embed.js', '/resources/bundle'])
      const moved = (await shiftsOf(page)).reduce((sum, one) => sum + one, 0)
      expect(moved).toBeLessThanOrEqual(most)
      expect(problems).toEqual([])
    },
  )
})

describe('a language other than English', () => {
  it('loads beside the main file, and again after a failure', async () => {
    const practice = await openPractice(site)
    const url = await openHost(
      `<script src="${site.origin}/embed.js"></script><holdfast-booking ref="${practice.resource}" lang="de"></holdfast-booking><p>Below</p>`,
    )
    const { page, problems } = await visitAfresh(site.browser, 'about:blank')
    await watchShifts(page)
    const requested: string[] = []
    page.on('request', request => requested.push(request.url()))
    const german = expect.stringContaining('/assets/widget-de-')
    await page.route(/widget-main/, async route => {
      await soon(async () => requested).toContainEqual(german)
      await route.continue()
    })
    await page.goto(url)
    await page.getByRole('heading', { name: 'Termin auswählen' }).waitFor()
    await page.getByText('Zeit in Berlin, ').waitFor()
    expect(await shiftsOf(page)).toEqual([])
    expect(problems).toEqual([])
    await page.route(/widget-fr/, route => route.abort())
    await page.locator('[part="language"]').selectOption('fr')
    await page.getByText('We can’t reach the booking service right now.').waitFor()
    await page.unroute(/widget-fr/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Choisir un horaire' }).waitFor()
  })
})

describe('/widget.js', () => {
  it('is a short name for a file that never changes, open to every page', async () => {
    const short = await call(site.holdfast.app, 'GET', '/widget.js')
    expect(short.headers['cache-control']).toBe('public, max-age=300')
    expect(short.headers['access-control-allow-origin']).toBe('*')
    const again = await call(site.holdfast.app, 'GET', '/widget.js', undefined, {
      headers: { 'if-none-match': String(short.headers.etag) },
    })
    expect(again.status).toBe(304)
    const path = /'(\/assets\/widget-[\w-]+\.js)'/.exec(short.text)![1]!
    const file = await call(site.holdfast.app, 'GET', path)
    expect(file.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(file.headers['set-cookie']).toBeUndefined()
    expect(file.text).not.toMatch(/\beval\(|new Function\(/)
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['br;q=0, gzip', 'gzip'],
      ['gzip;q=0, br;q=0', undefined],
    ] as const) {
      const headers = { 'accept-encoding': accepted }
      const sent = await call(site.holdfast.app, 'GET', path, undefined, { headers })
      expect(sent.headers['content-encoding']).toBe(encoding)
      expect(sent.headers.vary).toBe('accept-encoding')
    }
  })
})
