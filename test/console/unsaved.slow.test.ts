// Nothing that was typed is lost without a question: by Escape, a click outside, a link, Back, or closing the page.

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { inviteOperator } from '../../src/actions/console/login.ts'
import { screenshot, visitAfresh } from '../support/browser.ts'
import { makeAppointment, makeParticipation } from '../support/build.ts'
import { dayIn, expectNoBarriers, openPractice, soon, useSite } from '../support/widget.ts'

const site = await useSite()
const practice = await openPractice(site)

async function open(path: string) {
  const link = await inviteOperator(site.holdfast.service, 'desk@example.org')
  const { page, problems } = await visitAfresh(site.browser, link)
  await page.getByRole('button').first().click()
  await page.waitForURL('**/console')
  await page.evaluate(uuid => localStorage.setItem('holdfast-console-provider', uuid), practice.uuid)
  await page.goto(`${site.origin}/console${path}`)
  return { page, problems }
}

const question = (page: Page) => page.getByRole('alertdialog', { name: 'Discard your changes?' })
const keep = (page: Page) => question(page).getByRole('button', { name: 'Keep editing' }).click()
const discard = (page: Page) => question(page).getByRole('button', { name: 'Discard' }).click()

describe('a filled dialog', () => {
  it('asks on Escape, a click outside and its cross, and keeps what was typed', async () => {
    const { page, problems } = await open('/customers')
    await page.getByRole('button', { name: 'Add customer' }).click()
    const dialog = page.getByRole('dialog')
    const name = dialog.getByLabel('Name')
    await name.fill('Ada Byron')
    const waysOut = [
      () => page.keyboard.press('Escape'),
      () => page.mouse.click(4, 4),
      () => dialog.getByRole('button', { name: 'Close' }).click(),
    ]
    for (const leave of waysOut) {
      await leave()
      await question(page).waitFor()
      await page.keyboard.press('Escape')
      await soon(() => question(page).count()).toBe(0)
      expect(await name.inputValue()).toBe('Ada Byron')
    }
    await page.keyboard.press('Escape')
    await question(page).waitFor()
    await expectNoBarriers(page)
    await screenshot(page, 'unsaved-question', false)
    await discard(page)
    await soon(() => page.getByRole('dialog').count()).toBe(0)
    expect(problems).toEqual([])
  })

  it('closes at once when nothing was typed, and after Cancel', async () => {
    const { page } = await open('/customers')
    const create = page.getByRole('button', { name: 'Add customer' })
    await create.click()
    await page.keyboard.press('Escape')
    await soon(() => page.getByRole('dialog').count()).toBe(0)
    await create.click()
    await page.getByRole('dialog').getByLabel('Name').fill('Ada')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await soon(() => page.getByRole('dialog').count()).toBe(0)
    expect(await question(page).count()).toBe(0)
  })

  it('asks when its panel is left by Back', async () => {
    const { page } = await open('/offers/products')
    await page.getByRole('button', { name: 'Add service' }).click()
    const name = page.getByRole('dialog').getByLabel('Name')
    await name.fill('Massage')
    await page.goBack()
    await question(page).waitFor()
    await keep(page)
    expect(page.url()).toContain('/offers/products/new')
    expect(await name.inputValue()).toBe('Massage')
    await page.goBack()
    await discard(page)
    await soon(() => page.getByRole('dialog').count()).toBe(0)
    expect(page.url()).not.toContain('new')
  })

  it('does not ask once it is saved', async () => {
    const { page } = await open('/offers/products')
    await page.getByRole('button', { name: 'Add service' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Sauna')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'Sauna' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Steam bath')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'Steam bath' }).waitFor()
    expect(await question(page).count()).toBe(0)
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})

describe('notes in a panel', () => {
  it('are asked about after another button of the panel was pressed, and not once they are saved', async () => {
    const { crm } = site.holdfast
    const start = dayIn(1)
    const times = { start: `${start}T16:00`, end: `${start}T16:30` }
    const { reference, uuid } = await makeAppointment(crm, practice, times)
    await makeParticipation(crm, practice, reference, 'REQUESTED')
    const { page } = await open(`/calendar?appointment=${uuid}`)
    const notes = page.getByLabel('Notes (for staff)')
    await notes.fill('Needs the lift')
    const accept = page.getByRole('button', { name: 'Accept', exact: true })
    await accept.click()
    await soon(() => accept.count()).toBe(0)
    await page.keyboard.press('Escape')
    await question(page).waitFor()
    await keep(page)
    expect(await notes.inputValue()).toBe('Needs the lift')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await soon(() => page.getByRole('dialog').getByRole('button', { name: 'Save' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await soon(() => page.getByRole('dialog').count()).toBe(0)
    expect(await question(page).count()).toBe(0)
  })
})

describe('painted hours', () => {
  it('ask before a link, Back or another page loses them', async () => {
    const { page } = await open('/offers')
    await page
      .getByRole('link', { name: /^Opening hours/ })
      .first()
      .click()
    await page.getByTestId('week').waitFor()
    await page.getByRole('button', { name: /^Add hours on Sunday/ }).click()
    await page.getByRole('link', { name: 'Today', exact: true }).click()
    await question(page).waitFor()
    await keep(page)
    expect(page.url()).toContain('/hours')
    await page.goBack()
    await question(page).waitFor()
    await keep(page)
    const prompted = new Promise<string>(resolve =>
      page.once('dialog', one => {
        resolve(one.type())
        void one.dismiss()
      }),
    )
    await page.close({ runBeforeUnload: true })
    expect(await prompted).toBe('beforeunload')
    await page.getByRole('link', { name: 'Today', exact: true }).click()
    await discard(page)
    await page.getByRole('heading', { name: 'Today' }).waitFor()
  })
})
