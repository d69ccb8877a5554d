// The browser's own buttons: back, forward, reload, print.

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { loseAnswer, narrow, screenshot, visit, visitAfresh } from '../support/browser.ts'
import { makeProduct } from '../support/build.ts'
import { mailKindsTo } from '../support/mailbox.ts'
import { call } from '../support/service.ts'
import {
  bookPage,
  expectNoBarriers,
  fillForm,
  openPractice,
  openTimes,
  soon,
  time,
  useSite,
} from '../support/widget.ts'

const site = await useSite()

const held = 'Reserved for you'

/** Requests to it wait, from now on, until they are let pass. */
async function heldBack(page: Page, url: RegExp) {
  const requested = page.waitForRequest(url)
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(url, async route => {
    const response = await route.fetch()
    await promise
    await route.fulfill({ response })
  })
  return { requested, pass: resolve }
}

describe('the back button', () => {
  it('goes one step back and keeps the input, then forward, and finally leaves the page', async () => {
    const practice = await openPractice(site)
    await makeProduct(site.holdfast.crm, practice, { name: 'Long talk', minDuration: 60 })
    const { page } = await visit(site.browser, `${site.origin}/`)
    await page.goto(bookPage(site, practice))
    await page.getByRole('button', { name: 'Long talk' }).click()
    await time(page, '10:00').click()
    await page.getByText(held).waitFor()
    await page.getByLabel('First name').fill('Ann')
    await page.goBack()
    await page.getByRole('heading', { name: 'Choose a time' }).waitFor()
    await page.goForward()
    await page.getByText(held).waitFor()
    expect(await page.getByLabel('First name').inputValue()).toBe('Ann')
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('heading', { name: 'Choose a time' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'What would you like to book?' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Holdfast' }).waitFor()
  })

  it('leads from the confirmation to the times, not to the used form', async () => {
    const practice = await openPractice(site)
    const { page } = await visit(site.browser, bookPage(site, practice))
    await time(page, '10:00').click()
    await fillForm(page, { Email: 'back@example.org' })
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
    await page.goBack()
    await time(page, '11:00').waitFor()
    expect(page.url()).toContain('/book/')
    expect(await mailKindsTo(site.holdfast, 'back@example.org')).toEqual(['booked'])
  })
})

describe('the visitor’s own held time', () => {
  it('is always in the list that they see', async () => {
    const practice = await openPractice(site)
    const { page } = await visit(site.browser, bookPage(site, practice))
    // What lies ahead is looked up too.
    await page.waitForLoadState('networkidle')
    // The list requested together with the hold arrives when the visitor is back at the times.
    const late = await heldBack(page, /upcoming_bookables/)
    // Even when giving it back takes for ever.
    await page.route(/revoke_reservation/, () => {})
    await time(page, '10:00').click()
    await page.getByText(held).waitFor()
    await late.requested
    await page.goBack()
    await time(page, '10:00').waitFor()
    const listed = page.waitForResponse(/upcoming_bookables/)
    late.pass()
    await (await listed).finished()
    await soon(() => page.locator('holdfast-booking [aria-busy="true"]').count()).toBe(0)
    expect(await time(page, '10:00').count()).toBe(1)
  })

  it('is available again although an older list is still loading', async () => {
    const practice = await openPractice(site)
    const { page } = await visit(site.browser, bookPage(site, practice))
    // What lies ahead is looked up too.
    await page.waitForLoadState('networkidle')
    const late = await heldBack(page, /upcoming_bookables/)
    await time(page, '10:00').click()
    await page.getByText(held).waitFor()
    await late.requested
    const given = page.waitForResponse(/revoke_reservation/)
    await page.goBack()
    await given
    const later = page.waitForRequest(/upcoming_bookables/)
    late.pass()
    await later
    await time(page, '10:00').waitFor()
  })
})

describe('a reload', () => {
  it('of the form restores the hold and the fields; after the booking nothing is stored', async () => {
    const practice = await openPractice(site)
    const { page, problems } = await visitAfresh(site.browser, bookPage(site, practice))
    await time(page, '10:00').click()
    await fillForm(page, { Email: 'reload@example.org', Message: 'I come by bicycle' })
    // Giving the time back on leaving may take longer than asking for it again.
    await page.route(/revoke_reservation/, () => {})
    await page.reload()
    await page.getByText(held).waitFor()
    expect(await page.getByLabel('Message').inputValue()).toBe('I come by bicycle')
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
    expect(await page.evaluate(() => [sessionStorage.length, localStorage.length])).toEqual([0, 0])
    expect(await mailKindsTo(site.holdfast, 'reload@example.org')).toEqual(['booked'])
    expect(problems).toEqual([])
  })

  it('while the hold is pending keeps that hold, which does not block the visitor', async () => {
    const practice = await openPractice(site)
    const { page, problems } = await visitAfresh(site.browser, bookPage(site, practice))
    const made = Promise.withResolvers<void>()
    // The time is held, but the page never gets the response.
    await page.route(
      /reserve_appointment/,
      async route => {
        await route.fetch()
        made.resolve()
      },
      { times: 1 },
    )
    await time(page, '10:00').click()
    await made.promise
    expect(await openTimes(site, practice)).not.toContain('10:00')
    await page.reload()
    await page.getByText(held).waitFor()
    const rows = await site.holdfast.query(
      `select from participation join appointment on appointment.id = appointment_id join resource on resource.id = resource_id
       where resource.uuid = $1 and participation.state = 'RESERVED'`,
      [practice.resourceUuid],
    )
    expect(rows).toHaveLength(1)
    await fillForm(page, { Email: 'impatient@example.org' })
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
    expect(problems).toEqual([])
  })

  it('is not needed if a hold gets no answer: the same time can be held again', async () => {
    const practice = await openPractice(site)
    const { page } = await visitAfresh(site.browser, bookPage(site, practice))
    await loseAnswer(page, /reserve_appointment/, 'POST', 200)
    await time(page, '10:00').click()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText(held).waitFor()
  })

  it('is not needed if a booking gets no answer: another time can be held', async () => {
    const practice = await openPractice(site)
    const { page } = await visitAfresh(site.browser, bookPage(site, practice))
    await time(page, '10:00').click()
    await page.getByText(held).waitFor()
    await fillForm(page, { Email: 'unheard@example.org' })
    await loseAnswer(page, /create_appointment_with_consumer/, 'POST', 201)
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await page.getByRole('button', { name: 'Back' }).click()
    await time(page, '11:00').click()
    await page.getByText(held).waitFor()
  })

  it('reports that the time was taken, and keeps the input', async () => {
    const practice = await openPractice(site)
    const { page } = await visitAfresh(site.browser, bookPage(site, practice))
    await time(page, '10:00').click()
    await page.getByText(held).waitFor()
    await page.getByLabel('First name').fill('Ann')
    await page.goto('about:blank')
    // The release continues after the page was left.
    await soon(() => openTimes(site, practice)).toContain('10:00')
    const rival = await visit(site.browser, bookPage(site, practice))
    await time(rival.page, '10:00').click()
    await rival.page.getByText(held).waitFor()
    await page.goBack()
    await page.getByText('Sorry, this time has just been taken.').first().waitFor()
    expect(await page.getByLabel('First name').inputValue()).toBe('Ann')
  })

  it('of the confirmation shows it again, at an address without personal data, and prints cleanly', async () => {
    const practice = await openPractice(site)
    const { page } = await visit(site.browser, bookPage(site, practice), { viewport: narrow })
    await time(page, '10:00').click()
    await fillForm(page, { Email: 'again@example.org' })
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
    await soon(async () => new URL(page.url()).pathname).toMatch(/^\/booked\/[\w.-]+$/)
    expect(decodeURIComponent(page.url())).not.toMatch(/again|Winter/)
    await page.reload()
    await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
    expect(await page.content()).not.toContain('again@example.org')
    await expectNoBarriers(page)
    await screenshot(page, '360-confirmation-page')
    const path = new URL(page.url()).pathname
    const entry = await call(site.holdfast.app, 'GET', `${path}/appointment.ics`)
    expect(entry.text).toMatch(/^BEGIN:VCALENDAR[\s\S]*BEGIN:VEVENT/)

    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('link', { name: 'Cancel appointment' }).isVisible()).toBe(false)
    await screenshot(page, '360-confirmation-print')
    await page.emulateMedia({ media: 'screen' })
    await page.getByRole('link', { name: 'Cancel appointment' }).click()
    await page.getByRole('button', { name: 'Cancel appointment' }).click()
    await page.goto(`${site.origin}${path}`)
    await page.getByRole('heading', { name: 'Your appointment is cancelled' }).waitFor()
    expect((await call(site.holdfast.app, 'GET', `${path}x`)).status).toBe(404)
  })
})
