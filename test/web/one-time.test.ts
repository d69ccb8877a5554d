// A visitor far away sees one time everywhere: on the page, in mails, in the calendar entry and behind the links.

import { describe, expect, it } from 'vitest'
import { screenshot, visit } from '../support/browser.ts'
import { asConsumer, bookingOf, overApp, slotsOf } from '../support/consumer.ts'
import { mailsTo } from '../support/mailbox.ts'
import { call, consoleCall } from '../support/service.ts'
import { addTimes, bookPage, dayIn, fillForm, openPractice, time, times, useSite } from '../support/widget.ts'

const site = await useSite()

const faraway = { locale: 'en-US', timezoneId: 'America/Los_Angeles' }
const address = { street: 'Hafenstrasse', number: '1', zip: '20359', city: 'Hamburg' }

/** 17:30 in Hamburg is 8:30 in California, except for some weeks around the clock changes. */
const clock = (hour: string, timeZone: string) =>
  new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZone }).format(
    Temporal.PlainDateTime.from(`${dayIn(1)}T${hour}`).toZonedDateTime('Europe/Berlin').epochMilliseconds,
  )
const there = clock('17:30', 'America/Los_Angeles')
const here = '5:30 PM'

describe('a booking from another zone', () => {
  it('shows the visitor’s own zone as the page did, with the Provider’s next to it', async () => {
    const practice = await openPractice(site, {}, { days: [1], from: '17:00', to: '19:00' })
    const { page } = await visit(site.browser, bookPage(site, practice), faraway)
    await time(page, there).click()
    await fillForm(page, { Email: 'far@example.org' })
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
    const [mail] = await mailsTo(site.holdfast, 'far@example.org')
    expect(mail!.subject).toContain(`${there} (`)
    expect(mail!.text).toMatch(new RegExp(`When: .*, ${there} – `))
    expect(mail!.text).toMatch(/Los Angeles time \(UTC−\d\)\nBerlin time \(UTC\+\d\): .*, 5:30 PM – /)
    expect(mail!.html).toContain(there)
    expect(mail!.ics!.content.replace(/\r\n /g, '')).toMatch(new RegExp(`${there} – .*Berlin time.*${here}`))

    const link = await page.getByRole('link', { name: 'Cancel appointment' }).getAttribute('href')
    await page.goto(link!)
    await page.getByText(`${there} –`).waitFor()
    await page.getByText(/Berlin time .*5:30 PM/).waitFor()
    await screenshot(page, '1280-cancel-far')

    // On offer instead, as it is shown what they have.
    await page.goto(/http:\S+\/move\/[\w.-]+/.exec(mail!.text)![0])
    await page.getByText(/^Los Angeles time, .* now$/).waitFor()
    await page.getByRole('button', { name: clock('18:00', 'America/Los_Angeles') }).click()
    await page.getByText(`${clock('18:00', 'America/Los_Angeles')} –`).waitFor()
  })

  it('starts with the zone of the place for appointments at a place', async () => {
    const practice = await openPractice(site, {}, { days: [1], from: '17:00', to: '19:00', address })
    const [_first, slot] = slotsOf(await asConsumer(overApp(site.holdfast.app)).list(practice.resource))
    const body = { email: 'visit@example.org', locale: 'en-US', timeZone: 'America/Los_Angeles' }
    const { body: done } = await asConsumer(overApp(site.holdfast.app)).complete(
      practice.resource,
      bookingOf(slot!, body),
    )
    const [mail] = await mailsTo(site.holdfast, 'visit@example.org')
    expect(mail!.text).toMatch(/When: .*, 5:30 PM – /)
    expect(mail!.text).toMatch(new RegExp(`Berlin time \\(.*\nLos Angeles time .*: .*, ${there} – `))
    const { text } = await call(
      site.holdfast.app,
      'GET',
      new URL(done.createdAppointment.cancelLink).pathname,
    )
    expect(text.indexOf(here)).toBeLessThan(text.indexOf(there))
  })

  it('shows the provider the Provider’s zone first, also on the decision page', async () => {
    const practice = await openPractice(
      site,
      { email: 'zones@example.org' },
      { days: [1], from: '17:00', to: '19:00' },
    )
    await consoleCall(
      site.holdfast.app,
      'PATCH',
      `/resources/${practice.resourceUuid}/channels/RESOURCE_PUBLIC`,
      {
        bookingProcess: 'REQUESTED',
      },
    )
    const consumer = asConsumer(overApp(site.holdfast.app))
    const [_first, slot] = slotsOf(await consumer.list(practice.resource))
    const body = { email: 'asks@example.org', locale: 'en-US', timeZone: 'America/Los_Angeles' }
    await consumer.complete(practice.resource, bookingOf(slot!, body))
    const [notice] = await mailsTo(site.holdfast, 'zones@example.org')
    expect(notice!.text).toMatch(/When: .*, 17:30 – .*\nBerlin time/)
    const [asked] = await mailsTo(site.holdfast, 'asks@example.org')
    expect(asked!.text).toMatch(new RegExp(`When: .*, ${there} – `))
    const path = /\/accept\/[\w.-]+/.exec(notice!.text)![0]
    const { text } = await call(site.holdfast.app, 'GET', path)
    expect(text).toMatch(/17:30 – .*Los Angeles time/s)
  })

  it.each(['Mars/Olympus', '+05:00', ''])('ignores an invalid zone: %s', async timeZone => {
    const practice = await openPractice(site, {}, { days: [1], from: '17:00', to: '19:00' })
    const consumer = asConsumer(overApp(site.holdfast.app))
    const [_first, slot] = slotsOf(await consumer.list(practice.resource))
    const email = `zone${timeZone.length}@example.org`
    const { status } = await consumer.complete(
      practice.resource,
      bookingOf(slot!, { email, timeZone, locale: 'de-AT' }),
    )
    expect(status).toBe(201)
    const [mail] = await mailsTo(site.holdfast, email)
    expect(mail!.text).toMatch(/Wann: .*, 17:30 – 18:00 Uhr\nZeit in Berlin \(UTC\+\d\)\n(?!Zeit in)/)
  })
})

describe('the night when clocks go back', () => {
  /** The day of the next change from summer to winter time in Berlin. */
  function nextChange(): string {
    let change = Temporal.Now.zonedDateTimeISO('Europe/Berlin').add({ months: 1 })
    do change = change.getTimeZoneTransition('next')!
    while (change.offset !== '+01:00')
    return change.toPlainDate().toString()
  }

  it('shows the offset of each time that occurs twice, visibly and to screen readers', async () => {
    const practice = await openPractice(site, {}, { days: [] })
    const day = nextChange()
    await addTimes(site, practice, day, '01:30', '03:30')
    const { page } = await visit(site.browser, bookPage(site, practice, `?date=${day}`))
    const twice = ['02:00 (UTC+2)', '02:30 (UTC+2)', '02:00 (UTC+1)', '02:30 (UTC+1)']
    const all = ['01:30', ...twice, '03:00']
    await time(page, twice[0]!).waitFor()
    expect(await times(page).allInnerTexts()).toEqual(all)
    for (const name of twice) expect(await page.getByRole('button', { name, exact: true }).count()).toBe(1)
    await screenshot(page, '1280-clocks-go-back')

    const { page: plain } = await visit(site.browser, bookPage(site, practice, `?date=${day}`), {
      javaScriptEnabled: false,
    })
    for (const name of twice) expect(await plain.getByRole('button', { name }).count()).toBe(1)
  })
})
