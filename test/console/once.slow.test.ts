// Repeating a POST of the console API under the same key, after its answer was lost, does nothing twice.

import { beforeAll, describe, expect, it } from 'vitest'
import { inviteAdministrator, inviteOperator, logInByLink } from '../../src/actions/console/login.ts'
import type { Route } from '../../src/http/wire/route.ts'
import { unique } from '../support/build.ts'
import { consoleRoutes, nameOf, useConsoleWorld } from '../support/console-world.ts'
import { expectRefusal } from '../support/refusals.ts'
import { type Answer, call, jobsQueued, useService } from '../support/service.ts'

const holdfast = await useService({ WEBHOOK_ALLOW_PRIVATE: '1' })
const { requestFor } = await useConsoleWorld(holdfast)
const logIn = async (link: string) => (await logInByLink(holdfast.service, link.split('/').at(-1)!))!
const operator = await logIn(await inviteOperator(holdfast.service, 'operator@example.org'))
const administrator = await logIn(await inviteAdministrator(holdfast.service, 'crm', 'admin@example.org'))

const posts = consoleRoutes.filter(route => route.method === 'POST')

/** They need a code of the second factor: refused here, and refused again. */
const refused = new Set(['POST /console/api/session/totp/confirm', 'POST /console/api/session/totp/end'])

type Request = Awaited<ReturnType<typeof requestFor>>

const send = ({ method }: Route, { address, body }: Request, key: string, session = operator) =>
  call(holdfast.app, method, address, body, {
    headers: { cookie: `holdfast_session=${session}`, 'idempotency-key': key },
  })

const isReplay = ({ headers }: Answer) => headers['idempotency-replayed'] === 'true'

let counting = ''
beforeAll(async () => {
  const rows = await holdfast.query(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('public', 'graphile_worker') and tablename not in ('kept_answer', 'api_request')`,
  )
  counting = rows.map(({ name }) => `select '${name}' as name, count(*) from ${name}`).join(' union all ')
})

/** How many rows each table has. */
async function counts() {
  await jobsQueued(holdfast)
  return await holdfast.query(`${counting} order by 1`)
}

describe.each(posts.map(route => [nameOf(route), route] as const))('%s', (name, route) => {
  it('is done once, for this login and this request', async () => {
    const request = await requestFor(route)
    const key = unique('key')
    const first = await send(route, request, key)
    expect([first.status < 300, isReplay(first)], first.text).toEqual([!refused.has(name), false])
    const before = await counts()
    const again = await send(route, request, key)
    expect([again.status, again.text, isReplay(again)]).toEqual([first.status, first.text, true])
    const otherRequest = { ...request, body: { ...request.body, another: 1 } }
    expectRefusal(await send(route, otherRequest, key), 422, 'idempotency-mismatch', 'Idempotency-Key')
    expect(await counts()).toEqual(before)
    expect(isReplay(await send(route, request, key, administrator))).toBe(false)
  })
})

describe('a new API key whose answer was lost', () => {
  const route = posts.find(one => one.path === '/console/api/crms/:crmId/keys')!

  it('is returned again to the person who created it, and stored nowhere in readable form', async () => {
    const request = await requestFor(route)
    const first = await send(route, request, 'the-name-of-it')
    expect((await send(route, request, 'the-name-of-it')).body).toEqual(first.body)
    const secret = first.body.secret as string
    expect(secret.length).toBeGreaterThan(20)
    const rows = await holdfast.query(
      `select encode(id, 'escape') || encode(digest, 'escape') || encode(answer, 'escape') as text from kept_answer`,
    )
    const text = rows.map(row => row.text).join()
    expect(text.length).toBeGreaterThan(100)
    expect([text.includes(secret), text.includes('the-name-of-it')]).toEqual([false, false])
  })

  it('is not shown after a logout', async () => {
    const gone = await logIn(await inviteAdministrator(holdfast.service, 'crm', 'gone@example.org'))
    const request = await requestFor(route)
    expect((await send(route, request, 'gone', gone)).status).toBe(201)
    await holdfast.query(
      'delete from console_session where console_user_id = (select id from console_user where email = $1)',
      ['gone@example.org'],
    )
    expectRefusal(await send(route, request, 'gone', gone), 401, 'login-required')
  })
})
