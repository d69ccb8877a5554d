// A week in the life of a practice: everyone works at the same time, and in the end everything agrees.

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { narrow, screenshot, visitAfresh } from '../support/browser.ts'
import { makePractice, makeResource, makeUser } from '../support/build.ts'
import { consolePage } from '../support/console-page.ts'
import { asConsumer, overApp, slotsOf } from '../support/consumer.ts'
import { mailKindsTo, mailsTo } from '../support/mailbox.ts'
import { consoleCall } from '../support/service.ts'
import { dayIn, fillForm, soon, time, useSite } from '../support/widget.ts'

const site = await useSite()
const { holdfast } = site
const practice = await makePractice(holdfast.crm, { name: 'Harbour Practice' })
const emma = { uuid: practice.resourceUuid, reference: practice.resource }
const tom = await makeResource(holdfast.crm, practice, { internalName: 'Tom', publicName: 'Tom' })
const monday = Array.from({ length: 7 }, (_, index) => dayIn(index + 1)).find(
  day => new Date(day).getUTCDay() === 1,
)!
const nextMonday = new Date(Date.parse(monday) + 7 * 86_400_000).toISOString().slice(0, 10)
const problems: string[][] = []

async function staffPage(reference: string, path: string): Promise<Page> {
  const visitor = await consolePage(site, reference, path)
  problems.push(visitor.problems)
  return visitor.page
}

/** A new member of the team at the list of that Monday. */
async function member(role: string, resources?: string[]): Promise<Page> {
  const { reference } = await makeUser(holdfast.crm)
  await holdfast.crm.post(`${practice.path}/staff`, { userReference: reference })
  const rows = await holdfast.query('select uuid from app_user where reference = $1', [reference])
  const path = `/providers/${practice.uuid}/people/${rows[0].uuid}`
  const change = { role, ...(resources ? { resources } : {}) }
  expect((await consoleCall(holdfast.app, 'PATCH', path, change)).status).toBe(200)
  return staffPage(reference, `/calendar?view=list&day=${monday}`)
}

async function phone(url: string): Promise<Page> {
  const visitor = await visitAfresh(site.browser, url, { viewport: narrow, hasTouch: true, isMobile: true })
  problems.push(visitor.problems)
  return visitor.page
}

const emailOf = (name: string) => `${name.toLowerCase()}-${practice.uuid}@example.org`

async function bookByPhone(name: string, reference: string, at: string) {
  const page = await phone(`${site.origin}/book/${encodeURIComponent(reference)}?date=${monday}`)
  await time(page, at).tap()
  await fillForm(page, { 'First name': name, 'Last name': 'Winter', Email: emailOf(name) })
  await page.getByRole('button', { name: 'Book now' }).tap()
  await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
}

/** By the link in the confirmation. */
async function openLink(name: string, kind: 'move' | 'cancel'): Promise<Page> {
  const [mail] = await mailsTo(holdfast, emailOf(name))
  const link = mail!.text.match(new RegExp(`${site.origin}/${kind}/\\S+`))![0]
  return phone(link)
}

async function moveByPhone(name: string, to: string) {
  const page = await openLink(name, 'move')
  await page.goto(`${page.url()}?date=${monday}`)
  await time(page, to).tap()
  await page.getByRole('button', { name: /^Reschedule/ }).tap()
  await page.getByRole('heading', { name: /rescheduled/ }).waitFor()
}

async function cancelByPhone(name: string) {
  const page = await openLink(name, 'cancel')
  await page
    .getByRole('button', { name: /Yes, cancel|Cancel appointment/ })
    .first()
    .tap()
  await page
    .getByText(/Appointment cancelled|Your appointment is cancelled/)
    .first()
    .waitFor()
}

/** What the list of a page shows, such as "09:00 Ann Winter". */
const listed = (page: Page) =>
  page.locator('.calendar-list .entry-mark:not(.cancelled)').evaluateAll(lines =>
    lines.map(line => {
      const at = line.querySelector('time')!.textContent!.slice(0, 5)
      return `${at} ${line.querySelector('.mark-who')!.textContent!.trim()}`
    }),
  )

const openPanel = async (page: Page, name: string) => {
  await page.locator('.mark', { hasText: name }).first().click()
  const panel = page.getByRole('dialog')
  await panel.getByText(emailOf(name)).first().waitFor()
  return panel
}

async function setUp() {
  const owner = await staffPage(practice.owner, `/offers/resources/${emma.uuid}/hours`)
  await owner.getByRole('button', { name: 'Use Monday to Friday, 9:00 to 17:00' }).click()
  await owner.getByRole('button', { name: 'Save for several…' }).click()
  await owner.getByLabel('Tom').check()
  await owner.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await owner.locator('.toast').getByText('Hours of 2 people saved.').waitFor()
  return owner
}

async function bookNext(page: Page, name: string) {
  const panel = await openPanel(page, name)
  await panel.getByRole('button', { name: 'Next appointment…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Next appointment' })
  await dialog.getByRole('button', { name: 'Book', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
}

async function moveAtDesk(page: Page, name: string, to: string) {
  const panel = await openPanel(page, name)
  await panel.getByRole('button', { name: to, exact: true }).click()
  await page.getByRole('button', { name: 'Move', exact: true }).last().click()
  await page.locator('.toast').getByText('Moved').first().waitFor()
  await page.keyboard.press('Escape')
}

const offered = async (reference: string, day: string) => {
  const slots = slotsOf(
    await asConsumer(overApp(holdfast.app)).list(reference, { from: day, to: `${day}T23:00` }),
  )
  return slots.map(one => one.start.slice(0, 16)).filter(start => start.startsWith(day))
}

const halfHours = Array.from(
  { length: 16 },
  (_, index) => `${String(9 + Math.floor(index / 2)).padStart(2, '0')}:${index % 2 ? '30' : '00'}`,
)
const allBut = (day: string, taken: string[]) =>
  halfHours.filter(one => !taken.includes(one)).map(one => `${day}T${one}`)

it('a week of a practice: set up, booked, moved, cancelled, and everything agrees', async () => {
  const owner = await setUp()
  const [anna, ben, practitionerEmma, practitionerTom] = await Promise.all([
    member('reception'),
    member('reception'),
    member('practitioner', [emma.uuid]),
    member('practitioner', [tom.uuid]),
  ])
  await Promise.all([
    bookByPhone('Ann', emma.reference, '09:00'),
    bookByPhone('Bob', emma.reference, '10:00'),
    bookByPhone('Cleo', tom.reference, '09:00'),
    bookByPhone('Dan', tom.reference, '11:00'),
  ])
  // Everyone sees what is theirs, without a reload.
  const [ann, bob, cleo, dan] = [
    '09:00 Ann Winter',
    '10:00 Bob Winter',
    '09:00 Cleo Winter',
    '11:00 Dan Winter',
  ]
  await soon(() => listed(practitionerEmma)).toEqual([ann, bob])
  await soon(() => listed(practitionerTom)).toEqual([cleo, dan])
  for (const desk of [anna, ben])
    await soon(async () => (await listed(desk)).toSorted()).toEqual([ann, cleo, bob, dan].toSorted())

  await Promise.all([
    bookNext(anna, 'Ann'),
    moveAtDesk(ben, 'Cleo', '10:00'),
    cancelByPhone('Bob'),
    moveByPhone('Dan', '12:00'),
    openPanel(practitionerEmma, 'Ann').then(async panel => {
      // Days before, it is in the menu.
      await panel.getByRole('button', { name: 'Actions' }).click()
      await panel.getByRole('menuitem', { name: 'Arrived' }).click()
      await panel.getByRole('button', { name: 'Arrived', pressed: true }).waitFor()
      await practitionerEmma.keyboard.press('Escape')
    }),
  ])
  await screenshot(ben, 'week-list', false)

  // Every list.
  const toms = ['10:00 Cleo Winter', '12:00 Dan Winter']
  await soon(() => listed(practitionerTom)).toEqual(toms)
  const arrived = '09:00 ✓ Ann Winter'
  await soon(() => listed(practitionerEmma)).toEqual([arrived])
  for (const desk of [anna, ben]) await soon(() => listed(desk)).toEqual([arrived, ...toms])
  await owner.goto(`${site.origin}/console/calendar?view=list&day=${nextMonday}`)
  await soon(() => listed(owner)).toEqual([ann])
  expect(await offered(emma.reference, monday)).toEqual(allBut(monday, ['09:00']))
  expect(await offered(tom.reference, monday)).toEqual(allBut(monday, ['10:00', '12:00']))
  expect(await offered(emma.reference, nextMonday)).toEqual(allBut(nextMonday, ['09:00']))

  // Every count.
  const { customers } = (await consoleCall(holdfast.app, 'GET', `/providers/${practice.uuid}/customers`)).body
  const historyOf = async (name: string) => {
    const { uuid } = customers.find((one: { name: string }) => one.name === `${name} Winter`)
    const { body } = await consoleCall(holdfast.app, 'GET', `/customers/${uuid}`)
    return body.history.map(
      (one: { state: string; attendance: string | null }) => one.attendance ?? one.state,
    )
  }
  expect(customers).toHaveLength(4)
  expect(await Promise.all(['Ann', 'Bob', 'Cleo', 'Dan'].map(historyOf))).toEqual([
    ['BOOKED', 'ATTENDED'],
    ['CANCELED'],
    ['BOOKED'],
    ['BOOKED'],
  ])

  // Every email.
  expect(
    await Promise.all(['Ann', 'Bob', 'Cleo', 'Dan'].map(one => mailKindsTo(holdfast, emailOf(one)))),
  ).toEqual([
    ['booked', 'booked'],
    ['booked', 'cancelled'],
    ['booked', 'moved'],
    ['booked', 'moved'],
  ])
  const notices = await mailKindsTo(holdfast, practice.ownerEmail)
  expect(notices.filter(one => one.endsWith('-notice')).toSorted()).toEqual([
    ...Array<string>(4).fill('booking-notice'),
    'cancel-notice',
    'move-notice',
  ])

  // Every event.
  const rows = await holdfast.query(
    `select kind, count(*)::int as count from event
    where provider_id = (select id from provider where uuid = $1) and kind like 'participation.%'
    group by kind order by kind`,
    [practice.uuid],
  )
  expect(rows).toEqual([
    { kind: 'participation.attended', count: 1 },
    { kind: 'participation.booked', count: 5 },
    { kind: 'participation.cancelled', count: 1 },
    { kind: 'participation.moved', count: 2 },
  ])
  expect(problems.flat()).toEqual([])
})
