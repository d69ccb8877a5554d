// Questions on the booking form: in the widget, and without JavaScript.

import { describe, expect, it } from 'vitest'
import { narrow, screenshot, visitAfresh, wide } from '../support/browser.ts'
import { type Practice, setChannel } from '../support/build.ts'
import { asConsumer, overApp, slotsOf } from '../support/consumer.ts'
import { bookAt } from '../support/moves.ts'
import {
  bookPage,
  expectNoBarriers,
  fillForm,
  openHost,
  openPractice,
  time,
  useSite,
} from '../support/widget.ts'

const site = await useSite()
const consumer = asConsumer(overApp(site.holdfast.app))

/** Another customer gets the time at ten of the first day, even if it is held. */
async function takeTen({ resource, resourceUuid }: Practice) {
  await site.holdfast.query(
    `update participation set expires_at = now() - interval '1 hour' where state = 'RESERVED' and appointment_id in (
       select appointment.id from appointment join resource on resource.id = resource_id where resource.uuid = $1)`,
    [resourceUuid],
  )
  const ten = slotsOf(await consumer.list(resource)).find(one => one.start.includes('T10:00'))
  return bookAt(consumer, ten!)
}

const options = (...keys: string[]) => keys.map(key => ({ key, label: { en: key } }))

async function practiceWithQuestions() {
  const practice = await openPractice(site)
  const { crm } = site.holdfast
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
  const { body } = await site.holdfast.crm.get(`${path}/appointments?resourceRef=${resource}`)
  return body.at(-1).participations[0].answers
}

const isFocused = (node: Element) => (node.getRootNode() as ShadowRoot).activeElement === node

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
    await page.getByText('Enter your first name.', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'The weight: Enter a number.' }).waitFor()
    // One summary for the whole form.
    await page.getByRole('button', { name: 'First name: Enter your first name.' }).waitFor()
    expect(await page.getByLabel('First name').evaluate(isFocused)).toBe(true)
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
    await page.getByText('You’re booked').first().waitFor()
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
    await page.reload()
    expect(await page.getByLabel('The weight').inputValue()).toBe('heavy')
    await page.getByLabel('The weight').fill('72')
    await page.getByLabel('The reason').fill('Knee')
    await page.getByLabel('The policy').fill('P-1')
    await page.getByLabel('I agree to the treatment.').check()
    // Going back keeps it, with the page's button and with the browser's.
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('button', { name: '11:00' }).first().waitFor()
    await page.goBack()
    expect(await page.getByLabel('The reason').inputValue()).toBe('Knee')
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('button', { name: '10:00' }).first().click()
    expect(await page.getByLabel('The policy').inputValue()).toBe('P-1')
    await takeTen(practice)
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByText('Your details are safe.').waitFor()
    await screenshot(page, `${name}-questions-4-lost`)
    await page.getByRole('button', { name: '11:00' }).first().click()
    expect(await page.getByLabel('I agree to the treatment.').isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
    expect(await answersOf(practice)).toMatchObject({ reason: 'Knee', weight: 72, policy: 'P-1' })
  })
})

it('the widget keeps the answers when the hold expires and when the time is lost', async () => {
  const practice = await practiceWithQuestions()
  const { page } = await visitAfresh(site.browser, 'about:blank')
  await page.clock.install()
  await page.goto(bookPage(site, practice))
  await page.clock.resume()
  await time(page, '10:00').click()
  await fillForm(page)
  await page.getByLabel('The reason').fill('Knee')
  await page.getByLabel('back').check()
  await page.getByLabel('I agree to the treatment.').check()
  site.holdfast.clock.shiftMs = 185_000
  await page.clock.fastForward(185_000)
  await page.getByText('Your hold expired, so we’ve renewed it.').first().waitFor()
  expect(await page.getByLabel('The reason').inputValue()).toBe('Knee')
  await takeTen(practice)
  await page.getByRole('button', { name: 'Book now' }).click()
  const lost = page.getByRole('region', { name: 'Sorry, this time has just been taken.' })
  await lost.getByRole('button', { name: /10:30/ }).click()
  await page.getByText('Reserved for you').waitFor()
  expect(await page.getByLabel('back').isChecked()).toBe(true)
  await page.getByRole('button', { name: 'Book now' }).click()
  await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
  expect(await answersOf(practice)).toMatchObject({ reason: 'Knee', pains: ['back'] })
  site.holdfast.clock.shiftMs = 0
})

it('the widget asks for missing answers when a booking is moved, and keeps them after a reload', async () => {
  const practice = await practiceWithQuestions()
  const { moveLink } = await takeTen(practice)
  const token = new URL(moveLink).pathname.split('/').at(-1)
  const widget = `<script type="module" src="${site.origin}/widget.js"></script>
    <main><h1>Host</h1><holdfast-booking move-token="${token}"></holdfast-booking></main>`
  const { page } = await visitAfresh(site.browser, await openHost(widget), { viewport: narrow })
  await time(page, '11:00').click()
  await page.getByLabel('The reason').fill('Knee')
  await page.getByRole('button', { name: 'Reschedule appointment' }).click()
  await page.getByRole('button', { name: 'I agree to the treatment: Please tick this box.' }).waitFor()
  await expectNoBarriers(page)
  await screenshot(page, '360-questions-5-move')
  await page.reload()
  await time(page, '11:30').click()
  expect(await page.getByLabel('The reason').inputValue()).toBe('Knee')
  await page.getByLabel('I agree to the treatment.').check()
  await page.getByRole('button', { name: 'Reschedule appointment' }).click()
  await page.getByRole('heading', { name: 'Your appointment has been rescheduled' }).waitFor()
  expect(await answersOf(practice)).toMatchObject({ reason: 'Knee', consent: { given: true } })
  // Nothing is asked again.
  await page.getByRole('button', { name: 'Choose another time' }).click()
  await time(page, '12:00').or(time(page, '13:00')).first().click()
  await page.getByRole('button', { name: 'Reschedule appointment' }).waitFor()
  expect(await page.getByLabel('The reason').count()).toBe(0)
})

it('asks for a phone number and no message, as the business has set', async () => {
  const practice = await openPractice(site)
  await setChannel(site.holdfast, practice.resourceUuid, { phoneField: 'REQUIRED', askMessage: false })
  const { page, problems } = await visitAfresh(site.browser, bookPage(site, practice))
  await time(page, '10:00').click()
  await fillForm(page)
  expect(await page.locator('holdfast-booking [name="message"]').count()).toBe(0)
  const book = page.getByRole('button', { name: 'Book now' })
  await book.click()
  await page.getByText('Enter a number such as').waitFor()
  await page.locator('holdfast-booking [name="mobile"]').fill('+49 170 1234567')
  await book.click()
  await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
  expect(problems).toEqual([])
})

it('the page of missing answers begins with the questions, also on a small phone', async () => {
  const practice = await practiceWithQuestions()
  const [slot] = slotsOf(await consumer.list(practice.resource))
  const { answersLink } = await bookAt(consumer, slot!)
  const { page } = await visitAfresh(site.browser, answersLink!, { viewport: { width: 320, height: 640 } })
  const first = (await page.getByLabel('The reason').boundingBox())!
  expect(first.y + first.height).toBeLessThanOrEqual(640)
  await expectNoBarriers(page)
  await screenshot(page, '320-answers')
})
