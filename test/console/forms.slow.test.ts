// No form loses input, neither when the network fails nor when another person saves the same record.

import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { inviteOperator } from '../../src/actions/console/login.ts'
import { loseAnswer, visitAfresh } from '../support/browser.ts'
import { unique } from '../support/build.ts'
import { consoleCall } from '../support/service.ts'
import { dayIn, openPractice, soon, useSite } from '../support/widget.ts'

const site = await useSite()
const practice = await openPractice(site)

const send = async (method: string, path: string, body?: object) => {
  const answer = await consoleCall(site.holdfast.app, method, path, body)
  expect(answer.status).toBeLessThan(300)
  return answer.body
}

type Form = {
  /** Where the thing is read and changed. */
  at: string
  page: string
  open?: (page: Page) => Promise<void>
  label: string
  field: string
  /** Where the answer holds more than the thing itself. */
  record?: 'closure' | 'webhook' | 'entry'
  theirs: object
}

const change = (name: string) => (page: Page) => page.getByRole('button', { name }).click()

const forms: Record<string, () => Promise<Form>> = {
  async 'a Customer'() {
    const { uuid } = await send('POST', `/providers/${practice.uuid}/customers`, { name: 'Ann' })
    return {
      at: `/customers/${uuid}`,
      page: `/customers/${uuid}`,
      open: change('Edit'),
      label: 'Name',
      field: 'name',
      theirs: { note: 'Comes by train.' },
    }
  },
  async 'a profile'() {
    const path = `/providers/${practice.uuid}/profiles`
    const body = { userReference: practice.owner, name: 'Desk', contactChannels: [] }
    const { reference } = await send('POST', path, body)
    return {
      at: `${path}/${encodeURIComponent(reference)}`,
      page: '/offers/contacts',
      open: change('Edit: Desk'),
      label: 'Public name',
      field: 'name',
      theirs: { contactChannels: [{ type: 'phone', value: '+49 30 1' }] },
    }
  },
  async 'a closure'() {
    const path = `/providers/${practice.uuid}/closures`
    const { closure } = await send('POST', path, { from: '2031-03-07', to: '2031-03-08', reason: 'Leave' })
    return {
      at: `${path}/${closure.uuid}`,
      page: '/offers/closures',
      open: change('Edit: Leave'),
      label: 'Reason',
      field: 'reason',
      record: 'closure',
      theirs: { to: '2031-03-10' },
    }
  },
  async 'a webhook'() {
    const url = `https://example.org/${unique('hook').split('@')[0]}`
    const { webhook } = await send('POST', '/crms/crm/webhooks', { url })
    return {
      at: `/crms/crm/webhooks/${webhook.uuid}`,
      page: '/integration',
      open: change(`Edit: ${url}`),
      label: 'Description',
      field: 'description',
      record: 'webhook',
      theirs: { kinds: ['participation.booked'] },
    }
  },
  async 'a Product'() {
    return {
      at: `/products/${practice.productUuid}`,
      page: `/offers/products/${practice.productUuid}`,
      label: 'Name',
      field: 'name',
      theirs: { description: 'Bring your papers.' },
    }
  },
  async 'a Resource'() {
    return {
      at: `/resources/${practice.resourceUuid}`,
      page: `/offers/resources/${practice.resourceUuid}`,
      label: 'Public name',
      field: 'publicName',
      theirs: { internalName: 'Room 4' },
    }
  },
  async 'the note of an Appointment'() {
    const day = dayIn(1)
    const body = {
      resourceUuid: practice.resourceUuid,
      productUuid: practice.productUuid,
      start: `${day}T10:00`,
      end: `${day}T10:30`,
    }
    const { uuid } = await send('POST', `/providers/${practice.uuid}/appointments?ignoreConflicts=true`, body)
    return {
      at: `/appointments/${uuid}`,
      page: `/calendar?day=${day}&appointment=${uuid}`,
      open: page => page.locator('summary', { hasText: 'Details' }).click(),
      label: 'Notes (for staff)',
      field: 'notes',
      record: 'entry',
      theirs: { description: 'Bring your papers.' },
    }
  },
  async 'the business'() {
    return {
      at: `/providers/${practice.uuid}`,
      page: '/channels/look',
      label: 'Business name',
      field: 'name',
      theirs: { phone: '+49 30 1' },
    }
  },
}

async function openForm(name: string) {
  const form = await forms[name]!()
  const { page } = await visitAfresh(
    site.browser,
    await inviteOperator(site.holdfast.service, 'op@example.org'),
  )
  await page.getByRole('button').first().click()
  await page.waitForURL(/\/console\/?$/)
  await page.goto(`${site.origin}/console${form.page}`)
  await form.open?.(page)
  const typed = page.getByLabel(form.label, { exact: true })
  const save = () =>
    page.locator('form', { has: typed }).getByRole('button', { name: 'Save', exact: true }).click()
  const read = async () => {
    const answer = await send('GET', form.at)
    return form.record ? answer[form.record] : answer
  }
  return { ...form, page, typed, save, read }
}

it.each(Object.keys(forms))(
  '%s: what was typed outlives the network and the other one’s save',
  async name => {
    const { at, page, field, theirs, typed, save, read } = await openForm(name)
    await typed.fill('Typed by me')
    await page.context().setOffline(true)
    onTestFinished(() => page.context().setOffline(false))
    await save()
    await page.locator('.toast.bad').waitFor()
    expect(await typed.inputValue()).toBe('Typed by me')
    await page.context().setOffline(false)

    await send('PATCH', at, theirs)
    await save()
    await page.getByText('Someone else has changed this in the meantime.').first().waitFor()
    expect(await typed.inputValue()).toBe('Typed by me')
    await save()
    await soon(async () => (await read())[field]).toBe('Typed by me')
    // The other change is still there: only the typed fields were overwritten.
    const [kept] = Object.keys(theirs)
    expect((await read())[kept!]).not.toEqual(kept === 'to' ? '2031-03-08T00:00:00Z' : null)
  },
)

it.each(Object.keys(forms))(
  '%s: a save whose answer was lost succeeds on retry, without blaming another person',
  async name => {
    const { page, field, typed, save, read } = await openForm(name)
    await typed.fill('Saved in one')
    await loseAnswer(page, '**/console/api/**', 'PATCH', 200)
    await save()
    await page.locator('.toast.bad').waitFor()
    expect((await read())[field]).toBe('Saved in one')
    await save()
    const isDone = async () =>
      (await typed.count()) === 0 || (await page.locator('.toast:not(.bad)').count()) > 0
    await soon(isDone).toBe(true)
    expect(await page.getByText('Someone else').count()).toBe(0)
  },
)
