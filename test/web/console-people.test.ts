// The pages about people and systems, by mouse: log in, my login, people, mails, integration, audit, operator.

import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { inviteOperator, inviteStaff } from '../../src/actions/console/login.ts'
import { screenshot, visitAfresh } from '../support/browser.ts'
import { makePractice, makeTimeslot, makeUser } from '../support/build.ts'
import { asConsumer, bookingOf, overApp, slotsOf } from '../support/consumer.ts'
import { mailsTo } from '../support/mailbox.ts'
import { startReceiver } from '../support/receiver.ts'
import { consoleCall, runJobs } from '../support/service.ts'
import { expectNoBarriers, useSite } from '../support/widget.ts'

const site = await useSite({ WEBHOOK_ALLOW_PRIVATE: '1' })
const practice = await makePractice(site.test.crm)
await makeTimeslot(site.test.crm, practice)
const consumer = asConsumer(overApp(site.test.app))
const [slot] = slotsOf(await consumer.list(practice.resource))
await consumer.complete(practice.resource, bookingOf(slot!))

type Options = Parameters<typeof visitAfresh>[2]

/** In by the link, as people do it. */
async function enter(link: string, path: string, options: Options = {}) {
  const { page, problems } = await visitAfresh(site.browser, link, options)
  await page.getByRole('button').click()
  await page.waitForURL(/\/console$/)
  if (path) await page.goto(`${site.origin}/console${path}`)
  return { page, problems }
}

const asOperator = async (path: string, options?: Options) =>
  enter(await inviteOperator(site.test.service, 'op@example.org', 'Olga'), path, options)

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

const english = { locale: 'en-GB' }
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }
const linkIn = async (email: string) =>
  /https?:\S+console\/login\/[\w-]+/.exec((await mailsTo(site.test, email)).at(-1)!.text)![0]

describe('the login', () => {
  it('sends a link, and lets in whoever comes back from it', async () => {
    await inviteOperator(site.test.service, 'ann@example.org', 'Ann')
    const { page, problems } = await visitAfresh(site.browser, `${site.origin}/console`, english)
    await heading(page, 'Log in').waitFor()
    await expectNoBarriers(page)
    await screenshot(page, 'console-login')
    await page.getByLabel('Email address').fill('ann@example.org')
    await page.getByRole('button', { name: 'Send me a link' }).click()
    await page.getByRole('heading', { name: 'Look into your mailbox' }).waitFor()
    const other = await page.context().newPage()
    await other.goto(await linkIn('ann@example.org'))
    await other.getByRole('button').click()
    await other.waitForURL(/\/console$/)
    await page.getByRole('button', { name: 'I have opened the link' }).click()
    await page.getByRole('link', { name: 'Ann', exact: true }).waitFor()
    expect(problems.filter(one => !one.includes('401'))).toEqual([])
  })

  it('opens over the page when the session ends, and what was typed stays', async () => {
    const { page } = await asOperator('/people', english)
    await page.getByRole('button', { name: 'Invite somebody' }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite somebody' })
    await dialog.getByLabel('Last name').fill('Winter')
    await dialog.getByLabel('Email address').fill('winter@example.org')
    await site.test.service.db.pool.query('delete from console_session')
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
    const again = page.getByRole('dialog', { name: 'Please log in again' })
    await again.getByRole('button', { name: 'Send me a link' }).click()
    await again.getByRole('heading', { name: 'Look into your mailbox' }).waitFor()
    const other = await page.context().newPage()
    await other.goto(await linkIn('op@example.org'))
    await other.getByRole('button').click()
    await other.waitForURL(/\/console$/)
    await again.getByRole('button', { name: 'I have opened the link' }).click()
    await again.waitFor({ state: 'detached' })
    expect(await dialog.getByLabel('Last name').inputValue()).toBe('Winter')
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
    await page.getByText('Winter is invited.').waitFor()
  })
})

it('my login: a password and a second factor, then in with both', async () => {
  const { page, problems } = await asOperator('/me', english)
  await page.getByLabel('New password').fill('correct horse battery')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByText('The password is set.').waitFor()
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByRole('img', { name: /QR code/ }).waitFor()
  await expectNoBarriers(page)
  const secret = await page.locator('dialog .copy textarea').inputValue()
  const { TOTP } = await import('otpauth')
  const totp = new TOTP({ secret: secret.trim() })
  await page.getByLabel('Code', { exact: true }).fill(totp.generate())
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await page.getByRole('button', { name: 'Log out' }).first().click()
  await page.getByRole('button', { name: 'Log in with a password' }).click()
  await page.getByLabel('Email address').fill('op@example.org')
  await page.getByLabel('Password').fill('correct horse battery')
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.getByLabel('Code').fill(totp.generate({ timestamp: Date.now() + 30_000 }))
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.getByRole('link', { name: 'Olga', exact: true }).waitFor()
  expect(problems.filter(one => !one.includes('401'))).toEqual([])
})

it('people: invited and removed, by an owner on a phone', async () => {
  const link = await inviteStaff(site.test.service, 'crm', practice.owner)
  const { page, problems } = await enter(link, '/people', { ...english, ...phone })
  await page.getByRole('button', { name: 'Invite somebody' }).click()
  await page.getByLabel('Email address').fill('nora@example.org')
  await page.getByLabel('First name').fill('Nora')
  await page.getByLabel('Last name').fill('New')
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await page.getByText('Nora New is invited.').waitFor()
  await page.getByRole('button', { name: 'Remove: Nora New' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('Nora New is removed.').waitFor()
  expect(await page.getByRole('heading', { name: 'Administrators and operators' }).count()).toBe(0)
  expect(problems).toEqual([])
})

it('people: the owner confirms what a booking said of one of the staff', async () => {
  const { crm, app, service } = site.test
  const user = await makeUser(crm)
  await crm.post(`${practice.path}/staff`, { userReference: user.reference })
  const consumer = asConsumer(overApp(app))
  const [slot] = slotsOf(await consumer.list(practice.resource))
  const said = { email: user.email, firstname: 'Ida', mobile: '+49 171 5550100' }
  await consumer.complete(practice.resource, bookingOf(slot!, said))
  const link = await inviteStaff(service, 'crm', practice.owner)
  const { page, problems } = await enter(link, '/people', { ...english, ...phone })
  await page.getByText('+49 171 5550100').waitFor()
  await screenshot(page, 'people-unconfirmed')
  await expectNoBarriers(page)
  await page.getByRole('button', { name: 'It is right: Berg' }).click()
  await page.getByText('Ida Berg').waitFor()
  expect(await page.getByText('+49 171 5550100').count()).toBe(0)
  expect(problems).toEqual([])
})

it('integration: a key is shown once and revoked', async () => {
  const { page, problems } = await asOperator('/integration', english)
  await page.getByRole('button', { name: 'Make a key' }).click()
  await page.getByLabel('What it is for').fill('Website')
  await page.getByRole('dialog').getByRole('button', { name: 'Make a key' }).click()
  const secret = await page.locator('dialog .copy textarea').inputValue()
  expect(secret).toMatch(/^hf_\w{8}_\w{48}$/)
  await page.getByRole('button', { name: 'I have copied it' }).click()
  await page.getByRole('button', { name: 'Revoke: Website' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
  await page.getByText('The key is revoked.').waitFor()
  expect(await page.content()).not.toContain(secret)
  expect(problems).toEqual([])
})

it('mails: one is looked at as it is sent, without its scripts and with its styles', async () => {
  const { page, problems } = await asOperator('/mails', english)
  const first = page.getByRole('link', { name: /Appointment|Termin/ }).first()
  await first.click()
  const frame = page.frameLocator('iframe')
  await frame.getByRole('heading').first().waitFor()
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('It is on its way again.').waitFor()
  await screenshot(page, 'console-mail', false)
  expect(problems).toEqual([])
})

it('the first page tells of mails that went nowhere, and the operator that nothing is forgotten by itself', async () => {
  await site.test.service.db.pool.query(`update mail set state = 'failed', last_error = 'No such mailbox'`)
  const { page } = await asOperator('', english)
  await page.getByText(/mails of this week could not be delivered/).waitFor()
  await expectNoBarriers(page)
  await page.getByText('are kept for ever').waitFor()
  await page.getByRole('link', { name: 'Decide' }).click()
  const forgetting = page.getByRole('region', { name: 'Retention' })
  await forgetting.getByLabel('What mails said, and to whom (days)').fill('3')
  await forgetting.getByRole('button', { name: 'Save' }).click()
  await forgetting.locator('.error').waitFor()
  await forgetting.getByLabel('What mails said, and to whom (days)').fill('90')
  await forgetting.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  const { rows } = await site.test.service.db.pool.query('select from crm where retention_mail_days = 90')
  expect(rows).toHaveLength(1)
  await expectNoBarriers(page)
  await screenshot(page, 'console-forgetting', false)
  await page.goto(`${site.origin}/console`)
  await page.getByRole('button', { name: 'Understood' }).click()
  await page.reload()
  await page.getByRole('link', { name: 'Look at them' }).click()
  await page.locator('.chip', { hasText: 'failed' }).first().waitFor()
  expect(await page.getByText('are kept for ever').count()).toBe(0)
  await page.goto(`${site.origin}/console/operator`)
  await page.getByText('mails kept for ever (off until set)').waitFor()
})

it('integration: a webhook is tested, and hears once more of everything', async () => {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  const { page } = await asOperator('/integration', english)
  const webhooks = page.getByRole('region', { name: 'Webhooks' })
  await webhooks.getByRole('button', { name: 'Add a webhook' }).first().click()
  await page.getByLabel('Address', { exact: true }).fill(receiver.url)
  await page.locator('dialog').getByRole('button', { name: 'Add a webhook' }).click()
  await page.getByRole('button', { name: 'I have copied it' }).click()
  await webhooks.getByRole('button', { name: `Deliveries: ${receiver.url}` }).click()
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await page.getByText('The receiver answered 204.').waitFor()
  const again = async (since: string) => {
    await page.getByRole('button', { name: 'Send again …' }).click()
    const replay = page.locator('dialog').last()
    await replay.getByLabel('Since').fill(since)
    await expectNoBarriers(page)
    const asked = page.waitForRequest(/\/replay$/)
    await replay.getByRole('button', { name: 'Send again', exact: true }).click()
    await expect.poll(() => page.locator('dialog').count()).toBe(1)
    return (await asked).postDataJSON()
  }
  expect(await again('2031-01-01T08:00')).toEqual({ since: expect.stringMatching(/^203[01]-[^.]+\.000Z$/) })
  expect(await again('')).toEqual({ since: null })
  await page.getByText('The events are being sent again.').first().waitFor()
  const worker = runJobs(site.test)
  onTestFinished(() => worker.stop())
  await expect.poll(() => receiver.received.map(one => one.json.type)).toContain('provider.created')
  // The panel has an address of its own, and comes back with it.
  await page.reload()
  await page.getByRole('heading', { name: 'Deliveries' }).waitFor()
  await page.getByText('provider.created').first().waitFor()
  await expectNoBarriers(page)
  await page.keyboard.press('Escape')
  await expect.poll(() => new URL(page.url()).search).toBe('')
})

it('operator: every login is listed, those of staff too, and can be logged out', async () => {
  const link = await inviteStaff(site.test.service, 'crm', practice.owner)
  const staff = await enter(link, '', english)
  const { page } = await asOperator('/operator', english)
  const line = page.getByRole('region', { name: 'Logins' }).locator('li', { hasText: 'staff' }).first()
  await line.getByRole('button', { name: /^Log out/ }).click()
  await page.locator('.toast').first().waitFor()
  await staff.page.goto(`${site.origin}/console/offers`)
  await heading(staff.page, 'Log in').waitFor()
})

it('the log is told in words: whose hours changed, and not which part of a program', async () => {
  const { page } = await asOperator('/audit', english)
  const hours = { rules: [], hoursWeeks: 4 }
  await consoleCall(site.test.app, 'PUT', `/resources/${practice.resourceUuid}/hours`, hours)
  await page.reload()
  await page.getByText('Opening hours: changed').first().waitFor()
  const channel = `/resources/${practice.resourceUuid}/channels/RESOURCE_EXCLUSIVE`
  await consoleCall(site.test.app, 'PATCH', channel, { reminderHours: 3 })
  await consoleCall(site.test.app, 'PATCH', '/crms/crm/retention', { mailDays: 400 })
  const login = { email: 'new@example.org', role: 'administrator', crm: 'crm' }
  expect((await consoleCall(site.test.app, 'POST', '/logins', login)).status).toBe(201)
  await page.reload()
  await page.getByText('Channel: changed').first().waitFor()
  await page.getByLabel('Of').selectOption('crm')
  await page.getByText('Retention: changed').first().waitFor()
  await page.getByText('Logins: changed').first().waitFor()
  await page.getByLabel('Of').selectOption('')
  await page.getByText('Booking: confirmed').first().waitFor()
  await page.getByLabel('About').selectOption('webhook')
  await page.getByLabel('Done by').selectOption('consumer')
  await page.getByRole('button', { name: 'Show everything' }).click()
  await page.getByText('Booking: confirmed').first().waitFor()
})

it('the newest events can be read as integrators get them, and filtered', async () => {
  const { page } = await asOperator('/integration', english)
  const events = page.getByRole('region', { name: 'Events' })
  await events.getByText('participation.booked').first().click()
  await events.getByText('"kind": "participation.booked"').first().waitFor()
  await events.getByLabel('About').selectOption('resource')
  await events.getByText('resource.created').first().waitFor()
  expect(await events.getByText('participation.booked').count()).toBe(0)
})

const titles = {
  en: {
    '/me': 'My login',
    '/people': 'People',
    '/mails': 'Mails',
    '/integration': 'Integration',
    '/audit': 'Audit',
    '/operator': 'Operator',
  },
  de: {
    '/me': 'Mein Zugang',
    '/people': 'Personen',
    '/mails': 'E-Mails',
    '/integration': 'Anbindung',
    '/audit': 'Protokoll',
    '/operator': 'Betrieb',
  },
} as const

describe.each([
  ['en', 'light', 1280],
  ['de', 'dark', 1280],
  ['de', 'light', 390],
  ['en', 'dark', 768],
] as const)('in %s, %s, at %i px', (language, colorScheme, width) => {
  it('no page has a barrier, nor is wider than the screen', async () => {
    const viewport = { width, height: 900 }
    const { page, problems } = await asOperator('', { locale: language, colorScheme, viewport })
    const elsewhere: string[] = []
    page.on('request', request => request.url().startsWith(site.origin) || elsewhere.push(request.url()))
    for (const [path, title] of Object.entries(titles[language])) {
      await page.goto(`${site.origin}/console${path}`)
      await heading(page, title).waitFor()
      await page.locator('.skeleton').first().waitFor({ state: 'detached' })
      await expectNoBarriers(page)
      const wide = await page.evaluate(() => document.documentElement.scrollWidth)
      expect([path, wide <= width]).toEqual([path, true])
      await screenshot(page, `console${path.replace('/', '-')}-${language}-${colorScheme}-${width}`)
    }
    expect([problems, elsewhere]).toEqual([[], []])
  })
})

it('shows nobody what is not theirs', async () => {
  const link = await inviteStaff(site.test.service, 'crm', practice.owner)
  const { page } = await enter(link, '', english)
  const rail = page.getByRole('navigation').first()
  await rail.getByRole('link', { name: /Mails/ }).waitFor()
  for (const name of ['Integration', 'Operator'])
    expect(await rail.getByRole('link', { name, exact: false }).count()).toBe(0)
  for (const path of ['/integration', '/operator']) {
    await page.goto(`${site.origin}/console${path}`)
    await page.getByText('This is no longer there, or not yours to see.').waitFor()
    expect(await page.locator('.trouble').count()).toBe(0)
  }
})
