// What visitors see when something does not work, and the next step they get.

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { narrow, screenshot, visit, visitAfresh } from '../support/browser.ts'
import { consoleCall } from '../support/service.ts'
import {
  addTimes,
  bookPage,
  dayIn,
  dayName,
  expectNoBarriers,
  fillForm,
  openHost,
  openPractice,
  soon,
  time,
  useSite,
} from '../support/widget.ts'

const site = await useSite()

function hostUrl(attributes: string) {
  const script = `<script type="module" src="${site.origin}/widget.js"></script>`
  return openHost(`<main><h1>Host</h1>${script}<holdfast-booking ${attributes}></holdfast-booking></main>`)
}

describe('while loading', () => {
  it('says that it is offline, and continues when it is online again', async () => {
    const practice = await openPractice(site)
    const { page } = await visitAfresh(site.browser, 'about:blank')
    await page.route(/bundle/, route => route.abort('internetdisconnected'))
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'onLine', { get: () => false, configurable: true }),
    )
    await page.goto(await hostUrl(`ref="${practice.resource}"`))
    await page.getByText('You’re offline.').waitFor()
    await expectNoBarriers(page)
    await screenshot(page, '1280-light-offline')
    await page.unroute(/bundle/)
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await time(page, '10:00').waitFor()
  })

  it('says that the service is unreachable or has failed, with a button to try again', async () => {
    const practice = await openPractice(site)
    const { page } = await visit(site.browser, 'about:blank')
    await page.route(/bundle/, route =>
      route.fulfill({
        status: 503,
        json: { errors: [{ errorCode: 'unavailable' }] },
        headers: { 'access-control-allow-origin': '*' },
      }),
    )
    await page.goto(await hostUrl(`ref="${practice.resource}"`))
    await page.getByText('Something went wrong on our side.').waitFor()
    await page.unroute(/bundle/)
    await page.route(/bundle/, route => route.abort())
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('We can’t reach the booking service right now.').waitFor()
    await page.unroute(/bundle/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await time(page, '10:00').waitFor()
  })

  it('continues after a network failure between the times and the booking, and keeps the input', async () => {
    const practice = await openPractice(site)
    const { page } = await visitAfresh(site.browser, 'about:blank')
    // The words of the form, then the booking itself. The hold is made all the same, and answered late.
    await page.route(/widget-en-|create_appointment/, route => route.abort())
    await page.route(
      /reserve_appointment/,
      async route => {
        const response = await route.fetch()
        await new Promise(resolve => setTimeout(resolve, 500))
        await route.fulfill({ response })
      },
      { times: 1 },
    )
    await page.goto(bookPage(site, practice))
    await time(page, '10:00').click()
    const message = page.getByText('We can’t reach the booking service right now.')
    await message.waitFor()
    await page.unroute(/widget-en-|create_appointment/)
    await page.route(/create_appointment/, route => route.abort())
    await page.getByRole('button', { name: 'Try again' }).click()
    await fillForm(page, { Email: 'patient@example.org' })
    await page.getByRole('button', { name: 'Book now' }).click()
    await message.waitFor()
    await page.unroute(/create_appointment/)
    expect(await page.getByLabel('Email').inputValue()).toBe('patient@example.org')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
  })

  it('says so if loading takes long', async () => {
    const practice = await openPractice(site)
    const { page } = await visitAfresh(site.browser, 'about:blank')
    await page.clock.install()
    await page.route(/bundle/, () => {})
    await page.goto(await hostUrl(`ref="${practice.resource}"`))
    await page.locator('holdfast-booking [part="skeleton"]').waitFor()
    await page.clock.fastForward(6000)
    await page.getByText('This is taking longer than usual.').waitFor()
    await screenshot(page, '1280-light-slow')
  })
})

describe('while booking', () => {
  it('says how long to wait after too many requests, and keeps the input', async () => {
    const practice = await openPractice(site)
    const { page } = await visit(site.browser, bookPage(site, practice))
    await time(page, '10:00').click()
    await fillForm(page, { Email: 'busy@example.org' })
    await page.route(/with_consumer/, route =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '2' },
        json: { errors: [{ errorCode: 'too-many-requests' }] },
      }),
    )
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByRole('button', { name: /Try again in \d s/ }).waitFor()
    await screenshot(page, '1280-light-busy')
    await page.unroute(/with_consumer/)
    await page.getByRole('button', { name: 'Try again', exact: true }).click()
    await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
  })

  it('says that the visitor already has this appointment', async () => {
    const practice = await openPractice(site, {}, { defaultCapacity: 5 })
    for (const heading of ['You’re booked', null]) {
      const { page } = await visit(site.browser, bookPage(site, practice))
      await time(page, '10:00').click()
      await fillForm(page, { Email: 'again@example.org' })
      await page.getByRole('button', { name: 'Book now' }).click()
      if (heading) await page.getByRole('heading', { name: heading }).waitFor()
      else await page.getByText('You already have this appointment.').waitFor()
    }
  })
})

describe('when there is nothing to book', () => {
  it.each([
    ['hidden', 'Online booking is currently closed.'],
    ['archived', 'This can no longer be booked.'],
    ['empty', 'There are no available times right now.'],
  ])('says why and whom to contact: %s', async (what, sentence) => {
    const practice = await openPractice(site, {}, { days: what === 'empty' ? [] : [1] })
    const channel = `/resources/${practice.resourceUuid}/channels/RESOURCE_PUBLIC`
    if (what === 'hidden') await consoleCall(site.holdfast.app, 'PATCH', channel, { visible: false })
    if (what === 'archived')
      await site.holdfast.crm.post(`${practice.path}/resources/${encodeURIComponent(practice.resource)}`, {
        archived: true,
      })
    const { page } = await visit(site.browser, await hostUrl(`ref="${practice.resource}"`))
    await page.getByText(sentence).waitFor()
    await page.getByRole('link', { name: 'hello@example.org' }).waitFor()
    await expectNoBarriers(page)
    await screenshot(page, `1280-light-closed-${what}`)
    const hosted = await visit(site.browser, bookPage(site, practice), { viewport: narrow })
    await hosted.page.getByRole('region').getByText(sentence).waitFor()
    await screenshot(hosted.page, `360-light-closed-${what}`)
  })

  it('says so for an unknown reference', async () => {
    const { page } = await visit(site.browser, await hostUrl('ref="nobody@nowhere"'))
    await page.getByText('We can’t find this page.').waitFor()
    const answer = await page.goto(`${site.origin}/book/unknown%40nowhere`)
    expect(answer!.status()).toBe(404)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await screenshot(page, '1280-light-not-found')
  })
})

describe('months without times', () => {
  it('open on the first available day, months ahead, and offer the next one', async () => {
    const practice = await openPractice(site, {}, { days: [] })
    const first = Temporal.PlainDate.from(dayIn(0)).add({ months: 3 }).with({ day: 10 })
    const later = first.add({ months: 2 })
    for (const day of [first, later]) await addTimes(site, practice, day.toString(), '09:00', '10:00')
    const { page } = await visit(site.browser, await hostUrl(`ref="${practice.resource}"`))
    await time(page, '9:00').waitFor()
    await page.getByRole('heading', { name: monthName(first) }).waitFor()
    await page.getByRole('button', { name: 'Next month' }).click()
    await page
      .getByText(`No available times in ${monthName(first.add({ months: 1 }))}.`)
      .first()
      .waitFor()
    await screenshot(page, '1280-light-empty-month')
    await page.getByRole('button', { name: /^Next: / }).click()
    await page.getByRole('heading', { name: monthName(later) }).waitFor()
    await page.getByRole('button', { name: 'Previous month' }).click()
    await page.getByRole('heading', { name: monthName(first.add({ months: 1 })) }).waitFor()
  })

  it('open on the day and the product of the link', async () => {
    const practice = await openPractice(site, {}, { days: [1, 2, 9] })
    const { page } = await visit(
      site.browser,
      bookPage(site, practice, `?date=${dayIn(9)}&product=${practice.productUuid}`),
    )
    await page
      .getByRole('region')
      .getByRole('heading', { name: dayName(dayIn(9)) })
      .waitFor()
    await time(page, '10:00').waitFor()
  })
})

const monthName = (day: Temporal.PlainDate) => day.toLocaleString('en-GB', { month: 'long', year: 'numeric' })

describe('a page that was left open', () => {
  it('refreshes when it becomes visible, with a conditional request', async () => {
    const practice = await openPractice(site)
    const { page } = await visit(site.browser, bookPage(site, practice))
    await time(page, '10:00').waitFor()
    await page.waitForLoadState('networkidle')
    // In the same profile this would be the visitor's own hold, which stays available to them.
    const rival = await visitAfresh(site.browser, bookPage(site, practice))
    await time(rival.page, '10:00').click()
    await rival.page.getByText('Reserved for you').waitFor()
    await comeBack(page)
    await soon(() => time(page, '10:00').count()).toBe(0)
    await soon(() => time(page, '11:00').count()).toBe(1)

    const answered = new Promise<number>(resolve => {
      site.holdfast.app.server.on('request', (request, response) => {
        if (request.url!.includes('upcoming_bookables'))
          response.on('finish', () => resolve(response.statusCode))
      })
    })
    await comeBack(page)
    expect(await answered).toBe(304)
    await soon(() => time(page, '11:00').count()).toBe(1)
  })
})

const comeBack = (page: Page) =>
  page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')))
