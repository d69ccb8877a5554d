// How every email looks on a phone and on a desk, in light and dark, in one browser.

import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { isAboutBooking, mergeDates, messageKinds } from '../../src/rules/messages/messages.ts'
import { startBrowser } from '../support/browser.ts'
import { expectNoBarriers } from '../support/widget.ts'
import { booking, write } from './samples.ts'

const longAddress = `https://meet.example.org/${'a1b2c3d4'.repeat(40)}`
const longName = 'Donaudampfschifffahrtsgesellschaftskapitänspatentprüfung'

const full = booking({
  consumer: { name: `Maximiliane von ${longName}`, email: `${'a'.repeat(60)}@example.org`, mobile: null },
  provider: { ...booking().provider, name: `Praxis ${longName}`, accentColor: '#ffd60a', logoUrl: null },
  productName: longName,
  contact: { name: longName, channels: [{ type: 'video', label: null, value: longAddress }] },
  answers: [{ label: longName, text: longName, inEmails: true }],
})
const series = mergeDates([full, { ...full, start: '2026-03-10T09:00:00Z', end: '2026-03-10T09:30:00Z' }])

/** What does not fit into the window, and addresses that are too long to read. */
const troubles = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const words = document.body.innerText.split(/\s+/)
    return [
      ...(scrollWidth > clientWidth ? [`${scrollWidth} px wide`] : []),
      ...words.filter(word => /^https?:|^www\./.test(word) && word.length > 80),
    ]
  })

/** The labels, in the order in which they are read on the screen. */
const buttonsOn = (page: Page) =>
  page.locator('.button-link').evaluateAll(all =>
    all
      .map(one => ({ label: one.textContent, at: one.getBoundingClientRect() }))
      .sort((one, other) => one.at.top - other.at.top || one.at.left - other.at.left)
      .map(({ label }) => label),
  )

it('fits every email into a phone and a desk, readable in light and dark', { timeout: 60_000 }, async () => {
  const browser = await startBrowser()
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  const emails = messageKinds.map(kind => [kind, write(kind, full, 'de').html] as const)
  const all = [...emails, ['series', write('booked', series, 'de').html] as const]
  const found: unknown[] = []
  for (const [name, html] of all) {
    await page.setContent(html)
    for (const width of [375, 640]) {
      await page.setViewportSize({ width, height: 800 })
      for (const trouble of await troubles(page)) found.push([name, width, trouble])
    }
  }
  expect(found).toEqual([])

  // Those in the same colours on one page.
  const styleOf = (html: string) => html.slice(0, html.indexOf('</head>')).replace(/<title>.*/, '')
  for (const [_first, same] of Map.groupBy(all, ([_key, html]) => styleOf(html))) {
    await page.setContent(same.map(([_key, html]) => html.replace(/<body[^>]*>|<\/body>/g, '')).join(''))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await expectNoBarriers(page, undefined, { contrastOnly: true })
    }
  }

  for (const kind of messageKinds.filter(isAboutBooking)) {
    await page.setContent(write(kind).html)
    for (const width of [375, 640]) {
      await page.setViewportSize({ width, height: 800 })
      const order = ['Add to calendar', 'Reschedule appointment', 'Cancel appointment']
      const buttons = (await buttonsOn(page)).filter(label => order.includes(label!))
      expect([kind, buttons]).toEqual([kind, order.filter(label => buttons.includes(label))])
    }
  }
  await page.setContent(write('booked').html)
  const text = await page.locator('body').innerText()
  const parts = ['Add to calendar', 'Something came up?', 'Reschedule', 'Cancel', 'All my bookings']
  const places = parts.map(part => text.indexOf(part))
  expect(places).toEqual(places.toSorted((one, other) => one - other))
  expect(places[0]).toBeGreaterThan(0)
})
