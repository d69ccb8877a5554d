// How the console looks to a practice: lines, colours, gaps, messages and choices, in one visit.

import { describe, expect, it } from 'vitest'
import { inviteStaff } from '../../src/actions/console/login.ts'
import { hues } from '../../web/shared/tokens.ts'
import { visitAfresh } from '../support/browser.ts'
import { makeResource, makeUser, setChannel } from '../support/build.ts'
import { consolePage } from '../support/console-page.ts'
import { asConsumer, bookingOf, overApp, slotsOf } from '../support/consumer.ts'
import { smallPicture } from '../support/pictures.ts'
import { consoleCall } from '../support/service.ts'
import { dayIn, expectNoBarriers, openPractice, soon, useSite } from '../support/widget.ts'

const site = await useSite()
const { app } = site.holdfast

it('shows one line a booking, colours, gaps and counts, and asks for explicit choices', async () => {
  const practice = await openPractice(site, {}, { days: [1] })
  for (const name of ['Tom', 'Ute', 'Vera'])
    await makeResource(site.holdfast.crm, practice, { internalName: name, publicName: name })
  const at = `/providers/${practice.uuid}`
  const day = dayIn(1)
  for (const [index, from] of ['09:00', '10:00', '10:30', '13:00', '15:00'].entries()) {
    const to = from.replace(/\d\d$/, minutes => (minutes === '00' ? '30' : '59'))
    const booked = await consoleCall(app, 'POST', `${at}/appointments?sendMails=false&ignoreConflicts=true`, {
      resourceUuid: practice.resourceUuid,
      productUuid: practice.productUuid,
      start: `${day}T${from}`,
      end: `${day}T${to}`,
      notes: 'A long note about crutches, a lift, an interpreter and a daughter who comes along. '.repeat(3),
      customer: { name: `Maximiliane-Charlotte von Hohenstein-Wittgenstein ${index}` },
    })
    expect(booked.status).toBe(201)
  }
  const link = await inviteStaff(site.holdfast.service, 'crm', practice.owner)
  const { page, problems } = await visitAfresh(site.browser, link, { viewport: { width: 1366, height: 420 } })
  const open = (path: string) => page.goto(`${site.origin}/console${path}`)
  const toasts = page.locator('.toast')
  await page.getByRole('button').first().click()
  await page.waitForURL(/\/console\/?$/)

  await open(`/?day=${day}`)
  const rows = page.locator('.today tbody tr')
  await rows.nth(4).waitFor()
  const heights = await rows.evaluateAll(all =>
    all.map(one => Math.round(one.getBoundingClientRect().height)),
  )
  expect(heights).toEqual([28, 28, 28, 28, 28])
  // The heading stays in sight.
  await rows.last().evaluate(one => one.scrollIntoView({ block: 'end' }))
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  expect((await page.locator('.today thead th').first().boundingBox())!.y).toBeGreaterThanOrEqual(0)
  // The second message takes the place of the first.
  await page.getByRole('button', { name: /^Arrived: .* 0$/ }).click()
  await toasts.filter({ hasText: 'Wittgenstein 0: arrived.' }).waitFor()
  await page.getByRole('button', { name: /^Arrived: .* 1$/ }).click()
  await toasts.filter({ hasText: 'Wittgenstein 1: arrived.' }).waitFor()
  expect(await toasts.count()).toBe(1)

  await open(`/calendar?view=week&day=${day}`)
  await page.locator('.free-line', { hasText: '09:30 – 10:00' }).waitFor()
  await expectNoBarriers(page)
  const mark = page.locator('.entry-mark').first()
  expect(await mark.getAttribute('class')).toMatch(/\bhue-0\b/)
  await page.getByRole('combobox', { name: 'Colours' }).selectOption('PRODUCT')
  await toasts.filter({ hasText: 'Colours changed' }).waitFor()
  await soon(async () => (await consoleCall(app, 'GET', at)).body.calendarColors).toBe('PRODUCT')
  const { products } = (await consoleCall(app, 'GET', `${at}/calendar?from=${day}`)).body
  const { color } = products.find((one: { uuid: string }) => one.uuid === practice.productUuid)
  await soon(() => mark.getAttribute('class')).toMatch(new RegExp(`\\bhue-${color % hues.length}\\b`))
  await page.locator('button.free-line').first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Block here' }).waitFor()
  // Without a customer, Enter books nothing.
  await page.getByRole('dialog').getByLabel('Customer').press('Enter')
  await page.getByRole('dialog').getByText('Choose a customer').waitFor()
  await page.keyboard.press('Escape')

  await open(`/calendar?view=month&day=${day}`)
  await page.getByRole('button', { name: '5 appointments' }).waitFor()

  await open('/offers/closures/new')
  await page.getByLabel('Reason').fill('Training')
  await page.getByLabel('Only some people or rooms').check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Choose at least one.').waitFor()
  await expectNoBarriers(page)
  await page.getByLabel('Tom').check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const closures = async () => (await consoleCall(app, 'GET', `${at}/closures`)).body.closures
  await soon(async () =>
    (await closures()).map((one: { resources: string[] }) => one.resources?.length),
  ).toEqual([1])
  expect(problems).toEqual([])
})

it('shows pictures in lists, who has been away for long, and reports from the first week on', async () => {
  const practice = await openPractice(site, {}, { days: [0] })
  const mara = await makeUser(site.holdfast.crm, { firstName: 'Mara', lastName: 'Moss' })
  await site.holdfast.crm.post(`${practice.path}/staff`, { userReference: mara.reference })
  await inviteStaff(site.holdfast.service, 'crm', mara.reference)
  const picture = `data:image/png;base64,${smallPicture.replace(/^data:[^,]*,/, '')}`
  await site.holdfast.query('update resource set image_url = $1 where uuid = $2', [
    picture,
    practice.resourceUuid,
  ])
  await makeResource(site.holdfast.crm, practice, { internalName: 'Ute', publicName: 'Ute' })
  const { page, problems } = await consolePage(site, practice.owner, '/offers', {
    viewport: { width: 390, height: 844 },
  })
  await soon(() => page.locator('.pictured img').getAttribute('src')).toBe(picture)
  await page.locator('.pictured i[data-initial="U"]').waitFor()
  await expectNoBarriers(page)

  await site.holdfast.query(
    `update console_user set last_login_at = now() - interval '130 days' where name like '%Moss%'`,
  )
  await page.goto(`${site.origin}/console/people`)
  const line = page.getByRole('listitem').filter({ hasText: 'Mara Moss' })
  await line.locator('.chip', { hasText: '4 months ago' }).waitFor()
  await line.getByText(/Last login: \w+,? \d+ \w+ \d{4}/).waitFor()
  expect(await page.locator('.chip', { hasText: 'months ago' }).count()).toBe(1)
  await expectNoBarriers(page)

  await page.goto(`${site.origin}/console/reports`)
  await page.getByText(/^No bookings or opening hours before \d/).waitFor()
  await page.getByText('Show table').first().click()
  expect(await page.locator('.report-chart').first().locator('tbody tr').count()).toBe(1)
  await expectNoBarriers(page)
  expect(problems).toEqual([])
})

it('answers several requests at once, groups what one person did, and shows what an entry looks like', async () => {
  const practice = await openPractice(site, {}, { days: [1] })
  await setChannel(site.holdfast, practice.resourceUuid, { bookingProcess: 'REQUESTED' })
  const consumer = asConsumer(overApp(app))
  for (const firstname of ['Ada', 'Ben', 'Cem', 'Dia', 'Eva', 'Fay']) {
    const slot = slotsOf(await consumer.list(practice.resourceUuid))[0]!
    const person = { firstname, lastname: 'Ask', email: `${firstname}@example.org` }
    expect((await consumer.complete(practice.resourceUuid, { ...bookingOf(slot), ...person })).status).toBe(
      201,
    )
  }
  const { page, problems } = await consolePage(site, practice.owner, '/requests', {
    viewport: { width: 1366, height: 768 },
  })
  const lines = page.locator('.requests > li')
  await soon(() => lines.count()).toBe(6)
  for (const line of await lines.all()) expect((await line.boundingBox())!.height).toBeLessThan(50)
  // By keyboard: arrows go to the same button of another line, and the next one follows what is answered.
  const focused = () =>
    page.evaluate(() => document.activeElement!.ariaLabel ?? document.activeElement!.textContent)
  await page.getByRole('button', { name: /^Ada Ask/ }).focus()
  for (const _ of [1, 2, 3, 4]) await page.keyboard.press('ArrowDown')
  expect(await focused()).toMatch(/^Eva Ask/)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Propose another time…' }).waitFor()
  await page.locator('.free-times button').first().waitFor()
  await expectNoBarriers(page)
  await page.keyboard.press('Tab')
  expect(await focused()).toBe('Accept: Eva Ask')
  await page.keyboard.down('Enter')
  await soon(focused).toBe('Accept: Fay Ask')
  // Held down, it answers no other one.
  await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await page.waitForTimeout(300)
  expect([await focused(), await lines.count()]).toEqual(['Accept: Fay Ask', 5])
  await page.keyboard.press('Enter')
  await soon(focused).toBe('Accept: Dia Ask')
  await soon(() => lines.count()).toBe(4)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('checkbox', { name: 'Select Ben Ask' }).check()
  await page.getByRole('checkbox', { name: 'Select Dia Ask' }).press('Space')
  await page.locator('.several').getByText('2 selected').waitFor()
  await expectNoBarriers(page)
  await page.locator('.several').getByRole('button', { name: 'Accept' }).click()
  await page.getByText('2 requests accepted.').waitFor()
  await soon(() => lines.count()).toBe(2)
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.locator('.several').getByRole('button', { name: 'Decline…' }).click()
  await page.getByRole('dialog', { name: 'Decline 2 requests?' }).getByText('Ada Ask, Cem Ask').waitFor()
  await expectNoBarriers(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click()
  await page.getByText('2 requests declined.').waitFor()
  await page.getByText('No open requests').waitFor()
  const states = await site.holdfast.query(
    `select participation.name, participation.state from participation join appointment on appointment.id = appointment_id
      join resource on resource.id = resource_id where resource.uuid = $1 order by participation.name`,
    [practice.resourceUuid],
  )
  expect(states).toEqual([
    { name: 'Ada Ask', state: 'CANCELED' },
    { name: 'Ben Ask', state: 'BOOKED' },
    { name: 'Cem Ask', state: 'CANCELED' },
    { name: 'Dia Ask', state: 'BOOKED' },
    { name: 'Eva Ask', state: 'BOOKED' },
    { name: 'Fay Ask', state: 'BOOKED' },
  ])

  await page.goto(`${site.origin}/console/audit`)
  const group = page
    .getByRole('listitem')
    .filter({ hasText: 'Ben Ask' })
    .filter({ hasText: 'Dia Ask' })
    .first()
  await group.getByText(/^\d+ more$/).click()
  await group
    .getByText(/Ada Ask/)
    .first()
    .waitFor()
  await expectNoBarriers(page)

  await page.goto(`${site.origin}/console/waiting`)
  await page.getByRole('figure', { name: 'Example' }).getByText('08:00 – 12:00').waitFor()
  await expectNoBarriers(page)
  expect(problems).toEqual([])
})

describe('today', () => {
  it('shows 25 bookings on a laptop, fits 1024 px in German, and leaves room for fingers', async () => {
    const practice = await openPractice(site, {}, { days: [1] })
    const at = `/providers/${practice.uuid}`
    const day = dayIn(1)
    for (let index = 0; index < 30; index++) {
      const booked = await consoleCall(
        app,
        'POST',
        `${at}/appointments?sendMails=false&ignoreConflicts=true`,
        {
          resourceUuid: practice.resourceUuid,
          productUuid: practice.productUuid,
          start: `${day}T${clock(8 * 60 + index * 15)}`,
          end: `${day}T${clock(8 * 60 + index * 15 + 15)}`,
          notes: 'Brings the pictures, and a daughter who comes along.',
          customer: { name: `Eva van der Berg ${index}` },
        },
      )
      expect(booked.status).toBe(201)
    }
    const link = await inviteStaff(site.holdfast.service, 'crm', practice.owner)
    const { page, problems } = await visitAfresh(site.browser, link, {
      viewport: { width: 1440, height: 900 },
      locale: 'de-DE',
    })
    await page.getByRole('button').first().click()
    await page.waitForURL(/\/console\/?$/)
    const show = async (width: number, height: number) => {
      await page.setViewportSize({ width, height })
      await page.goto(`${site.origin}/console/?day=${day}`)
      await page.locator('.today tbody tr').nth(29).waitFor()
    }
    const rows = page.locator('.today tbody tr')
    const wholeRows = () =>
      rows.evaluateAll(all => all.filter(one => one.getBoundingClientRect().bottom <= innerHeight).length)
    const rowHeight = async () => Math.round((await rows.nth(3).boundingBox())!.height)
    await show(1440, 900)
    expect(await wholeRows()).toBeGreaterThanOrEqual(25)
    for (const button of await page.locator('.came .button').all())
      expect((await button.boundingBox())!.height).toBeGreaterThanOrEqual(24)
    await show(1366, 768)
    expect(await wholeRows()).toBeGreaterThanOrEqual(22)
    await show(1920, 1080)
    expect(await rowHeight()).toBe(36)

    await show(1024, 768)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1024)
    const title = (await page.locator('.page-title').boundingBox())!
    expect(title.height).toBeLessThan(50)
    const name = page.locator('.today tbody tr').first().getByRole('link')
    expect(await name.evaluate(one => one.scrollWidth <= one.clientWidth)).toBe(true)

    // What does not fit is in a menu for pointer and keys.
    const menu = page.getByRole('menu', { name: 'Aktionen' })
    await page.getByRole('button', { name: 'Aktionen' }).click()
    await menu.getByRole('menuitem', { name: 'CSV herunterladen' }).waitFor()
    await expectNoBarriers(page)
    await page.getByRole('button', { name: 'Aktionen' }).click()
    await menu.waitFor({ state: 'hidden' })
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await soon(() => page.evaluate(() => document.activeElement!.textContent)).toBe('Aktionen')
    expect(problems).toEqual([])
    await page.context().close()

    const touch = await visitAfresh(
      site.browser,
      await inviteStaff(site.holdfast.service, 'crm', practice.owner),
      {
        viewport: { width: 1180, height: 820 },
        hasTouch: true,
        isMobile: true,
      },
    )
    await touch.page.getByRole('button').first().click()
    await touch.page.waitForURL(/\/console\/?$/)
    await touch.page.goto(`${site.origin}/console/?day=${day}`)
    const first = touch.page.locator('.today tbody tr').nth(3)
    await first.waitFor()
    expect((await first.boundingBox())!.height).toBeGreaterThanOrEqual(44)
  })
})

const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
