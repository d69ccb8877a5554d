import { describe, expect, it } from 'vitest'
import { deleteOldCalls, RequestLog } from '../../src/db/setup/request-log.ts'
import { makeCustomer, makePractice, unique } from '../support/build.ts'
import { expectRefusal } from '../support/refusals.ts'
import { call, consoleCall, useService } from '../support/service.ts'

const holdfast = await useService()
const { crm } = holdfast
const practice = await makePractice(crm)
const log = async (query = '') => (await crm.get(`/requests${query}`)).body

describe('the request log', () => {
  it('has time, key, route, status, error, request id and duration of each call, newest first', async () => {
    const { customerReference, email } = await makeCustomer(crm, practice)
    const path = `${practice.path}/customers`
    await crm.get(`${path}/${encodeURIComponent(customerReference)}?email=${email}`)
    const options = { headers: { 'x-request-id': 'my-call-1' } }
    expect((await crm.put(`${path}/none@plat`, { note: 'a secret' }, options)).status).toBe(404)
    const { requests } = await log()
    const route = '/crms/{crmId}/provider/{providerRef}/customers/{customerRef}'
    const entry = { id: expect.stringMatching(/^\d+$/), key: expect.stringMatching(/^\w+$/), standsFor: 1 }
    expect(requests.slice(0, 2)).toEqual([
      {
        ...entry,
        at: expect.stringMatching(/Z$/),
        route: `PUT ${route}`,
        status: 404,
        errorCode: 'not-found',
        requestId: 'my-call-1',
        ms: expect.any(Number),
      },
      expect.objectContaining({ route: `GET ${route}`, status: 200, errorCode: null }),
    ])
    for (const secret of [customerReference, email, 'a secret', encodeURIComponent(email)])
      expect(JSON.stringify(requests)).not.toContain(secret)
  })

  it('finds calls by status, route, request id and key, page by page', async () => {
    for (const id of ['find-1', 'find-2', 'find-3'])
      await crm.get('/user/none@plat', { headers: { 'x-request-id': id } })
    const ids = ({ requests }: { requests: { requestId: string }[] }) => requests.map(one => one.requestId)
    expect(ids(await log('?requestId=find-2'))).toEqual(['find-2'])
    const first = await log('?status=4xx&route=/USER/&limit=2')
    expect(ids(first)).toEqual(['find-3', 'find-2'])
    const second = await log(`?status=404&route=user&limit=2&before=${first.next}`)
    expect([ids(second), second.next]).toEqual([['find-1'], null])
    expect(ids(await log('?key=unknown'))).toEqual([])
    expectRefusal(await crm.get('/requests?status=6xx'), 400, 'invalid-field', 'status')
  })

  it('also has calls that the key may not make, and none of other CRMs or without a key', async () => {
    const headers = { 'x-service-client-id': crm.key, 'x-request-id': 'elsewhere' }
    await call(holdfast.app, 'GET', '/crms/other/user/x', undefined, { headers })
    await call(holdfast.app, 'GET', '/crms/crm/user/x', undefined, {
      headers: { 'x-service-client-id': 'hf_none_x', 'x-request-id': 'no-key' },
    })
    await holdfast.otherCrm.get('/user/x', { headers: { 'x-request-id': 'of-others' } })
    expect((await log('?requestId=elsewhere')).requests).toMatchObject([
      { status: 403, errorCode: 'wrong-crm' },
    ])
    for (const id of ['no-key', 'of-others']) expect((await log(`?requestId=${id}`)).requests).toEqual([])
    const console = await consoleCall(holdfast.app, 'GET', '/crms/other/requests?requestId=of-others')
    expect(console.body.requests).toMatchObject([{ status: 404 }])
  })

  it('keeps one in ten calls of a key beyond 100 in a second, and says so', async () => {
    const written = new RequestLog(holdfast.service.db)
    const crmId = (await holdfast.query(`select id from crm where name = 'crm'`))[0].id
    const keyId = (await holdfast.service.db.pool.query('select id from api_key where crm_id = $1', [crmId]))
      .rows[0].id
    const one = { crmId, keyId, route: 'GET /many', status: 200, code: null, requestId: unique('r'), ms: 1 }
    const at = Math.floor(Date.now() / 1000) * 1000
    for (let number = 0; number < 300; number++) written.add({ ...one, at })
    written.add({ ...one, at: at + 1000 })
    await written.flush()
    const { requests } = await log('?route=/many&limit=500')
    const count = (standsFor: number) =>
      requests.filter((entry: { standsFor: number }) => entry.standsFor === standsFor).length
    expect([count(1), count(10)]).toEqual([101, 20])
  })

  it('survives a database that is away, and is deleted after 7 days', async () => {
    const broken = new RequestLog({ query: () => Promise.reject(new Error('away')) } as never)
    broken.add({ crmId: 1, keyId: 1, at: 0, route: '', status: 200, code: null, requestId: '', ms: 1 })
    await broken.flush()
    const { db } = holdfast.service
    await db.pool.query(`update api_request set at = at - interval '7 days' where request_id = 'find-1'`)
    expect((await log('?requestId=find-1')).requests).toEqual([])
    expect(await deleteOldCalls(db)).toBe(1)
    expect(await deleteOldCalls(db)).toBe(0)
    expect((await log('?requestId=find-2')).requests).toHaveLength(1)
  })
})
