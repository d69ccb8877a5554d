// What goes wrong at a front desk in a day: nothing is double booked by Undo, and nothing changes its place.

import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeAppointment, makeResource, type Practice, setChannel, unique } from '../support/build.ts'
import { consolePage } from '../support/console-page.ts'
import { asConsumer, newPerson, overApp, slotsOf } from '../support/consumer.ts'
import { bookAt } from '../support/moves.ts'
import { consoleCall } from '../support/service.ts'
import { dayIn, openPractice, soon, useSite } from '../support/widget.ts'

const site = await useSite()
const tomorrow = dayIn(1)
let practice: Practice

beforeEach(async () => {
  practice = await openPractice(site, {}, { days: [1], from: '08:00', to: '18:00' })
})

async function at(path: string, width = 1366) {
  const { page, problems } = await consolePage(site, practice.owner, path, {
    viewport: { width, height: 768 },
    locale: 'en-GB',
  })
  return { page, problems }
}

/** Without an email address: a move is not announced, so that it can be undone. */
async function booked(name: string, from: string, to: string) {
  const path = `/providers/${practice.uuid}/appointments`
  const { status } = await consoleCall(site.holdfast.app, 'POST', path, {
    resourceUuid: practice.resourceUuid,
    productUuid: practice.productUuid,
    start: `${tomorrow}T${from}`,
    end: `${tomorrow}T${to}`,
    customer: { name },
  })
  expect(status).toBe(201)
}

const mark = (page: Page, name: string) => page.locator('.entry-mark', { hasText: name })
const toast = (page: Page, text: string) => page.locator('.toast', { hasText: text })

describe('a class', () => {
  it('lists its participants by name, on Today and in the panel, also after one has arrived', async () => {
    const person = (name: string) => ({ reference: unique('p'), name, email: unique('m'), state: 'BOOKED' })
    const { uuid } = await makeAppointment(site.holdfast.crm, practice, {
      start: `${tomorrow}T10:00`,
      end: `${tomorrow}T11:00`,
      participations: ['Zoe Last', 'Ann First', 'Max Middle'].map(person),
    })
    const { page, problems } = await at(`/?day=${tomorrow}`)
    const names = page.locator('.today tbody th')
    const inOrder = ['Ann First', 'Max Middle', 'Zoe Last']
    await soon(() => names.allInnerTexts()).toEqual(inOrder)
    await page.getByRole('button', { name: 'Arrived: Max Middle' }).click()
    await toast(page, 'Max Middle: arrived.').waitFor()
    expect(await names.allInnerTexts()).toEqual(inOrder)
    await page.goto(`${site.origin}/console/?day=${tomorrow}&appointment=${uuid}`)
    await soon(() => page.locator('.class-people strong').allInnerTexts()).toEqual(inOrder)
    expect(problems).toEqual([])
  })
})

describe('on a phone', () => {
  it('the week of a team begins at the current day', async () => {
    for (const internalName of ['R2', 'R3', 'R4'])
      await makeResource(site.holdfast.crm, practice, { internalName })
    const { page } = await at('/calendar?view=week', 390)
    const names = (await page.locator('.week-table thead th').first().boundingBox())!
    const today = (await page.locator('.week-table thead th[aria-current]').boundingBox())!
    // The last days of the week cannot get further to the left.
    expect(today.x + today.width).toBeLessThanOrEqual(390)
    expect(today.x).toBeGreaterThanOrEqual(names.x + names.width - 1)
  })

  it('a heading beside buttons keeps its words whole', async () => {
    await booked('Konstantinos Papadimitriou-Chatzigeorgiou', '09:00', '10:00')
    const { page } = await at(`/?day=${tomorrow}`, 390)
    await page.getByRole('link', { name: /Konstantinos/ }).click()
    await page.getByRole('link', { name: 'Customer page' }).click()
    const heading = page.getByRole('heading', { name: 'Upcoming' })
    expect((await heading.boundingBox())!.height).toBeLessThan(40)
  })
})

describe('undo of a move', () => {
  it('asks before it books over someone who has taken the former time', async () => {
    await booked('Max Mover', '09:00', '10:00')
    const { page } = await at(`/calendar?day=${tomorrow}`)
    await mark(page, 'Max Mover').hover()
    const box = (await mark(page, 'Max Mover').boundingBox())!
    await page.mouse.move(box.x + 40, box.y + 10)
    await page.mouse.down()
    await page.mouse.move(box.x + 40, box.y + 10 + 2 * 76, { steps: 8 })
    await page.mouse.up()
    await toast(page, 'Moved.').waitFor()
    await booked('Nora Next', '09:00', '10:00')
    await page.getByRole('button', { name: 'Undo' }).click()
    await toast(page, 'This time isn’t free.').waitFor()
    await soon(() => mark(page, 'Max Mover').textContent()).toContain('11:00')
    await page.getByRole('button', { name: 'Continue anyway' }).click()
    await soon(() => mark(page, 'Max Mover').textContent()).toContain('09:00')
  })
})

describe('the number of open requests', () => {
  const consumer = asConsumer(overApp(site.holdfast.app))
  const requested = async () =>
    bookAt(consumer, slotsOf(await consumer.list(practice.resource))[0]!, newPerson())

  it.each(['/', '/requests', '/customers'])('counts a new request within seconds, at %s', async path => {
    await setChannel(site.holdfast, practice.resourceUuid, { bookingProcess: 'REQUESTED' })
    const { page, problems } = await at(path)
    const rail = page.getByRole('navigation').first()
    const count = rail.getByRole('link', { name: /Requests/ }).locator('.count')
    // Once the page follows changes.
    await page
      .waitForResponse(response => response.url().includes('stream=true'), { timeout: 5_000 })
      .catch(() => null)
    await requested()
    await count.waitFor({ timeout: 10_000 })
    expect(await count.innerText()).toBe('1')
    // On another page too.
    await rail.getByRole('link', { name: 'Services' }).click()
    await page.getByRole('heading', { level: 1, name: 'Services' }).waitFor()
    await requested()
    await soon(() => count.innerText()).toBe('2')
    expect(problems).toEqual([])
  })
})
