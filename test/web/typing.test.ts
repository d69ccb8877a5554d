// Errors appear when a field is left, and likely corrections are offered.

import { describe, expect, it, test } from 'vitest'
import { didYouMean } from '../../web/shared/did-you-mean.ts'
import { check, noFields } from '../../web/shared/fields.ts'
import { narrow, screenshot, visit } from '../support/browser.ts'
import { mailKindsTo } from '../support/mailbox.ts'
import { bookPage, expectNoBarriers, fillForm, openPractice, time, useSite } from '../support/widget.ts'

test.each([
  ['ann@gmial.con', 'ann@gmail.com'],
  ['ann@outlok.com', 'ann@outlook.com'],
  ['Ann@Hotmial.com ', 'ann@hotmail.com'],
  ['ann@gmail.com', null],
  ['ann@mail.com', null],
  ['ann@gmail.co', 'ann@gmail.com'],
  ['ann@gmx.at', null],
  ['ann@hotmail.ch', null],
  ['ann@yahoo.ca', null],
  ['ann@live.cn', null],
  ['ann@mac.com', null],
  ['ann@praxis-sonne.de', null],
  ['ann@lmu.de', null],
  ['ann', null],
])('%s: %s', (typed, meant) => expect(didYouMean(typed)).toBe(meant))

test.each([
  ['+49 170 1234567', undefined],
  ['(0170) 123-45.67', undefined],
  ['', undefined],
  ['soon', 'invalidMobile'],
  ['12', 'invalidMobile'],
  ['0170 1234567 evenings', 'invalidMobile'],
])('mobile %s: %s', (mobile, error) => expect(check({ ...noFields, mobile }).mobile).toBe(error))

const site = await useSite()

describe('the form', () => {
  it('offers the rest of a note exactly where it is cut off', async () => {
    const practice = await openPractice(site)
    const note = 'Please bring your referral and a towel. Wear comfortable clothes, and come a little early. '
    await site.holdfast.crm.post(`${practice.path}/products`, {
      reference: practice.product,
      name: 'Talk',
      description: note.repeat(2),
    })
    const { page } = await visit(site.browser, bookPage(site, practice), {
      viewport: { width: 1366, height: 768 },
    })
    await time(page, '10:00').click()
    await page.getByLabel('First name').waitFor()
    const details = page.getByRole('button', { name: 'Details' })
    expect(await details.count()).toBe(0)
    await page.setViewportSize(narrow)
    await details.click()
    expect(await details.getAttribute('aria-expanded')).toBe('true')
  })

  it('reports an error as soon as a field is left, and corrects a typo with one tap', async () => {
    const practice = await openPractice(site)
    const { page } = await visit(site.browser, bookPage(site, practice), { viewport: narrow })
    await time(page, '10:00').click()
    await fillForm(page, { Email: 'ann.typing@outlok.com', 'Mobile number': 'soon' })
    await page.getByLabel('First name').focus()
    await page.getByText('Enter a number').waitFor()
    await page.getByText('Did you mean').waitFor()
    await expectNoBarriers(page)
    await screenshot(page, '360-light-typing')
    await page.getByRole('button', { name: 'ann.typing@outlook.com' }).click()
    expect(await page.getByLabel('Email').inputValue()).toBe('ann.typing@outlook.com')
    expect(await page.getByText('Did you mean').count()).toBe(0)
    await page.getByLabel('Mobile number').fill('+49 170 1234567')
    expect(await page.getByText('Enter a number').count()).toBe(0)
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
    expect(await mailKindsTo(site.holdfast, 'ann.typing@outlook.com')).toEqual(['booked'])
  })

  it('says nothing about a field that is still empty', async () => {
    const practice = await openPractice(site)
    const { page } = await visit(site.browser, bookPage(site, practice))
    await time(page, '10:00').click()
    await page.getByLabel('Email').focus()
    await page.getByLabel('Mobile number').focus()
    expect(await page.locator('holdfast-booking .error').count()).toBe(0)
  })
})
