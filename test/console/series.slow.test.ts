// A receptionist books, moves and cancels series in the console; visitors book them in the widget.

import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { visitAfresh } from '../support/browser.ts'
import { makeAppointment, makeCustomer, type Practice, setChannel, setProduct } from '../support/build.ts'
import { consolePage } from '../support/console-page.ts'
import { asConsumer, overApp, startsOf } from '../support/consumer.ts'
import { mailKindsTo } from '../support/mailbox.ts'
import { consoleCall } from '../support/service.ts'
import { bookPage, dayIn, expectNoBarriers, openPractice, soon, time, useSite } from '../support/widget.ts'

const site = await useSite()
let practice: Practice
const weeks = [1, 8, 15, 22]

beforeEach(async () => {
  practice = await openPractice(site, {}, { days: weeks, from: '08:00', to: '18:00' })
  await setProduct(site.holdfast, practice.productUuid, { minDuration: 30, maxDuration: 30 })
})

async function at(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const { page } = await consolePage(site, practice.owner, path, options)
  return page
}

const toast = (page: Page, text: string) => page.locator('.toast', { hasText: text })
const dialog = (page: Page) => page.getByRole('dialog')
const line = (page: Page, index: number) => page.locator('.series-dates li').nth(index)

async function customerPage(options: BrowserContextOptions = {}) {
  const { customerReference, email } = await makeCustomer(site.holdfast.crm, practice, {
    userName: 'Sara Series',
  })
  const { body } = await consoleCall(site.holdfast.app, 'GET', `/providers/${practice.uuid}/customers`)
  const { uuid } = body.customers.find((one: { reference: string }) => one.reference === customerReference)
  return { page: await at(`/customers/${uuid}`, options), email }
}

describe('a series in the console', () => {
  it('is previewed with its conflicts, booked at once, shown with its progress, and changed', async () => {
    await makeAppointment(site.holdfast.crm, practice, {
      start: `${dayIn(8)}T08:00`,
      end: `${dayIn(8)}T08:30`,
      capacity: 1,
      participations: [
        { reference: 'in-the-way', name: 'Wanda Way', email: 'w@example.org', state: 'BOOKED' },
      ],
    })
    const { page, email } = await customerPage()
    await page.getByRole('button', { name: 'Book' }).click()
    // Beyond a single booking: choose "Weekly", type the number, resolve the conflict.
    await dialog(page).getByLabel('Day', { exact: true }).fill(dayIn(1))
    await dialog(page).getByLabel('From', { exact: true }).fill('08:00')
    await dialog(page).getByLabel('Repeat').selectOption('week')
    await dialog(page).getByLabel('Number of dates').fill('4')
    await dialog(page).getByText('4 dates, 1 not free').waitFor()
    await expectNoBarriers(page, 'dialog[open]', { names: true })
    await line(page, 1).getByText('Wanda Way, 08:00 – 08:30').waitFor()
    await line(page, 1)
      .getByRole('button', { name: /^08:30/ })
      .click()
    await dialog(page).getByRole('button', { name: 'Book 4 dates' }).click()
    await toast(page, 'Booked: 4 dates · Sara Series').waitFor()
    expect(await mailKindsTo(site.holdfast, email)).toEqual(['booked'])
    await page.getByText('Series: 0 of 4').click()
    await page.locator('.series-progress li a').nth(1).click()
    const panel = dialog(page)
    await panel.getByText('Series: 0 of 4').waitFor()

    await panel.getByRole('button', { name: 'Move…' }).click()
    const moving = page.getByRole('dialog', { name: 'Move this appointment' })
    await moving.getByLabel('Applies to').selectOption('later')
    await moving.getByLabel('From', { exact: true }).fill('14:00')
    await moving.getByText('3 dates, all free').waitFor()
    await moving.getByLabel('Notify by email').uncheck()
    await moving.getByRole('button', { name: 'Move 3 dates' }).click()
    await toast(page, '3 dates moved.').getByRole('button', { name: 'Undo' }).click()
    await panel.getByText('08:30 – 09:00').first().waitFor()

    await panel.getByRole('button', { name: 'Cancel appointment…' }).click()
    const cancelling = page.getByRole('dialog', { name: 'Cancel this appointment?' })
    await cancelling.getByLabel('Applies to').selectOption('all')
    const both = page.getByRole('dialog', { name: 'Cancel appointments of this series?' })
    await both.getByRole('button', { name: 'Cancel 4 dates' }).click()
    await toast(page, '4 dates cancelled.').getByRole('button', { name: 'Undo' }).click()
    await toast(page, 'Restored.').waitFor()
    expect(await mailKindsTo(site.holdfast, email)).toEqual(['booked'])
  })

  it.each(['de-DE', 'fr-FR', 'es-ES', 'it-IT'])(
    'names its weekdays by what they show, in %s',
    async locale => {
      const { page } = await customerPage({ locale })
      await page.locator('.page-action .button.main').click()
      await dialog(page)
        .locator('select', { has: page.locator('option[value="never"]') })
        .selectOption('week')
      await page.locator('.weekdays button').first().waitFor()
      await expectNoBarriers(page, '.weekdays', { names: true })
    },
  )

  it('leaves out every date that is not free with one button', async () => {
    const { page } = await customerPage()
    await page.getByRole('button', { name: 'Book' }).click()
    await dialog(page).getByLabel('Day', { exact: true }).fill(dayIn(1))
    await dialog(page).getByLabel('From', { exact: true }).fill('08:00')
    await dialog(page).getByLabel('Repeat').selectOption('week')
    await dialog(page).getByLabel('Number of dates').fill('6')
    await dialog(page).getByText('6 dates, 2 not free').waitFor()
    await dialog(page).getByRole('button', { name: 'Remove the 2 dates that aren’t free' }).click()
    await soon(() => dialog(page).getByText('removed').count()).toBe(2)
    // The button is gone, and the focus stays in the dialog.
    expect(await page.evaluate(() => document.activeElement!.closest('dialog') !== null)).toBe(true)
    await dialog(page).getByRole('button', { name: 'Book 4 dates' }).click()
    await toast(page, 'Booked: 4 dates · Sara Series').waitFor()
  })

  it('of places in classes is moved and cancelled for one person; the others stay', async () => {
    practice = await openPractice(site, {}, { days: weeks, from: '08:00', to: '18:00', defaultCapacity: 4 })
    await setProduct(site.holdfast, practice.productUuid, { minDuration: 30, maxDuration: 30 })
    const bookAll = async (userName: string) => {
      const { customerReference } = await makeCustomer(site.holdfast.crm, practice, { userName })
      const dates = weeks.map(week => ({
        start: `${dayIn(week)}T08:00`,
        end: `${dayIn(week)}T08:30`,
        resourceReference: practice.resource,
      }))
      const sent = { productReference: practice.product, customerReference, dates }
      const { body } = await site.holdfast.crm.post(`${practice.path}/series?sendMails=false`, sent)
      return { path: `${practice.path}/series/${body.seriesId}`, uuid: body.appointments[1].uuid }
    }
    const stays = await bookAll('Olga Other')
    const { path } = await bookAll('Sara Series')
    const daysOf = async (one: string) =>
      (await site.holdfast.crm.get(one)).body.series.dates
        .filter((date: { state: string }) => date.state === 'ACTIVE')
        .map((date: { start: string }) => date.start.slice(0, 16))
    const before = await daysOf(path)
    const page = await at(`/?day=${dayIn(8)}&appointment=${stays.uuid}`)
    const sara = page.locator('dialog.panel li', { has: page.locator('strong', { hasText: 'Sara Series' }) })
    await sara.getByRole('button', { name: 'Move…' }).click()
    const moving = page.getByRole('dialog', { name: 'Move this appointment' })
    await moving.getByText('1 date, free').waitFor()
    await moving.getByLabel('Applies to').selectOption('later')
    await moving.getByLabel('From', { exact: true }).fill('14:00')
    await moving.getByText('3 dates, all free').waitFor()
    await moving.getByLabel('Notify by email').uncheck()
    await picture(page, 'class-series-move')
    await moving.getByRole('button', { name: 'Move 3 dates' }).click()
    await toast(page, '3 dates moved.').waitFor()
    expect(await daysOf(stays.path)).toEqual(before)
    expect((await daysOf(path))[0]).toBe(before[0])
    expect((await daysOf(path)).slice(1)).not.toEqual(before.slice(1))
    await toast(page, '3 dates moved.').getByRole('button', { name: 'Undo' }).click()
    await soon(() => daysOf(path)).toEqual(before)

    await sara.getByRole('button', { name: 'Cancel booking…' }).click()
    const leaving = page.getByRole('dialog', { name: /Sara Series/ })
    await leaving.getByLabel('Applies to').selectOption('later')
    await picture(page, 'class-series-cancel')
    await leaving.getByRole('button', { name: 'Cancel 3 dates' }).click()
    await toast(page, '3 dates cancelled.').waitFor()
    expect(await daysOf(path)).toEqual([before[0]])
    expect(await daysOf(stays.path)).toEqual(before)
  })
})

/** For looking at the screens: `PICTURES=folder`. */
const picture = async (page: Page, name: string) => {
  const folder = process.env.PICTURES
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

describe('a series in the widget', () => {
  const consumer = asConsumer(overApp(site.holdfast.app))
  const free = async () =>
    startsOf(await consumer.list(practice.resourceUuid)).map(
      one => `${one.slice(0, 10)} ${one.slice(11, 16)}`,
    )
  const nines = () => weeks.map(week => `${dayIn(week)} 09:00`)

  it('is held date by date, with another time for what is taken, and booked with one email', async () => {
    await setChannel(site.holdfast, practice.resourceUuid, { seriesMax: 4 })
    await makeAppointment(site.holdfast.crm, practice, {
      start: `${dayIn(8)}T09:00`,
      end: `${dayIn(8)}T09:30`,
      capacity: 1,
      participations: [
        { reference: 'in-the-way', name: 'Wanda Way', email: 'w@example.org', state: 'BOOKED' },
      ],
    })
    const lang = process.env.LANG_SHOWN ?? 'en'
    const { page, problems } = await visitAfresh(site.browser, bookPage(site, practice, `?lang=${lang}`), {
      ...(process.env.PHONE ? { viewport: { width: 390, height: 844 } } : {}),
      ...(process.env.DARK ? { colorScheme: 'dark' as const } : {}),
    })
    await time(page, /^0?9:00/).click()
    const often = page.locator('#series-rhythm')
    const dates = page.locator('li:has(#series-instead-1), li:has(> .agree)')
    const other = page.locator('#series-instead-1')
    await often.selectOption('1 week')
    await other.waitFor()
    expect(await dates.count()).toBe(4)
    expect(await free()).not.toContain(nines()[3])
    await picture(page, 'widget-series-taken')
    // Going back releases all of them.
    await page.locator('.back').click()
    await soon(free).toEqual(expect.arrayContaining([nines()[0], nines()[2], nines()[3]]))
    await time(page, /^0?9:00/).click()
    await often.selectOption('1 week')
    // Fewer dates release what is no longer shown; a reload keeps them.
    await page.locator('#series-count').selectOption('2')
    await soon(() => dates.count()).toBe(2)
    expect(await free()).toContain(nines()[3])
    await page.reload()
    await other.waitFor()
    expect(await dates.count()).toBe(2)
    await page.locator('#series-count').selectOption('4')
    await soon(() => dates.count()).toBe(4)
    await other.selectOption({ index: 1 })
    await page.locator('li > .agree').nth(3).waitFor()
    await page.locator('li > .agree input').nth(2).uncheck()
    await expectNoBarriers(page)
    for (const [name, value] of [
      ['firstname', 'Ann'],
      ['lastname', 'Winter'],
      ['email', 'ann@example.org'],
    ])
      await page.locator(`[name=${name}]`).fill(value!)
    await picture(page, 'widget-series-form')
    await page.locator('[part=submit]').click()
    await page.locator('[part~=confirmed] dd a').nth(2).waitFor()
    expect(await page.locator('[part~=confirmed] dd a').count()).toBe(3)
    await picture(page, 'widget-series-done')
    expect(await mailKindsTo(site.holdfast, 'ann@example.org')).toEqual(['booked'])
    await soon(free).toContain(nines()[2])
    expect(await free()).not.toContain(nines()[3])
    expect(problems).toEqual([])
  })
})
