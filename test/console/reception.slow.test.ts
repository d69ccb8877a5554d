// The reception's day in the browser: by mouse, by keyboard alone, and two at the same calendar.

import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { inviteStaff, logInByLink } from '../../src/actions/console/login.ts'
import { makeAppointment, makeRoom, type Practice, setChannel, unique } from '../support/build.ts'
import { asConsumer, bookingOf, holdOf, overApp, slotsOf } from '../support/consumer.ts'
import { consoleCall } from '../support/service.ts'
import { addTimes, dayIn, expectNoBarriers, openPractice, soon, useSite } from '../support/widget.ts'

let practice: Practice
const tomorrow = dayIn(1)

const site = await useSite()

beforeEach(async () => {
  practice = await openPractice(site, {}, { days: [0, 1], from: '00:00', to: '23:30' })
})

async function logIn(options: BrowserContextOptions = {}): Promise<Page> {
  const link = await inviteStaff(site.holdfast.service, 'crm', practice.owner)
  const session = (await logInByLink(site.holdfast.service, link.split('/').at(-1)!))!
  const page = await newPage(options)
  await page.context().addCookies([{ name: 'holdfast_session', value: session, url: site.origin }])
  return page
}

async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await site.browser.newContext({
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    viewport: { width: 1280, height: 900 },
    ...options,
  })
  const page = await context.newPage()
  page.on('console', message => {
    if (/Content Security Policy|Refused to/.test(message.text())) throw new Error(message.text())
  })
  return page
}

const open = async (page: Page, path: string) => {
  await page.goto(`${site.origin}/console${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/** A booked customer at this time of this day. */
async function booked(name: string, day: string, from: string, to: string, fields: object = {}) {
  return makeAppointment(site.holdfast.crm, practice, {
    start: `${day}T${from}`,
    end: `${day}T${to}`,
    capacity: 1,
    participations: [
      { reference: unique('p'), name, email: `${unique('mail').split('@')[0]}@example.org`, state: 'BOOKED' },
    ],
    ...fields,
  })
}

const mark = (page: Page, name: string) => page.locator('.entry-mark', { hasText: name })
const toast = (page: Page, text: string) => page.locator('.toast', { hasText: text })

/** After a drag, a small dialog asks; it has all fields on request. */
const openMore = (dialog: Locator) => dialog.getByRole('button', { name: 'More options…' }).click()

type Box = { x: number; y: number; width: number; height: number }
const isApart = (one: Box, other: Box) =>
  one.x >= other.x + other.width ||
  other.x >= one.x + one.width ||
  one.y >= other.y + other.height ||
  other.y >= one.y + one.height

const focusedText = (page: Page) => page.evaluate(() => document.activeElement!.textContent)

/** Counts what a receptionist presses. */
function clicksOn() {
  let count = 0
  return {
    on: async (place: Locator) => {
      count++
      await place.click()
    },
    at: async (page: Page, x: number, y: number) => {
      count++
      await page.mouse.click(x, y)
    },
    sinceLast: () => {
      const clicks = count
      count = 0
      return clicks
    },
  }
}

/** What is to be printed, instead of a printer. */
const withoutPrinter = (page: Page) =>
  page.addInitScript(() => {
    Object.assign(globalThis, {
      print: () => {
        document.documentElement.dataset.printed = 'yes'
      },
    })
  })

/** A customer requests tomorrow at four in the afternoon. */
async function requestTime(name: string) {
  await setChannel(site.holdfast, practice.resourceUuid, { bookingProcess: 'REQUESTED' })
  const consumer = asConsumer(overApp(site.holdfast.app))
  const slot = slotsOf(await consumer.list(practice.resourceUuid)).find(one =>
    one.start.startsWith(`${tomorrow}T16:00`),
  )!
  const [firstname, lastname] = name.split(' ')
  const person = { firstname, lastname, email: `${firstname}@example.org` }
  expect((await consumer.complete(practice.resourceUuid, { ...bookingOf(slot), ...person })).status).toBe(201)
}

/** By the link of an invitation, as on the first morning. */
async function openInvitation(page: Page) {
  await page.goto(await inviteStaff(site.holdfast.service, 'crm', practice.owner))
  await page.getByRole('button').first().waitFor()
}

describe('the reception’s day', () => {
  it('is done by mouse, in German, within the clicks that it may cost', async () => {
    await booked('Mia Missing', dayIn(0), '00:00', '23:00')
    await booked('Max Mover', tomorrow, '09:00', '10:00')
    await requestTime('Rita Request')
    const page = await newPage({ locale: 'de-DE' })
    await withoutPrinter(page)
    const click = clicksOn()
    await openInvitation(page)
    await page.getByRole('button').first().click()

    // Today, with no click at all.
    await page.getByRole('heading', { name: 'Heute' }).waitFor()
    await page.getByRole('rowheader', { name: 'Mia Missing' }).waitFor()
    await page.getByText('1 offene Anfrage').waitFor()
    expect(click.sinceLast()).toBe(0)

    await click.on(page.getByRole('button', { name: 'Annehmen: Rita Request' }))
    await toast(page, 'Angenommen: Rita Request.').waitFor()
    expect(click.sinceLast()).toBe(1)

    await click.on(page.getByRole('button', { name: 'Nicht erschienen: Mia Missing' }))
    await page.locator('.chip', { hasText: 'nicht erschienen' }).waitFor()
    expect(click.sinceLast()).toBe(1)
    await toast(page, 'nicht erschienen').getByRole('button', { name: 'Rückgängig' }).click()
    await page.locator('.chip', { hasText: 'nicht erschienen' }).waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Morgen' }).click()
    await page.getByRole('rowheader', { name: 'Max Mover' }).waitFor()
    await click.on(page.getByRole('button', { name: 'Buchen', exact: true }))
    await isFocused(page.getByLabel('Kunde'))
    await page.keyboard.type('Walter Inn')
    await page.keyboard.press('Enter')
    await isFocused(page.getByLabel('E-Mail'))
    await page.getByLabel('Von').fill('12:00')
    await click.on(page.getByRole('dialog').getByRole('button', { name: 'Buchen', exact: true }))
    await page.getByRole('rowheader', { name: 'Walter Inn' }).waitFor()
    expect(click.sinceLast()).toBe(2)

    // Three clicks with an email. Choosing no email is one more, and remembered; in an open panel two are left.
    await click.on(page.getByRole('link', { name: 'Max Mover' }))
    const panel = page.locator('.panel')
    await click.on(panel.locator('.free-times').getByRole('button', { name: '10:30' }))
    await click.on(page.getByRole('button', { name: 'Verschieben', exact: true }))
    await toast(page, 'Verschoben.').waitFor()
    await page.locator('tr', { hasText: 'Max Mover' }).getByText('10:30 – 11:30').waitFor()
    expect(click.sinceLast()).toBe(3)
    await page.keyboard.press('Escape')
    await click.on(page.getByRole('link', { name: 'Max Mover' }))
    await click.on(panel.locator('.free-times').getByRole('button', { name: '10:00' }))
    await click.on(page.getByLabel('Per E-Mail benachrichtigen'))
    await click.on(page.getByRole('button', { name: 'Verschieben (ohne E-Mail)', exact: true }))
    await toast(page, 'Verschoben.').getByRole('button', { name: 'Rückgängig' }).waitFor()
    await page.locator('tr', { hasText: 'Max Mover' }).getByText('10:00 –').waitFor()
    expect(click.sinceLast()).toBe(4)
    // The free times are reloaded: it is at ten itself now.
    await soon(() => panel.locator('.free-times').getByRole('button', { name: '10:00' }).count()).toBe(0)
    await click.on(panel.locator('.free-times').getByRole('button', { name: '11:00' }))
    await click.on(page.getByRole('button', { name: 'Verschieben (ohne E-Mail)', exact: true }))
    await page.locator('tr', { hasText: 'Max Mover' }).getByText('11:00 –').waitFor()
    expect(click.sinceLast()).toBe(2)
    await page.keyboard.press('Escape')

    await page.getByRole('link', { name: 'Kalender' }).click()
    await page.getByLabel('Gehe zu').fill(tomorrow)
    await mark(page, 'Max Mover').waitFor()
    await mark(page, 'Walter Inn').hover()
    const box = (await mark(page, 'Walter Inn').boundingBox())!
    click.sinceLast()
    // An hour and a half below nothing is booked.
    await click.at(page, box.x + 40, box.y + 124)
    await click.on(page.getByRole('button', { name: 'Hier sperren' }))
    await page.locator('.band.blocked').waitFor()
    expect(click.sinceLast()).toBe(2)
    await toast(page, 'Gesperrt.').getByRole('button', { name: 'Rückgängig' }).click()
    await soon(() => page.locator('.band.blocked').count()).toBe(0)

    await page.getByRole('link', { name: 'Heute' }).first().click()
    await click.on(page.getByRole('button', { name: 'Drucken' }))
    expect(click.sinceLast()).toBe(1)
    await page.locator('html[data-printed]').waitFor()
    await page.context().close()
  })

  it('is done by keyboard alone', async () => {
    await booked('Mia Missing', dayIn(0), '00:00', '23:00')
    await booked('Early Bird', tomorrow, '09:00', '10:00')
    await requestTime('Rita Request')
    const page = await newPage()
    await withoutPrinter(page)
    const press = (key: string) => page.keyboard.press(key)
    await openInvitation(page)
    await tabTo(page, page.getByRole('button').first())
    await press('Enter')

    await page.getByRole('rowheader', { name: 'Mia Missing' }).waitFor()
    await tabTo(page, page.getByRole('button', { name: 'Accept: Rita Request' }))
    await press('Enter')
    await toast(page, 'Accepted: Rita Request.').waitFor()
    await tabTo(page, page.getByRole('button', { name: 'No-show: Mia Missing' }))
    await press('Space')
    await page.locator('.chip', { hasText: 'no-show' }).waitFor()
    await isFocused(page.getByRole('button', { name: 'No-show: Mia Missing' }))

    // A walk-in that overlaps another: the warning appears while typing, and is overridden.
    await press('j')
    await page.getByRole('rowheader', { name: 'Early Bird' }).waitFor()
    await press('n')
    await isFocused(page.getByLabel('Customer'))
    await page.keyboard.type('Kim Key')
    await press('Enter')
    await isFocused(page.getByLabel('Email'))
    await tabTo(page, page.getByLabel('From'))
    await page.keyboard.type('0900')
    await page.getByText('Overlaps with Early Bird.').waitFor()
    await page.getByRole('button', { name: 'Continue anyway' }).waitFor()
    await press('Enter')
    await page.getByRole('rowheader', { name: 'Kim Key' }).waitFor()

    await tabTo(page, page.getByRole('link', { name: 'Kim Key' }))
    await press('Enter')
    const panel = page.locator('dialog.panel')
    await tabTo(page, panel.locator('.free-times').getByRole('button', { name: '10:30' }))
    await press('Enter')
    await isFocused(page.getByRole('button', { name: 'Move', exact: true }))
    await press('Enter')
    await toast(page, 'Moved.').waitFor()
    await press('Escape')
    await soon(() => panel.count()).toBe(0)
    await isFocused(page.getByRole('link', { name: 'Kim Key' }))

    // In the calendar arrows lead from one to the next; what a drag does, a form does.
    // Also within a second of another key.
    await soon(async () => {
      await press('x')
      await page.waitForTimeout(700)
      await press('g')
      await page.waitForTimeout(500)
      await press('c')
      return page
        .getByLabel('Go to')
        .waitFor({ timeout: 1000 })
        .then(() => true)
        .catch(() => false)
    }).toBe(true)
    await press('ArrowRight')
    await tabTo(page, mark(page, 'Early Bird').getByRole('button'))
    await press('ArrowDown')
    await isFocused(mark(page, 'Kim Key').getByRole('button'))
    await press('b')
    await isFocused(page.getByLabel('From'))
    await page.keyboard.type('1400')
    await press('Enter')
    await page.locator('.band.blocked').waitFor()

    await press('?')
    await page.getByRole('dialog').getByText('Book an appointment').waitFor()
    await press('Escape')
    await press('t')
    await soon(() => page.title()).toContain('Today')
    await press('p')
    await page.locator('html[data-printed]').waitFor()
    await page.context().close()
  })

  it('is done on a phone of 390 px, without scrolling sideways', async () => {
    await booked('Mia Missing', dayIn(0), '00:00', '23:00')
    await requestTime('Rita Request')
    const page = await logIn({ viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true })
    await open(page, '')
    await page.getByRole('button', { name: 'Accept: Rita Request' }).tap()
    await toast(page, 'Accepted').waitFor()
    await page.getByRole('button', { name: 'Arrived: Mia Missing' }).tap()
    await page.getByRole('button', { name: 'Arrived: Mia Missing', pressed: true }).waitFor()
    await page.getByRole('button', { name: 'Tomorrow' }).tap()
    await page.getByRole('link', { name: 'Rita Request' }).tap()
    await page.locator('dialog.panel').getByRole('heading', { name: 'Rita Request' }).waitFor()
    await page.locator('dialog.panel').getByRole('button', { name: 'Close' }).tap()
    await page.getByRole('button', { name: 'Book', exact: true }).tap()
    await page.getByLabel('Customer').fill('Pat Phone')
    await page.getByRole('option', { name: 'Add “Pat Phone” as a new customer' }).tap()
    await page.getByRole('dialog').getByRole('button', { name: 'Book', exact: true }).tap()
    await page.getByRole('rowheader', { name: 'Pat Phone' }).waitFor()
    expect(await widthOf(page)).toBe(390)
    await open(page, `/calendar?day=${tomorrow}`)
    await mark(page, 'Pat Phone').waitFor()
    expect(await widthOf(page)).toBe(390)
    await page.context().close()
  })
})

const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)

const isFocused = (place: Locator) =>
  soon(() => place.evaluate(one => one === document.activeElement)).toBe(true)

/** Presses Tab until the element has the focus, as without a mouse. */
async function tabTo(page: Page, place: Locator) {
  await place.waitFor()
  for (let presses = 0; presses < 80; presses++) {
    if (await place.evaluate(one => one === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${place}.`)
}

describe('a request', () => {
  it('gets another time proposed, and the customer gets an email', async () => {
    await requestTime('Paul Proposed')
    const page = await logIn()
    await open(page, '/requests')
    await page.getByRole('button', { name: 'Propose another time…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: '11:00' }).click()
    await dialog.getByLabel('Message').fill('Eleven would suit us better.')
    await dialog.getByRole('button', { name: 'Propose', exact: true }).click()
    await toast(page, 'Proposed.').waitFor()
    await page.locator('.requests li', { hasText: 'Paul Proposed' }).getByText('11:00 – 11:30').waitFor()
    await page.getByRole('button', { name: 'Accept' }).waitFor()
    const { body } = await consoleCall(site.holdfast.app, 'GET', '/mails?to=paul@example.org')
    expect(body.mails.map((mail: { kind: string }) => mail.kind)).toContain('requested')
    await page.context().close()
  })
})

describe('the week of many Resources', () => {
  it('is a table in which an appointment can be dragged to another row and day, with a question about notifying', async () => {
    const rooms = [practice]
    for (const name of ['R2', 'R3', 'R4'])
      rooms.push(await makeRoom(site.holdfast.crm, practice, { internalName: name }))
    await booked('Tess Table', tomorrow, '09:00', '10:00')
    const page = await logIn()
    await open(page, `/calendar?view=week&day=${tomorrow}`)
    const target = page.locator(`td[data-resource="${rooms[3]!.resourceUuid}"][data-day="${tomorrow}"]`)
    await mark(page, 'Tess Table').hover()
    await page.mouse.down()
    await target.hover()
    await page.mouse.up()
    const dialog = page.getByRole('dialog')
    await soon(() => dialog.locator('ins').textContent()).toMatch(/09:00 – 10:00 · R4/)
    await openMore(dialog)
    expect(await dialog.getByLabel('Person or room').inputValue()).toBe(rooms[3]!.resourceUuid)
    expect(await dialog.getByLabel('From').inputValue()).toBe('09:00')
    await dialog.getByRole('button', { name: 'Continue anyway' }).click()
    await target.getByText('Tess Table').waitFor()
    await page.getByRole('button', { name: 'Month' }).click()
    await mark(page, 'Tess Table').waitFor()
    await page.getByRole('button', { name: 'List' }).click()
    await mark(page, 'Tess Table').getByText('R4').waitFor()
    await expectNoBarriers(page)
    await page.getByRole('button', { name: 'Week' }).click()
    await mark(page, 'Tess Table').waitFor()
    await expectNoBarriers(page)
    await page.context().close()
  })
})

describe('moving', () => {
  it('by form, without an email', async () => {
    const { uuid } = await booked('Max Mover', tomorrow, '09:00', '10:00')
    const page = await logIn()
    await open(page, `/calendar?day=${tomorrow}&appointment=${uuid}`)
    await page.getByRole('button', { name: 'Move…' }).click()
    const dialog = page.locator('dialog', { hasText: 'Move this appointment' }).last()
    await dialog.getByLabel('From').fill('12:00')
    await dialog.getByRole('checkbox', { name: 'Notify by email' }).uncheck()
    await dialog.getByRole('button', { name: 'Move without notifying' }).click()
    await toast(page, 'Moved.').waitFor()
    await soon(() => mark(page, 'Max Mover').textContent()).toContain('12:00')
    await page.context().close()
  })

  it('by dragging its end, it gets longer', async () => {
    await booked('Lena Longer', tomorrow, '09:00', '10:00')
    const page = await logIn()
    await open(page, `/calendar?day=${tomorrow}`)
    await mark(page, 'Lena Longer').hover()
    const box = (await mark(page, 'Lena Longer').boundingBox())!
    await page.mouse.move(box.x + 40, box.y + box.height - 3)
    await page.mouse.down()
    await page.mouse.move(box.x + 40, box.y + box.height + 35, { steps: 8 })
    await page.mouse.up()
    const dialog = page.getByRole('dialog')
    await openMore(dialog)
    await soon(() => dialog.getByLabel('To', { exact: true }).inputValue()).toBe('10:30')
    expect(await dialog.getByLabel('From').inputValue()).toBe('09:00')
    await page.context().close()
  })

  it('by dragging, with the dialog that asks whether to tell them', async () => {
    await booked('Dora Drag', tomorrow, '09:00', '10:00')
    const page = await logIn()
    await open(page, `/calendar?day=${tomorrow}`)
    const dialog = page.getByRole('dialog')
    const pull = async () => {
      // Playwright waits until it stops moving.
      await mark(page, 'Dora Drag').hover()
      const box = (await mark(page, 'Dora Drag').boundingBox())!
      await page.mouse.move(box.x + 40, box.y + 10)
      await page.mouse.down()
      await page.mouse.move(box.x + 40, box.y + 10 + 76, { steps: 8 })
      return box
    }
    // Escape gives it up.
    await pull()
    await page.keyboard.press('Escape')
    await page.mouse.up()
    await soon(() => mark(page, 'Dora Drag').textContent()).toContain('09:00 – 10:00')
    expect(await dialog.count()).toBe(0)
    const drag = async () => {
      const box = await pull()
      await page.mouse.up()
      await soon(() => dialog.locator('ins').textContent()).toContain('10:00 – 11:00')
      // It stays there while the dialog asks.
      const dropped = page.locator('.dropped', { hasText: 'Dora Drag' })
      expect(await dropped.textContent()).toContain('10:00 – 11:00')
      // Both places stay in sight, and Enter confirms.
      const asks = (await dialog.boundingBox())!
      for (const one of [box, (await dropped.boundingBox())!]) expect(isApart(asks, one)).toBe(true)
      expect(asks.width).toBeLessThan(500)
      expect(await focusedText(page)).toMatch(/^Move/)
    }
    await drag()
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()
    await soon(() => mark(page, 'Dora Drag').textContent()).toContain('09:00 – 10:00')
    await drag()
    await expectNoBarriers(page, 'dialog')
    // Silently: a drag and two clicks, and only one the next time.
    await dialog.getByLabel('Notify by email').uncheck()
    await dialog.getByRole('button', { name: 'Move without notifying' }).click()
    await toast(page, 'Moved.').getByRole('button', { name: 'Undo' }).click()
    await soon(() => mark(page, 'Dora Drag').textContent()).toContain('09:00 – 10:00')
    await drag()
    await page.keyboard.press('Enter')
    await soon(() => mark(page, 'Dora Drag').textContent()).toContain('10:00 – 11:00')
    await page.context().close()
  })
})

describe('two at the same calendar', () => {
  it('see a booking from elsewhere without a reload', async () => {
    const page = await logIn()
    await open(page, `/calendar?day=${tomorrow}`)
    await page.locator('.calendar .band').first().waitFor()
    const consumer = asConsumer(overApp(site.holdfast.app))
    const slot = slotsOf(await consumer.list(practice.resourceUuid)).find(one =>
      one.start.startsWith(`${tomorrow}T10:00`),
    )!
    expect((await consumer.complete(practice.resourceUuid, bookingOf(slot))).status).toBe(201)
    await page.locator('.calendar .entry-mark').waitFor()
    await page.context().close()
  })

  it('see holds from elsewhere while they last', async () => {
    const page = await logIn()
    await open(page, `/calendar?day=${tomorrow}`)
    await page.locator('.calendar .band').first().waitFor()
    const consumer = asConsumer(overApp(site.holdfast.app))
    const slot = slotsOf(await consumer.list(practice.resourceUuid)).find(one =>
      one.start.startsWith(`${tomorrow}T10:00`),
    )!
    const held = await consumer.reserve(practice.resourceUuid, holdOf(slot))
    await page.locator('.entry-mark.held').waitFor()
    await consumer.release(practice.resourceUuid, held.body.participation.customer_uuid)
    await soon(() => page.locator('.entry-mark.held').count()).toBe(0)
    await page.context().close()
  })

  it('the second to save a note sees what the first wrote, and keeps the input', async () => {
    const { uuid } = await booked('Nora Note', tomorrow, '09:00', '10:00')
    const pages = [await logIn(), await logIn()]
    const notes = (page: Page) => page.getByLabel('Notes (for staff)')
    for (const [index, page] of pages.entries()) {
      await open(page, `/calendar?day=${tomorrow}&appointment=${uuid}`)
      await page.getByText('Details').click()
      await notes(page).fill(['from the first', 'from the second'][index]!)
    }
    await pages[0]!.getByRole('button', { name: 'Save' }).click()
    await toast(pages[0]!, 'Saved.').waitFor()
    // The panel shows the saved note at once, above what is being typed.
    await pages[1]!.getByRole('blockquote').filter({ hasText: 'from the first' }).waitFor()
    expect(await notes(pages[1]!).inputValue()).toBe('from the second')
    await pages[1]!.getByRole('button', { name: 'Save' }).click()
    await pages[1]!.getByRole('alert').filter({ hasText: 'from the first' }).waitFor()
    expect(await notes(pages[1]!).inputValue()).toBe('from the second')
    await pages[1]!.getByRole('button', { name: 'Save' }).click()
    await toast(pages[1]!, 'Saved.').waitFor()
    // The other one, who only looks at it by now, sees it too.
    await soon(() => notes(pages[0]!).inputValue()).toBe('from the second')
    for (const page of pages) await page.context().close()
  })
})

describe('the calendar', () => {
  it('shows the week of a change of the clocks by the clock, by the hour, as a list and as a table', async () => {
    await addTimes(site, practice, '2030-03-31', '00:00', '12:00')
    await booked('Before Change', '2030-03-31', '01:00', '01:30')
    await booked('After Change', '2030-03-31', '09:00', '09:30')
    await booked('Same Clock', '2030-03-30', '09:00', '09:30')
    // Over the hour that is missing: two hours by the clock, one that passes.
    await booked('Through Change', '2030-03-31', '01:30', '03:30')
    const page = await logIn({ timezoneId: 'America/New_York' })
    await open(page, '/calendar?view=week&day=2030-03-31')
    const top = async (name: string) => (await mark(page, name).boundingBox())?.y
    await mark(page, 'After Change').waitFor()
    await soon(() => mark(page, 'After Change').textContent()).toContain('9:00')
    await soon(() => mark(page, 'Before Change').textContent()).toContain('1:00')
    await soon(async () => (await top('After Change'))! - (await top('Same Clock'))!).toBe(0)

    await open(page, '/calendar?view=list&day=2030-03-31')
    const sunday = page.locator('section', { hasText: 'Sunday, 31 March' })
    await sunday.locator('.entry-mark').first().waitFor()
    expect(await sunday.locator('.entry-mark time').allTextContents()).toEqual([
      '01:00 – 01:30',
      '01:30 – 03:30',
      '09:00 – 09:30',
    ])

    for (const name of ['R2', 'R3', 'R4']) await makeRoom(site.holdfast.crm, practice, { internalName: name })
    await open(page, '/calendar?view=week&day=2030-03-31')
    const cell = page.locator(`td[data-resource="${practice.resourceUuid}"][data-day="2030-03-31"]`)
    await cell.locator('.entry-mark').first().waitFor()
    expect(await cell.locator('.entry-mark time').allTextContents()).toEqual(['01:00', '01:30', '09:00'])
    // Carried to the day before, it keeps its clock time.
    await mark(page, 'After Change').hover()
    await page.mouse.down()
    await page.locator(`td[data-resource="${practice.resourceUuid}"][data-day="2030-03-29"]`).hover()
    await page.mouse.up()
    const dialog = page.getByRole('dialog')
    await openMore(dialog)
    await soon(() => dialog.getByLabel('From').inputValue()).toBe('09:00')
    expect(await dialog.getByLabel('To', { exact: true }).inputValue()).toBe('09:30')
    expect(await dialog.getByLabel('Day', { exact: true }).inputValue()).toBe('2030-03-29')
    await page.context().close()
  })
})

it('today prints on one A4 page, or on one for each Resource, as a table without buttons', async () => {
  const room = await makeRoom(site.holdfast.crm, practice, { internalName: 'Annex' })
  const names = ['Ann', 'Ben', 'Cleo', 'Dan', 'Eve', 'Finn', 'Gil', 'Hal']
  for (const [index, name] of names.entries()) {
    const hour = String(8 + index).padStart(2, '0')
    const where = index % 2 ? { resourceReference: room.resource } : {}
    await booked(`${name} Print`, tomorrow, `${hour}:00`, `${hour}:45`, where)
  }
  const page = await logIn()
  await open(page, `?day=${tomorrow}`)
  await page.getByRole('rowheader', { name: 'Hal Print' }).waitFor()
  const pages = async () =>
    (await page.pdf({ preferCSSPageSize: true })).toString('latin1').match(/\/Type\s*\/Page\b/g)
  expect(await pages()).toHaveLength(1)
  await page.getByLabel('Person or room').selectOption('All, one page each')
  await page.getByRole('heading', { name: 'Annex' }).waitFor()
  expect(await pages()).toHaveLength(2)
  // On paper nothing can be pressed, and no text runs into the next column.
  await booked('Konstantinos Papadimitriou-Chatzigeorgiou', tomorrow, '18:00', '18:30')
  await page.getByRole('button', { name: /^Arrived: Konstantinos/ }).click()
  await toast(page, 'arrived').waitFor()
  await page.setViewportSize({ width: 700, height: 1000 })
  await page.emulateMedia({ media: 'print' })
  const controls = page.locator('button, input, select, nav')
  const cells = () =>
    page
      .locator('.today :is(th, td)')
      .evaluateAll(all => all.filter(one => one.scrollWidth > one.clientWidth))
  expect(await cells()).toEqual([])
  expect(await controls.filter({ visible: true }).count()).toBe(0)
  await page.emulateMedia({ media: 'screen' })
  await open(page, `/calendar?view=list&day=${tomorrow}`)
  await mark(page, 'Hal Print').waitFor()
  await page.emulateMedia({ media: 'print' })
  // In a list, the bookings themselves are buttons.
  expect(await controls.filter({ visible: true }).and(page.locator(':not(.mark)')).count()).toBe(0)
  await page.context().close()
})
