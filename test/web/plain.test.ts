// The booking page without JavaScript, and its machine-readable data.

import { describe, expect, it } from 'vitest'
import { narrow, screenshot, visit, visitAfresh, wide } from '../support/browser.ts'
import { makeProduct } from '../support/build.ts'
import { mailKindsTo } from '../support/mailbox.ts'
import { call, consoleCall } from '../support/service.ts'
import { bookPage, expectNoBarriers, fillForm, openPractice, useSite } from '../support/widget.ts'

const site = await useSite()

describe.each([
  ['1280', wide],
  ['360', narrow],
])('booking without JavaScript at %s', (name, viewport) => {
  it('chooses a product and a time, corrects the form, and books', async () => {
    const practice = await openPractice(site)
    await makeProduct(site.holdfast.crm, practice, { name: 'Long talk', minDuration: 60 })
    const { page } = await visit(site.browser, bookPage(site, practice), {
      javaScriptEnabled: false,
      viewport,
    })
    await page.getByRole('link', { name: 'Long talk' }).click()
    await screenshot(page, `${name}-plain-1-times`)
    await page.getByRole('button', { name: '10:00' }).first().click()
    await page.getByText('Reserved for you until').waitFor()
    const email = `plain-${name}@example.org`
    await fillForm(page, { Email: 'not an address' })
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByText('Enter an email such as').waitFor()
    await screenshot(page, `${name}-plain-2-form`)
    expect(await page.getByLabel('First name').inputValue()).toBe('Ann')
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
    await screenshot(page, `${name}-plain-3-done`)
    expect(await mailKindsTo(site.holdfast, email)).toEqual(['booked'])

    await page.getByRole('link', { name: 'Cancel appointment' }).click()
    await page.getByRole('button', { name: 'Cancel appointment' }).click()
    await page.getByRole('heading', { name: 'Appointment cancelled' }).waitFor()
    await screenshot(page, `${name}-plain-4-cancelled`)
  })
})

it('reports a time that was taken, and lists the times again', async () => {
  const practice = await openPractice(site)
  const options = { javaScriptEnabled: false }
  const [first, second] = await Promise.all([
    visitAfresh(site.browser, bookPage(site, practice), options),
    visitAfresh(site.browser, bookPage(site, practice), options),
  ])
  await first.page.getByRole('button', { name: '10:00' }).first().click()
  await first.page.getByText('Reserved for you until').waitFor()
  await second.page.getByRole('button', { name: '10:00' }).first().click()
  await second.page.getByText('Sorry, this time has just been taken.').waitFor()
  await second.page.getByRole('button', { name: '11:00' }).first().click()
  await second.page.getByText('Reserved for you until').waitFor()
})

it('continues with the visitor’s own hold in a second tab, and costs a group no second place', async () => {
  const practice = await openPractice(site, {}, { capacity: 2 })
  const { page: first, context } = await visitAfresh(site.browser, bookPage(site, practice), {
    javaScriptEnabled: false,
  })
  const second = await context.newPage()
  await second.goto(bookPage(site, practice))
  for (const page of [first, second]) {
    await page.getByRole('button', { name: '10:00' }).first().click()
    await page.getByText('Reserved for you until').waitFor()
  }
  expect(second.url()).toBe(first.url())
  await fillForm(second, { Email: 'second-tab@example.org' })
  await second.getByRole('button', { name: 'Book now' }).click()
  await second.getByRole('heading', { name: 'You’re booked' }).waitFor()
  // After the booking nothing is left in the browser.
  expect(await context.cookies()).toEqual([])
  const rows = await site.holdfast.query(
    `select count(*)::int from participation join appointment on appointment.id = appointment_id
     join resource on resource.id = resource_id where resource.uuid = $1`,
    [practice.resourceUuid],
  )
  expect(rows[0].count).toBe(1)
})

it('has the slots, Open Graph tags, the legal notice and a strict policy in the page', async () => {
  const practice = await openPractice(site)
  const { text, headers } = await call(site.holdfast.app, 'GET', `/book/${practice.resource}?lang=en`)
  expect(text).toContain('<meta property="og:title" content="Room – Harbour Practice">')
  expect(text).toContain('Harbour Practice, Hafenstrasse 1, 20359 Hamburg')
  expect(text).toMatch(
    /<button class="quiet" name="slot" value="[^"]+">10:00<span class="unseen"> [^<]+<\/span><\/button>/,
  )
  expect(headers['content-security-policy']).toMatch(
    /default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'sha256-/,
  )
  expect(headers['content-security-policy']).not.toContain('unsafe')
  expect(headers['set-cookie']).toBeUndefined()
  const small = await site.holdfast.app.inject({
    url: `/book/${practice.resource}?lang=en`,
    headers: { 'accept-encoding': 'gzip, deflate, br, zstd' },
  })
  expect(small.headers['content-encoding']).toBe('zstd')
  expect(small.rawPayload.length).toBeLessThan(text.length / 2)
})

describe('the branding of a Provider', () => {
  it('is set in the console and shows on page, widget and email', async () => {
    const practice = await openPractice(site)
    const change = (body: object) =>
      consoleCall(site.holdfast.app, 'PATCH', `/providers/${practice.uuid}`, body)
    expect((await change({ accentColor: 'red' })).status).toBe(400)
    expect((await change({ logoUrl: 'http://example.org/logo.png' })).status).toBe(400)
    const { status, body } = await change({ accentColor: '#B0124F', logoUrl: 'https://example.org/logo.png' })
    expect([status, body.accentColor, body.logoUrl]).toEqual([200, '#b0124f', 'https://example.org/logo.png'])
    const { page } = await visit(site.browser, 'about:blank', { locale: 'en-GB' })
    const logo =
      '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="44"><rect width="120" height="44" rx="8" fill="#b0124f"/></svg>'
    await page.route('https://example.org/logo.png', route =>
      route.fulfill({ contentType: 'image/svg+xml', body: logo }),
    )
    await page.goto(bookPage(site, practice))
    const chosen = page.locator('holdfast-booking .picked')
    await chosen.waitFor()
    expect(await chosen.evaluate(day => getComputedStyle(day).backgroundColor)).toBe('rgb(176, 18, 79)')
    await expectNoBarriers(page)
    await screenshot(page, '1280-light-theme')
    expect((await change({ accentColor: null, logoUrl: null })).body).toMatchObject({
      accentColor: null,
      logoUrl: null,
    })
  })
})
