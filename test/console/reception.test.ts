// The reception's day in the browser: by mouse, by keyboard alone, and two at the same calendar.

import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inviteStaff, logInByLink } from '../../src/actions/console/login.ts'
import { makeAppointment, type Practice, unique } from '../support/build.ts'
import { asConsumer, bookingOf, overApp, slotsOf } from '../support/consumer.ts'
import {
  addTimes,
  dayIn,
  expectNoBarriers,
  openPractice,
  openSite,
  type Site,
  soon,
} from '../support/widget.ts'

let site: Site
let practice: Practice
const tomorrow = dayIn(1)

beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

beforeEach(async () => {
  practice = await openPractice(site, {}, { days: [0, 1], from: '00:00', to: '23:30' })
})

async function logIn(options: BrowserContextOptions = {}): Promise<Page> {
  const link = await inviteStaff(site.test.service, 'crm', practice.owner)
  const session = (await logInByLink(site.test.service, link.split('/').at(-1)!))!
  const context = await site.browser.newContext({
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    viewport: { width: 1280, height: 900 },
    ...options,
  })
  await context.addCookies([{ name: 'holdfast_session', value: session, url: site.origin }])
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

/** Somebody in the practice at this time of this day. */
async function booked(name: string, day: string, from: string, to: string, fields: object = {}) {
  return makeAppointment(site.test.crm, practice, {
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

describe('the reception’s day', () => {
  it('is done by mouse: missed and taken back, a walk-in, a block and its undo', async () => {
    await booked('Mia Missing', dayIn(0), '00:00', '23:00')
    const page = await logIn()
    await open(page, '')
    await page.getByRole('button', { name: 'Missed: Mia Missing' }).click()
    await toast(page, 'Mia Missing: missed.').waitFor()
    await page.locator('.chip', { hasText: 'missed' }).waitFor()
    await toast(page, 'missed').getByRole('button', { name: 'Undo' }).click()
    await page.locator('.chip', { hasText: 'booked' }).waitFor()

    await open(page, `/calendar?day=${tomorrow}`)
    await page.getByRole('button', { name: 'Book', exact: true }).click()
    await page.getByLabel('Customer').fill('Walter Inn')
    await page.getByRole('button', { name: 'New: Walter Inn' }).click()
    await page.getByLabel('Email').fill('walter@example.org')
    await page.getByRole('dialog').getByRole('button', { name: 'Book', exact: true }).click()
    await mark(page, 'Walter Inn').waitFor()

    await page.getByRole('button', { name: 'Block time' }).click()
    await page.getByLabel('From').fill('14:00')
    await page.getByRole('dialog').getByRole('button', { name: 'Block time' }).click()
    await page.locator('.band.blocked').waitFor()
    await toast(page, 'Blocked.').getByRole('button', { name: 'Undo' }).click()
    await soon(() => page.locator('.band.blocked').count()).toBe(0)
    await page.context().close()
  })

  it('is done by keyboard alone: a walk-in over another one, with a warning, and its notes', async () => {
    await booked('Early Bird', tomorrow, '09:00', '10:00')
    const page = await logIn()
    await open(page, `/calendar?day=${tomorrow}`)
    await mark(page, 'Early Bird').waitFor()
    await page.keyboard.press('n')
    await page.getByLabel('Customer').focus()
    await page.keyboard.type('Kim Key')
    await page.getByText('It overlaps with: Early Bird.').waitFor()
    await page.getByRole('button', { name: 'Do it anyway' }).focus()
    await page.keyboard.press('Enter')
    await mark(page, 'Kim Key').getByRole('button').focus()
    await page.keyboard.press('Enter')
    const panel = page.locator('dialog.panel')
    await panel.getByText('Kim Key').first().waitFor()
    await panel.getByText('Details').focus()
    await page.keyboard.press('Enter')
    await panel.getByLabel('Notes (for staff)').focus()
    await page.keyboard.type('Brings a dog.')
    await panel.getByRole('button', { name: 'Save' }).focus()
    await page.keyboard.press('Enter')
    await toast(page, 'Saved.').waitFor()
    await page.keyboard.press('Escape')
    await soon(() => panel.count()).toBe(0)
    await page.context().close()
  })
})

describe('moving', () => {
  it('by form, without telling anybody', async () => {
    const { uuid } = await booked('Max Mover', tomorrow, '09:00', '10:00')
    const page = await logIn()
    await open(page, `/calendar?day=${tomorrow}&appointment=${uuid}`)
    await page.getByRole('button', { name: 'Move …' }).click()
    const dialog = page.locator('dialog', { hasText: 'Move this appointment' }).last()
    await dialog.getByLabel('From').fill('12:00')
    await dialog.getByRole('checkbox', { name: 'Tell them by email' }).uncheck()
    await dialog.getByRole('button', { name: 'Move', exact: true }).click()
    await toast(page, 'Moved.').waitFor()
    await soon(() => mark(page, 'Max Mover').textContent()).toContain('12:00')
    await page.context().close()
  })

  it('by dragging, with the dialog that asks whether to tell them', async () => {
    await booked('Dora Drag', tomorrow, '09:00', '10:00')
    const page = await logIn()
    await open(page, `/calendar?day=${tomorrow}`)
    // Playwright waits until it stands still.
    await mark(page, 'Dora Drag').hover()
    const box = (await mark(page, 'Dora Drag').boundingBox())!
    await page.mouse.move(box.x + 40, box.y + 10)
    await page.mouse.down()
    await page.mouse.move(box.x + 40, box.y + 10 + 76, { steps: 8 })
    await page.mouse.up()
    const dialog = page.getByRole('dialog')
    await soon(() => dialog.getByLabel('From').inputValue()).toBe('10:00')
    await dialog.getByRole('button', { name: 'Move', exact: true }).click()
    await soon(() => mark(page, 'Dora Drag').textContent()).toContain('10:00 – 11:00')
    await page.context().close()
  })
})

describe('two at the same calendar', () => {
  it('see a booking from elsewhere within two seconds, without a reload', async () => {
    const page = await logIn()
    await open(page, `/calendar?day=${tomorrow}`)
    await page.locator('.calendar .band').first().waitFor()
    const consumer = asConsumer(overApp(site.test.app))
    const slot = slotsOf(await consumer.list(practice.resourceUuid)).find(one =>
      one.start.startsWith(`${tomorrow}T10:00`),
    )!
    const since = performance.now()
    expect((await consumer.complete(practice.resourceUuid, bookingOf(slot))).status).toBe(201)
    await page.locator('.calendar .entry-mark').waitFor()
    expect(performance.now() - since).toBeLessThan(2000)
    await page.context().close()
  })

  it('the second to save a note is told what the first wrote, and keeps what was typed', async () => {
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
    await pages[1]!.getByRole('button', { name: 'Save' }).click()
    await pages[1]!.getByText('from the first').waitFor()
    expect(await notes(pages[1]!).inputValue()).toBe('from the second')
    await pages[1]!.getByRole('button', { name: 'Save' }).click()
    await toast(pages[1]!, 'Saved.').waitFor()
    for (const page of pages) await page.context().close()
  })
})

describe('the calendar', () => {
  it('shows the week of a change of the clocks by the clock', async () => {
    await addTimes(site, practice, '2030-03-31', '00:00', '12:00')
    await booked('Before Change', '2030-03-31', '01:00', '01:30')
    await booked('After Change', '2030-03-31', '09:00', '09:30')
    await booked('Same Clock', '2030-03-30', '09:00', '09:30')
    const page = await logIn({ timezoneId: 'America/New_York' })
    await open(page, '/calendar?view=week&day=2030-03-31')
    const top = async (name: string) => (await mark(page, name).boundingBox())!.y
    await mark(page, 'After Change').waitFor()
    await soon(() => mark(page, 'After Change').textContent()).toContain('9:00')
    await soon(() => mark(page, 'Before Change').textContent()).toContain('1:00')
    expect(await top('After Change')).toBe(await top('Same Clock'))
    await page.context().close()
  })

  it.each(['light', 'dark'] as const)(
    'has no barriers in %s, as day, week, month, list and panel',
    async colorScheme => {
      const { uuid } = await booked('Ann Axe', tomorrow, '09:00', '10:00')
      const page = await logIn({ colorScheme, reducedMotion: 'reduce' })
      for (const view of ['day', 'week', 'month', 'list']) {
        await open(page, `/calendar?view=${view}&day=${tomorrow}`)
        await mark(page, 'Ann Axe').first().waitFor()
        await expectNoBarriers(page)
      }
      await open(page, `/calendar?day=${tomorrow}&appointment=${uuid}`)
      await page.locator('dialog.panel strong', { hasText: 'Ann Axe' }).waitFor()
      await expectNoBarriers(page)
      await open(page, `?day=${tomorrow}`)
      await page.getByRole('rowheader', { name: 'Ann Axe' }).waitFor()
      await expectNoBarriers(page)
      await page.context().close()
    },
  )
})

it('today prints on one A4 page', async () => {
  for (const [index, name] of ['Ann', 'Ben', 'Cleo', 'Dan', 'Eve', 'Finn', 'Gil', 'Hal'].entries())
    await booked(
      `${name} Print`,
      tomorrow,
      `${String(8 + index).padStart(2, '0')}:00`,
      `${String(8 + index).padStart(2, '0')}:45`,
    )
  const page = await logIn()
  await open(page, `?day=${tomorrow}`)
  await page.getByRole('rowheader', { name: 'Hal Print' }).waitFor()
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
  await page.context().close()
})
