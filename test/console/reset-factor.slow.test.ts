// `holdfast user reset-factor`, in a separate process beside a running service.

import { TOTP } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { inviteAdministrator, inviteOperator } from '../../src/actions/console/login.ts'
import { asInvited } from '../support/logins.ts'
import { mailsTo } from '../support/mailbox.ts'
import { startCli } from '../support/process.ts'
import { type Answer, call, consoleCall, useService } from '../support/service.ts'

const holdfast = await useService()
const password = 'correct horse battery'

async function withFactor(link: string) {
  const ask = await asInvited(holdfast, link)
  expect((await ask('PUT', '/session/password', { password })).status).toBe(204)
  const { body } = await ask('POST', '/session/totp')
  const code = new TOTP({ secret: body.secret }).generate()
  expect((await ask('POST', '/session/totp/confirm', { code })).status).toBe(200)
}

const logIn = (email: string) =>
  call(holdfast.app, 'POST', '/console/api/session/password', { email, password })

async function run(...args: string[]) {
  const { host, port, user, database } = holdfast.connection as Record<string, string>
  const { exit, output } = startCli(args, {
    DATABASE_URL: `postgres://${user}@/${database}?host=${encodeURIComponent(host!)}&port=${port}`,
    SECRET_KEY: 's'.repeat(32),
    BASE_URL: 'http://holdfast.test',
  })
  return { code: await exit, output: output() }
}

describe('holdfast user reset-factor', () => {
  it('lets the person in without a code, with an email, an event and a line in the activity', async () => {
    const email = 'admin@example.org'
    await withFactor(await inviteAdministrator(holdfast.service, 'crm', email))
    expect((await logIn(email)).status).toBe(401)
    expect(await run('user', 'reset-factor', email)).toEqual({ code: 0, output: 'Reset.\n' })
    expect((await logIn(email)).status).toBe(204)
    const [mail] = await mailsTo(holdfast, email)
    expect([mail!.kind, mail!.text.includes('http://holdfast.test/console')]).toEqual(['factor-reset', true])
    const { body } = await holdfast.crm.get('/events?kinds=settings.changed')
    const named = body.events.filter((one: Answer['body']) => one.data.channelKey === 'second-factor')
    expect(named.map((one: Answer['body']) => one.actor)).toEqual([{ kind: 'service', name: 'command line' }])
    const audit = await consoleCall(holdfast.app, 'GET', '/crms/crm/audit')
    expect(audit.text).toContain('second-factor')
  })

  it('takes the recovery codes and codes of the old app away with it', async () => {
    const rows = await holdfast.query(
      `select totp_secret, totp_pending, recovery_hashes from console_user where email = 'admin@example.org'`,
    )
    expect(rows).toEqual([{ totp_secret: null, totp_pending: null, recovery_hashes: [] }])
  })

  it('emails an operator, who belongs to no CRM', async () => {
    const email = 'operator@example.org'
    await withFactor(await inviteOperator(holdfast.service, email))
    expect((await run('user', 'reset-factor', email)).code).toBe(0)
    expect((await mailsTo(holdfast, email)).map(mail => mail.kind)).toEqual(['factor-reset'])
  })

  it('says so if there is nothing to reset', async () => {
    const none = await run('user', 'reset-factor', 'admin@example.org')
    expect(none).toEqual({ code: 1, output: 'admin@example.org has no second factor.\n' })
    const unknown = await run('user', 'reset-factor', 'nobody@example.org')
    expect(unknown.code).toBe(1)
    expect(unknown.output).toContain('There is no login nobody@example.org')
  })
})
