// Questions on the booking form: in the widget, and without JavaScript.

import { describe, expect, it } from 'vitest'
import { narrow, screenshot, visitAfresh, wide } from '../support/browser.ts'
import type { Practice } from '../support/build.ts'
import { bookPage, expectNoBarriers, fillForm, openPractice, useSite } from '../support/widget.ts'

const site = await useSite()

const options = (...keys: string[]) => keys.map(key => ({ key, label: { en: key } }))

async function practiceWithQuestions() {
  const practice = await openPractice(site)
  const { crm } = site.test
  const ask = async (key: string, type: string, fields: object = {}) =>
    crm.post(`${practice.path}/questions`, { key, type, label: { en: `The ${key}` }, ...fields })
  await ask('reason', 'text', { required: true, help: { en: 'In a few words' } })
  await ask('story', 'textarea')
  await ask('weight', 'number', { min: 1, max: 300 })
  await ask('born', 'date')
  await ask('phone', 'phone')
  await ask('insurance', 'choice', { options: options('public', 'private') })
  await ask('policy', 'text', { required: true, showIf: { key: 'insurance', is: 'private' } })
  await ask('pains', 'choices', { options: options('back', 'knee') })
  await ask('news', 'checkbox')
  await ask('consent', 'consent', { required: true, label: { en: 'I agree to the treatment.' } })
  const questions = [
    'reason',
    'story',
    'weight',
    'born',
    'phone',
    'insurance',
    'policy',
    'pains',
    'news',
    'consent',
  ]
  await crm.post(`${practice.path}/products`, { reference: practice.product, name: 'Talk', questions })
  return practice
}

const answersOf = async ({ path, resource }: Practice) => {
  const { body } = await site.test.crm.get(`${path}/appointments?resourceRef=${resource}`)
  return body.at(-1).participations[0].answers
}

describe.each([
  ['1280', wide],
  ['360', narrow],
])('the widget at %s', (name, viewport) => {
  it('asks, marks everything wrong at once, keeps what was typed, and books', async () => {
    const practice = await practiceWithQuestions()
    const { page } = await visitAfresh(site.browser, bookPage(site, practice), { viewport })
    await page.getByRole('button', { name: '10:00' }).first().click()
    await page.getByLabel('The reason').waitFor()
    expect(await page.getByLabel('The policy').isVisible()).toBe(false)
    await page.getByLabel('The insurance').selectOption('private')
    await page.getByLabel('The policy').waitFor()
    expect(await page.getByRole('status').filter({ hasText: 'The policy' }).count()).toBe(1)
    await page.getByLabel('The weight').fill('heavy')
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByText('Enter your first name.').waitFor()
    await page.getByRole('button', { name: 'The weight: Enter a number.' }).waitFor()
    await screenshot(page, `${name}-questions-1-wrong`)
    await expectNoBarriers(page)
    await fillForm(page)
    await page.getByLabel('The reason').fill('Knee')
    await page.getByLabel('The policy').fill('P-1')
    await page.getByLabel('knee').check()
    // What was typed survives going back and a reload.
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('button', { name: '11:00' }).first().click()
    expect(await page.getByLabel('The reason').inputValue()).toBe('Knee')
    await page.reload()
    await page.getByLabel('The reason').waitFor()
    expect(await page.getByLabel('The policy').inputValue()).toBe('P-1')
    expect(await page.getByLabel('knee').isChecked()).toBe(true)
    await page.getByLabel('The weight').fill('72,5')
    await page.getByLabel('I agree to the treatment.').check()
    await screenshot(page, `${name}-questions-2-form`)
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByText('Your appointment is confirmed').first().waitFor()
    expect(await answersOf(practice)).toMatchObject({
      reason: 'Knee',
      weight: 72.5,
      insurance: 'private',
      policy: 'P-1',
      pains: ['knee'],
      consent: { given: true, text: 'I agree to the treatment.' },
    })
  })

  it('asks without JavaScript, with the condition beside the question', async () => {
    const practice = await practiceWithQuestions()
    const { page } = await visitAfresh(site.browser, bookPage(site, practice), {
      javaScriptEnabled: false,
      viewport,
    })
    await page.getByRole('button', { name: '10:00' }).first().click()
    await page.getByText('Only if “The insurance” is “private”').waitFor()
    await fillForm(page)
    await page.getByLabel('The insurance').selectOption('private')
    await page.getByLabel('The weight').fill('heavy')
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByText('Please check these answers:').waitFor()
    await screenshot(page, `${name}-questions-3-plain`)
    expect(await page.getByRole('alert').getByRole('listitem').count()).toBe(4)
    expect(await page.getByLabel('The weight').inputValue()).toBe('heavy')
    await page.getByLabel('The weight').fill('72')
    await page.getByLabel('The reason').fill('Knee')
    await page.getByLabel('The policy').fill('P-1')
    await page.getByLabel('I agree to the treatment.').check()
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByRole('heading', { name: 'Your appointment is confirmed' }).waitFor()
    expect(await answersOf(practice)).toMatchObject({ reason: 'Knee', weight: 72, policy: 'P-1' })
  })
})
