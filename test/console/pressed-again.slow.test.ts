// The response breaks off after the work was done, and the person presses again: only one record exists.

import { expect, it } from 'vitest'
import { inviteOperator } from '../../src/actions/console/login.ts'
import { loseAnswer, visitAfresh } from '../support/browser.ts'
import { openPractice, useSite } from '../support/widget.ts'

const site = await useSite({ WEBHOOK_ALLOW_PRIVATE: '1' })
await openPractice(site)

type Form = {
  page: string
  /** The button that opens it. */
  opener: string
  fields: Record<string, string>
  /** What is pressed in it. */
  press: string
  /** What must be there once. */
  rows: string
}

const forms: Record<string, Form> = {
  'a Customer': {
    page: '/customers',
    opener: 'Add customer',
    fields: { Name: 'Ann Once' },
    press: 'Save',
    rows: `customer where name = 'Ann Once'`,
  },
  'a Product': {
    page: '/offers/products',
    opener: 'Add service',
    fields: { Name: 'Talk once' },
    press: 'Save',
    rows: `product where name = 'Talk once'`,
  },
  'a Resource': {
    page: '/offers',
    opener: 'Add person or room',
    fields: { 'Public name': 'Room once' },
    press: 'Save',
    rows: `resource where public_name = 'Room once'`,
  },
  'a closure': {
    page: '/offers/closures',
    opener: 'Add closure',
    fields: { Reason: 'Closed once' },
    press: 'Save',
    rows: `closure where reason = 'Closed once'`,
  },
  'a contact profile': {
    page: '/offers/contacts',
    opener: 'Add profile',
    fields: { 'Public name': 'Desk once' },
    press: 'Save',
    rows: `contact_profile where name = 'Desk once'`,
  },
  'an invitation': {
    page: '/people',
    opener: 'Invite someone',
    fields: { 'Email address': 'once@example.org', 'Last name': 'Once' },
    press: 'Send invitation',
    rows: `mail where recipient = 'once@example.org' and kind = 'invitation'`,
  },
  'a key': {
    page: '/integration',
    opener: 'Create key',
    fields: { Label: 'Key once' },
    press: 'Create key',
    rows: `api_key where label = 'Key once'`,
  },
  'a webhook': {
    page: '/integration',
    opener: 'Add webhook',
    fields: { URL: 'http://127.0.0.1:9/once' },
    press: 'Add webhook',
    rows: `webhook where url = 'http://127.0.0.1:9/once'`,
  },
}

it.each(Object.keys(forms))('%s is made once', async name => {
  const { page: address, opener, fields, press, rows } = forms[name]!
  const { page } = await visitAfresh(
    site.browser,
    await inviteOperator(site.holdfast.service, 'op@example.org'),
  )
  await page.getByRole('button').first().click()
  await page.waitForURL(/\/console\/?$/)
  await page.goto(`${site.origin}/console${address}`)
  await page.getByRole('button', { name: opener }).first().click()
  const dialog = page.getByRole('dialog')
  for (const [label, value] of Object.entries(fields))
    await dialog.getByLabel(label, { exact: true }).fill(value)
  await loseAnswer(page, '**/console/api/**', 'POST', 201)
  const submit = dialog.getByRole('button', { name: press, exact: true })
  await submit.click()
  await page.locator('.toast.bad').waitFor()
  const again = page.waitForResponse(response => response.request().method() === 'POST')
  await submit.click()
  expect((await again).status()).toBe(201)
  await submit.waitFor({ state: 'detached' })
  const found = await site.holdfast.query(`select from ${rows}`)
  expect(found).toHaveLength(1)
})
