// The questions of booking forms in the console: built, ordered, previewed, and the answers of people.

import { describe, expect, it } from 'vitest'
import { csvCell } from '../../src/lib/csv.ts'
import { screenshot, type visitAfresh } from '../support/browser.ts'
import type { Practice } from '../support/build.ts'
import { consolePage } from '../support/console-page.ts'
import { asConsumer, bookingOf, overApp, slotsOf } from '../support/consumer.ts'
import { dayIn, expectNoBarriers, openPractice, useSite } from '../support/widget.ts'

const site = await useSite()

async function open({ owner }: Practice, path: string, options: Parameters<typeof visitAfresh>[2] = {}) {
  const { page, problems } = await consolePage(site, owner, path, options)
  return { page, problems }
}

const ask = (practice: Practice, key: string, type: string, fields: object = {}) =>
  site.holdfast.crm.post(`${practice.path}/questions`, { key, type, label: { en: `The ${key}` }, ...fields })

describe.each([
  ['1280 px', {}],
  ['375 px', { viewport: { width: 375, height: 800 } }],
  ['1280 px dark', { colorScheme: 'dark' as const }],
])('at %s', (width, options) => {
  it('adds questions, sets their order and assigns them to services', async () => {
    const practice = await openPractice(site)
    const { page, problems } = await open(practice, '/offers/questions', options)
    await page.getByRole('button', { name: 'Add question' }).first().click()
    await page.getByLabel('Type').selectOption('choice')
    const question = page.getByRole('group', { name: 'Question' })
    await question.getByLabel('English').fill('Insurance')
    await question.getByLabel('Deutsch').fill('Versicherung')
    await question.getByText('Missing. Customers see it in English.').first().waitFor()
    await page.getByRole('group', { name: 'Option 1' }).getByLabel('English').fill('Public')
    await page.getByRole('button', { name: 'Add option' }).click()
    await page.getByRole('group', { name: 'Option 2' }).getByLabel('English').fill('Private')
    await page.getByLabel('Required').check()
    await page.getByLabel('Talk').check()
    await screenshot(page, `questions-panel-${width}`, false)
    await expectNoBarriers(page)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('link', { name: 'Insurance' }).waitFor()

    await page.getByRole('button', { name: 'Add question' }).first().click()
    await page.getByRole('group', { name: 'Question' }).getByLabel('English').fill('Policy number')
    await page.getByLabel('Show only if').selectOption('insurance')
    await page.getByLabel('The answer is').selectOption('private')
    await page.getByLabel('Talk').check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('link', { name: 'Policy number' }).waitFor()
    // The preview shows it only for this answer.
    const preview = page.locator('.question-preview')
    expect(await preview.getByLabel('Policy number').count()).toBe(0)
    await preview.getByLabel('Insurance').selectOption('private')
    await preview.getByLabel('Policy number').waitFor()
    await screenshot(page, `questions-list-${width}`)

    await ask(practice, 'reason', 'text')
    await page.reload()
    await page.getByRole('button', { name: 'Move up: The reason' }).click()
    await page.getByText('The reason: now number 2.').waitFor({ state: 'attached' })
    await page.locator('li', { hasText: 'The reason' }).dragTo(page.locator('li', { hasText: 'Insurance' }))
    await page.getByText('The reason: now number 1.').waitFor({ state: 'attached' })
    expect(problems).toEqual([])
  })

  it('shows answers in the panel, marks missing ones, and lets staff fill them in', async () => {
    const practice = await openPractice(site, {}, { days: [0, 1], from: '00:00', to: '23:59' })
    await ask(practice, 'reason', 'text', { required: true })
    await ask(practice, 'inside', 'text', { audience: 'staff' })
    const product = { reference: practice.product, name: 'Talk', questions: ['reason', 'inside'] }
    await site.holdfast.crm.post(`${practice.path}/products`, product)
    const consumer = asConsumer(overApp(site.holdfast.app))
    const slot = slotsOf(await consumer.list(practice.resource)).find(one => one.start.startsWith(dayIn(1)))!
    await consumer.complete(practice.resource, bookingOf(slot))
    const { page, problems } = await open(practice, `/?day=${dayIn(1)}`, options)
    await page.getByText('Answers missing').first().waitFor()
    await page.getByRole('link', { name: /Ann/ }).first().click()
    await page.getByRole('button', { name: /Edit answers/ }).click()
    await page.getByLabel('The reason').fill('<b>Knee</b>')
    await page.getByLabel(/The inside/).fill('=1+1')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('dialog').getByText('<b>Knee</b>').waitFor()
    await screenshot(page, `questions-answers-${width}`, false)
    expect(problems).toEqual([])
  })
})

it('writes cells that spreadsheets show as text', () => {
  expect(csvCell('=1+1')).toBe(`"'=1+1"`)
  expect(csvCell(' @x')).toBe(`"' @x"`)
  expect(csvCell('-5')).toBe(`"'-5"`)
  expect(csvCell('say "hi"')).toBe('"say ""hi"""')
})
