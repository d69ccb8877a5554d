// The pages about people and systems, by mouse: log in, my login, people, mails, integration, audit, operator.

import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { inviteOperator, inviteStaff } from '../../src/actions/console/login.ts'
import { screenshot, visitAfresh } from '../support/browser.ts'
import { makePractice, makeTimeslot, makeUser } from '../support/build.ts'
import { asConsumer, bookingOf, overApp, slotsOf } from '../support/consumer.ts'
import { mailsTo } from '../support/mailbox.ts'
import { startReceiver } from '../support/receiver.ts'
import { consoleCall, runJobs } from '../support/service.ts'
import { expectNoBarriers, useSite } from '../support/widget.ts'

const site = await useSite({ WEBHOOK_ALLOW_PRIVATE: '1' })
const practice = await makePractice(site.holdfast.crm)
await makeTimeslot(site.holdfast.crm, practice)
const consumer = asConsumer(overApp(site.holdfast.app))
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
  enter(await inviteOperator(site.holdfast.service, 'op@example.org', 'Olga'), path, options)

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

const english = { locale: 'en-GB' }
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }
/** The email is written after the response, so that the response time reveals nothing. */
const linkIn = (email: string) =>
  vi.waitFor(async () => {
    const [mail] = (await mailsTo(site.holdfast, email)).slice(-1)
    return /https?:\S+console\/login\/[\w-]+/.exec(mail?.text ?? '')![0]
  }, 10_000)

describe('the login', () => {
  it('emails a link, which logs the person in', async () => {
    await inviteOperator(site.holdfast.service, 'ann@example.org', 'Ann')
    const { page, problems } = await visitAfresh(site.browser, `${site.origin}/console`, english)
    await heading(page, 'Log in').waitFor()
    await expectNoBarriers(page)
    await screenshot(page, 'console-login')
    await page.getByLabel('Email address').fill('ann@example.org')
    await page.getByRole('button', { name: 'Email me a link' }).click()
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()
    const other = await page.context().newPage()
    await other.goto(await linkIn('ann@example.org'))
    await other.getByRole('button').click()
    await other.waitForURL(/\/console$/)
    await page.getByRole('button', { name: 'I’ve opened the link' }).click()
    await page.getByRole('link', { name: 'Ann', exact: true }).waitFor()
    expect(problems.filter(one => !one.includes('401'))).toEqual([])
  })

  it('opens over the page when the session ends, and the input stays', async () => {
    const { page } = await asOperator('/people', english)
    await page.getByRole('button', { name: 'Invite someone' }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite someone' })
    await dialog.getByLabel('Last name').fill('Winter')
    await dialog.getByLabel('Email address').fill('winter@example.org')
    await site.holdfast.query('delete from console_session')
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
    const again = page.getByRole('dialog', { name: 'Please log in again' })
    await again.getByRole('button', { name: 'Email me a link' }).click()
    await again.getByRole('heading', { name: 'Check your inbox' }).waitFor()
    const other = await page.context().newPage()
    await other.goto(await linkIn('op@example.org'))
    await other.getByRole('button').click()
    await other.waitForURL(/\/console$/)
    await again.getByRole('button', { name: 'I’ve opened the link' }).click()
    await again.waitFor({ state: 'detached' })
    expect(await dialog.getByLabel('Last name').inputValue()).toBe('Winter')
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
    await page.getByLabel('Link for Winter', { exact: true }).waitFor()
  })
})

it('my login: sets a password and a second factor, then logs in with both', async () => {
  // A separate login: from here on, its links ask for a code.
  const link = await inviteOperator(site.holdfast.service, 'mia@example.org', 'Mia')
  const { page, problems } = await enter(link, '/me', english)
  await page.getByLabel('New password').fill('correct horse battery')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved.').waitFor()
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByRole('img', { name: /QR code/ }).waitFor()
  await expectNoBarriers(page)
  const secret = await page.locator('dialog .copy textarea').inputValue()
  const { TOTP } = await import('otpauth')
  const totp = new TOTP({ secret: secret.trim() })
  await page.getByLabel('Code', { exact: true }).fill(totp.generate())
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('button', { name: 'I’ve saved them' }).click()
  await page.getByRole('button', { name: 'Log out' }).first().click()
  await page.getByRole('button', { name: 'Log in with a password' }).click()
  await page.getByLabel('Email address').fill('mia@example.org')
  await page.getByLabel('Password').fill('correct horse battery')
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.getByLabel('Code').waitFor()
  expect(await page.getByText('Enter the code').count()).toBe(0)
  expect(await page.getByLabel('Code').evaluate(field => field === document.activeElement)).toBe(true)
  await expectNoBarriers(page)
  await screenshot(page, 'console-code')
  await page.getByLabel('Code').fill(totp.generate({ timestamp: Date.now() + 30_000 }))
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.getByRole('link', { name: 'Mia', exact: true }).waitFor()
  expect(problems.filter(one => !one.includes('401'))).toEqual([])

  // Mia loses her phone: another operator resets her second factor.
  const other = await asOperator('/people', english)
  await other.page.getByRole('button', { name: /^Reset two-factor authentication: Mia/ }).click()
  const dialog = other.page.getByRole('dialog')
  await dialog.waitFor()
  await expectNoBarriers(other.page)
  await screenshot(other.page, 'people-reset-factor')
  await dialog.getByRole('button', { name: 'Reset two-factor authentication' }).click()
  await dialog.waitFor({ state: 'detached' })
  const rows = await site.holdfast.query(
    `select totp_secret from console_user where email = 'mia@example.org'`,
  )
  expect(rows).toEqual([{ totp_secret: null }])
  expect(other.problems).toEqual([])
})

it('team: an owner invites and removes a person on a phone', async () => {
  // With a mail server, the invitation goes out by email. None is sent here: no worker is running.
  const { config } = site.holdfast.service
  Object.assign(config, { smtpUrl: 'smtp://mail.example.org' })
  onTestFinished(() => void Object.assign(config, { smtpUrl: null }))
  const link = await inviteStaff(site.holdfast.service, 'crm', practice.owner)
  const { page, problems } = await enter(link, '/people', { ...english, ...phone })
  await page.getByRole('button', { name: 'Invite someone' }).click()
  await page.getByLabel('Email address').fill('nora@example.org')
  await page.getByLabel('First name').fill('Nora')
  await page.getByLabel('Last name').fill('New')
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await page.getByText('Nora New invited.').waitFor()
  await page.getByRole('button', { name: 'Remove: Nora New' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('Nora New removed.').waitFor()
  expect(await page.getByRole('heading', { name: 'Administrators and operators' }).count()).toBe(0)
  expect(problems).toEqual([])
})

it('team: the owner confirms details that a booking added about a member of staff', async () => {
  const { crm, app, service } = site.holdfast
  const user = await makeUser(crm)
  await crm.post(`${practice.path}/staff`, { userReference: user.reference })
  const consumer = asConsumer(overApp(app))
  const [slot] = slotsOf(await consumer.list(practice.resource))
  const entered = { email: user.email, firstname: 'Ida', mobile: '+49 171 5550100' }
  await consumer.complete(practice.resource, bookingOf(slot!, entered))
  const link = await inviteStaff(service, 'crm', practice.owner)
  const { page, problems } = await enter(link, '/people', { ...english, ...phone })
  await page.getByText('+49 171 5550100').waitFor()
  await screenshot(page, 'people-unconfirmed')
  await expectNoBarriers(page)
  await page.getByRole('button', { name: 'Confirm: Berg' }).click()
  await page.getByText('Ida Berg').waitFor()
  expect(await page.getByText('+49 171 5550100').count()).toBe(0)
  expect(problems).toEqual([])
})

it('integrations: a key is shown once and revoked', async () => {
  const { page, problems } = await asOperator('/integration', english)
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByLabel('Label').fill('Website')
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
  const secret = await page.locator('dialog .copy textarea').inputValue()
  expect(secret).toMatch(/^hf_\w{8}_\w{48}$/)
  await page.getByRole('button', { name: 'I’ve copied it' }).click()
  await page.getByRole('button', { name: 'Revoke: Website' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
  await page.getByText('Key revoked.').waitFor()
  expect(await page.content()).not.toContain(secret)
  expect(problems).toEqual([])
})

it('emails: a preview shows the sent email with its styles and without scripts', async () => {
  const { page, problems } = await asOperator('/mails', english)
  const first = page.getByRole('link', { name: /Appointment|Termin/ }).first()
  await first.click()
  const frame = page.frameLocator('iframe')
  await frame.getByRole('heading').first().waitFor()
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('Email queued again.').waitFor()
  await screenshot(page, 'console-mail', false)
  expect(problems).toEqual([])
})

it('the start page reports undelivered emails, and tells operators that personal data is kept', async () => {
  await site.holdfast.query(`update mail set state = 'failed', last_error = 'No such mailbox'`)
  const { page } = await asOperator('', english)
  await page.getByText(/emails couldn’t be delivered this week/).waitFor()
  await expectNoBarriers(page)
  await page.getByText('are kept forever').waitFor()
  await page.getByRole('link', { name: 'Choose' }).click()
  const forgetting = page.getByRole('region', { name: 'Data retention' })
  await forgetting.getByLabel('Delete email content after (days)').fill('3')
  await forgetting.getByRole('button', { name: 'Save' }).click()
  await forgetting.locator('.error').waitFor()
  await forgetting.getByLabel('Delete email content after (days)').fill('90')
  await forgetting.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  const rows = await site.holdfast.query('select from crm where retention_mail_days = 90')
  expect(rows).toHaveLength(1)
  await expectNoBarriers(page)
  await screenshot(page, 'console-forgetting', false)
  await page.goto(`${site.origin}/console`)
  await page.getByRole('button', { name: 'Not now' }).click()
  await page.reload()
  await page.getByRole('link', { name: 'View emails' }).click()
  await page.locator('.chip', { hasText: 'failed' }).first().waitFor()
  expect(await page.getByText('are kept forever').count()).toBe(0)
  await page.goto(`${site.origin}/console/operator`)
  await page.getByText('emails kept forever').waitFor()
})

it('integrations: a webhook is tested, and all events are sent again', async () => {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  const { page } = await asOperator('/integration', english)
  const webhooks = page.getByRole('region', { name: 'Webhooks' })
  await webhooks.getByRole('button', { name: 'Add webhook' }).first().click()
  await page.getByLabel('URL', { exact: true }).fill(receiver.url)
  await page.locator('dialog').getByRole('button', { name: 'Add webhook' }).click()
  await page.getByRole('button', { name: 'I’ve copied it' }).click()
  await webhooks.getByRole('button', { name: `Deliveries: ${receiver.url}` }).click()
  await page.getByRole('button', { name: 'Send test', exact: true }).click()
  await page.getByText('The endpoint returned 204.').waitFor()
  const again = async (since: string) => {
    await page.getByRole('button', { name: 'Send again…' }).click()
    const replay = page.locator('dialog').last()
    await replay.getByLabel('Since').fill(since)
    await expectNoBarriers(page)
    const replayed = page.waitForRequest(/\/replay$/)
    await replay.getByRole('button', { name: 'Send again', exact: true }).click()
    await expect.poll(() => page.locator('dialog').count()).toBe(1)
    return (await replayed).postDataJSON()
  }
  expect(await again('2031-01-01T08:00')).toEqual({ since: expect.stringMatching(/^203[01]-[^.]+\.000Z$/) })
  expect(await again('')).toEqual({ since: null })
  await page.getByText('The events are being sent again.').first().waitFor()
  const worker = runJobs(site.holdfast)
  onTestFinished(() => worker.stop())
  await expect.poll(() => receiver.received.map(one => one.json.type)).toContain('provider.created')
  // The panel has its own URL, which opens it again.
  await page.reload()
  await page.getByRole('heading', { name: 'Deliveries' }).waitFor()
  await page.getByText('provider.created').first().waitFor()
  await expectNoBarriers(page)
  await page.keyboard.press('Escape')
  await expect.poll(() => new URL(page.url()).search).toBe('')
})

it('operator: every login is listed, including staff, and can be logged out', async () => {
  const link = await inviteStaff(site.holdfast.service, 'crm', practice.owner)
  const staff = await enter(link, '', english)
  const { page } = await asOperator('/operator', english)
  const line = page.getByRole('region', { name: 'Logins' }).locator('li', { hasText: 'team member' }).first()
  await line.getByRole('button', { name: /^Log out/ }).click()
  await page.locator('.toast').first().waitFor()
  await staff.page.goto(`${site.origin}/console/offers`)
  await heading(staff.page, 'Log in').waitFor()
})

it('the activity log is written in words: whose hours changed, and no internal names', async () => {
  const { page } = await asOperator('/audit', english)
  const hours = { rules: [], hoursWeeks: 4 }
  await consoleCall(site.holdfast.app, 'PUT', `/resources/${practice.resourceUuid}/hours`, hours)
  await page.reload()
  await page.getByText('Opening hours: changed').first().waitFor()
  const channel = `/resources/${practice.resourceUuid}/channels/RESOURCE_EXCLUSIVE`
  await consoleCall(site.holdfast.app, 'PATCH', channel, { reminderHours: 3 })
  await consoleCall(site.holdfast.app, 'PATCH', '/crms/crm/retention', { mailDays: 400 })
  const login = { email: 'new@example.org', role: 'administrator', crm: 'crm' }
  expect((await consoleCall(site.holdfast.app, 'POST', '/logins', login)).status).toBe(201)
  await page.reload()
  await page.getByText('Online booking: changed').first().waitFor()
  await page.getByLabel('Scope').selectOption('crm')
  await page.getByText('Data retention: changed').first().waitFor()
  await page.getByText('Logins: changed').first().waitFor()
  await page.getByLabel('Scope').selectOption('')
  await page.getByText('Booking: confirmed').first().waitFor()
  await page.getByLabel('Subject').selectOption('webhook')
  await page.getByLabel('Done by').selectOption('consumer')
  await page.getByRole('button', { name: 'Show everything' }).click()
  await page.getByText('Booking: confirmed').first().waitFor()
})

it('the newest events are shown in words and as integrators receive them, and can be filtered', async () => {
  const { page } = await asOperator('/integration', english)
  const events = page.getByRole('region', { name: 'Events' })
  const booked = events.getByRole('listitem').filter({ hasText: 'participation.booked' }).first()
  await booked.getByText('Booking: confirmed').waitFor()
  expect(await booked.getByText('"kind"').isVisible()).toBe(false)
  await booked.getByText('participation.booked').first().click()
  await events.getByText('"kind": "participation.booked"').first().waitFor()
  await events.getByLabel('Subject').selectOption('resource')
  await events.getByText('resource.created').first().waitFor()
  expect(await events.getByText('participation.booked').count()).toBe(0)
})

const titles = {
  en: {
    '/me': 'My login',
    '/people': 'Team',
    '/mails': 'Emails',
    '/integration': 'Integrations',
    '/audit': 'Activity',
    '/operator': 'Operator',
  },
  de: {
    '/me': 'Mein Zugang',
    '/people': 'Team',
    '/mails': 'E-Mails',
    '/integration': 'Integrationen',
    '/audit': 'Aktivitäten',
    '/operator': 'Systembetrieb',
  },
} as const

// At 1280 px: barriers.slow.
describe.each([
  ['de', 'light', 390],
  ['en', 'dark', 768],
] as const)('in %s, %s, at %i px', (language, colorScheme, width) => {
  it('no page has accessibility violations or is wider than the screen', async () => {
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

it('shows no person what they have no access to', async () => {
  const link = await inviteStaff(site.holdfast.service, 'crm', practice.owner)
  const { page } = await enter(link, '', english)
  const rail = page.getByRole('navigation').first()
  await rail.getByRole('link', { name: /Emails/ }).waitFor()
  for (const name of ['Integration', 'Operator'])
    expect(await rail.getByRole('link', { name, exact: false }).count()).toBe(0)
  for (const path of ['/integration', '/operator']) {
    await page.goto(`${site.origin}/console${path}`)
    await page.getByText('This no longer exists, or you don’t have access to it.').waitFor()
    expect(await page.locator('.trouble').count()).toBe(0)
  }
})
