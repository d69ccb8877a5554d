// By hand and by keyboard: nothing moves under a press, the focus is never lost, and what matters is in sight.

import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeAppointment, makeCustomer, makeProduct, type Practice, unique } from '../support/build.ts'
import { consolePage } from '../support/console-page.ts'
import { bookPage, dayIn, openPractice, soon, useSite } from '../support/widget.ts'

const site = await useSite()
const tomorrow = dayIn(1)
let practice: Practice

beforeEach(async () => {
  practice = await openPractice(site, {}, { days: [1], from: '08:00', to: '18:00' })
})

async function at(path: string) {
  const { page, problems } = await consolePage(site, practice.owner, path, {
    viewport: { width: 1366, height: 768 },
  })
  return { page, problems }
}

const booked = (name: string, from: string, to: string, capacity = 1) =>
  makeAppointment(site.holdfast.crm, practice, {
    start: `${tomorrow}T${from}`,
    end: `${tomorrow}T${to}`,
    capacity,
    participations: [{ reference: unique('p'), name, email: unique('m'), state: 'BOOKED' }],
  })

/** The name of the focused element, or BODY. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement!
    return element.getAttribute('aria-label') ?? (element === document.body ? 'BODY' : element.textContent)
  })

const topOf = async (page: Page, name: string) =>
  (await page.getByRole('link', { name, exact: true }).boundingBox())!.y

/** Everything loaded so far is drawn and measured. */
const nextFrames = (page: Page) =>
  page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))

const hoursPage = () => at(`/offers/resources/${practice.resourceUuid}/hours`)

describe('a press', () => {
  it('hits the row it began on, although a booking from elsewhere adds a row above', async () => {
    await booked('Carl Later', '11:00', '12:00')
    const { page } = await at(`/?day=${tomorrow}`)
    const arrived = page.getByRole('button', { name: 'Arrived: Carl Later' })
    const before = await topOf(page, 'Carl Later')
    const box = (await arrived.boundingBox())!
    await page.mouse.move(box.x + 10, box.y + 10)
    await page.mouse.down()
    // The page has received the booking once it parses it.
    await page.evaluate(() => {
      const parse = JSON.parse
      JSON.parse = (text, ...rest) => {
        if (text.includes('Ada Early')) document.body.dataset.seen = 'Ada'
        return parse(text, ...rest)
      }
    })
    await booked('Ada Early', '09:00', '10:00')
    await page.waitForFunction(() => document.body.dataset.seen === 'Ada')
    await nextFrames(page)
    expect(await topOf(page, 'Carl Later')).toBe(before)
    await page.mouse.up()
    await soon(() => arrived.getAttribute('aria-pressed')).toBe('true')
    await soon(() => page.getByRole('link', { name: 'Ada Early' }).count()).toBe(1)
  })
})

describe('opening hours', () => {
  const stroke = async (page: Page, [fromDay, toDay]: [number, number], [from, to]: [number, number]) => {
    const box = (await page.getByTestId('week').boundingBox())!
    const [x, y] = [
      (day: number) => box.x + ((day - 0.5) * box.width) / 7,
      (hour: number) => box.y + (hour - 6) * 24 + 4,
    ]
    await page.mouse.move(x(fromDay), y(from))
    await page.mouse.down()
    await page.mouse.move(x(toDay), y(to), { steps: 3 })
  }
  const topOfGrid = async (page: Page) => (await page.getByTestId('week').boundingBox())!.y

  it('stay in place while dragging, and show the drag immediately', async () => {
    const { page } = await hoursPage()
    await page.getByTestId('week').waitFor()
    const before = await topOfGrid(page)
    await stroke(page, [1, 5], [8, 11.5])
    expect(await page.locator('.week .opening').count()).toBe(5)
    expect(await topOfGrid(page)).toBe(before)
    await page.mouse.up()
    await soon(() => page.getByLabel('Friday: from').count()).toBe(1)
    expect(await topOfGrid(page)).toBe(before)
    // The afternoon is painted where the hand expects it.
    await stroke(page, [1, 1], [13, 16.5])
    await page.mouse.up()
    await soon(() => page.getByLabel('Monday: to').last().inputValue()).toBe('17:00')
  })

  it('keep the focus while times are typed, removed and saved', async () => {
    const { page } = await hoursPage()
    await page.getByRole('button', { name: 'Use Monday to Friday, 9:00 to 17:00' }).focus()
    await page.keyboard.press('Enter')
    await soon(() => focused(page)).toBe('Copy Monday to all weekdays')
    await page.getByLabel('Monday: from').focus()
    await page.keyboard.press('ArrowDown')
    await soon(() => page.getByLabel('Monday: from').inputValue()).toBe('08:00')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type('15')
    await soon(() => page.getByLabel('Monday: from').inputValue()).toBe('08:15')
    expect(await focused(page)).toBe('Monday: from')
    await page.getByRole('button', { name: 'Remove: Tuesday 09:00' }).focus()
    await page.keyboard.press('Enter')
    await soon(() => focused(page)).toBe('Add hours on Tuesday')
    await page.getByRole('button', { name: 'Save' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('.toast', { hasText: 'Saved.' }).waitFor()
    expect(await focused(page)).toBe('Save')
  })

  it('change places only after the time is typed', async () => {
    const { page } = await hoursPage()
    for (let count = 0; count < 2; count++)
      await page.getByRole('button', { name: 'Add hours on Monday' }).click()
    const late = page.getByLabel('Monday: from').last()
    await late.fill('07:00')
    expect(await focused(page)).toBe('Monday: from')
    expect(await late.inputValue()).toBe('07:00')
    await page.getByLabel('Weeks ahead').focus()
    await soon(() => page.getByLabel('Monday: from').first().inputValue()).toBe('07:00')
  })
})

describe('the booking dialog', () => {
  it('takes a customer by keyboard, keeps the focus there, and a second Enter changes nothing', async () => {
    await makeCustomer(site.holdfast.crm, practice, { userName: 'Mary Evans' })
    const { page } = await at(`/?day=${tomorrow}`)
    await page.getByRole('button', { name: /^Book/ }).first().waitFor()
    await page.keyboard.press('n')
    const search = page.getByRole('combobox', { name: 'Customer' })
    await search.fill('evan')
    await page.getByRole('option', { name: /Mary Evans/ }).waitFor()
    await page.keyboard.press('Enter')
    await soon(() => focused(page)).toContain('Mary Evans')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Choose another customer')
    expect(await page.getByRole('dialog').getByText('Mary Evans').count()).toBe(1)
  })

  it('shows what speaks against a time beside the button, however long the form is', async () => {
    await booked('Carl Later', '11:00', '12:00')
    const { page } = await at(`/?day=${tomorrow}`)
    await page.keyboard.press('n')
    await page.getByLabel('From', { exact: true }).fill('11:00')
    const anyway = page.getByRole('button', { name: 'Continue anyway' })
    await anyway.waitFor()
    const warning = page.getByText('Overlaps with Carl Later.')
    const [box, button] = [(await warning.boundingBox())!, (await anyway.boundingBox())!]
    expect(button.y + button.height).toBeLessThanOrEqual(768)
    expect(button.y - (box.y + box.height)).toBeLessThan(60)
    // Above it, not below the edge of the form.
    expect(box.y + box.height).toBeLessThanOrEqual(button.y)
  })

  it('gives the focus to the page if a key opened it', async () => {
    const { page } = await at(`/?day=${tomorrow}`)
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.keyboard.press('n')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await soon(() => page.getByRole('dialog').count()).toBe(0)
    expect(await focused(page)).not.toBe('BODY')
  })
})

describe('the list of a day', () => {
  it.each([1024, 1366])('has one line a booking, however long the names are, at %i px', async width => {
    await booked('Hans-Joachim Freiherr von und zu Guttenberg-Hohenlohe', '09:00', '10:00')
    const ada = await booked('Ada Early', '10:00', '11:00')
    await site.holdfast.query(
      `update participation set attendance = 'MISSED'
       where appointment_id = (select id from appointment where uuid = $1)`,
      [ada.uuid],
    )
    const { page } = await at(`/?day=${tomorrow}`)
    await page.setViewportSize({ width, height: 768 })
    const rows = page.locator('.today tbody tr')
    await soon(() => rows.count()).toBe(2)
    for (const row of await rows.all()) expect((await row.boundingBox())!.height).toBeLessThanOrEqual(38)
    const noShow = page.getByRole('button', { name: 'No-show: Ada Early' })
    await noShow.locator('.word').waitFor()
    const last = (await noShow.boundingBox())!
    expect(last.x + last.width).toBeLessThanOrEqual(width)
  })
})

it('the list of a day has three lines a booking on a phone, however long the service is called', async () => {
  const { reference } = await makeProduct(site.holdfast.crm, practice, {
    name: 'Osteopathy, first treatment with a detailed conversation',
  })
  await makeAppointment(site.holdfast.crm, practice, {
    productReference: reference,
    start: `${tomorrow}T09:00`,
    end: `${tomorrow}T10:00`,
    capacity: 1,
    participations: [{ reference: unique('p'), name: 'Ada Early', email: unique('m'), state: 'BOOKED' }],
  })
  const { page } = await at(`/?day=${tomorrow}`)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByText('Osteopathy').waitFor()
  expect((await page.locator('.today tbody tr').boundingBox())!.height).toBeLessThan(110)
})

it('cancelling for one participant leaves the focus in the panel', async () => {
  const made = await booked('Carl Later', '11:00', '12:00', 8)
  const { page } = await at(`/?day=${tomorrow}&appointment=${made.uuid}`)
  await page.getByRole('button', { name: /^Cancel booking/ }).click()
  await page.getByRole('button', { name: 'Cancel booking', exact: true }).last().click()
  // The button that opened the question is gone with the place.
  await soon(() => page.getByRole('button', { name: /^Cancel booking/ }).count()).toBe(0)
  await nextFrames(page)
  expect(await page.evaluate(() => document.activeElement!.closest('dialog') !== null)).toBe(true)
})

it('a booking is summarised: who, when and with whom', async () => {
  const { page } = await at(`/?day=${tomorrow}`)
  await page.keyboard.press('n')
  await page.getByRole('combobox', { name: 'Customer' }).fill('Quentin Quirk')
  await page.getByRole('option', { name: /new customer/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Book' }).click()
  await soon(() => page.locator('.toast').innerText()).toMatch(/Booked: Quentin Quirk · .*\d\d:\d\d · \S+/)
})

it('the form says that the reason for a closure is public, and visitors see it', async () => {
  const { page } = await at('/offers/closures')
  await page.getByRole('button', { name: 'Add closure' }).first().click()
  const reason = page.getByLabel('Reason')
  const hint = page.locator(`[id="${await reason.getAttribute('aria-describedby')}"]`)
  expect(await hint.innerText()).toMatch(/^Public: customers see it on the booking page/)
  await reason.fill('Inventory')
  await page.getByLabel('Last day').fill(dayIn(3))
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('.toast', { hasText: 'Inventory' }).waitFor()
  await page.goto(bookPage(site, practice))
  await page
    .getByText(/Inventory/)
    .filter({ visible: true })
    .first()
    .waitFor()
})

it('the note of a booking is plain text in its row', async () => {
  await booked('Carl Later', '11:00', '12:00')
  const { page } = await at(`/?day=${tomorrow}`)
  const cell = page.locator('td.note')
  const [own, other] = await Promise.all(
    [cell, page.locator('.today td').first()].map(one =>
      one.evaluate(element => getComputedStyle(element).backgroundColor),
    ),
  )
  expect(own).toBe(other)
})

it('the views of the calendar change without an error', async () => {
  const { page, problems } = await at('/calendar')
  for (const view of ['Week', 'Day', 'Month', 'Day', 'List']) {
    await page.getByRole('button', { name: view, exact: true }).click()
    await soon(() => page.getByRole('button', { name: view, exact: true }).getAttribute('aria-pressed')).toBe(
      'true',
    )
    await nextFrames(page)
  }
  expect(problems).toEqual([])
})
