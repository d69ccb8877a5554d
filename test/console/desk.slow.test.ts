// What happens at a desk besides the plan: a customer is late, two swap, the doctor falls ill, a customer
// calls.

import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { screenshot } from '../support/browser.ts'
import { makeAppointment, makeRoom, type Practice, unique } from '../support/build.ts'
import { consolePage } from '../support/console-page.ts'
import { consoleCall } from '../support/service.ts'
import { addTimes, dayIn, openPractice, soon, useSite } from '../support/widget.ts'

const site = await useSite()
const tomorrow = dayIn(1)
let practice: Practice

beforeEach(async () => {
  practice = await openPractice(site, {}, { days: [1], from: '08:00', to: '18:00' })
})

async function at(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const { page } = await consolePage(site, practice.owner, path, options)
  return page
}

async function booked(name: string, from: string, to: string, fields: object = {}) {
  const email = `${name.split(' ')[0]!.toLowerCase()}.${unique('m').split('@')[0]}@example.org`
  const { uuid } = await makeAppointment(site.holdfast.crm, practice, {
    start: `${tomorrow}T${from}`,
    end: `${tomorrow}T${to}`,
    capacity: 1,
    participations: [{ reference: unique('p'), name, email, state: 'BOOKED' }],
    ...fields,
  })
  return { uuid, email }
}

const row = (page: Page, name: string) => page.locator('tr', { hasText: name })
const mark = (page: Page, name: string) => page.locator('.entry-mark', { hasText: name })
const toast = (page: Page, text: string) => page.locator('.toast', { hasText: text })
const mailsTo = async (email: string): Promise<string[]> =>
  (await consoleCall(site.holdfast.app, 'GET', `/mails?to=${email}`)).body.mails.map(
    (mail: { kind: string }) => mail.kind,
  )

describe('a customer who is late', () => {
  it('is marked late, with their number at hand, until they are there', async () => {
    await booked('Lars Late', '09:00', '10:00')
    await booked('Nina Next', '09:30', '10:00')
    const page = await at('')
    await page.clock.setFixedTime(`${tomorrow}T09:12+0${offset()}:00`)
    await page.reload()
    await row(page, 'Lars Late').getByText('12 min late').waitFor()
    await page.locator('.present').getByText('12 min late').waitFor()
    expect(await row(page, 'Nina Next').textContent()).toContain('booked')
    await page.getByRole('button', { name: 'Arrived: Lars Late' }).click()
    await page.locator('.present', { hasText: 'Here now' }).getByText('Lars Late').waitFor()
    expect(await row(page, 'Lars Late').textContent()).not.toContain('late')
    await page.goto(`${site.origin}/console/calendar`)
    await mark(page, '✓ Lars Late').waitFor()
    await page.clock.setFixedTime(`${tomorrow}T09:40+0${offset()}:00`)
    await page.reload()
    await mark(page, '◷ Nina Next').waitFor()
  })

  it('has the minutes beside their name, even if it is written from right to left', async () => {
    await booked('محمد علي', '09:00', '10:00')
    const page = await at('')
    await page.clock.setFixedTime(`${tomorrow}T09:12+0${offset()}:00`)
    await page.reload()
    const late = page.locator('.present').getByText('12 min late')
    await late.waitFor()
    // If split, the number would appear on the other side of the name.
    expect(await late.evaluate(one => one.getClientRects().length)).toBe(1)
  })
})

/** Of the practice's zone tomorrow, in hours. */
const offset = () =>
  Temporal.PlainDate.from(tomorrow).toZonedDateTime('Europe/Berlin').offsetNanoseconds / 3_600_000_000_000

describe('two who swap', () => {
  it('are chosen by name, and the change can be undone if no email was sent', async () => {
    await booked('Ann Early', '09:00', '10:00')
    await booked('Ben Late', '14:00', '14:30')
    const page = await at(`/?day=${tomorrow}`)
    await page.getByRole('link', { name: 'Ann Early' }).click()
    await page.getByRole('button', { name: 'Swap…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Swap with another' })
    await dialog.getByRole('radio', { name: /Ben Late/ }).check()
    await dialog.getByRole('checkbox', { name: 'Notify by email' }).uncheck()
    await dialog.getByRole('button', { name: 'Swap', exact: true }).click()
    await row(page, 'Ann Early').getByText('14:00 – 15:00').waitFor()
    await row(page, 'Ben Late').getByText('09:00 – 09:30').waitFor()
    await page.keyboard.press('Escape')
    await toast(page, 'Swapped.').getByRole('button', { name: 'Undo' }).click()
    await row(page, 'Ann Early').getByText('09:00 – 10:00').waitFor()
    await row(page, 'Ben Late').getByText('14:00 – 14:30').waitFor()
  })

  it('are offered when one is dragged onto the other, and both get an email', async () => {
    const ann = await booked('Ann Early', '09:00', '10:00')
    const ben = await booked('Ben Late', '11:00', '12:00')
    const page = await at(`/calendar?day=${tomorrow}`)
    await mark(page, 'Ann Early').hover()
    const from = (await mark(page, 'Ann Early').boundingBox())!
    const to = (await mark(page, 'Ben Late').boundingBox())!
    await page.mouse.move(from.x + 40, from.y + 10)
    await page.mouse.down()
    await page.mouse.move(from.x + 40, to.y + 10, { steps: 8 })
    await page.mouse.up()
    await page.getByRole('button', { name: 'Swap with Ben Late' }).click()
    await page.getByRole('button', { name: 'Swap', exact: true }).click()
    await soon(() => mark(page, 'Ben Late').textContent()).toContain('9:00')
    await soon(() => mark(page, 'Ann Early').textContent()).toContain('11:00')
    for (const { email } of [ann, ben]) expect(await mailsTo(email)).toContain('moved')
  })
})

describe('a walk-in', () => {
  it('goes to the first free Resource, and can be undone if no email was sent', async () => {
    const room = await makeRoom(site.holdfast.crm, practice, { internalName: 'Second room' })
    await addTimes(site, { ...practice, ...room }, tomorrow, '08:00', '18:00')
    await booked('Busy Bea', '09:00', '10:00')
    const page = await at(`/?day=${tomorrow}`)
    await row(page, 'Busy Bea').waitFor()
    // The name is typed right away, while the dialog is still on its way.
    await page.keyboard.press('n')
    await page.keyboard.type('Willy Walk')
    await soon(() => page.getByLabel('Customer').inputValue()).toBe('Willy Walk')
    await page.keyboard.press('Enter')
    const where = page.getByLabel('Person or room')
    await soon(() => where.locator('option:checked').textContent()).toBe('First available: Second room')
    expect(await page.getByLabel('From').inputValue()).toBe('09:00')
    await page.getByRole('dialog').getByRole('button', { name: 'Book', exact: true }).click()
    await row(page, 'Willy Walk').getByText('Second room').waitFor()
    // If both are taken, the next time at which either is free.
    await page.keyboard.press('n')
    await soon(() => page.getByLabel('From').inputValue()).toBe('09:30')
    await page.keyboard.press('Escape')
    await toast(page, 'Booked: ').getByRole('button', { name: 'Undo' }).click()
    await soon(() => row(page, 'Willy Walk').count()).toBe(0)
  })
})

describe('time that is blocked', () => {
  it('is removed by a click on it, also the next day, and restored by undo', async () => {
    const body = { from: `${tomorrow}T13:00`, to: `${tomorrow}T14:00`, reason: 'Training' }
    await consoleCall(site.holdfast.app, 'POST', `/resources/${practice.resourceUuid}/blocks`, body)
    const page = await at(`/calendar?day=${tomorrow}`)
    const band = page.locator('.band.blocked')
    await band.hover({ force: true })
    await page.mouse.down()
    await page.mouse.up()
    await page.getByRole('dialog').getByText('Training 13:00').waitFor()
    await page.getByRole('button', { name: 'Unblock' }).click()
    await soon(() => band.count()).toBe(0)
    await toast(page, 'Unblocked.').getByRole('button', { name: 'Undo' }).click()
    await band.waitFor()
  })

  it('shows the affected appointments: one is moved, the others are cancelled and notified', async () => {
    const ill = [await booked('Ida Ill', '09:00', '09:30'), await booked('Ivo Ill', '10:00', '10:30')]
    const moved = await booked('Mona Moved', '11:00', '11:30')
    const room = await makeRoom(site.holdfast.crm, practice, { internalName: 'Second room' })
    await addTimes(site, { ...practice, ...room }, tomorrow, '08:00', '18:00')
    const page = await at(`/calendar?day=${tomorrow}`)
    await mark(page, 'Ida Ill').waitFor()
    await page.keyboard.press('b')
    await page.getByRole('button', { name: 'All day' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Block time' }).click()
    const dialog = page.getByRole('dialog', { name: 'Affected appointments' })
    await dialog.getByText('3 appointments').waitFor()
    await dialog.getByRole('button', { name: 'Move: Mona Moved' }).click()
    const move = page.getByRole('dialog', { name: 'Move this appointment' })
    await move.getByLabel('Person or room').selectOption('Second room')
    await move.getByRole('button', { name: 'Move', exact: true }).click()
    await dialog.getByText('2 appointments').waitFor()
    await dialog.getByLabel('Message').fill('The doctor is ill.')
    await dialog.getByRole('button', { name: 'Cancel all 2' }).click()
    const asking = page.getByRole('dialog', { name: 'Cancel these 2 appointments?' })
    expect(await asking.getByRole('listitem').allTextContents()).toHaveLength(2)
    await asking.getByRole('button', { name: 'Cancel 2 appointments' }).click()
    await toast(page, '2 appointments cancelled.').waitFor()
    await soon(() => mark(page, 'Ill').count()).toBe(0)
    await mark(page, 'Mona Moved').waitFor()
    // All day is shown as blocked, wherever one has scrolled to.
    await page.locator('.band.blocked').getByText('Blocked').waitFor()
    expect(await mailsTo(moved.email)).toContain('moved')
    for (const { email } of ill) expect(await mailsTo(email)).toContain('cancelled')
  })
})

describe('the doctor is ill', () => {
  /** Two are booked in a time that is then blocked; there is room for both elsewhere. */
  async function twoToMove() {
    const ann = await booked('Ann Alright', '10:00', '10:30')
    const ben = await booked('Ben Beaten', '09:00', '09:30')
    const room = await makeRoom(site.holdfast.crm, practice, { internalName: 'Second room' })
    await addTimes(site, { ...practice, ...room }, tomorrow, '08:00', '18:00')
    const page = await at(`/calendar?day=${tomorrow}`)
    await mark(page, 'Ann Alright').waitFor()
    await page.keyboard.press('b')
    await page.getByRole('button', { name: 'All day' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Block time' }).click()
    const dialog = page.getByRole('dialog', { name: 'Affected appointments' })
    await dialog.getByText('Second room · 2 of 2 fit').waitFor({ state: 'attached' })
    const moveAll = () => dialog.getByRole('button', { name: 'Move all to: Second room' }).click()
    const placeOf = async ({ uuid }: { uuid: string }) =>
      (await consoleCall(site.holdfast.app, 'GET', `/appointments/${uuid}`)).body.entry.resource.uuid
    return { ann, ben, room, page, dialog, moveAll, placeOf }
  }

  it('and whose place there was taken a moment ago stays in the list; the others go', async () => {
    const { ann, ben, room, page, dialog, moveAll, placeOf } = await twoToMove()
    // After the page has counted who fits, before it has sent the first.
    await page.route(`**/appointments/${ben.uuid}/move**`, async route => {
      await booked('Fay Faster', '09:00', '09:30', { resourceReference: room.resource })
      await route.continue()
    })
    await moveAll()
    await toast(page, '1 appointment moved.').waitFor()
    await toast(page, '1 appointment doesn’t fit there').waitFor()
    await dialog.getByText('Ben Beaten').waitFor()
    expect(await dialog.getByText('Ann Alright').count()).toBe(0)
    expect([await placeOf(ann), await placeOf(ben)]).toEqual([room.resourceUuid, practice.resourceUuid])
  })

  it('does not claim that there is no room if the service does not answer', async () => {
    const { ann, ben, page, dialog, moveAll, placeOf } = await twoToMove()
    const tried: string[] = []
    await page.route('**/appointments/*/move**', route => {
      tried.push(route.request().url())
      return route.abort()
    })
    await moveAll()
    await page.locator('.toast.bad').waitFor()
    expect(await toast(page, 'fit there').count()).toBe(0)
    expect(await toast(page, 'Moved').count()).toBe(0)
    expect(tried).toHaveLength(1)
    await dialog.getByText('2 appointments').waitFor()
    for (const one of [ann, ben]) expect(await placeOf(one)).toBe(practice.resourceUuid)
  })

  it('and all move to a colleague at the same times; those that do not fit stay in the list', async () => {
    // The first has no room: the others go all the same.
    await booked('Ben Blocked', '09:00', '09:30')
    const ann = await booked('Ann Alright', '10:00', '10:30')
    const room = await makeRoom(site.holdfast.crm, practice, { internalName: 'Second room' })
    await addTimes(site, { ...practice, ...room }, tomorrow, '08:00', '18:00')
    await booked('Tim There', '09:00', '09:30', { resourceReference: room.resource })
    // Closed then, so no appointment may be moved there.
    await makeRoom(site.holdfast.crm, practice, { internalName: 'Attic' })
    const page = await at(`/calendar?day=${tomorrow}`)
    await mark(page, 'Ann Alright').waitFor()
    await page.keyboard.press('b')
    await page.getByRole('button', { name: 'All day' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Block time' }).click()
    const dialog = page.getByRole('dialog', { name: 'Affected appointments' })
    await dialog.getByRole('checkbox', { name: 'Notify by email' }).uncheck()
    await dialog.getByText('Attic · 0 of 2 fit').waitFor({ state: 'attached' })
    await dialog.getByRole('button', { name: 'Move all to: Second room' }).click()
    await toast(page, '1 appointment moved.').waitFor()
    await toast(page, '1 appointment doesn’t fit there').waitFor()
    await dialog.getByText('Ben Blocked').waitFor()
    expect(await dialog.getByText('Ann Alright').count()).toBe(0)
    expect(await mailsTo(ann.email)).toEqual([])
    const placeOf = async () =>
      (await consoleCall(site.holdfast.app, 'GET', `/appointments/${ann.uuid}`)).body.entry.resource.uuid
    expect(await placeOf()).toBe(room.resourceUuid)
    await toast(page, '1 appointment moved.').getByRole('button', { name: 'Undo' }).click()
    await soon(placeOf).toBe(practice.resourceUuid)
  })
})

it('books a cancelled appointment again, for the same customer, service and person', async () => {
  const path = `/providers/${practice.uuid}/appointments?sendMails=false`
  const { uuid } = (
    await consoleCall(site.holdfast.app, 'POST', path, {
      resourceUuid: practice.resourceUuid,
      productUuid: practice.productUuid,
      start: `${tomorrow}T09:00`,
      end: `${tomorrow}T10:00`,
      customer: { name: 'Cara Cancelled', mobile: '+49 171 2223344' },
    })
  ).body
  await consoleCall(site.holdfast.app, 'POST', `/appointments/${uuid}/cancel?sendMails=false`, {
    message: null,
  })
  const page = await at(`/?day=${tomorrow}&appointment=${uuid}`)
  const panel = page.locator('dialog.panel')
  await panel.getByRole('button', { name: 'Book again…' }).waitFor()
  // Once, in the summary.
  expect(await panel.locator('.chip').allTextContents()).toEqual([expect.stringMatching(/cancelled$/)])
  await screenshot(page, 'panel-cancelled', false)
  await panel.getByRole('button', { name: 'Book again…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Book again' })
  await dialog.getByText('Cara Cancelled').waitFor()
  expect(await dialog.getByLabel('Day', { exact: true }).inputValue()).toBe(tomorrow)
  expect(await dialog.getByLabel('From', { exact: true }).inputValue()).toBe('09:00')
  expect(await dialog.getByLabel('Person or room').inputValue()).toBe(practice.resourceUuid)
  expect(await dialog.getByLabel('Service').inputValue()).toBe(practice.productUuid)
  await screenshot(page, 'book-again', false)
  await dialog.getByRole('button', { name: 'Book', exact: true }).click()
  await toast(page, 'Booked: Cara Cancelled').waitFor()
})

describe('a cancellation without an email', () => {
  it('is undone, or says that the time is taken by now', async () => {
    const { uuid, email } = await booked('Uta Undone', '09:00', '10:00')
    const page = await at(`/?day=${tomorrow}`)
    const cancel = async () => {
      await page.getByRole('link', { name: 'Uta Undone' }).click()
      await page.getByRole('button', { name: 'Cancel appointment…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Cancel this appointment?' })
      const notify = dialog.getByLabel('Notify by email')
      if (await notify.isChecked()) {
        expect(await dialog.locator('.dialog-end button').allTextContents()).toEqual([
          'Keep appointment',
          'Cancel appointment',
        ])
        await notify.uncheck()
      }
      await dialog.getByRole('button', { name: 'Cancel appointment without notifying' }).click()
      await row(page, 'Uta Undone').getByText('cancelled').waitFor()
      // A cancelled appointment has no places to fill.
      expect(await page.getByText(/place left/).count()).toBe(0)
      await page.locator('.panel .chip', { hasText: 'cancelled' }).waitFor()
      expect(await page.locator('.panel .chip').count()).toBe(1)
      await page.keyboard.press('Escape')
    }
    await cancel()
    await toast(page, 'Cancelled.').getByRole('button', { name: 'Undo' }).click()
    await row(page, 'Uta Undone')
      .getByRole('button', { name: /^Arrived/ })
      .waitFor()
    await toast(page, 'Restored.').waitFor()
    await cancel()
    await booked('Tom Taker', '09:30', '10:00')
    await toast(page, 'Cancelled.').getByRole('button', { name: 'Undo' }).click()
    await toast(page, 'Uta Undone: this time has since been taken')
      .getByRole('button', { name: 'Continue anyway' })
      .click()
    await row(page, 'Uta Undone')
      .getByRole('button', { name: /^Arrived/ })
      .waitFor()
    const { entry } = (await consoleCall(site.holdfast.app, 'GET', `/appointments/${uuid}`)).body
    expect(entry).toMatchObject({ state: 'ACTIVE', people: [{ state: 'BOOKED' }] })
    expect(await mailsTo(email)).toEqual([])
  })
})

describe('offered time', () => {
  const offer = async (from: string, to: string) =>
    consoleCall(site.holdfast.app, 'POST', `/resources/${practice.resourceUuid}/timeslots`, {
      start: `${tomorrow}T${from}`,
      end: `${tomorrow}T${to}`,
      raster: 30,
    })
  const timesOf = async (uuid: string) => {
    const path = `/providers/${practice.uuid}/calendar?from=${tomorrow}`
    const { timeslots } = (await consoleCall(site.holdfast.app, 'GET', path)).body
    const { start, end } = timeslots.find((one: { uuid: string }) => one.uuid === uuid)
    const clock = (text: string) =>
      Temporal.Instant.from(text).toZonedDateTimeISO('Europe/Berlin').toPlainTime().toString().slice(0, 5)
    return [clock(start), clock(end)]
  }
  const pull = async (page: Page, grip: string, slot: string, by: number) => {
    const place = page.locator(`${grip}[data-slot="${slot}"]`).first()
    // The page may be about to show an update it has just received.
    const boxOf = () => place.scrollIntoViewIfNeeded().then(() => place.boundingBox())
    await soon(() => boxOf().catch(() => null)).not.toBeNull()
    const box = (await boxOf())!
    const [x, y] = [box.x + box.width / 2, box.y + Math.min(8, box.height / 2)]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x, y + by, { steps: 6 })
    await page.mouse.up()
  }

  it('is dragged by its side, lengthened by its foot, and put back by undo', async () => {
    const { uuid } = (await offer('18:00', '19:00')).body
    const page = await at(`/calendar?day=${tomorrow}`)
    // Half an hour is 38 px high.
    await pull(page, '.band-grip:not(.end)', uuid, -38)
    await soon(() => timesOf(uuid)).toEqual(['17:30', '18:30'])
    await toast(page, 'Changed.').getByRole('button', { name: 'Undo' }).click()
    await soon(() => timesOf(uuid)).toEqual(['18:00', '19:00'])
    await page.locator('.toast').waitFor({ state: 'detached' })
    await pull(page, '.band-grip.end', uuid, 38)
    await soon(() => timesOf(uuid)).toEqual(['18:00', '19:30'])
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('is changed by a form, too, which a click on it leads to', async () => {
    const { uuid } = (await offer('18:00', '19:00')).body
    const page = await at(`/calendar?day=${tomorrow}`)
    const grip = page.locator(`.band-grip[data-slot="${uuid}"]`).first()
    await grip.scrollIntoViewIfNeeded()
    const box = (await grip.boundingBox())!
    await page.mouse.click(box.x - 60, box.y + 20)
    await page.getByRole('button', { name: 'Change…' }).last().click()
    const dialog = page.getByRole('dialog', { name: 'Change available hours' })
    await dialog.getByLabel('To', { exact: true }).fill('20:00')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await soon(() => timesOf(uuid)).toEqual(['18:00', '20:00'])
  })
})

it('a page whose files are gone after an update is reloaded', async () => {
  const page = await at('')
  let failures = 0
  await page.route('**/console/assets/part-*.js', route =>
    failures++ === 0 ? route.abort() : route.continue(),
  )
  await page.getByRole('link', { name: 'Customers' }).click()
  await page.getByRole('heading', { name: 'Customers' }).waitFor()
  expect(failures).toBeGreaterThan(1)
})

describe('the links of a booking', () => {
  it('help a customer who has lost the email', async () => {
    const { uuid } = await booked('Lina Link', '09:00', '10:00')
    const page = await at(`/?day=${tomorrow}&appointment=${uuid}`)
    await page.locator('summary', { hasText: 'Links' }).click()
    const linkOf = (name: string) => page.getByRole('textbox', { name, exact: true }).inputValue()
    const [move, cancel, show] = [
      await linkOf('Choose another time'),
      await linkOf('Cancel'),
      await linkOf('View booking'),
    ]
    expect(new URL(move).pathname).toMatch(/^\/move\//)
    expect(new URL(cancel).pathname).toMatch(/^\/cancel\//)
    const shown = await fetch(show)
    expect([shown.status, await shown.text()]).toEqual([200, expect.stringMatching(/9:00/)])
    await page.goto(cancel)
    await page.getByRole('button').last().click()
    const stateOf = async () =>
      (await consoleCall(site.holdfast.app, 'GET', `/appointments/${uuid}`)).body.entry.people[0].state
    await soon(stateOf).toBe('CANCELED')
  })
})

describe('the list of the calendar', () => {
  it('shows blocked times, which can be unblocked with one click', async () => {
    const body = { from: `${tomorrow}T13:00`, to: `${tomorrow}T14:00`, reason: 'Training' }
    await consoleCall(site.holdfast.app, 'POST', `/resources/${practice.resourceUuid}/blocks`, body)
    await booked('Ann Early', '09:00', '10:00')
    const page = await at(`/calendar?view=list&day=${tomorrow}`)
    const blocked = page.locator('.closed-mark', { hasText: 'Training' })
    await blocked.getByText('13:00 – 14:00').waitFor()
    await blocked.getByRole('button').click()
    await page.getByRole('button', { name: 'Unblock' }).click()
    await soon(() => blocked.count()).toBe(0)
    await mark(page, 'Ann Early').waitFor()
  })
})

describe('a caller on the phone', () => {
  it('gets the next available time, with any person, also days ahead', async () => {
    const room = await makeRoom(site.holdfast.crm, practice, { internalName: 'Second room' })
    await addTimes(site, { ...practice, ...room }, dayIn(9), '10:00', '12:00')
    await booked('All Day', '08:00', '18:00')
    const page = await at('')
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog', { name: 'Book an appointment' })
    const next = dialog.getByRole('group', { name: 'Next available' })
    await next.getByRole('button', { name: /10:00.*Second room/ }).click()
    expect(await dialog.getByLabel('Day', { exact: true }).inputValue()).toBe(dayIn(9))
    expect(await dialog.getByLabel('From').inputValue()).toBe('10:00')
    await dialog.getByLabel('Customer').fill('Nina Nextweek')
    await dialog.getByRole('option', { name: /Nina Nextweek/ }).click()
    await dialog.getByRole('button', { name: 'Book', exact: true }).click()
    await toast(page, 'Booked: ').waitFor()
    await page.goto(`${site.origin}/console/?day=${dayIn(9)}`)
    await row(page, 'Nina Nextweek').getByText('Second room').waitFor()
  })

  it('is found by / from any page, with when they come next, and is moved from there', async () => {
    await consoleCall(site.holdfast.app, 'POST', `/providers/${practice.uuid}/appointments?sendMails=false`, {
      resourceUuid: practice.resourceUuid,
      productUuid: practice.productUuid,
      start: `${tomorrow}T15:00`,
      end: `${tomorrow}T15:30`,
      customer: { name: 'Carla Caller', mobile: '+49 171 2223344' },
    })
    const page = await at('/requests')
    await page.keyboard.press('/')
    await page.keyboard.type('0171 222')
    await soon(() => page.getByRole('searchbox').inputValue()).toBe('0171 222')
    const found = page.locator('tr', { hasText: 'Carla Caller' })
    await found.getByRole('link').last().click()
    const panel = page.locator('dialog.panel')
    await panel.getByRole('heading', { name: 'Carla Caller' }).waitFor()
    await panel.locator('.free-times').getByRole('button', { name: '14:30' }).click()
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    await toast(page, 'Moved.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('listitem').getByText('14:30 – 15:00').waitFor()
    // And another one for the same person, without typing the name.
    await page.getByRole('button', { name: 'Book', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Carla Caller', { exact: true }).waitFor()
    await dialog.getByLabel('Day', { exact: true }).fill(tomorrow)
    await dialog.getByLabel('From').fill('16:00')
    await dialog.getByRole('button', { name: 'Book', exact: true }).click()
    await page.getByRole('listitem').getByText('16:00 – 16:30').waitFor()
  })
})

describe('two people save the same: the second sees what changed and keeps the input', () => {
  it('on My login', async () => {
    const pages = [await at('/me'), await at('/me')] as const
    const [first, second] = pages.map(page => page.getByRole('textbox', { name: 'Name' }))
    await first!.fill('Anna First')
    await second!.fill('Berta Second')
    const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()
    await save(pages[0])
    await toast(pages[0], 'Saved.').waitFor()
    await save(pages[1])
    await pages[1].getByRole('alert').getByText('Anna First').waitFor()
    expect(await second!.inputValue()).toBe('Berta Second')
    await save(pages[1])
    await toast(pages[1], 'Saved.').waitFor()
  })

  it('on opening hours, by their days and times', async () => {
    const path = `/offers/resources/${practice.resourceUuid}/hours`
    const pages = [await at(path), await at(path)] as const
    const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()
    await pages[0].getByRole('button', { name: 'Monday to Friday' }).click()
    await pages[1].getByLabel('Weeks ahead').fill('5')
    await save(pages[0])
    await toast(pages[0], 'Saved.').waitFor()
    await save(pages[1])
    await pages[1].getByRole('alert').getByText('Monday 09:00–17:00').waitFor()
    expect(await pages[1].getByLabel('Weeks ahead').inputValue()).toBe('5')
    await save(pages[1])
    await toast(pages[1], 'Saved.').waitFor()
    const { hoursWeeks, rules } = (await consoleCall(site.holdfast.app, 'GET', path.replace('/offers', '')))
      .body
    expect([hoursWeeks, rules.length]).toEqual([5, 1])
  })
})
