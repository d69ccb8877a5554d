import { expect, it } from 'vitest'
import { issueKey } from '../../../src/actions/setup/keys.ts'
import { makeAgent } from '../../support/agent.ts'
import { makePractice } from '../../support/build.ts'
import { call, startTestService, useService } from '../../support/service.ts'

const holdfast = await useService({ MCP: 'keys' })
const practice = await makePractice(holdfast.crm)
const foreign = await makePractice(holdfast.otherCrm)

it('with MCP=keys only a key of scope agent may call, for places of its CRM', async () => {
  const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
  const post = async (headers: Record<string, string>) =>
    (
      await call(holdfast.app, 'POST', '/mcp', body, {
        headers: { 'content-type': 'application/json', ...headers },
      })
    ).status
  const rows = await holdfast.query(`select id from crm where name = 'crm'`)
  const { key } = await issueKey(holdfast.service.db, rows[0].id, {
    label: null,
    scopes: ['read'],
    expiresAt: null,
  })
  expect([await post({}), await post({ 'x-service-client-id': key })]).toEqual([401, 403])
  const agent = await makeAgent(holdfast, { 'x-service-client-id': holdfast.crm.key })
  expect((await agent.call('find_services', { ref: practice.resourceUuid })).isError).toBe(false)
  expect((await agent.call('find_services', { ref: foreign.resourceUuid })).text).toContain(
    foreign.resourceUuid,
  )
  const { data } = await agent.call('find_services')
  expect(data.places).toEqual([{ ref: practice.resourceUuid, name: 'Room', business: 'Practice' }])
})

it('by default there is no /mcp', async () => {
  const other = await startTestService()
  expect((await call(other.app, 'POST', '/mcp', {})).status).toBe(404)
  await other.close()
})
