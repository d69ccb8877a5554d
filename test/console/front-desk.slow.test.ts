// A day at the front desk: what staff see, choose and cancel must be what they intended.

import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { inviteStaff, logInByLink } from '../../src/actions/console/login.ts'
import { visitAfresh } from '../support/browser.ts'
import {
  makeAppointment,
  makeCustomer,
  makeProduct,
  makeRoom,
  makeTimeslot,
  type Practice,
  unique,
} from '../support/build.ts'
import { consoleCall } from '../support/service.ts'
import { addTimes, dayIn, openPractice, soon, useSite } from '../support/widget.ts'

const site = await useSite()
const tomorrow = dayIn(1)
let practice: Practice

beforeEach(async () => {
  practice = await openPractice(site, {}, { days: [1], from: '08:00', to: '18:00' })
})

async function at(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const link = await inviteStaff(site.test.service, 'crm', practice.owner)
  const session = (await logInByLink(site.test.service, link.split('/').at(-1)!))!
  const { page, context } = await visitAfresh(site.browser, 'about:blank', options)
  await context.addCookies([{ name: 'holdfast_session', value: session, url: site.origin }])
  await page.goto(`${site.origin}/console${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

async function booked(name: string, from: string, to: string, fields: object = {}) {
  const { uuid } = await makeAppointment(site.test.crm, practice, {
    start: `${tomorrow}T${from}`,
    end: `${tomorrow}T${to}`,
    capacity: 1,
    participations: [{ reference: unique('p'), name, email: unique('m'), state: 'BOOKED' }],
    ...fields,
  })
  return uuid
}

describe('rows that start at the same time', () => {
  it('keep one order by Resource and name, on load, after a live update, in the list and on paper', async () => {
    const rooms = []
    for (const internalName of ['Room 3', 'Room 2', 'Annex'])
      rooms.push(await makeRoom(site.test.crm, practice, { internalName }))
    const [three, two, annex] = rooms as [Practice, Practice, Practice]
    const made = [
      await booked('Ada Annex', '09:00', '10:00', { resourceReference: annex.resource }),
      await booked('Ben Two', '09:00', '10:00', { resourceReference: two.resource }),
      await booked('Cleo Two', '09:00', '09:30', { resourceReference: two.resource }),
      await booked('Dora Three', '09:00', '10:00', { resourceReference: three.resource }),
    ]
    // In reverse, so that an order by uuid is never right by chance.
    for (const [index, uuid] of made.entries())
      await site.test.service.db.pool.query('update appointment set uuid = $2 where uuid = $1', [
        uuid,
        `${9 - index}${uuid.slice(1)}`,
      ])
    const names = ['Ada Annex', 'Ben Two', 'Cleo Two', 'Dora Three']
    const page = await at(`/?day=${tomorrow}`)
    const rows = () => page.locator('table.today tbody th').allTextContents()
    await soon(rows).toEqual(names)
    await page.getByRole('button', { name: 'Arrived: Cleo Two' }).click()
    await booked('Zoe Live', '12:00', '12:30')
    await soon(rows).toEqual([...names, 'Zoe Live'])
    await page.emulateMedia({ media: 'print' })
    expect(await rows()).toEqual([...names, 'Zoe Live'])
    await page.goto(`${site.origin}/console/calendar?view=list&day=${tomorrow}`)
    const lines = async () =>
      (await page.locator('.calendar-list .mark-who').allTextContents()).map(one => one.replace('✓ ', ''))
    await soon(lines).toEqual([...names, 'Zoe Live'])
  })
})

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Book an appointment' })
const bookButton = (page: Page) => dialogOf(page).getByRole('button', { name: 'Book', exact: true })
const rowOf = (page: Page, name: string) => page.locator('table.today tr', { hasText: name })
const customersNamed = async (text: string): Promise<string[]> =>
  (
    await consoleCall(site.test.app, 'GET', `/providers/${practice.uuid}/customers?search=${text}`)
  ).body.customers.map((one: { name: string }) => one.name)

describe('the customer search', () => {
  beforeEach(async () => {
    await makeCustomer(site.test.crm, practice, { userName: 'Mary Evans', email: 'mary@example.org' })
    await makeCustomer(site.test.crm, practice, {
      userName: 'Owen Evans',
      email: 'owen@example.org',
      mobile: '+49 171 7654321',
    })
  })

  it('takes the first hit on Enter, also before the hits are there', async () => {
    const page = await at(`/?day=${tomorrow}`)
    await page.keyboard.press('n')
    await dialogOf(page).getByLabel('Customer').waitFor()
    await page.keyboard.type('evan')
    await page.keyboard.press('Enter')
    await dialogOf(page).getByText('mary@example.org').waitFor()
    // A second Enter neither books nor gives up the choice.
    await page.keyboard.press('Enter')
    await bookButton(page).click()
    await rowOf(page, 'Mary Evans').waitFor()
    expect(await customersNamed('evan')).toEqual(['Mary Evans', 'Owen Evans'])
  })

  it('moves through the hits by arrows and makes a new customer an explicit choice', async () => {
    const page = await at(`/?day=${tomorrow}`)
    await page.keyboard.press('n')
    const box = dialogOf(page).getByRole('combobox', { name: 'Customer' })
    await box.fill('evan')
    const options = dialogOf(page).getByRole('listbox').getByRole('option')
    await soon(() => options.allTextContents()).toEqual([
      'Mary Evans mary@example.org',
      'Owen Evans owen@example.org',
      '+ Add “evan” as a new customer',
    ])
    // Typed text alone selects no customer.
    await bookButton(page).click()
    await dialogOf(page).getByText('Choose a customer from the list').waitFor()
    expect(await box.evaluate(one => one === document.activeElement)).toBe(true)
    await page.keyboard.press('ArrowDown')
    const active = await box.getAttribute('aria-activedescendant')
    expect(await page.locator(`[id="${active}"]`).textContent()).toContain('Owen Evans')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    expect(await dialogOf(page).getByLabel('Name').inputValue()).toBe('evan')
    await bookButton(page).click()
    await rowOf(page, 'evan').waitFor()
  })

  it('asks before it makes a twin, in the group dialog and on the page of customers, too', async () => {
    const page = await at(`/?day=${tomorrow}`)
    await page.keyboard.press('n')
    await dialogOf(page).getByLabel('Customer').fill('mary evans')
    await dialogOf(page)
      .getByRole('option', { name: /Add “mary evans”/ })
      .click()
    await bookButton(page).click()
    const question = dialogOf(page).getByRole('group', { name: 'This person may already be a customer' })
    await question.getByText('same name').waitFor()
    await question.getByRole('button', { name: 'Use Mary Evans' }).click()
    await bookButton(page).click()
    await rowOf(page, 'Mary Evans').waitFor()
    expect(await customersNamed('mary')).toEqual(['Mary Evans'])
    // Added to an Appointment: known by the number.
    await page.getByRole('link', { name: 'Mary Evans' }).click()
    await page.getByRole('button', { name: /Add customer/ }).click()
    const adding = page.getByRole('dialog', { name: 'Add customer' })
    await adding.getByLabel('Customer').fill('O. Evans')
    await adding.getByRole('option', { name: /Add “O. Evans”/ }).click()
    await adding.getByLabel('Mobile').fill('0171 7654321')
    await adding.getByRole('button', { name: 'Continue anyway' }).click()
    await adding.getByText('same number').waitFor()
    await adding.getByRole('button', { name: 'Add as a new customer anyway' }).click()
    await soon(() => customersNamed('evans')).toHaveLength(3)
    await page.goto(`${site.origin}/console/customers`)
    await page.getByRole('button', { name: 'Add customer' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('Another')
    await page.getByLabel('Email', { exact: true }).fill('mary@example.org')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('same email').waitFor()
    expect(await customersNamed('another')).toEqual([])
  })
})

describe('a booking by staff in a class', () => {
  it('joins the group without a warning, and its undo leaves the group as it was', async () => {
    const group = { reference: unique('p'), name: 'Greta Group', email: unique('m'), state: 'BOOKED' }
    const evening = { start: `${tomorrow}T19:00`, end: `${tomorrow}T20:00` }
    await makeTimeslot(site.test.crm, practice, { ...evening, raster: 60, defaultCapacity: 8 })
    await makeAppointment(site.test.crm, practice, { ...evening, capacity: 8, participations: [group] })
    const page = await at(`/?day=${tomorrow}`)
    await rowOf(page, 'Greta Group').waitFor()
    await page.keyboard.press('n')
    await dialogOf(page).getByLabel('Customer').fill('Jo Joiner')
    await dialogOf(page)
      .getByRole('option', { name: /Jo Joiner/ })
      .click()
    await dialogOf(page)
      .getByRole('button', { name: /^Show all/ })
      .click()
    await dialogOf(page).getByRole('button', { name: '19:00', exact: true }).click()
    await bookButton(page).click()
    await rowOf(page, 'Greta Group').getByText('6 of 8').waitFor()
    await rowOf(page, 'Jo Joiner').waitFor()
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
    await soon(() => rowOf(page, 'Jo Joiner').count()).toBe(0)
    await rowOf(page, 'Greta Group').getByText('7 of 8').waitFor()
  })
})

describe('free times in the dialogs', () => {
  const chips = (page: Page, name: RegExp) => page.getByRole('group', { name }).getByRole('button')

  it('surround the requested time, are complete, and follow the raster and the chosen day', async () => {
    const later = dayIn(4)
    await addTimes(site, practice, later, '08:10', '13:10', { raster: 10 })
    // Public notice does not bind staff.
    const path = `/resources/${practice.resourceUuid}/channels/RESOURCE_PUBLIC`
    await consoleCall(site.test.app, 'PATCH', path, { minimumNoticeMinutes: 14_400, horizonDays: 1 })
    const page = await at(`/?day=${tomorrow}`)
    await page.getByText('No appointments on this day.').or(page.locator('.empty')).first().waitFor()
    await page.keyboard.press('n')
    await soon(() => chips(page, /^Available on this day/).allTextContents()).toContain('09:00')
    await dialogOf(page).getByLabel('From').fill('16:00')
    await soon(() =>
      chips(page, /^Available on this day/)
        .first()
        .textContent(),
    ).toBe('14:30')
    await dialogOf(page).getByLabel('Day', { exact: true }).fill(dayIn(2))
    const next = page.getByRole('group', { name: 'Next available' }).getByRole('button')
    await soon(() => next.allTextContents()).toHaveLength(1)
    expect(await next.textContent()).toContain('08:10')
    await next.click()
    await soon(() => dialogOf(page).getByLabel('Day', { exact: true }).inputValue()).toBe(later)
    expect(await dialogOf(page).getByLabel('From').inputValue()).toBe('08:10')
    await dialogOf(page).getByRole('button', { name: 'Show all 30 times' }).click()
    await soon(() => chips(page, /^Available on this day/).allTextContents()).toContain('13:00')
  })

  it('are all shown where an Appointment is moved, with its own length', async () => {
    await addTimes(site, practice, dayIn(4), '08:00', '18:00', { raster: 10 })
    const uuid = await booked('Max Mover', '09:00', '10:00', {
      start: `${dayIn(4)}T09:00`,
      end: `${dayIn(4)}T10:00`,
    })
    const page = await at(`/?day=${dayIn(4)}&appointment=${uuid}`)
    await page.locator('dialog.panel').getByRole('button', { name: 'Move…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Move this appointment' })
    const times = dialog.getByRole('group', { name: /^Available on this day/ }).getByRole('button')
    await soon(async () => (await times.allTextContents()).filter(one => /^\d/.test(one)).at(-1)).toBe(
      '17:00',
    )
    expect(await times.allTextContents()).toContain('09:10')
  })
})

describe('a therapist who is ill', () => {
  it('keeps started appointments; lists the others and asks before cancelling them, and can be undone', async () => {
    await booked('Done Dora', '08:00', '08:30')
    await booked('Here Hanna', '09:30', '10:00')
    await booked('Later Lea', '10:00', '10:30')
    await booked('Later Leo', '11:00', '11:30')
    const other = await makeProduct(site.test.crm, practice, { name: 'Other' })
    const products = [other.reference]
    const wrong = await makeRoom(site.test.crm, practice, { internalName: 'Wrong room', products })
    const right = await makeRoom(site.test.crm, practice, { internalName: 'Right room' })
    for (const room of [wrong, right])
      await addTimes(site, { ...practice, ...room }, tomorrow, '08:00', '18:00')
    const page = await at('')
    const nine = Temporal.PlainDate.from(tomorrow).toZonedDateTime({
      timeZone: 'Europe/Berlin',
      plainTime: '09:00',
    })
    await page.clock.setFixedTime(nine.epochMilliseconds)
    await page.goto(`${site.origin}/console/?day=${tomorrow}`)
    await page.getByRole('button', { name: 'Arrived: Here Hanna' }).click()
    await page.getByRole('link', { name: 'Calendar' }).first().click()
    const mark = (name: string) => page.locator('.entry-mark', { hasText: name })
    await mark('Later Lea').waitFor()
    await page.keyboard.press('b')
    await page.getByRole('button', { name: 'All day' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Block time' }).click()
    const dialog = page.getByRole('dialog', { name: 'Affected appointments' })
    await dialog.getByText('2 have already started and stay.').waitFor()
    expect(
      await dialog
        .locator('.lines')
        .getByText(/Dora|Hanna/)
        .count(),
    ).toBe(0)
    expect(await dialog.getByRole('combobox').getByRole('option').allTextContents()).toEqual([
      'Right room · 2 of 2 fit',
    ])
    await dialog.getByRole('checkbox', { name: 'Notify by email' }).uncheck()
    await dialog.getByRole('button', { name: 'Cancel all 2' }).click()
    expect(await mark('Later Lea').count()).toBe(1)
    const asking = page.getByRole('dialog', { name: 'Cancel these 2 appointments?' })
    await asking.getByText('Later Lea').waitFor()
    await asking.getByText('Later Leo').waitFor()
    await asking.getByRole('button', { name: 'Cancel 2 appointments' }).click()
    await soon(() => mark('Later').count()).toBe(0)
    expect(await mark('Done Dora').count()).toBe(1)
    expect(await mark('Here Hanna').count()).toBe(1)
    await page
      .locator('.toast', { hasText: '2 appointments cancelled.' })
      .getByRole('button', { name: 'Undo' })
      .click()
    await soon(() => mark('Later').count()).toBe(2)
  })
})

describe('closed time in the calendar', () => {
  /** How bright the middle of this box is on average, from 0 to 255. */
  async function brightness(page: Page, clip: { x: number; y: number; width: number; height: number }) {
    const png = (await page.screenshot({ clip })).toString('base64')
    return page.evaluate(async data => {
      const image = new Image()
      image.src = `data:image/png;base64,${data}`
      await image.decode()
      const canvas = new OffscreenCanvas(image.width, image.height)
      const context = canvas.getContext('2d')!
      context.drawImage(image, 0, 0)
      const pixels = context.getImageData(0, 0, image.width, image.height).data
      return (
        pixels.filter((_, index) => index % 4 < 3).reduce((sum, one) => sum + one, 0) / (pixels.length * 0.75)
      )
    }, png)
  }

  it.each(['light', 'dark'] as const)('differs from open time by day and week, in %s', async colorScheme => {
    const body = { from: `${tomorrow}T10:00`, to: `${tomorrow}T12:00`, reason: 'Training' }
    await consoleCall(site.test.app, 'POST', `/resources/${practice.resourceUuid}/blocks`, body)
    await booked('Still Here', '10:30', '11:00')
    const page = await at('', { colorScheme })
    for (const view of ['day', 'week']) {
      await page.goto(`${site.origin}/console/calendar?view=${view}&day=${tomorrow}`)
      const closed = page.locator('.band.blocked', { hasText: 'Training' })
      await closed.waitFor()
      await closed.evaluate(one => one.scrollIntoView({ block: 'center' }))
      // The reason is not clipped by its container.
      await soon(() => closed.locator('.ec-event-body').evaluate(one => one.clientHeight)).toBeGreaterThan(20)
      // Nor does the band hide who is booked in it.
      const isOnTop = (one: Element) => {
        const { x, y, width, height } = one.getBoundingClientRect()
        // From the top down; bands are asked, too, although the mouse passes through them.
        for (const band of document.querySelectorAll<HTMLElement>('.band')) band.style.pointerEvents = 'auto'
        return one.contains(document.elementFromPoint(x + width / 2, y + height / 2))
      }
      expect(await page.locator('.entry-mark', { hasText: 'Still Here' }).evaluate(isOnTop)).toBe(true)
      const box = (await closed.boundingBox())!
      const hour = box.height / 2
      const part = (y: number) => ({ x: box.x + 20, y, width: 30, height: 30 })
      const inside = await brightness(page, part(box.y + 1.4 * hour))
      const open = await brightness(page, part(box.y + 2.4 * hour))
      expect(open - inside, view).toBeGreaterThan(18)
    }
  })

  it('appears in the month view, with its reason', async () => {
    const closure = { from: dayIn(1), to: dayIn(3), reason: 'Company outing' }
    await consoleCall(site.test.app, 'POST', `/providers/${practice.uuid}/closures`, closure)
    const page = await at(`/calendar?view=month&day=${tomorrow}`)
    await soon(() => page.locator('.closed-day', { hasText: 'Company outing' }).count()).toBe(2)
  })
})

describe('a drag to another Resource', () => {
  it('warns where that Resource does not offer the service', async () => {
    const { reference } = await makeProduct(site.test.crm, practice, { name: 'Sauna' })
    await makeRoom(site.test.crm, practice, { internalName: 'Sauna', products: [reference] })
    await booked('Dora Drag', '09:00', '10:00')
    const page = await at(`/calendar?day=${tomorrow}&view=day`)
    const mark = page.locator('.calendar .entry-mark', { hasText: 'Dora Drag' })
    await mark.hover()
    const box = (await mark.boundingBox())!
    const target = (await page
      .locator('.calendar')
      .getByText('Sauna', { exact: true })
      .first()
      .boundingBox())!
    await page.mouse.move(box.x + 40, box.y + 10)
    await page.mouse.down()
    await page.mouse.move(target.x + 20, box.y + 10, { steps: 12 })
    await page.mouse.up()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/Sauna doesn’t offer /).waitFor()
    await dialog.getByRole('button', { name: 'Continue anyway' }).waitFor()
  })
})
