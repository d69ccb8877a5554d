// The widget in pages made with React and Vue, and set up by hand in all the ways that frameworks do.

import { build, type Rolldown } from 'vite'
import { describe, expect, it } from 'vitest'
import { visit } from '../support/browser.ts'
import { makeResource } from '../support/build.ts'
import { call } from '../support/service.ts'
import {
  addTimes,
  dayIn,
  fillForm,
  openHost,
  openPractice,
  serveUntilEnd,
  soon,
  time,
  times,
  useSite,
} from '../support/widget.ts'

const site = await useSite()

/** What a visitor of an application downloads: one page, its script bundled. */
async function openApplication(entry: string, config: object): Promise<string> {
  const folder = new URL('frameworks/', import.meta.url)
  const built = (await build({
    root: folder.pathname,
    configFile: false,
    logLevel: 'silent',
    oxc: { jsx: { runtime: 'automatic', development: false } },
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: { alias: { vue: 'vue/dist/vue.esm-bundler.js' } },
    build: { write: false, minify: false, rolldownOptions: { input: new URL(entry, folder).pathname } },
  })) as Rolldown.RolldownOutput
  const script = built.output[0].code
  const page = `<!doctype html><html lang="en"><head><title>Application</title><link rel="icon" href="data:,"></head><body>
<script>var config = ${JSON.stringify(config)}</script><div id="app"></div>
<script type="module" src="${site.origin}/widget.js"></script><script type="module" src="/app.js"></script></body></html>`
  return serveUntilEnd((request, response) => {
    const isScript = request.url === '/app.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8')
    response.end(isScript ? script : page)
  })
}

describe.each([
  ['React', 'react.tsx'],
  ['Vue', 'vue.ts'],
])('an application made with %s', (name, entry) => {
  it('sets the resource late, changes it, removes it, and receives the booking event', async () => {
    const practice = await openPractice(site, {}, { days: [1] })
    const later = await openPractice(site, { name: 'Later Practice' }, { days: [2] })
    const url = await openApplication(entry, {
      baseUrl: site.origin,
      resource: practice.resource,
      later: later.resource,
    })
    const { page, problems } = await visit(site.browser, url)
    const press = (button: string) => page.getByRole('button', { name: button, exact: true }).click()
    await page.getByText('We can’t find this page').waitFor()
    await press('Show')
    await time(page, '10:00').waitFor()
    expect(await page.locator('holdfast-booking').getAttribute('theme')).toBe('light')
    await press('Show another')
    await page.getByText('Later Practice').waitFor()
    await press('Hide')
    await page.getByText('We can’t find this page').waitFor()
    await press('Show')
    await time(page, '10:00').click()
    await fillForm(page, { Email: `${name}@example.org` })
    await page.getByRole('button', { name: 'Book now' }).click()
    await soon(() => page.locator('#booked').innerText()).toContain(`confirmed ${dayIn(1)}T`)
    await press('Refresh')
    expect(problems).toEqual([])
  })
})

describe('a page that creates the element by script', () => {
  it('loads once for all attributes set together, in any order, before or after it is on the page', async () => {
    const practice = await openPractice(site)
    const { page } = await visit(site.browser, await openHost('<main></main>'))
    const loads: string[] = []
    page.on('request', request => request.url().includes('/bundle') && loads.push(request.url()))
    await page.evaluate(
      ({ baseUrl, resource }) => {
        const element = document.createElement('holdfast-booking')
        // Before the module is there: these lie on the element as they are.
        Object.assign(element, { resource: [resource], channelKey: 'CALENDAR_PUBLIC', theme: 'dark' })
        document.querySelector('main')!.append(element)
        element.setAttribute('base-url', baseUrl)
        const script = Object.assign(document.createElement('script'), {
          type: 'module',
          src: `${baseUrl}/widget.js`,
        })
        document.head.append(script)
      },
      { baseUrl: site.origin, resource: practice.resource },
    )
    await time(page, '10:00').waitFor()
    expect(loads.map(load => new URL(load).searchParams.get('channelKey'))).toEqual(['CALENDAR_PUBLIC'])
    const element = page.locator('holdfast-booking')
    expect(await element.getAttribute('theme')).toBe('dark')
    await element.evaluate(one => {
      one.removeAttribute('resource')
      one.removeAttribute('channel-key')
      Object.assign(one, { date: '2030-01-01', timeZone: 'UTC', lang: 'en-GB' })
    })
    await page.getByText('We can’t find this page').waitFor()
    await element.evaluate((one, resource) => {
      // The original name, which still works.
      one.setAttribute('ref', resource)
      Object.assign(one, { date: null, timeZone: undefined })
    }, practice.resource)
    await time(page, '10:00').waitFor()
    expect(loads.length).toBe(2)
  })

  it('gets an event if the resource is missing', async () => {
    const url = await openHost(`<main></main><script type="module" src="${site.origin}/widget.js"></script>`)
    const { page } = await visit(site.browser, url)
    const kind = await page.evaluate(async () => {
      await customElements.whenDefined('holdfast-booking')
      const element = document.createElement('holdfast-booking')
      const heard = new Promise(resolve =>
        element.addEventListener('holdfast-error', event =>
          resolve((event as CustomEvent<{ kind: string }>).detail.kind),
        ),
      )
      document.querySelector('main')!.append(element)
      return heard
    })
    expect(kind).toBe('no-resource')
    await page.getByText('We can’t find this page').waitFor()
  })

  it('may use ref as an alias, and selects one of several with selected-resource', async () => {
    const one = await openPractice(site, {}, { days: [1] })
    const { reference: two } = await makeResource(site.holdfast.crm, one, { publicName: 'Second room' })
    await addTimes(site, { ...one, resource: two }, dayIn(1), '10:00', '11:00')
    const url = await openHost(
      `<script type="module" src="${site.origin}/widget.js"></script><holdfast-booking ref="${one.resource},${two}" selected-resource="${two}"></holdfast-booking>`,
    )
    const { page } = await visit(site.browser, url)
    await time(page, '10:00').waitFor()
    expect(await times(page).allInnerTexts()).toEqual(['10:00', '10:30'])
  })
})

it('can load the types of the element', async () => {
  for (const name of ['index', 'react', 'preact', 'vue']) {
    const { status, text, headers } = await call(site.holdfast.app, 'GET', `/widget/${name}.d.ts`)
    expect(status).toBe(200)
    expect(text).toContain('HoldfastBookingOptions')
    expect(headers['content-type']).toContain('text/plain')
  }
})
