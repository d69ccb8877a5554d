// Without a mail server nothing pretends to be sent: invitations show their link, and a note appears where emails would be sent.

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { inviteAdministrator, inviteStaff, logInByLink } from '../../src/actions/console/login.ts'
import { screenshot, visitAfresh } from '../support/browser.ts'
import { makePractice, makeUser, unique } from '../support/build.ts'
import { consoleCall } from '../support/service.ts'
import { expectNoBarriers, openPractice, soon, useSite } from '../support/widget.ts'

const site = await useSite()
const practice = await openPractice(site)
const { service, app } = site.holdfast

async function sessionOf(link: string): Promise<string> {
  return (await logInByLink(service, link.split('/').at(-1)!))!
}

async function at(path: string, session: string, options = {}): Promise<Page> {
  const { page, context } = await visitAfresh(site.browser, 'about:blank', options)
  await context.addCookies([{ name: 'holdfast_session', value: session, url: site.origin }])
  await page.addInitScript(uuid => localStorage.setItem('holdfast-console-provider', uuid), practice.uuid)
  await page.goto(`${site.origin}/console${path}`)
  return page
}

const owner = async () => sessionOf(await inviteStaff(service, 'crm', practice.owner))
const asOwner = async (method: string, path: string, payload?: object) => {
  const cookies = { holdfast_session: await owner() }
  const answer = await app.inject({
    method: method as 'POST',
    url: `/console/api${path}`,
    cookies,
    ...(payload ? { payload } : {}),
  })
  return { status: answer.statusCode, body: answer.body ? answer.json() : null }
}

const note = 'No mail server is set up.'

describe('an invitation without a mail server', () => {
  it.each([
    ['1366', { width: 1366, height: 768 }, 'light'],
    ['390', { width: 390, height: 844 }, 'dark'],
  ] as const)('shows the link to copy at %s px', async (width, viewport, colorScheme) => {
    const page = await at('/people', await owner(), { viewport, colorScheme })
    await page.getByText(note).waitFor()
    await page.getByRole('button', { name: 'Invite someone' }).first().click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Email').fill(`${unique('new').split('@')[0]}@example.org`)
    await form.getByLabel('Last name').fill('Winter')
    await form.getByRole('button', { name: /invitation|invite/i }).click()
    const link = await page.getByLabel('Link for Winter', { exact: true }).inputValue()
    await expectNoBarriers(page)
    await screenshot(page, `invitation-${width}`, false)
    const { page: theirs } = await visitAfresh(site.browser, link)
    await theirs.getByRole('button').first().click()
    await theirs.waitForURL('**/console')
  })

  it('gives owners no link to a login that exists already or works elsewhere', async () => {
    const other = await makePractice(site.holdfast.crm)
    const { reference } = await makeUser(site.holdfast.crm)
    await site.holdfast.crm.post(`${other.path}/staff`, { userReference: reference })
    await site.holdfast.crm.post(`${practice.path}/staff`, { userReference: reference })
    const { people } = (await asOwner('GET', `/providers/${practice.uuid}/people`)).body
    const { uuid } = people.find((one: { reference: string }) => one.reference === reference)
    const path = `/providers/${practice.uuid}/people/${uuid}/invite`
    expect((await asOwner('POST', path, {})).status).toBe(204)
    // An operator may do everything anyway.
    const again = await consoleCall(app, 'POST', path, {})
    expect([again.status, again.body.link]).toEqual([200, expect.stringContaining('/console/login/')])
  })

  it('says why it failed', async () => {
    await inviteAdministrator(service, 'crm', 'boss@example.org')
    const page = await at('/people', await owner(), { locale: 'de-DE' })
    await page
      .getByRole('button', { name: /einladen/ })
      .first()
      .click()
    const form = page.getByRole('dialog')
    await form.getByLabel('E-Mail').fill('boss@example.org')
    await form.getByLabel('Nachname').fill('Boss')
    await form
      .getByRole('button', { name: /einladen|Einladung/ })
      .last()
      .click()
    await form.getByText('Diese E-Mail-Adresse wird bereits von jemand anderem verwendet.').waitFor()
  })
})

it('notes on Today, Emails and wherever people are notified that nothing is sent', async () => {
  const page = await at('', await owner())
  await page.getByText(note).waitFor()
  await page.goto(`${site.origin}/console/mails`)
  await page.getByText(note).waitFor()
  await screenshot(page, 'no-mail-server-mails')
  await page.goto(`${site.origin}/console/waiting`)
  await page.getByText('Customers can’t join the waiting list themselves').waitFor()
  await page.goto(`${site.origin}/console/channels`)
  await page.getByText('Offer a waiting list: No').click()
  await page.getByText('Customers can’t join the waiting list themselves').waitFor()
  await page.goto(`${site.origin}/console/people`)
  const session = await asOwner('GET', '/session')
  expect(session.body.hasMailServer).toBe(false)
  await soon(() => page.getByText('SMTP_URL').count()).toBe(0)
})
