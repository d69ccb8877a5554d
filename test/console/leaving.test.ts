import { describe, expect, it } from 'vitest'
import { inviteAdministrator, inviteStaff, logInByLink } from '../../src/actions/console/login.ts'
import { makeProvider, makeUser, type TestProvider } from '../support/build.ts'
import { asInvited, asStaff, inSession, staffSession, tokenOf } from '../support/logins.ts'
import { call, consoleCall, useService } from '../support/service.ts'

const holdfast = await useService()
const query = (text: string, values: unknown[] = []) => holdfast.query(text, values)

/** Every column that could hold a credential, and why a leaver cannot use it any more. */
const credentials: Record<string, 'ends with the login' | 'ends by itself' | `not theirs: ${string}`> = {
  'api_key.hash': 'ends by itself',
  'calendar_check.digest': 'not theirs: tells whether a calendar changed',
  'calendar_feed.hash': 'ends by itself',
  'calendar_mirror.sealed': 'not theirs: the business connected it, and it is never shown',
  'calendar_mirror.token': 'not theirs: tells whether a calendar changed',
  'calendar_source.sealed': 'not theirs: the business connected it, and it is never shown',
  'console_session.hash': 'ends with the login',
  'console_user.password_hash': 'ends with the login',
  'console_user.recovery_hashes': 'ends with the login',
  'console_user.totp_pending': 'ends with the login',
  'console_user.totp_secret': 'ends with the login',
  'data_import.digest': 'not theirs: tells whether a file is the same',
  'event.former_reference': 'not theirs: of a customer, shown with the erasure only',
  'invitation.hash': 'ends with the login',
  'login_link.hash': 'ends with the login',
  'login_link.sealed': 'ends with the login',
  'app_user.verification_nonce': 'not theirs: confirms an email address and opens nothing',
  'appointment.content_digest': 'not theirs: compares requests',
  'crm_origin.link_keys': 'not theirs: of a former installation',
  'kept_answer.answer': 'not theirs: sealed for the caller, who is refused first',
  'kept_answer.digest': 'not theirs: compares requests',
  'kept_answer.id': 'not theirs: names a request',
  'logo.bytes': 'not theirs: a picture',
  'migration.checksum': 'not theirs: compares files',
  'participation.completion_digest': 'not theirs: compares requests',
  'participation.placeholder': 'not theirs: the hold of a consumer',
  'secret_fingerprint.fingerprint': 'not theirs: of the service',
  'waiting_offer.placeholder': 'not theirs: the hold of a consumer',
  'webhook.old_secret': 'not theirs: of the CRM',
  'webhook.old_signing_key': 'not theirs: of the CRM',
  'webhook.secret': 'not theirs: of the CRM',
  'webhook.signing_key': 'not theirs: of the CRM',
}

it('every column that could hold a credential is known here', async () => {
  const rows = await query(`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and (udt_name in ('bytea', '_bytea')
      or column_name ~ '(secret|hash|token|passw|nonce|seal|placeholder|fingerprint|digest|checksum|credential)')
    order by 1`)
  // A new one: say above how it ends when a member of staff leaves, and end it in actions/setup/staff.ts.
  expect(rows.map(row => row.name).toSorted()).toEqual(Object.keys(credentials).toSorted())
})

async function joinStaff(provider: TestProvider, reference: string) {
  await holdfast.crm.post(`${provider.path}/staff`, { userReference: reference })
}

/** A former owner, who made what only owners make. */
async function newLeaver(provider: TestProvider) {
  const { reference } = await makeUser(holdfast.crm)
  await joinStaff(provider, reference)
  const [{ uuid }] = await query('select uuid from app_user where reference = $1', [reference])
  const people = `/providers/${provider.uuid}/people`
  expect((await consoleCall(holdfast.app, 'POST', `${people}/${uuid}/owner`, {})).status).toBe(200)
  const session = await staffSession(holdfast, reference)
  const ask = inSession(holdfast, session)
  const feed = async (path: string, body: object) => (await ask('POST', path, body)).body.url as string
  const calendars = `/providers/${provider.uuid}/calendars`
  const feeds = [await feed(calendars, {}), await feed(calendars, { userReference: reference })]
  const made = await consoleCall(holdfast.app, 'POST', '/crms/crm/keys', { userReference: reference })
  const rotated = await consoleCall(holdfast.app, 'POST', `/crms/crm/keys/${made.body.key.uuid}/rotate`, {})
  const link = await inviteStaff(holdfast.service, 'crm', reference)
  const [owner] = (await consoleCall(holdfast.app, 'GET', people)).body.people.filter(
    (one: { reference: string }) => one.reference === provider.owner,
  )
  await consoleCall(holdfast.app, 'POST', `${people}/${owner.uuid}/owner`, {})
  const keys = [made.body.secret, rotated.body.secret] as string[]
  return {
    uuid,
    reference,
    session,
    ask,
    feeds,
    keys,
    link,
    leave: () => consoleCall(holdfast.app, 'DELETE', `${people}/${uuid}`),
  }
}

const reads = async (url: string) => (await call(holdfast.app, 'GET', new URL(url).pathname)).status
const liveKeys = (reference: string) =>
  query(
    `select from api_key join app_user on app_user.id = api_key.user_id
    where app_user.reference = $1 and revoked_at is null`,
    [reference],
  )

describe('removing a member of staff', () => {
  it('ends everything that opened something to them', async () => {
    const leaver = await newLeaver(await makeProvider(holdfast.crm))
    for (const url of leaver.feeds) expect(await reads(url)).toBe(200)
    expect(await liveKeys(leaver.reference)).toHaveLength(2)
    expect((await leaver.leave()).status).toBe(204)
    for (const url of leaver.feeds) expect(await reads(url)).toBe(404)
    expect(await liveKeys(leaver.reference)).toHaveLength(0)
    expect((await leaver.ask('GET', '/session')).status).toBe(401)
    expect(await logInByLink(holdfast.service, tokenOf(leaver.link))).toBeNull()
    const tables = ['console_session', 'login_link']
    for (const table of tables)
      expect(
        await query(`select from ${table} where console_user_id not in (select id from console_user)`),
      ).toEqual([])
    expect(
      await query('select from console_user join app_user on app_user.id = user_id where reference = $1', [
        leaver.reference,
      ]),
    ).toEqual([])
    const recorded = await query(`select kind, count(*)::int as count from event where xid =
      (select max(xid) from event where kind = 'staff.removed') group by kind order by kind`)
    expect(recorded).toEqual([
      { kind: 'key.revoked', count: 2 },
      { kind: 'settings.changed', count: 1 },
      { kind: 'staff.removed', count: 1 },
    ])
  })

  it('keeps their access to another business', async () => {
    const [left, kept] = [await makeProvider(holdfast.crm), await makeProvider(holdfast.crm)]
    const leaver = await newLeaver(left)
    await joinStaff(kept, leaver.reference)
    await leaver.leave()
    const { status, body } = await leaver.ask('GET', '/session')
    expect([status, body.providers.map((one: { uuid: string }) => one.uuid)]).toEqual([200, [kept.uuid]])
    expect(await liveKeys(leaver.reference)).toHaveLength(2)
    for (const url of leaver.feeds) expect(await reads(url)).toBe(404)
  })
})

describe('removing an administrator', () => {
  async function newAdministrator(email: string) {
    const link = await inviteAdministrator(holdfast.service, 'crm', email)
    const ask = await asInvited(holdfast, link)
    const { logins } = (await consoleCall(holdfast.app, 'GET', '/logins')).body
    const { uuid } = logins.find((one: { email: string }) => one.email === email)
    return { ask, remove: () => consoleCall(holdfast.app, 'DELETE', `/logins/${uuid}`) }
  }

  it('ends their session, links and the calendars whose address they know', async () => {
    const provider = await makeProvider(holdfast.crm)
    const calendars = `/providers/${provider.uuid}/calendars`
    const [leaver, colleague] = [
      await newAdministrator('a@example.org'),
      await newAdministrator('b@example.org'),
    ]
    const theirs = (await leaver.ask('POST', calendars, {})).body.url
    const other = (await colleague.ask('POST', calendars, {})).body.url
    const unused = await inviteAdministrator(holdfast.service, 'crm', 'a@example.org')
    expect([await reads(theirs), await reads(other)]).toEqual([200, 200])
    expect((await leaver.remove()).status).toBe(204)
    expect([await reads(theirs), await reads(other)]).toEqual([404, 200])
    expect((await leaver.ask('GET', '/session')).status).toBe(401)
    expect(await logInByLink(holdfast.service, tokenOf(unused))).toBeNull()
    const recorded = await query(
      `select kind, detail from event where xid = (select max(xid) from event) order by detail`,
    )
    expect(recorded).toEqual([
      { kind: 'settings.changed', detail: 'calendar' },
      { kind: 'settings.changed', detail: 'logins' },
    ])
  })

  it('keeps API keys that they created: they belong to the CRM, and its systems depend on them', async () => {
    const leaver = await newAdministrator('c@example.org')
    const { body } = await leaver.ask('POST', '/crms/crm/keys', { label: 'Website' })
    expect((await leaver.remove()).status).toBe(204)
    const keys = (await consoleCall(holdfast.app, 'GET', '/crms/crm/keys')).body.keys
    expect(keys.find((one: { uuid: string }) => one.uuid === body.key.uuid)).toMatchObject({
      label: 'Website',
    })
    const audit = await consoleCall(holdfast.app, 'GET', '/crms/crm/audit?about=key')
    expect(audit.body.entries[0].kind).toBe('key.created')
  })
})

describe('an owner', () => {
  async function newOwner() {
    const provider = await makeProvider(holdfast.crm)
    const ask = await asStaff(holdfast, provider.owner)
    return { ...provider, ask }
  }

  it('does not add people of another business, nor log them out', async () => {
    const [attacker, victim] = [await newOwner(), await newOwner()]
    const people = `/providers/${attacker.uuid}/people`
    expect((await attacker.ask('POST', people, { userReference: victim.owner })).status).toBe(404)
    // By email they are invited; leaving this business again must not touch their session.
    await attacker.ask('POST', people, { email: victim.ownerEmail, lastName: 'Victim' })
    const list = (await attacker.ask('GET', people)).body.people
    const added = list.find((one: { reference: string }) => one.reference === victim.owner)
    if (added) await attacker.ask('DELETE', `${people}/${added.uuid}`)
    expect((await victim.ask('GET', '/session')).status).toBe(200)
  })

  it('does not publish people of another business as a contact', async () => {
    const [attacker, victim] = [await newOwner(), await newOwner()]
    const { uuid } = (
      await attacker.ask('POST', `/providers/${attacker.uuid}/resources`, { publicName: 'Room' })
    ).body
    const tries = [
      await attacker.ask('POST', `/providers/${attacker.uuid}/resources`, {
        publicName: 'R',
        contact: victim.owner,
      }),
      await attacker.ask('PATCH', `/resources/${uuid}`, { contact: victim.owner }),
      await attacker.ask('POST', `/providers/${attacker.uuid}/profiles`, {
        userReference: victim.owner,
        name: 'Desk',
        contactChannels: [],
      }),
    ]
    expect(tries.map(one => one.status)).toEqual([404, 404, 404])
    expect((await attacker.ask('PATCH', `/resources/${uuid}`, { contact: attacker.owner })).status).toBe(200)
  })
})
