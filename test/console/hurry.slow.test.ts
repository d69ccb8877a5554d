// The reception in a hurry: names that are too long, a network that fails, a login that ends in the middle of a form.

import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { inviteStaff, logInByLink } from '../../src/actions/console/login.ts'
import { narrow, visitAfresh, wide } from '../support/browser.ts'
import { makeAppointment, unique } from '../support/build.ts'
import { call, consoleCall } from '../support/service.ts'
import { dayIn, openPractice, soon, useSite } from '../support/widget.ts'

const site = await useSite()
const practice = await openPractice(site)

async function logIn(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const link = await inviteStaff(site.holdfast.service, 'crm', practice.owner)
  const session = (await logInByLink(site.holdfast.service, link.split('/').at(-1)!))!
  const headers = { cookie: `holdfast_session=${session}` }
  const mine = await call(
    site.holdfast.app,
    'PUT',
    '/console/api/session/password',
    { password },
    { headers },
  )
  expect(mine.status).toBeLessThan(300)
  const { page, context } = await visitAfresh(site.browser, 'about:blank', options)
  await context.addCookies([{ name: 'holdfast_session', value: session, url: site.origin }])
  await page.goto(`${site.origin}/console${path}`)
  return page
}

const password = 'a long word to get in with'

const boxOf = async (place: Locator) => (await place.boundingBox())!

it('on a phone a customer with a long name is checked in without scrolling sideways', async () => {
  const day = dayIn(2)
  const name = 'Anna Oberunterhinterwaldkirchner-Schmidtbauerngruberhofer'
  await makeAppointment(site.holdfast.crm, practice, {
    start: `${day}T10:00`,
    end: `${day}T10:30`,
    participations: [{ reference: unique('p'), name, email: 'anna@example.org', state: 'BOOKED' }],
  })
  const page = await logIn(`?day=${day}`, { viewport: narrow, hasTouch: true })
  await page.getByRole('rowheader', { name }).waitFor()
  const frame = await boxOf(page.locator('.table-frame'))
  for (const button of await page.locator('.came button').all()) {
    const { x, width } = await boxOf(button)
    expect(x + width).toBeLessThanOrEqual(frame.x + frame.width)
  }
})

describe.each([
  ['a desk', wide],
  ['a phone', narrow],
])('on %s', (_, viewport) => {
  it('shows a failure beside the button that retries, not on top of it', async () => {
    const page = await logIn('/channels/look', { viewport })
    await page.getByLabel('Business name', { exact: true }).fill('Harbour')
    await page.context().setOffline(true)
    onTestFinished(() => page.context().setOffline(false))
    const save = page.locator('.save-bar').getByRole('button', { name: 'Save', exact: true })
    await save.click()
    const toast = page.locator('.toast.bad')
    await toast.waitFor()
    const [said, button] = [await boxOf(toast), await boxOf(save)]
    expect(said.y + said.height).toBeLessThanOrEqual(button.y)
  })
})

it('a session that ends in the middle of a form shows the login over it, and the work continues', async () => {
  const page = await logIn('/customers')
  await page.getByRole('button', { name: 'Add customer' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('Ann Between')
  // Only now, or a request in the background could show the login before Save is pressed.
  await page.route(
    /\/customers$/,
    async route => {
      await site.holdfast.query('delete from console_session')
      await route.continue()
    },
    { times: 1 },
  )
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await save.click()
  const login = page.getByRole('dialog', { name: 'Please log in again' })
  await login.getByRole('button', { name: 'Log in with a password' }).click()
  expect(await page.getByText('Bearer').count()).toBe(0)
  await login.getByLabel('Email address').fill(practice.ownerEmail)
  await login.getByLabel('Password').fill(password)
  await login.getByRole('button', { name: 'Log in', exact: true }).click()
  await login.waitFor({ state: 'detached' })
  await save.click()
  await save.waitFor({ state: 'detached' })
  const rows = await site.holdfast.query(`select from customer where name = 'Ann Between'`)
  expect(rows).toHaveLength(1)
})

it('names and addresses of one long word make no page of a phone scroll sideways', async () => {
  const day = dayIn(3)
  const word = 'Donaudampfschifffahrtsgesellschaftskapitaenswitwenrente'
  const email = `${word}@example.org`
  const send = async (method: string, path: string, body: object) => {
    const answer = await consoleCall(site.holdfast.app, method, path, body)
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer.body
  }
  const at = `/providers/${practice.uuid}`
  const customer = await send('POST', `${at}/customers`, { name: word, email, note: email })
  const entry = await send('POST', `${at}/appointments?ignoreConflicts=true`, {
    resourceUuid: practice.resourceUuid,
    productUuid: practice.productUuid,
    start: `${day}T10:00`,
    end: `${day}T10:30`,
    customerUuid: customer.uuid,
  })
  await send('PATCH', `/resources/${practice.resourceUuid}`, { publicName: word, internalName: word })
  await send('PATCH', `/products/${practice.productUuid}`, { name: word })
  await send('PATCH', at, { name: word })
  await send('POST', `${at}/profiles`, { userReference: practice.owner, name: word, contactChannels: [] })
  await send('POST', `${at}/closures`, { from: '2031-01-01', to: '2031-01-02', reason: word })
  const page = await logIn('', { viewport: narrow, hasTouch: true })
  const places = [
    `/calendar?view=list&day=${day}`,
    `/calendar?day=${day}&appointment=${entry.uuid}`,
    '/customers',
    `/customers/${customer.uuid}`,
    '/offers',
    '/offers/products',
    '/offers/closures',
    '/offers/contacts',
    `/offers/resources/${practice.resourceUuid}`,
    '/mails',
    '/people',
    '/audit',
  ]
  const tooWide = () =>
    page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('dialog, .dialog-body')]
        .filter(one => one.scrollWidth > one.clientWidth + 1)
        .map(one => `${one.tagName} ${one.scrollWidth}`),
    )
  for (const place of places) {
    await page.goto(`${site.origin}/console${place}`)
    await page.getByText(word).first().waitFor({ state: 'attached' })
    // Once its parts have loaded.
    await soon(async () => [place, ...(await tooWide())]).toEqual([place])
  }
})

it.each(['?day=', '/calendar?view=list&day='])(
  'a step back closes the Appointment at console%s, and does not open one that was closed',
  async place => {
    const day = dayIn(4)
    const reference = unique('p')
    await makeAppointment(site.holdfast.crm, practice, {
      start: `${day}T10:00`,
      end: `${day}T10:30`,
      participations: [{ reference, name: 'Bea Back', email: 'bea@example.org', state: 'BOOKED' }],
    })
    const page = await logIn('/customers')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.goto(`${site.origin}/console${place}${day}`)
    const panel = page.locator('dialog.panel')
    const person = page.getByText('Bea Back').first()
    await person.click()
    await panel.waitFor()
    await page.goBack()
    await panel.waitFor({ state: 'detached' })
    await person.click()
    await panel.waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await page.goBack()
    expect(page.url()).not.toContain('appointment=')
    expect(await panel.count()).toBe(0)
  },
)
