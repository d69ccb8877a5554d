// The Services and Online booking pages in a browser, by mouse.

import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { countClicks, screenshot, type visitAfresh } from '../support/browser.ts'
import { makeResource, makeUser, type Practice } from '../support/build.ts'
import { consolePage } from '../support/console-page.ts'
import { asConsumer, overApp } from '../support/consumer.ts'
import { consoleCall } from '../support/service.ts'
import { dayIn, expectNoBarriers, openPractice, soon, useSite } from '../support/widget.ts'

let practice: Practice
const site = await useSite()
beforeEach(async () => {
  practice = await openPractice(site)
})

type Options = Parameters<typeof visitAfresh>[2]

/** The owner, logged in, with a browser of their own. */
async function open(path: string, options: Options = {}, who = practice.owner) {
  const visitor = await consolePage(site, who, path, options)
  return visitor
}

const phone = { viewport: { width: 390, height: 844 } }
// What can be done on a phone can be done on a desk.
const sizes = [['390 px', phone]] as const

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()
const seesToast = (page: Page, text: string | RegExp) =>
  page.locator('.toast').getByText(text).first().waitFor()

describe.each(sizes)('at %s', (width, options) => {
  it('creates a Product with buffers, and changes it', async () => {
    const { page, problems } = await open('/offers/products', options)
    await button(page, 'Add service').click()
    await page.getByLabel('Name', { exact: true }).fill('Walk')
    await page.getByLabel('Duration').fill('30')
    await page.getByLabel('Up to').fill('30')
    await page.getByLabel('Buffer after').fill('15')
    await page.getByText('45 minutes in total').waitFor()
    await screenshot(page, `product-${width}`, false)
    await save(page)
    await page.getByRole('link', { name: 'Walk' }).click()
    await page.getByLabel('Buffer before').fill('5')
    await page.getByRole('img', { name: '5 min before, 30 min, 15 min after' }).waitFor()
    await save(page)
    await page.getByRole('cell', { name: '5 min before, 15 min after' }).waitFor()
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).last().click()
    await page.getByRole('cell', { name: '15 min after', exact: true }).waitFor()
    expect(problems).toEqual([])
  })

  it('lists a Product with its one duration and its price, and says when opening hours make it longer', async () => {
    await consoleCall(site.holdfast.app, 'PUT', `/resources/${practice.resourceUuid}/hours`, {
      rules: [{ weekdays: ['1'], from: '09:00', to: '12:00', raster: 30 }],
    })
    const { page } = await open('/offers/products/new', options)
    await page.getByLabel('Name', { exact: true }).fill('Walk')
    await page.getByLabel('Price').fill('€35')
    const note = page.getByRole('note').filter({ hasText: 'slots' })
    await page.getByLabel('Duration').fill('60')
    await page.getByText('60 minutes in total').waitFor()
    expect(await note.count()).toBe(0)
    await page.getByLabel('Duration').fill('45')
    await note.getByText('Booked as 60 minutes, because opening hours have 30-minute slots.').waitFor()
    await expectNoBarriers(page)
    await save(page)
    const row = page.getByRole('row', { name: /Walk/ })
    await row.getByText('45 min', { exact: true }).waitFor()
    await row.getByText('€35', { exact: true }).waitFor()
  })

  it('a Product is deleted after a look at what hangs on it', async () => {
    const only = { products: [practice.product] }
    await consoleCall(site.holdfast.app, 'PATCH', `/resources/${practice.resourceUuid}`, only)
    const { page } = await open('/offers/products', options)
    await button(page, 'Add service').click()
    await page.getByLabel('Name', { exact: true }).fill('Walk')
    await save(page)
    await page.getByRole('link', { name: 'Talk' }).click()
    await button(page, /^Delete/).click()
    await page.getByRole('alert').getByText('offers no other service').waitFor()
    expect(await button(page, 'Delete permanently').isDisabled()).toBe(true)
    await expectNoBarriers(page)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Walk' }).click()
    await button(page, /^Delete/).click()
    await page.getByText('No upcoming appointments use it.').waitFor()
    await button(page, 'Delete permanently').click()
    await seesToast(page, 'Walk deleted.')
    await soon(() => page.getByRole('link', { name: 'Walk' }).count()).toBe(0)
  })

  it('creates a Resource, archives and restores it, and deletes it after showing the affected customers', async () => {
    const { page } = await open('/offers', options)
    await button(page, 'Add person or room').click()
    await page.getByLabel('Public name').fill('Garden')
    const address = { Street: 'Ring', Number: '1', Postcode: '1010', City: 'Wien' }
    for (const [label, value] of Object.entries(address))
      await page.getByLabel(label, { exact: true }).fill(value)
    // Defaults to the country of the business.
    expect(await page.getByLabel('Country').inputValue()).toBe('DE')
    await page.getByLabel('Country').selectOption('AT')
    await save(page)
    await page.getByRole('link', { name: 'Garden', exact: true }).click()
    await soon(() => page.getByLabel('Country').inputValue()).toBe('AT')
    await button(page, 'Archive').click()
    const archived = page.locator('.chip', { hasText: 'archived' })
    await archived.waitFor()
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
    await soon(() => archived.count()).toBe(0)
    await page.getByRole('link', { name: 'Garden', exact: true }).click()
    await button(page, /^Delete/).click()
    await page.getByText('No upcoming appointments are affected.').waitFor()
    await button(page, 'Delete permanently').click()
    await soon(() => page.getByRole('link', { name: 'Garden', exact: true }).count()).toBe(0)
  })

  it('some hours are closed, changed and opened again with a way back; holidays of a region in one go', async () => {
    const { page } = await open('/offers/closures', options)
    await button(page, 'Add closure').click()
    await page.getByLabel('Reason').fill('Leave')
    // Not today, because past slots are not listed.
    await page.getByLabel('Last day').fill(dayIn(2))
    await page.getByLabel('First day').fill(dayIn(2))
    await page.getByLabel('All day').uncheck()
    await page.getByLabel('Start time').fill('13:00')
    await page.getByLabel('End time').fill('15:30')
    await button(page, 'Save').click()
    const line = page.locator('.lines li', { hasText: 'Leave' })
    await line.getByText('13:00 – 15:30').waitFor()
    await button(page, 'Edit: Leave').click()
    // The open panel has its own URL, which opens it again.
    await page.reload()
    await page.getByLabel('All day').check()
    await save(page)
    await soon(() => line.getByText('13:00').count()).toBe(0)
    await button(page, /^Reopen: Leave/).click()
    await soon(() => line.count()).toBe(0)
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).last().click()
    await line.waitFor()
    await button(page, 'Public holidays').click()
    await page.reload()
    await page.getByLabel('State or region').selectOption('BY')
    await page.getByLabel('Period').selectOption('2027')
    await page.locator('.holidays li').nth(5).waitFor()
    await screenshot(page, `holidays-${width}`, false)
    await button(page, 'Add all as closures').click()
    await seesToast(page, /holidays added as closures/)
    await soon(() => page.locator('.lines li').count()).toBeGreaterThan(5)
  })

  it('a profile presents a member of staff', async () => {
    const { page } = await open('/offers/contacts', options)
    await button(page, 'Add profile').click()
    await page.reload()
    await page.getByLabel('Public name').fill('Front desk')
    await page.getByLabel('Phone').fill('+49 30 1')
    await save(page)
    await button(page, 'Edit: Front desk').click()
    await page.reload()
    await page.getByLabel('Phone').fill('+49 30 123456')
    await save(page)
    const line = page.locator('.lines li', { hasText: '+49 30 123456' })
    await button(page, 'Remove: Front desk').click()
    await page.getByText('Customers will see the person’s own name').waitFor()
    await page.getByRole('button', { name: 'Remove', exact: true }).last().click()
    await seesToast(page, 'Front desk removed.')
    await soon(() => line.count()).toBe(0)
  })

  it('a calendar program reads along under an address, until it is revoked', async () => {
    const { page, problems } = await open('/channels/subscriptions', options)
    await page.getByText('No calendar subscriptions yet.').waitFor()
    await button(page, 'Create address').click()
    const shows = page.getByLabel('Appointments for')
    await shows.selectOption({ index: 1 })
    const resource = (await shows.locator('option:checked').textContent())!
    await page.getByLabel('Label').fill('My phone')
    await page.locator('dialog').getByRole('button', { name: 'Create address' }).click()
    const address = page.getByRole('textbox', { name: 'Calendar address' })
    const url = await address.inputValue()
    expect(await (await fetch(url)).text()).toMatch(/^BEGIN:VCALENDAR/)
    await expectNoBarriers(page)
    await button(page, 'I’ve copied it').click()
    await page.locator('li', { hasText: 'My phone' }).getByText(resource).waitFor()
    await button(page, 'Revoke: My phone').click()
    await page.getByRole('button', { name: 'Revoke', exact: true }).last().click()
    await page.getByText('No calendar subscriptions yet.').waitFor()
    expect((await fetch(url)).status).toBe(404)
    expect(problems).toEqual([])
  })

  it('hides and opens a channel; list and preview show it immediately', async () => {
    const { page, problems } = await open(`/channels/${practice.resourceUuid}/RESOURCE_PUBLIC`, options)
    const consumer = asConsumer(overApp(site.holdfast.app))
    const preview = page.frameLocator('iframe')
    await preview.locator('[part="times"] button').first().waitFor()
    const clicks = await countClicks(page)
    await page.getByLabel('Accept bookings').uncheck()
    await save(page)
    await seesToast(page, 'Saved.')
    await soon(clicks).toBe(2)
    expect((await consumer.list(practice.resource)).body).toEqual({ public_visible: false })
    await soon(() => preview.locator('[part="times"] button').count()).toBe(0)
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).last().click()
    await preview.locator('[part="times"] button').first().waitFor()
    await soon(() => page.getByLabel('Accept bookings').isChecked()).toBe(true)
    expect(problems).toEqual([])
  })

  it('applies one change to all four channels on request', async () => {
    await makeResource(site.holdfast.crm, practice)
    const { page } = await open(`/channels/${practice.resourceUuid}/RESOURCE_PUBLIC`, options)
    await page.getByRole('button', { name: 'Change: New bookings' }).click()
    await page.getByLabel('New bookings', { exact: true }).selectOption('REQUESTED')
    await page.getByRole('button', { name: 'Change: How far ahead' }).click()
    await page.getByLabel('How far ahead customers can book (days)', { exact: true }).fill('7')
    await page.getByLabel('Apply to all four channels').check()
    await save(page)
    await seesToast(page, 'Saved for all four channels.')
    await page.getByLabel('Booking channel', { exact: true }).selectOption('CALENDAR_PUBLIC')
    await soon(() =>
      page.getByLabel('How far ahead customers can book (days)', { exact: true }).inputValue(),
    ).toBe('7')
    expect(await page.getByLabel('New bookings', { exact: true }).inputValue()).toBe('REQUESTED')
    // This is the calendar of everything, and so is what is embedded.
    const snippet = page.getByLabel('Code for your website', { exact: true })
    await soon(() => snippet.inputValue()).toContain(`business="${practice.uuid}"`)
  })

  it('sets the business once; a resource shows its exception and goes back', async () => {
    const { page, problems } = await open('/channels', options)
    await page.getByText('No exceptions.').waitFor()
    await page.getByLabel('Minimum notice', { exact: true }).fill('2')
    await save(page)
    await seesToast(page, 'Saved.')
    await page.getByRole('button', { name: 'Choose a short address' }).click()
    await page.getByLabel('Address of your booking page').fill('admin')
    await page.locator('.card').getByRole('button', { name: 'Save' }).click()
    await page.getByText('This address is not available.').waitFor()
    const slug = `practice-${page.viewportSize()!.width}`
    await page.getByLabel('Address of your booking page').fill(slug)
    await page.locator('.card').getByRole('button', { name: 'Save' }).click()
    await soon(() => page.getByLabel('Link to share', { exact: true }).inputValue()).toBe(
      `${site.origin}/book/${slug}`,
    )
    // A closed group says what is set in it, and opens for an error.
    const group = page.locator('details', { hasText: 'Who can book' })
    await group.getByText('Existing customers only: No · Maximum dates per booking: 1').click()
    const most = group.getByLabel('Maximum dates per booking')
    await most.fill('99')
    await group.getByText('Who can book').click()
    expect(await most.isVisible()).toBe(false)
    await save(page)
    await soon(() => most.evaluate(one => one === document.activeElement)).toBe(true)
    expect(await most.getAttribute('aria-invalid')).toBe('true')
    await expectNoBarriers(page)
    await most.fill('1')
    await save(page)
    await soon(() => page.locator('.save-bar [aria-disabled]').count()).toBe(1)
    await screenshot(page, `channels-business-${page.viewportSize()!.width}`)
    await page.getByRole('link', { name: 'By person or room' }).click()
    await page.getByText('Same as the business (2 hours)').waitFor()
    await page.getByRole('button', { name: 'Change: Minimum notice' }).click()
    await page.keyboard.type('5')
    await save(page)
    await soon(() => page.locator('button[aria-busy]').count()).toBe(0)
    await expectNoBarriers(page)
    await screenshot(page, `channels-resource-${page.viewportSize()!.width}`)
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    const exception = page.locator('li').filter({ hasText: 'Minimum notice' })
    await exception.getByRole('link').click()
    await page.getByRole('button', { name: /Use the business setting \(2 hours\): Minimum notice/ }).click()
    await save(page)
    await soon(() => page.getByText('Same as the business (2 hours)').count()).toBe(1)
    expect(problems).toEqual(['409', '400'].map(status => expect.stringContaining(status)))
  })

  it('a colour that cannot be read is shown as one that can', async () => {
    const { page } = await open('/channels/look', options)
    await page.getByLabel('Colour').fill('#ffee00')
    await save(page)
    await page.getByText(/We use a readable shade there/).waitFor()
    await expectNoBarriers(page)
  })
})

it('a number can be retyped: an empty field does not count', async () => {
  const { page } = await open(`/offers/resources/${practice.resourceUuid}/hours`)
  const length = page.getByLabel('Slot length')
  await length.press('End')
  for (const key of ['Backspace', 'Backspace', '4', '5']) await length.press(key)
  expect(await length.inputValue()).toBe('45')
  await length.fill('')
  await page.getByLabel('Weeks ahead').focus()
  expect(await length.inputValue()).toBe('45')
})

it('a logo can be chosen from a file, is shown immediately, and can be removed', async () => {
  const { page, problems } = await open('/channels/look')
  const choose = (name: string, buffer: Buffer) =>
    page.getByLabel('Choose image').setInputFiles({ name, mimeType: 'image/png', buffer })
  await choose('notes.png', Buffer.from('no picture'))
  await page.getByText('We can’t read this file.').waitFor()
  const large = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(3000, 1500)
    canvas.getContext('2d')!.fillRect(0, 0, 1500, 1500)
    const blob = await canvas.convertToBlob()
    return [...new Uint8Array(await blob.arrayBuffer())]
  })
  await page.getByLabel('Business name').fill('Typed meanwhile')
  await page.getByLabel('Or link to an image').fill('https://example.org/other.png')
  await choose('logo.png', Buffer.from(large))
  const shown = page.getByRole('img', { name: 'Your logo' })
  await soon(() => shown.evaluate((img: HTMLImageElement) => [img.naturalWidth, img.naturalHeight])).toEqual([
    264, 132,
  ])
  await page.frameLocator('iframe').locator('.logo').first().waitFor()
  expect(await page.getByLabel('Business name').inputValue()).toBe('Typed meanwhile')
  await expectNoBarriers(page)
  await button(page, 'Remove logo').click()
  await save(page)
  await seesToast(page, 'Saved.')
  await soon(() => page.frameLocator('iframe').locator('.logo').count()).toBe(0)
  expect(problems).toEqual([])
})

it('changing the time zone first explains the consequences', async () => {
  const { page } = await open('/channels/look')
  await page.getByLabel('Time zone').selectOption('America/New_York')
  await save(page)
  await page.getByText('Existing appointments don’t move: 10:00 becomes').waitFor()
  expect((await consoleCall(site.holdfast.app, 'GET', `/providers/${practice.uuid}`)).body.timeZone).toBe(
    'Europe/Berlin',
  )
  await expectNoBarriers(page)
  await screenshot(page, 'time-zone', false)
  await button(page, 'Change time zone').click()
  await page.getByText('New York time').first().waitFor()
})

it('errors appear at their field, in the user’s language', async () => {
  const { page } = await open('/offers/products/new', { locale: 'de-DE' })
  await page.getByLabel('Puffer davor').fill('-4')
  await page.getByRole('button', { name: 'Speichern', exact: true }).click()
  await page.getByText('Dieses Feld muss ausgefüllt werden.').waitFor()
  await page.getByText('Mindestens 0.').waitFor()
})

it('staff see closures, and who makes them', async () => {
  const { reference } = await makeUser(site.holdfast.crm)
  await site.holdfast.crm.post(`${practice.path}/staff`, { userReference: reference })
  const { page } = await open('/offers/closures', {}, reference)
  await page.getByText('Only owners and administrators can change closures.').waitFor()
  expect(await page.getByRole('button', { name: 'Add closure' }).count()).toBe(0)
})

describe('two people change the same thing', () => {
  it('the second sees what changed, keeps the input, and saves on top', async () => {
    const path = `/offers/products/${practice.productUuid}`
    const [ann, ben] = [await open(path), await open(path)]
    for (const { page } of [ann, ben]) await page.getByLabel('Name', { exact: true }).waitFor()
    await ann.page.getByLabel('Name', { exact: true }).fill('Long talk')
    await save(ann.page)
    await ann.page.getByRole('link', { name: 'Long talk' }).waitFor()
    await ben.page.getByLabel('Buffer after').fill('20')
    await save(ben.page)
    const notice = ben.page.getByRole('alert')
    await notice.getByText('Someone else has changed this in the meantime.').waitFor()
    expect(await notice.textContent()).toMatch(/Name: Talk → Long talk/)
    expect(await ben.page.getByLabel('Buffer after').inputValue()).toBe('20')
    await expectNoBarriers(ben.page)
    await screenshot(ben.page, 'changed', false)
    await save(ben.page)
    await ben.page.getByRole('cell', { name: '20 min after' }).waitFor()
    await ben.page.getByRole('link', { name: 'Long talk' }).waitFor()
  })
})

it('opens the list of services from the menu, and has an address for each list', async () => {
  const { page } = await open('/')
  await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Services' }).click()
  await page.getByRole('button', { name: 'Add service' }).waitFor()
  const current = page.locator('nav a[aria-current="page"]')
  expect(await current.allTextContents()).toEqual(['Services', 'Services'])
  await page.goto(`${site.origin}/console/offers`)
  await page.getByRole('button', { name: 'Add person or room' }).waitFor()
  expect(await current.allTextContents()).toEqual(['Services', 'People and rooms'])
})

const pages = [
  '/offers',
  '/offers/products',
  '/offers/closures',
  '/offers/contacts',
  '/channels',
  '/channels/look',
  '/channels/subscriptions',
]

// In light and English, on a wide screen: barriers.slow.
describe.each([['dark', 'de-DE']] as const)('in %s, %s', (colorScheme, locale) => {
  it('every page is accessible and fits on a phone', async () => {
    const { page } = await open('/offers', { colorScheme, locale, ...phone })
    const more = [
      `/offers/resources/${practice.resourceUuid}`,
      `/offers/products/${practice.productUuid}`,
      `/offers/resources/${practice.resourceUuid}/hours`,
    ]
    for (const path of [...pages, ...more]) {
      await page.goto(`${site.origin}/console${path}`)
      await page.locator('.skeleton').first().waitFor({ state: 'detached' })
      await page.locator('h1').waitFor()
      await expectNoBarriers(page).catch(error => {
        throw new Error(`${path}: ${JSON.stringify(error.actual ?? error.message)}`)
      })
      await screenshot(page, `${path.replaceAll('/', '-').slice(1, 24)}-${colorScheme}`)
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect([path, width]).toEqual([path, 390])
    }
  })
})

it('a long list is narrowed while typing', async () => {
  const { crm } = site.holdfast
  const named = (name: string) => ({
    reference: `${name}-${practice.reference}`,
    publicName: name,
    internalName: name,
  })
  const rooms = [...'abcdefghijkl'].map(letter => named(`Cabin ${letter.repeat(3)}`))
  const { page, problems } = await open('/offers')
  expect(await page.getByRole('searchbox').count()).toBe(0)
  const made = await crm.post(`${practice.path}/resources`, { resources: [...rooms, named('Dr. Müller')] })
  expect(made.status).toBe(201)
  await page.reload()
  await page.getByRole('link', { name: 'Cabin lll', exact: true }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('MULLER dr')
  const links = page.locator('th[scope=row] a')
  await expect.poll(() => links.allTextContents()).toEqual(['Dr. Müller'])
  await expectNoBarriers(page)
  await page.getByRole('searchbox').fill('unknown')
  await page.getByText('No results.').waitFor()
  await page.getByRole('searchbox').fill('cabin lll')
  await expect.poll(() => links.count()).toBe(1)
  await links.click()
  await page.getByRole('button', { name: 'Close' }).first().click()
  expect(await page.getByRole('searchbox').inputValue()).toBe('cabin lll')
  expect(problems).toEqual([])
})
