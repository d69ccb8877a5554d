// Emails > Your texts: written, previewed and removed.

import { expect, it } from 'vitest'
import { screenshot } from '../support/browser.ts'
import { consolePage } from '../support/console-page.ts'
import { consoleCall } from '../support/service.ts'
import { expectNoBarriers, openPractice, useSite } from '../support/widget.ts'

const site = await useSite()

it('a text is written with a preview, saved and removed', async () => {
  const practice = await openPractice(site)
  const { page, problems } = await consolePage(site, practice.owner, '/mails')
  await page.getByRole('link', { name: 'Your texts' }).click()
  const text = page.getByLabel('Your text (English)')
  const frame = page.frameLocator('.email-preview iframe').last()
  await frame.getByText('Emma Clarke').first().waitFor()

  await text.fill('Dear ')
  await page.getByRole('button', { name: 'Customer {customer}' }).click()
  expect(await text.inputValue()).toBe('Dear {customer}')
  await text.press('End')
  await text.pressSequentially(', please bring your card and {nmae}')
  await page.getByText('{nmae} isn’t a placeholder').waitFor()
  await text.fill('Dear {customer}, please bring your card.')
  await text.evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(29, 40))
  await page.getByRole('button', { name: 'Bold' }).click()
  expect(await text.inputValue()).toBe('Dear {customer}, please bring **your card.**')
  await frame.locator('strong', { hasText: 'your card.' }).waitFor()
  await frame.getByText('Dear Emma Clarke, please bring').waitFor()
  await page.getByText('Plain text').click()
  await page.getByText('Dear Emma Clarke, please bring your card.').waitFor()
  await page.getByText('Plain text').click()
  await expectNoBarriers(page)
  await screenshot(page, 'email-texts')
  await page.setViewportSize({ width: 375, height: 800 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.getByRole('button', { name: 'Dark' }).click()
  await frame.locator('body').evaluate(body => getComputedStyle(body).backgroundColor)
  await expectNoBarriers(page)
  await screenshot(page, 'email-texts-phone')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved.').waitFor()

  const path = `/providers/${practice.uuid}/email-texts/booked`
  const saved = async () => (await consoleCall(site.holdfast.app, 'GET', path)).body.en
  expect(await saved()).toBe('Dear {customer}, please bring **your card.**')
  await page.reload()
  await page
    .getByRole('combobox', { name: 'Email' })
    .getByText('Confirmation · EN')
    .waitFor({ state: 'attached' })
  // Someone else saves meanwhile; nothing is overwritten silently.
  await text.fill('Mine')
  await consoleCall(site.holdfast.app, 'PATCH', path, { en: 'Theirs' })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Someone else has changed this').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved.').waitFor()
  expect(await saved()).toBe('Mine')

  await page.getByRole('button', { name: 'Remove text' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page
    .getByRole('combobox', { name: 'Email' })
    .getByText('Confirmation', { exact: true })
    .waitFor({ state: 'attached' })
  expect(await saved()).toBe(null)
  // Previews leave no steps behind.
  await page.goBack()
  await page.waitForURL(/\/console\/mails$/)
  expect(problems.filter(one => !one.includes('409'))).toEqual([])
})
