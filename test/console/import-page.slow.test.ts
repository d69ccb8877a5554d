// A file from the upload to the undo in a browser, and lists as files.

import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { inviteStaff } from '../../src/actions/console/login.ts'
import { screenshot, visitAfresh } from '../support/browser.ts'
import { runJobs } from '../support/service.ts'
import { expectNoBarriers, openPractice, soon, useSite } from '../support/widget.ts'

const site = await useSite()

const file = [
  'Kundennummer;Vorname;Nachname;E-Mail;Geburtsdatum;Farbe',
  'K1;Jörg;Müller;joerg@example.org;3.4.1985;rot',
  'K2;=1+1;Formel;formel@example.org;;',
  'K3;Ann;Kaputt;kein-at;31.2.1990;blau',
].join('\r\n')

const saved = async (page: Page, button: string) => {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: button }).click()
  return readFile(await (await download).path(), 'utf8')
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

it.each([
  ['1280 px, light', { viewport: { width: 1280, height: 900 } }],
  ['390 px, dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
] as const)('at %s', { timeout: 90_000 }, async (size, options) => {
  runJobs(site.holdfast)
  const practice = await openPractice(site)
  const link = await inviteStaff(site.holdfast.service, 'crm', practice.owner)
  const { page, problems } = await visitAfresh(site.browser, link, options)
  const look = async (name: string) => {
    await expectNoBarriers(page)
    await screenshot(page, `import-${name}-${size.slice(0, 4).trim()}`)
  }
  await page.getByRole('button').first().click()
  await page.waitForURL(/\/console\/?$/)
  await page.goto(`${site.origin}/console/customers`)
  await page.getByRole('link', { name: 'Import' }).click()
  await page.getByRole('button', { name: 'Choose CSV file' }).waitFor()
  await look('start')
  await page.locator('input[type=file]').setInputFiles({
    name: 'kunden.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(file, 'latin1'),
  })
  await page.getByRole('combobox', { name: 'Field: Farbe' }).waitFor()
  expect(await page.getByRole('combobox', { name: 'Field: Geburtsdatum' }).inputValue()).toBe('birthDate')
  await look('columns')
  await press(page, 'Check file')
  await page.getByRole('heading', { name: 'Errors by line' }).waitFor({ timeout: 30_000 })
  await page.getByRole('cell', { name: 'Not a date.' }).waitFor()
  await look('checked')
  expect(await saved(page, 'Download errors as CSV')).toContain('"4","Date of birth","Not a date."')
  await press(page, 'Import 2 lines')
  await page.getByText('Import finished.').waitFor({ timeout: 30_000 })
  await look('done')
  await page.getByRole('link', { name: 'Show customers' }).click()
  await page.getByRole('link', { name: 'Jörg Müller' }).waitFor()
  const names = await page.locator('tbody th a').allTextContents()
  const list = await saved(page, 'Export CSV')
  const rows = list.trim().split('\r\n').slice(1)
  expect(rows.map(row => row.split(',')[0])).toEqual(names.map(name => `"${name.replace(/^=/, "'=")}"`))
  expect(list).toContain(`"'=1+1 Formel"`)
  await page.goBack()
  await press(page, 'Undo import')
  await page.locator('dialog').getByRole('button', { name: 'Undo import' }).click()
  await page.getByText('Import undone.').waitFor({ timeout: 30_000 })
  await look('undone')
  await page.goto(`${site.origin}/console/customers`)
  await soon(() => page.getByRole('link', { name: 'Jörg Müller' }).count()).toBe(0)
  expect(problems).toEqual([])
})
