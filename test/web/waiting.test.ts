// The waiting list in a browser: joining on a phone, the offer, and the page of the staff.

import { expect, it } from 'vitest'
import { inviteOperator } from '../../src/actions/console/login.ts'
import { screenshot, visitAfresh } from '../support/browser.ts'
import { makePractice, makeProduct, setChannel } from '../support/build.ts'
import { mailsTo } from '../support/mailbox.ts'
import { waitingAt } from '../support/waiting.ts'
import { expectNoBarriers, soon, useSite } from '../support/widget.ts'

const site = await useSite()
const practice = await makePractice(site.holdfast.crm, { language: 'en' })
const { room, wait, bookAll, consumer, linkIn, offerPath, entry } = waitingAt(site.holdfast, practice)
const english = { locale: 'en-GB' }
const phone = { ...english, viewport: { width: 375, height: 812 }, hasTouch: true }

it('is joined on a phone, confirmed, and answered', async () => {
  const where = await room()
  await setChannel(site.holdfast, where.resourceUuid, { waitingList: true })
  const [first] = await bookAll(where)
  const path = `/book/${where.resourceUuid}/waiting?product=${practice.productUuid}`
  const { page, problems } = await visitAfresh(site.browser, site.origin + path, phone)
  await expectNoBarriers(page)
  await screenshot(page, 'waiting-join')
  await page.getByLabel('From').fill('2030-01-07')
  await page.getByLabel('To', { exact: true }).fill('2030-01-11')
  await page.getByLabel('First name').fill('Ann')
  await page.getByLabel('Last name').fill('Able')
  await page.getByLabel('Email').fill('ann@example.org')
  await page.getByRole('button', { name: 'Join the waiting list' }).click()
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()
  const [mail] = await mailsTo(site.holdfast, 'ann@example.org')
  await page.goto(site.origin + linkIn(mail!.text, 'waiting'))
  await page.getByRole('button', { name: 'Yes, join' }).click()
  await page.getByRole('heading', { name: 'You’re on the waiting list' }).waitFor()
  await expectNoBarriers(page)
  await screenshot(page, 'waiting-entry')
  await consumer.cancel(first!.cancelLink)
  await page.goto(site.origin + (await offerPath('ann@example.org')))
  await page.getByRole('heading', { name: 'We’re holding this time for you' }).waitFor()
  await expectNoBarriers(page)
  await screenshot(page, 'waiting-offer')
  await page.getByRole('button', { name: 'Book this time' }).click()
  await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
  expect(problems).toEqual([])
})

it('is linked below the times, with and without JavaScript, and only where the channel has one', async () => {
  const where = await room()
  const address = `${site.origin}/book/${where.resourceUuid}`
  for (const javaScriptEnabled of [true, false])
    for (const waitingList of [false, true]) {
      await setChannel(site.holdfast, where.resourceUuid, { waitingList })
      const { page } = await visitAfresh(site.browser, address, { ...phone, javaScriptEnabled })
      if (javaScriptEnabled) await page.locator('holdfast-booking [part="times"]').waitFor()
      const link = page.getByRole('link', { name: 'No suitable time? Join the waiting list' })
      if (waitingList) {
        await link.waitFor()
        expect(await link.getAttribute('href')).toMatch(/\/waiting\?product=|\/waiting$/)
        await screenshot(page, `waiting-link-${javaScriptEnabled}`)
      } else expect(await link.count()).toBe(0)
    }
})

it('is looked after in the console', async () => {
  const where = await room()
  const [first, second] = await bookAll(where)
  const ann = await wait(where, { note: 'Knee hurts' })
  const ben = await wait(where, { timeFrom: '09:00', timeTo: '12:00', weekdays: [1, 2] })
  await consumer.cancel(first!.cancelLink)
  const link = await inviteOperator(site.holdfast.service, 'op@example.org', 'Olga')
  const { page, problems } = await visitAfresh(site.browser, link, english)
  await page.getByRole('button').click()
  await page.waitForURL(/\/console$/)
  await page.goto(`${site.origin}/console/waiting`)
  await page.getByRole('heading', { level: 1, name: 'Waiting list' }).waitFor()
  await page.getByText('Held until').waitFor()
  await expectNoBarriers(page)
  await screenshot(page, 'waiting-console')
  const rows = page.locator('li.card')
  await rows.nth(1).getByRole('button', { name: 'Put first' }).click()
  await page.getByLabel('Reason').fill('In pain')
  await page.getByRole('dialog').getByRole('button', { name: 'Put first' }).click()
  await page.getByText('First in line: In pain').waitFor()
  await consumer.cancel(second!.cancelLink)
  await page.getByRole('button', { name: 'Take off the list' }).last().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Take off the list' }).click()
  await page.getByText('Taken off the waiting list.').waitFor()
  const massage = await makeProduct(site.holdfast.crm, practice, { name: 'Massage' })
  const cat = await wait(where, { productReference: massage.reference })
  const dan = await wait(where)
  await soon(() => rows.filter({ hasText: 'Massage' }).count()).toBe(1)
  const countAll = await rows.count()
  await page.getByLabel('Service').selectOption('Massage')
  await soon(() => rows.count()).toBe(1)
  await page.getByLabel('Service').selectOption('All services')
  await soon(() => rows.count()).toBe(countAll)
  expect([(await entry(cat.uuid)).state, (await entry(dan.uuid)).state]).toEqual(['WAITING', 'WAITING'])
  expect(problems).toEqual([])
  const states = [(await entry(ann.uuid)).state, (await entry(ben.uuid)).state].sort()
  expect(states).toContain('LEFT')
})
