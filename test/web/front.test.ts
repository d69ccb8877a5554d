// The bare address, and what browsers and search engines ask for by themselves.

import { expect, it } from 'vitest'
import { narrow, screenshot, visit } from '../support/browser.ts'
import { call } from '../support/service.ts'
import { expectNoBarriers, useSite } from '../support/widget.ts'

const site = await useSite()

it('shows people what this is, in their language', async () => {
  const { page, problems } = await visit(site.browser, `${site.origin}/`, { viewport: narrow })
  await page.getByRole('heading', { name: 'Holdfast' }).waitFor()
  await expectNoBarriers(page)
  await screenshot(page, '360-front')
  for (const [name, path] of [
    ['API documentation', '/docs'],
    ['Try the booking calendar', '/demo'],
    ['Provider login', '/console'],
  ])
    expect(await page.getByRole('link', { name }).getAttribute('href')).toBe(path)
  expect(problems).toEqual([])
  const headers = { accept: 'text/html', 'accept-language': 'fr-CH,fr;q=0.9' }
  expect((await call(site.holdfast.app, 'GET', '/', undefined, { headers })).text).toContain('rendez-vous')
})

it('answers programs with 404', async () => {
  for (const accept of ['application/json', '*/*']) {
    const { status, body } = await call(site.holdfast.app, 'GET', '/', undefined, { headers: { accept } })
    expect([status, body.errors[0].errorCode]).toEqual([404, 'not-found'])
  }
})

it('keeps search engines away from personal links', async () => {
  const { text, headers } = await call(site.holdfast.app, 'GET', '/robots.txt')
  expect(headers['content-type']).toContain('text/plain')
  expect(text).toMatch(/^User-agent: \*\nDisallow: \/cancel\/\n/)
  expect(text).not.toContain('/book/')
})

it('has an icon that no page has to fetch', async () => {
  const { status, headers } = await call(site.holdfast.app, 'GET', '/favicon.ico')
  expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml'])
  const front = await call(site.holdfast.app, 'GET', '/', undefined, { headers: { accept: 'text/html' } })
  expect(front.text).toContain('<link rel="icon" href="data:image/svg+xml,')
})
