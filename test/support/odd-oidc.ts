// An OpenID Connect provider that can lie: the test decides what each of its answers is.

import { createHmac, createSign, generateKeyPairSync } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Json = Record<string, unknown>
export type OddAnswer = 'normal' | 'endless' | 'silent' | 'dripping' | 'redirect loop' | 'no JSON'

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 })
const jwk = { ...keys.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }
const text = (value: Json) => Buffer.from(JSON.stringify(value)).toString('base64url')

export type Signing = 'RS256' | 'none' | 'HS256 with the public key' | 'a foreign key'

function sign(claims: Json, how: Signing): string {
  const alg = how === 'a foreign key' ? 'RS256' : how.split(' ')[0]!
  const content = `${text({ alg, kid: 'one', typ: 'JWT' })}.${text(claims)}`
  if (how === 'none') return `${content}.`
  const pem = keys.publicKey.export({ format: 'pem', type: 'spki' })
  if (alg === 'HS256') return `${content}.${createHmac('sha256', pem).update(content).digest('base64url')}`
  const { privateKey } = how === 'a foreign key' ? foreign : keys
  return `${content}.${createSign('RSA-SHA256').update(content).sign(privateKey, 'base64url')}`
}

export async function startOddOidc(clientId: string) {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const odd = {
    issuer,
    /** The path whose answer is odd. */
    where: '',
    answer: 'normal' as OddAnswer,
    discovery: {} as Json,
    claims: {} as Json,
    signing: 'RS256' as Signing,
    sentBytes: 0,
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  const bodies: Record<string, () => Json> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      ...odd.discovery,
    }),
    '/keys': () => ({ keys: [jwk] }),
    '/userinfo': () => ({ sub: 'ann', email: 'ann@example.org', email_verified: true }),
    '/token': () => {
      const now = Math.floor(Date.now() / 1000)
      const usual = { iss: issuer, sub: 'ann', aud: clientId, iat: now, exp: now + 300 }
      return {
        access_token: 'access',
        token_type: 'Bearer',
        expires_in: 300,
        id_token: sign(
          { ...usual, email: 'ann@example.org', email_verified: true, ...odd.claims },
          odd.signing,
        ),
      }
    },
  }
  server.on('request', ({ url = '' }, response) => {
    const body = bodies[url]
    if (!body) return response.writeHead(404).end()
    if (url !== odd.where || odd.answer === 'normal')
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body()))
    return answerOddly(response, odd, url)
  })
  return odd
}

function answerOddly(response: ServerResponse, odd: { answer: OddAnswer; sentBytes: number }, url: string) {
  if (odd.answer === 'silent') return
  if (odd.answer === 'redirect loop') return response.writeHead(302, { location: url }).end()
  response.writeHead(200, { 'content-type': 'application/json' })
  if (odd.answer === 'no JSON') return response.end('<html>')
  response.write('{"x":"')
  const drip = () => {
    if (response.destroyed) return
    const chunk = odd.answer === 'endless' ? 'x'.repeat(65_536) : 'x'
    odd.sentBytes += chunk.length
    const isReady = response.write(chunk)
    if (odd.answer === 'dripping') setTimeout(drip, 20)
    else if (isReady) setImmediate(drip)
    else response.once('drain', drip)
  }
  drip()
}
