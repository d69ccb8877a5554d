// Rescheduling: the widget with the token of the move link.

import { describe, expect, it } from 'vitest'
import { narrow, screenshot, visit } from '../support/browser.ts'
import { setChannel, setProduct, setProvider } from '../support/build.ts'
import { asConsumer, newPerson, overApp, slotsOf } from '../support/consumer.ts'
import { mailKindsTo } from '../support/mailbox.ts'
import { bookAt, moveBooking } from '../support/moves.ts'
import {
  bookPage,
  expectNoBarriers,
  fillForm,
  openHost,
  openPractice,
  soon,
  time,
  times,
  useSite,
} from '../support/widget.ts'

const site = await useSite()

/** A visitor with a booking at nine, and a page of the Provider that shows the widget with its token. */
async function booked(channel: Record<string, unknown> = {}) {
  const practice = await openPractice(site, { phone: '+49 40 123456' }, { days: [1] })
  const consumer = asConsumer(overApp(site.holdfast.app))
  const [slot] = slotsOf(await consumer.list(practice.resource))
  const booking = await bookAt(consumer, slot!, newPerson())
  await setChannel(site.holdfast, practice.resourceUuid, channel)
  const url = await openHost(
    `<script type="module" src="${site.origin}/widget.js"></script>
    <main><h1>Host</h1><holdfast-booking move-token="${booking.moveLink.split('/').at(-1)}"></holdfast-booking></main>`,
    { head: '<meta name="viewport" content="width=device-width">' },
  )
  const listed = async () =>
    slotsOf(await consumer.list(practice.resource)).map(one => one.start.slice(11, 16))
  return { url, practice, consumer, listed, old: slot!, ...booking }
}

describe('the widget with the token of a move link', () => {
  it('shows the old time, offers others, moves the booking, and emits an event', async () => {
    const { url, listed, email, old } = await booked()
    const { page, problems } = await visit(site.browser, 'about:blank', { viewport: narrow })
    const moved = () => page.evaluate(() => (globalThis as unknown as { moved: unknown[] }).moved)
    await page.addInitScript(() => {
      Object.assign(globalThis, { moved: [] })
      addEventListener('holdfast-moved', event =>
        (globalThis as unknown as { moved: unknown[] }).moved.push((event as CustomEvent).detail),
      )
    })
    await page.goto(url)
    await page.getByRole('heading', { name: 'Choose a new time' }).waitFor()
    await page.getByText(/Current appointment: .*\b09:00/).waitFor()
    // Its own time is not offered; the next one, which it would otherwise block, is.
    await soon(async () => (await times(page).allInnerTexts())[0]).toBe('09:30')
    await expectNoBarriers(page)
    await screenshot(page, '360-move-times')
    await time(page, '10:00').click()
    await page.getByRole('heading', { name: 'Reschedule to this time?' }).waitFor()
    // Held while they decide, and the old one stays theirs.
    await page
      .getByRole('timer')
      .getByText(/Reserved for you/)
      .waitFor()
    expect((await listed()).filter(one => one === '09:00' || one === '10:00')).toEqual([])
    expect(await page.getByLabel('First name').count()).toBe(0)
    await expectNoBarriers(page)
    await screenshot(page, '360-move-question')
    await page.getByRole('button', { name: 'Reschedule appointment' }).click()
    await page.getByRole('heading', { name: 'Your appointment has been rescheduled' }).waitFor()
    await page.locator('dt', { hasText: 'Previously' }).waitFor()
    await screenshot(page, '360-move-done')
    expect(await listed()).toContain('09:00')
    expect(await listed()).not.toContain('10:00')
    expect(await mailKindsTo(site.holdfast, email)).toEqual(['booked', 'moved'])
    expect(await moved()).toEqual([
      expect.objectContaining({
        status: 'confirmed',
        start: expect.stringMatching(/Z$/),
        replaced: { start: new Date(old.start).toISOString().replace('.000', ''), end: expect.any(String) },
      }),
    ])

    // And once more, with the same token: the old time is the new one.
    await page.getByRole('button', { name: 'Choose another time' }).click()
    await page.getByText(/Current appointment: .*\b10:00/).waitFor()
    await time(page, '9:00').waitFor()
    expect(problems).toEqual([])
  })

  it('releases the held time on the way back, and survives losing a time to another client', async () => {
    const { url, practice, consumer, listed } = await booked()
    const { page } = await visit(site.browser, url)
    await time(page, '9:30').click()
    await page.getByRole('heading', { name: 'Reschedule to this time?' }).waitFor()
    expect(await listed()).not.toContain('09:30')
    await page.getByRole('button', { name: 'Back' }).click()
    await soon(async () => (await listed()).includes('09:30')).toBe(true)
    const rival = slotsOf(await consumer.list(practice.resource)).find(one => one.start.includes('T10:00'))
    await bookAt(consumer, rival!)
    await time(page, '10:00').click()
    const lost = page.getByRole('region', { name: 'Sorry, this time has just been taken.' })
    await lost.getByText('Your appointment stays as it is. The nearest available times:').waitFor()
    expect(await listed()).not.toContain('09:00')
    await lost.getByRole('button', { name: /10:30/ }).click()
    await page.getByRole('button', { name: 'Reschedule appointment' }).click()
    await page.getByRole('heading', { name: 'Your appointment has been rescheduled' }).waitFor()
    expect(await listed()).toContain('09:00')
  })

  it('sends a request if the provider decides, and says that the old time stays until then', async () => {
    const { url, listed } = await booked({ bookingProcess: 'REQUESTED' })
    const { page } = await visit(site.browser, url)
    await time(page, '10:00').click()
    await page.getByRole('button', { name: 'Request this time' }).click()
    await page.getByRole('heading', { name: 'Your request to reschedule has been sent' }).waitFor()
    await page.getByText('Until then, your appointment stays as it is.').waitFor()
    expect(await listed()).not.toContain('09:00')
    expect(await listed()).not.toContain('10:00')
    // To keep the booking, the visitor chooses its current time, here or with the link opened again.
    await page.getByRole('button', { name: 'Choose another time' }).click()
    for (const isAnew of [false, true]) {
      if (isAnew) await page.reload()
      await page.getByText(/Current appointment: .*\b09:00/).waitFor()
      await page.getByText(/Requested: .*\b10:00/).waitFor()
      await time(page, '9:00').waitFor()
      expect(await time(page, '10:00').count()).toBe(0)
    }
    await time(page, '9:00').click()
    await page.getByRole('button', { name: 'Request this time' }).click()
    await page.getByRole('heading', { name: 'Your appointment has been rescheduled' }).waitFor()
    await soon(async () => (await listed()).includes('10:00')).toBe(true)
    expect(await listed()).not.toContain('09:00')
  })

  it('says whom to call if it is too late, and that a used link is invalid', async () => {
    const { url } = await booked({ changeNoticeMinutes: 14 * 1440 })
    const { page } = await visit(site.browser, url)
    await page.getByText('It’s too late to change this online.').waitFor()
    await page.getByRole('link', { name: '+49 40 123456' }).waitFor()
    const other = await booked()
    await other.consumer.send('POST', new URL(other.cancelLink).pathname, undefined)
    await page.goto(other.url)
    await page.getByText('This appointment can no longer be rescheduled.').waitFor()
  })

  it('reports that the booking was moved in the meantime, shows its time, and moves it from there', async () => {
    const booking = await booked()
    const { url, practice, consumer, listed } = booking
    const { page } = await visit(site.browser, url)
    await time(page, '10:00').click()
    await page.getByRole('heading', { name: 'Reschedule to this time?' }).waitFor()
    // With the same link, in another window.
    const other = slotsOf(await consumer.list(practice.resource)).find(one => one.start.includes('T11:00'))
    expect((await moveBooking(consumer, booking, other!)).status).toBe(200)
    await page.getByRole('button', { name: 'Reschedule appointment' }).click()
    await page.getByText('This appointment has since been rescheduled.').waitFor()
    expect(await listed()).not.toContain('11:00')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText(/Current appointment: .*\b11:00/).waitFor()
    await time(page, '10:00').click()
    await page.getByRole('button', { name: 'Reschedule appointment' }).click()
    await page.getByRole('heading', { name: 'Your appointment has been rescheduled' }).waitFor()
    expect(await listed()).toContain('11:00')
    expect(await listed()).not.toContain('10:00')
  })

  it('continues with a new booking after the old one was cancelled here', async () => {
    const { url } = await booked()
    const { page } = await visit(site.browser, url)
    await time(page, '10:00').click()
    await page.getByRole('button', { name: 'Reschedule appointment' }).click()
    await page.getByRole('link', { name: 'Cancel appointment' }).click()
    await page.getByRole('button', { name: 'Yes, cancel' }).click()
    await page.getByRole('heading', { name: 'Your appointment is cancelled' }).waitFor()
    await page.getByRole('button', { name: 'Book another appointment' }).click()
    await time(page, '10:00').click()
    await fillForm(page, { Email: 'anew@example.org' })
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
  })

  it('is available in place right after a booking', async () => {
    const practice = await openPractice(site)
    const { page } = await visit(site.browser, bookPage(site, practice))
    await time(page, '10:00').click()
    await fillForm(page, { Email: 'mover@example.org' })
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByRole('link', { name: 'Reschedule appointment' }).click()
    await page.getByText(/Current appointment: .*\b10:00/).waitFor()
    // What was pressed is gone: the heading takes the focus.
    const focused = () =>
      page.locator('holdfast-booking').evaluate(one => one.shadowRoot!.activeElement?.textContent)
    await soon(focused).toBe('Choose a new time')
    await time(page, '11:00').click()
    await page.getByRole('button', { name: 'Reschedule appointment' }).click()
    await page.getByRole('heading', { name: 'Your appointment has been rescheduled' }).waitFor()
    expect(await mailKindsTo(site.holdfast, 'mover@example.org')).toEqual(['booked', 'moved'])
  })

  it('is behind the link of the email too, where a reload shows the confirmation', async () => {
    const { practice, moveLink } = await booked()
    const imageUrl = 'https://pictures.example/none.png'
    await setProduct(site.holdfast, practice.productUuid, { priceText: '€45', imageUrl })
    await setProvider(site.holdfast, practice.uuid, { description: 'By the water.' })
    const { page } = await visit(site.browser, moveLink, { viewport: narrow })
    await page.getByRole('heading', { name: 'Choose a new time' }).waitFor()
    await page.getByText('€45').filter({ visible: true }).waitFor()
    await page.getByText('By the water.').filter({ visible: true }).waitFor()
    await expectNoBarriers(page)
    expect(await page.title()).toBe('Choose a new time – Harbour Practice')
    await time(page, '10:00').click()
    await page.getByRole('button', { name: 'Reschedule appointment' }).click()
    await page.getByRole('heading', { name: 'Your appointment has been rescheduled' }).waitFor()
    expect(new URL(page.url()).pathname).toMatch(/^\/booked\//)
    await page.reload()
    await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
    expect(await page.getByRole('region', { name: 'Add to calendar' }).getByRole('link').count()).toBe(3)
    await page.getByRole('link', { name: 'Cancel appointment' }).click()
    await page.getByRole('link', { name: 'Reschedule instead' }).click()
    await page.getByText(/Current appointment: .*\b10:00/).waitFor()
    const plain = await visit(site.browser, moveLink, { javaScriptEnabled: false })
    await plain.page.getByRole('heading', { name: 'Current appointment' }).waitFor()
    await plain.page
      .getByRole('button', { name: /^11:00/ })
      .first()
      .click()
    await plain.page.getByRole('button', { name: 'Reschedule' }).waitFor()
  })
})
