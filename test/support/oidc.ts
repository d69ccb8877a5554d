// A real OpenID Connect provider that logs every visitor in as the person the test names.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

export type Person = { email: string; email_verified: boolean }
export type TestOidc = { issuer: string; person: Person; close(): Promise<void> }

export const oidcClient = { id: 'holdfast', secret: 'a-secret-that-both-sides-know' }

export async function startOidc(callback: string): Promise<TestOidc> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const oidc: TestOidc = {
    issuer,
    person: { email: 'nobody@example.org', email_verified: true },
    close: () => new Promise(resolve => server.close(() => resolve())),
  }
  const provider = new Provider(issuer, {
    clients: [{ client_id: oidcClient.id, client_secret: oidcClient.secret, redirect_uris: [callback] }],
    claims: { email: ['email', 'email_verified'], openid: ['sub'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    cookies: { keys: ['key-for-the-tests'] },
    findAccount: (_, id) => ({ accountId: id, claims: async () => ({ sub: id, ...oidc.person }) }),
    async loadExistingGrant({ oidc: { client, session } }) {
      const grant = new provider.Grant({ clientId: client!.clientId, accountId: session!.accountId! })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const answer = provider.callback()
  server.on('request', (request, response) => {
    if (!request.url!.startsWith('/interaction/')) return answer(request, response)
    return provider.interactionFinished(request, response, { login: { accountId: 'ann' } })
  })
  return oidc
}
