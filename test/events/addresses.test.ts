import { expect, it } from 'vitest'
import { useService } from '../support/service.ts'

const holdfast = await useService()

it('stores the URL of a webhook as it will be called', async () => {
  const made = await holdfast.crm.post('/webhooks', { url: 'https://EXAMPLE.org:443/a/../hooks\t?b=c' })
  expect(made.body.webhook.url).toBe('https://example.org/hooks?b=c')
  const changed = await holdfast.crm.patch(`/webhooks/${made.body.webhook.uuid}`, {
    url: 'https://ExAmple.ORG',
  })
  const put = await holdfast.crm.put(`/webhooks/${made.body.webhook.uuid}`, { url: 'https://ExAmple.ORG' })
  expect([changed, put].find(one => one.status === 200)!.body.webhook.url).toBe('https://example.org/')
})
