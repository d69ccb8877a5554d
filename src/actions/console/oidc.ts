import * as client from 'openid-client'
import { assertNoConnectionHeld } from '../../lib/held-connection-check.ts'
import { seal, unseal } from '../../lib/seal.ts'
import type { Service } from '../../service.ts'

// Login with an organisation's own identity provider (OpenID Connect). The provider identifies the person;
// their verified email decides whether they have a login here.

const callbackPath = '/console/login/oidc/callback'

/** Of each answer of the provider. */
export const oidcLimits = { seconds: 10, bytes: 1024 * 1024 }

/** An answer without end fails instead of filling the memory. */
const fetchLimited: client.CustomFetch = async (url, options) => {
  const { body, status, headers } = await fetch(url, options as RequestInit)
  return new Response(body?.pipeThrough(limitOf(oidcLimits.bytes)), { status, headers })
}

function limitOf(bytes: number) {
  let left = bytes
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.length
      if (left < 0) controller.error(new Error('The answer of the OpenID Connect provider is too long.'))
      else controller.enqueue(chunk)
    },
  })
}

const found = new WeakMap<Service, Promise<client.Configuration>>()

/** Discovered once. An unreachable provider is tried again next time. */
function providerOf(service: Service): Promise<client.Configuration> {
  const known = found.get(service)
  if (known) return known
  const { oidcIssuer, oidcClientId, oidcClientSecret } = service.config
  const issuer = new URL(oidcIssuer!)
  const plain = issuer.protocol === 'http:' ? [client.allowInsecureRequests] : []
  const looking = client.discovery(issuer, oidcClientId!, oidcClientSecret!, undefined, {
    // Verifies the signature of ID tokens too, although they come from the provider directly.
    execute: [...plain, client.enableNonRepudiationChecks],
    timeout: oidcLimits.seconds,
    [client.customFetch]: fetchLimited,
  })
  found.set(service, looking)
  looking.catch(() => found.delete(service))
  return looking
}

/** Kept sealed in the browser, so that only the browser that started a login can finish it. */
type LoginAttempt = { verifier: string; state: string; nonce: string; until: number }

const minutes = 10

export async function beginOidc(service: Service): Promise<{ address: string; kept: string }> {
  assertNoConnectionHeld('a login with OpenID Connect')
  const provider = await providerOf(service)
  const attempt: LoginAttempt = {
    verifier: client.randomPKCECodeVerifier(),
    state: client.randomState(),
    nonce: client.randomNonce(),
    until: Date.now() + minutes * 60_000,
  }
  const address = client.buildAuthorizationUrl(provider, {
    redirect_uri: service.baseUrl + callbackPath,
    scope: 'openid email profile',
    code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: 'S256',
    state: attempt.state,
    nonce: attempt.nonce,
  })
  const kept = seal(service.signer.key('oidc'), JSON.stringify(attempt)).toString('base64url')
  return { address: address.href, kept }
}

/**
 * The verified email of the person who returns; null if the provider vouches for none. Throws if the answer
 * is invalid.
 */
export async function endOidc(service: Service, kept: string, search: string): Promise<string | null> {
  assertNoConnectionHeld('a login with OpenID Connect')
  const opened = unseal(service.signer.keys('oidc'), Buffer.from(kept, 'base64url'))
  const attempt = opened && (JSON.parse(opened) as LoginAttempt)
  if (!attempt || attempt.until < Date.now())
    throw new Error('This login was begun too long ago, or elsewhere.')
  const provider = await providerOf(service)
  const tokens = await client.authorizationCodeGrant(
    provider,
    new URL(service.baseUrl + callbackPath + search),
    {
      pkceCodeVerifier: attempt.verifier,
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      idTokenExpected: true,
    },
  )
  const claims = tokens.claims()!
  const identity =
    claims.email === undefined && tokens.access_token
      ? await client.fetchUserInfo(provider, tokens.access_token, claims.sub)
      : claims
  return identity.email_verified === true && typeof identity.email === 'string' ? identity.email : null
}
