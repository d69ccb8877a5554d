import { expect, it } from 'vitest'
import { useService } from '../support/service.ts'

const test = await useService()

it('stores the URL of a webhook as it will be called', async () => {
  const made = await test.crm.post('/webhooks', { url: 'https://EXAMPLE.org:443/a/../hooks\t?b=c' })
  expect(made.body.webhook.url).toBe('https://example.org/hooks?b=c')
  const changed = await test.crm.patch(`/webhooks/${made.body.webhook.uuid}`, { url: 'https://ExAmple.ORG' })
  const put = await test.crm.put(`/webhooks/${made.body.webhook.uuid}`, { url: 'https://ExAmple.ORG' })
  expect([changed, put].find(one => one.status === 200)!.body.webhook.url).toBe('https://example.org/')
})
