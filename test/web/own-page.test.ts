// A person's own page in a browser: from the confirmation to the link, two people under one address, move, cancel, data.

import { expect, it } from 'vitest'
import { narrow, screenshot, visit, wide } from '../support/browser.ts'
import { asConsumer, bookingOf, newPerson, overApp, slotsOf } from '../support/consumer.ts'
import { mailsTo } from '../support/mailbox.ts'
import { expectNoBarriers, openPractice, soon, useSite } from '../support/widget.ts'

const site = await useSite()

it.each([
  ['wide, light', { viewport: wide }],
  ['narrow, dark', { viewport: narrow, colorScheme: 'dark' as const }],
])('%s', async (_, options) => {
  const practice = await openPractice(site, {}, { days: [1] })
  const consumer = asConsumer(overApp(site.holdfast.app))
  const slots = slotsOf(await consumer.list(practice.resource))
  const parent = { ...newPerson(), firstname: 'Ann', lastname: 'Berg' }
  const book = async (firstname: string, index: number) => {
    const request = bookingOf(slots[index]!, { ...parent, firstname, locale: 'en' })
    const { body } = await consumer.complete(practice.resource, request)
    return body.createdAppointment.confirmationLink as string
  }
  const confirmation = await book('Ann', 0)
  await book('Ben', 1)
  const { page, problems } = await visit(site.browser, confirmation, options)
  await page.getByRole('link', { name: 'My bookings' }).click()
  await page.getByLabel('Email').fill(parent.email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()
  await expectNoBarriers(page)
  const link = async () => {
    const sent = (await mailsTo(site.holdfast, parent.email)).map(mail => mail.text)
    return /\S+\/my\/[\w.-]+/.exec(sent.find(text => text.includes('60 days')) ?? '')?.[0]
  }
  await soon(link).toBeTruthy()
  await page.goto((await link())!)
  for (const name of ['For Ann Berg', 'For Ben Berg'])
    await page.getByRole('heading', { name, exact: true }).waitFor()
  await expectNoBarriers(page)
  await screenshot(page, `my-${options.viewport.width}`)
  const saved = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download as PDF' }).click()
  expect((await saved).suggestedFilename()).toBe('my-data.pdf')
  expect(await page.getByRole('link', { name: 'Reschedule' }).count()).toBe(2)
  await page.getByRole('link', { name: 'Cancel' }).first().click()
  await page.getByRole('button', { name: /^Cancel/ }).click()
  await page.waitForURL(/\/booked\/.*cancelled=1/)
  await page.goto((await link())!)
  await soon(() => page.getByRole('link', { name: 'Reschedule' }).count()).toBe(1)
  await page.getByRole('link', { name: 'Reschedule' }).click()
  await page.waitForURL(/\/move\//)
  await page.goBack()
  await page.getByRole('button', { name: 'Request erasure' }).click()
  await page.getByRole('status').filter({ hasText: 'passed your request' }).waitFor()
  expect(problems).toEqual([])
})

it('lists many bookings in one line each, of which the next is open', async () => {
  const practice = await openPractice(site, {}, { days: [1] })
  const consumer = asConsumer(overApp(site.holdfast.app))
  const person = newPerson()
  const slots = slotsOf(await consumer.list(practice.resource)).slice(0, 8)
  for (const slot of slots) await consumer.complete(practice.resource, bookingOf(slot, person))
  const [mail] = (await mailsTo(site.holdfast, person.email)).filter(one => one.text.includes('/my/'))
  const { page } = await visit(site.browser, /\S+\/my\/[\w.-]+/.exec(mail!.text)![0], { viewport: narrow })
  const links = page.getByRole('link', { name: 'Reschedule' })
  expect(await links.count()).toBe(1)
  const lines = page.locator('summary')
  expect(await lines.count()).toBe(8)
  for (const { height } of await lines.evaluateAll(all => all.map(one => one.getBoundingClientRect())))
    expect(height).toBeLessThan(130)
  await lines.last().click()
  expect(await links.count()).toBe(2)
  await expectNoBarriers(page)
})
