// Who mistyped their address sees it in the confirmation, and puts it right there.

import { describe, expect, it } from 'vitest'
import { narrow, screenshot, visit } from '../support/browser.ts'
import { mailKindsTo } from '../support/mailbox.ts'
import { bookPage, expectNoBarriers, fillForm, openPractice, soon, time, useSite } from '../support/widget.ts'

const site = await useSite()

describe('wrong address?', () => {
  it('in the widget: the address is checked, the email goes to the new one, and it can then no longer be changed', async () => {
    const practice = await openPractice(site)
    const { page } = await visit(site.browser, bookPage(site, practice), { viewport: narrow })
    await time(page, '10:00').click()
    await fillForm(page, { Email: 'slip@example.org' })
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByRole('button', { name: 'Wrong address?' }).click()
    await page.getByLabel('Email').fill('slip')
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('Enter an email such as').waitFor()
    await expectNoBarriers(page)
    await screenshot(page, '360-light-wrong-address')
    await page.getByLabel('Email').fill('meant@example.org')
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('A confirmation is on its way to meant@example.org.').first().waitFor()
    expect(await page.getByRole('button', { name: 'Wrong address?' }).count()).toBe(0)
    expect(await mailKindsTo(site.holdfast, 'slip@example.org')).toEqual(['booked'])
    expect(await mailKindsTo(site.holdfast, 'meant@example.org')).toEqual(['booked'])
    await page.reload()
    await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
    expect(await page.getByText('Wrong address?').count()).toBe(0)
  })

  it('in the widget, too late: shows whom to contact', async () => {
    const practice = await openPractice(site)
    const { page } = await visit(site.browser, bookPage(site, practice))
    await time(page, '10:00').click()
    await fillForm(page, { Email: 'late@example.org' })
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByRole('button', { name: 'Wrong address?' }).click()
    await site.holdfast.query(`update mail set created_at = now() - interval '11 minutes'`)
    await page.getByLabel('Email').fill('later@example.org')
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('You can no longer change this address here.').waitFor()
    expect(await mailKindsTo(site.holdfast, 'later@example.org')).toEqual([])
  })

  it('without JavaScript: on the page of the confirmation', async () => {
    const practice = await openPractice(site)
    const options = { javaScriptEnabled: false, viewport: narrow }
    const { page } = await visit(site.browser, bookPage(site, practice), options)
    await page.getByRole('button', { name: '10:00' }).first().click()
    await fillForm(page, { Email: 'plain-slip@example.org' })
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByText('Wrong address?').click()
    await page.getByLabel('Email').fill('nothing')
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('Enter an email such as').waitFor()
    await screenshot(page, '360-plain-wrong-address')
    await page.getByLabel('Email').fill('plain-meant@example.org')
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('A confirmation is on its way to p').waitFor()
    await soon(() => page.getByText('Wrong address?').count()).toBe(0)
    expect(await mailKindsTo(site.holdfast, 'plain-meant@example.org')).toEqual(['booked'])
  })
})
