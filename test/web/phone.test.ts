// On a phone the times come first, and do not shift while the script loads.

import { describe, expect, it } from 'vitest'
import { narrow, screenshot, visit, visitAfresh, wide } from '../support/browser.ts'
import { makeProduct, makeProfile, makeRoom, setChannel } from '../support/build.ts'
import {
  addTimes,
  bookPage,
  dayIn,
  expectNoBarriers,
  fillForm,
  openPractice,
  soon,
  time,
  times,
  useSite,
} from '../support/widget.ts'

const site = await useSite()

const smallest = { width: 320, height: 640 }
const address = { street: 'Hafenstrasse', number: '1', zip: '20359', city: 'Hamburg' }

/** Everything above the first time: long names, facts, a hint, a way back to the Products. */
async function wordyPractice() {
  const { crm } = site.holdfast
  const practice = await openPractice(site, { name: 'Gemeinschaftspraxis am Hafenkrankenhaus' }, { days: [] })
  const product = { name: 'Vorsorgeuntersuchung', description: 'Please bring your card.' }
  await makeProduct(crm, practice, { reference: practice.product, ...product })
  await makeProduct(crm, practice, { name: 'Another' })
  const profile = await makeProfile(crm, practice, practice.owner)
  const room = await makeRoom(crm, practice, {
    publicName: 'Dr. Anna-Katharina Oberhuber',
    address,
    contact: practice.owner,
    contactProfileReference: profile.reference,
  })
  await setChannel(site.holdfast, room.resourceUuid, { bookingProcess: 'REQUESTED' })
  await addTimes(site, room, dayIn(1), '09:00', '16:00', { defaultCapacity: 9 })
  return bookPage(site, room, `?product=${practice.productUuid}`)
}

async function twoRooms() {
  const practice = await openPractice(site)
  const other = await makeRoom(site.holdfast.crm, practice, { publicName: 'Other' })
  await addTimes(site, other, dayIn(1), '09:00', '16:00')
  return `${site.origin}/book/${practice.resource},${other.resource}`
}

describe.each([
  ['one Resource', async () => bookPage(site, await openPractice(site))],
  ['much to say', wordyPractice],
  ['several Resources', twoRooms],
])('the first time of %s', (_name, open) => {
  it.each([smallest, narrow, { width: 768, height: 1024 }, wide])(
    'stays where it was before the script loaded: $width',
    async viewport => {
      const { page } = await visitAfresh(site.browser, 'about:blank', { viewport })
      const arrival = Promise.withResolvers<void>()
      await page.route(/assets\/widget/, route => arrival.promise.then(() => route.continue()))
      await page.goto(await open(), { waitUntil: 'commit' })
      const plain = page.locator('.stand-in .slots button').first()
      const before = (await plain.boundingBox())!
      arrival.resolve()
      const after = (await times(page).first().boundingBox())!
      for (const side of ['x', 'y', 'width', 'height'] as const)
        expect(Math.abs(after[side] - before[side])).toBeLessThan(2)
    },
  )
})

describe('a phone', () => {
  it('shows the facts, the week and ten times on the first screen, without nested scrolling', async () => {
    const practice = await openPractice(site, {}, { days: [1, 2, 8], address })
    const { page } = await visit(site.browser, bookPage(site, practice), { viewport: narrow })
    await times(page).first().waitFor()
    const bottoms = await times(page).evaluateAll(buttons =>
      buttons.map(one => one.getBoundingClientRect().bottom),
    )
    expect(bottoms.filter(bottom => bottom <= narrow.height).length).toBeGreaterThanOrEqual(10)
    const scrollers = await page
      .locator('holdfast-booking')
      .evaluate(
        element =>
          [...element.shadowRoot!.querySelectorAll('*')].filter(
            one => one.scrollHeight > one.clientHeight + 1 && getComputedStyle(one).overflowY === 'auto',
          ).length,
      )
    expect(scrollers).toBe(0)
    const last = bottoms.at(-1)!
    const zone = (await page.getByLabel('Time zone').boundingBox())!
    expect(zone.y).toBeGreaterThan(last)
    await expectNoBarriers(page)
    await screenshot(page, '360-light-phone')
  })

  it('has days of 44 pixels at 320, pages by week, and opens the month by its heading', async () => {
    const practice = await openPractice(site, {}, { days: [1] })
    await addTimes(site, practice, dayIn(9), '09:00', '12:00')
    const { page } = await visit(site.browser, bookPage(site, practice), { viewport: smallest })
    await times(page).first().waitFor()
    const days = page.locator('holdfast-booking [data-day]:visible')
    expect(await days.count()).toBeLessThanOrEqual(7)
    const sizes = await days.evaluateAll(all => all.map(one => one.getBoundingClientRect()))
    for (const { width, height } of sizes) expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    // A week or two on, in this month or the next.
    const later = page.locator(`holdfast-booking [data-day="${dayIn(9)}"]:visible`)
    for (let week = 0; week < 3 && (await later.count()) === 0; week++)
      await page.getByRole('button', { name: 'Next week' }).click()
    await later.click()
    await soon(() => times(page).count()).toBe(6)
    const name = page.locator('holdfast-booking #month button')
    await name.click()
    expect(await name.getAttribute('aria-expanded')).toBe('true')
    expect(await days.count()).toBeGreaterThan(27)
    await screenshot(page, '320-light-month')
    await later.click()
    expect(await days.count()).toBeLessThanOrEqual(7)
  })

  it('names of one long word make no step wider than the screen', async () => {
    const { crm } = site.holdfast
    const long = 'Rechtsschutzversicherungsberatung'
    const endless = 'x'.repeat(160)
    const practice = await openPractice(site, { name: endless })
    const product = { name: long, minDuration: 45, priceText: 'ab 45 €', questions: ['why'] }
    await crm.post(`${practice.path}/questions`, { key: 'why', type: 'text', label: { en: endless } })
    await makeProduct(crm, practice, { ...product, reference: practice.product })
    await makeProduct(crm, practice, { ...product, name: endless, description: endless })
    const room = await makeRoom(crm, practice, {
      publicName: endless,
      address: { ...address, city: endless },
    })
    await addTimes(site, room, dayIn(1), '09:00', '16:00')
    await setChannel(site.holdfast, room.resourceUuid, { waitingList: true })
    const { page } = await visit(site.browser, 'about:blank', { viewport: smallest })
    const expectNoneWider = async (step: string) => {
      await screenshot(page, `320-long-${step}`)
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect([step, width]).toEqual([step, 320])
    }
    const service = page.locator('holdfast-booking [part="product"]')
    for (const [step, ref] of [
      ['one', room.resource],
      ['several', `${practice.resource},${room.resource}`],
    ] as const) {
      await page.goto(`${site.origin}/book/${ref}`)
      await service.nth(1).waitFor()
      await expectNoneWider(`${step}-services`)
      for (const pill of await service.locator('.pill').all())
        expect((await pill.boundingBox())!.height).toBeLessThan(30)
      await service.last().click()
      await times(page).first().waitFor()
      await expectNoneWider(`${step}-times`)
      await times(page).first().click()
      await page.getByLabel(endless).waitFor()
      await expectNoneWider(`${step}-form`)
      await fillForm(page, { Email: `${step}@example.org` })
      await page.getByRole('button', { name: 'Book now' }).click()
      await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
      await expectNoneWider(`${step}-booked`)
    }
    await page.goto(`${site.origin}/book/${room.resourceUuid}/waiting?product=${practice.productUuid}`)
    await expectNoneWider('waiting')
  })

  it.each([
    ['stays in one piece', 'a-b-c-d-e-f-g@example.org', false],
    ['breaks where a line is too short for it', `${'anna-lena.'.repeat(5)}huber@example.org`, true],
  ])('an address with hyphens %s, and stays on the screen', async (_, email, breaks) => {
    const practice = await openPractice(site)
    const { page } = await visitAfresh(site.browser, bookPage(site, practice), { viewport: smallest })
    await time(page, '10:00').click()
    await fillForm(page, { Email: email })
    await page.getByRole('button', { name: 'Book now' }).click()
    const hint = page.locator('holdfast-booking [part~="done"] > p', { hasText: email })
    const lines = await hint.evaluate((paragraph, email) => {
      const texts = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT)
      while (!texts.nextNode()?.nodeValue?.includes(email));
      const range = new Range()
      const at = texts.currentNode.nodeValue!.indexOf(email)
      range.setStart(texts.currentNode, at)
      range.setEnd(texts.currentNode, at + email.length)
      return range.getClientRects().length
    }, email)
    expect(lines > 1).toBe(breaks)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  })

  it.each(['en', 'de', 'fr', 'es', 'it'])(
    'shows the whole form with its button at once: %s',
    async language => {
      const practice = await openPractice(site, { phone: '+49 40 123456' })
      const viewport = { width: 390, height: 844 }
      const { page } = await visit(site.browser, bookPage(site, practice, `?lang=${language}`), { viewport })
      await time(page, '10:00').click()
      const button = page.locator('holdfast-booking [part="submit"]')
      const box = (await button.boundingBox())!
      expect(box.y + box.height).toBeLessThanOrEqual(viewport.height)
      await expectNoBarriers(page)
    },
  )

  it.each(['en', 'de', 'fr', 'es', 'it'])('moves nothing when a wrong field is left: %s', async language => {
    const practice = await openPractice(site)
    const viewport = { width: 390, height: 844 }
    const { page } = await visit(site.browser, bookPage(site, practice, `?lang=${language}`), { viewport })
    await time(page, '10:00').click()
    const field = (name: string) => page.locator(`holdfast-booking [name="${name}"]`)
    await field('message').waitFor()
    const before = await field('message').boundingBox()
    await field('email').fill('ann')
    await field('mobile').fill('soon')
    await field('firstname').focus()
    await soon(() => page.locator('holdfast-booking .error').count()).toBe(2)
    expect(await field('message').boundingBox()).toEqual(before)
  })

  it('keeps the date visible while a long list is scrolled', async () => {
    const practice = await openPractice(site, {}, { days: [1], from: '00:30', to: '23:30' })
    const { page } = await visit(site.browser, bookPage(site, practice), { viewport: narrow })
    await time(page, '23:00').scrollIntoViewIfNeeded()
    const heading = page.locator('holdfast-booking [part="times"] h4')
    const box = (await heading.boundingBox())!
    expect(box.y).toBeGreaterThanOrEqual(0)
    expect(box.y).toBeLessThan(narrow.height)
  })
})

describe('a list of services', () => {
  const names = [
    'Fußpflege',
    'Manicure',
    'Pédicure',
    'Peeling',
    'Wax',
    'Brows',
    'Lashes',
    'Make-up',
    'Facial',
    'Spa',
    'Tea',
  ]
  const cards = '[part="product"]:visible'

  async function open(count: number) {
    const practice = await openPractice(site)
    for (const name of names.slice(0, count - 1)) await makeProduct(site.holdfast.crm, practice, { name })
    return bookPage(site, practice)
  }

  it.each([narrow, wide])('of twelve can be searched, and stays where it was: $width', async viewport => {
    const { page } = await visitAfresh(site.browser, 'about:blank', { viewport })
    const arrival = Promise.withResolvers<void>()
    await page.route(/assets\/widget/, route => arrival.promise.then(() => route.continue()))
    await page.goto(await open(12), { waitUntil: 'commit' })
    const before = (await page.locator('.choices li').nth(1).boundingBox())!
    arrival.resolve()
    const shown = page.locator(`holdfast-booking ${cards}`)
    const after = (await shown.nth(1).boundingBox())!
    for (const side of ['x', 'y', 'width', 'height'] as const)
      expect(Math.abs(after[side] - before[side])).toBeLessThan(2)
    const search = page.getByRole('searchbox', { name: 'Search services' })
    await search.fill('pedi')
    expect(await shown.allInnerTexts()).toEqual([expect.stringContaining('Pédicure')])
    await expectNoBarriers(page)
    await screenshot(page, `${viewport.width}-search`)
    await shown.click()
    await page.getByRole('button', { name: 'Back' }).click()
    expect(await search.inputValue()).toBe('pedi')
    await search.fill('no such thing')
    await page.getByRole('status').filter({ hasText: 'Nothing found' }).waitFor()
    expect(await shown.count()).toBe(0)
    await search.fill('')
    expect(await shown.count()).toBe(12)
  })

  it('of fewer has no search', async () => {
    const { page } = await visitAfresh(site.browser, await open(11), { viewport: narrow })
    await page.locator(`holdfast-booking ${cards}`).first().waitFor()
    expect(await page.getByRole('searchbox').count()).toBe(0)
  })
})
