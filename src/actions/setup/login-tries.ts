import { countHits, refundHits } from '../../db/base/rates.ts'
import { tooManyRequests } from '../../errors.ts'
import { pseudonym } from '../../lib/hash.ts'
import type { Service } from '../../service.ts'

// Failed logins are counted per client, never per login alone: otherwise a stranger could lock a person out.

/**
 * `line`: the network address, for the queue of password checks. `device`: from the signed cookie of a
 * browser that logged in before, and for which login.
 */
export type Asker = { client: string; line: string; device: KnownDevice | null }
export type KnownDevice = { id: string; loginUuid: string }

const windowSeconds = 900
const triesForOneLogin = 10
const triesForAll = 50

/**
 * Counts before the password is checked, so that parallel guesses count too. A correct password gives its
 * attempt back.
 */
export async function countPasswordTry(
  service: Service,
  email: string,
  loginUuid: string | null,
  { client, device }: Asker,
) {
  const { db, signer, config } = service
  if (config.rateLimitPublic === 0) return { forgive: async () => {} }
  const login = pseudonym(signer.key('client'), email.trim().toLowerCase())
  // A known device has a counter of its own: an attacker behind the same address cannot use it up.
  const isKnown = device !== null && device.loginUuid === loginUuid
  const limits = isKnown
    ? [{ name: `password:device:${device.id}:${login}`, most: triesForOneLogin }]
    : [
        { name: `password:${client}:${login}`, most: triesForOneLogin },
        { name: `password:${client}`, most: triesForAll },
      ]
  for (const { name, most } of limits) await refuseAbove(service, name, windowSeconds, most)
  const names = limits.map(one => one.name)
  return { forgive: () => refundHits(db, names, windowSeconds) }
}

/**
 * Codes are short and sessions can be left open, so everything that takes a code or the current password is
 * limited per login.
 */
export async function countSecretTry(service: Service, loginId: number) {
  await refuseAbove(service, `secret-minute:${loginId}`, 60, 5)
  await refuseAbove(service, `secret-hour:${loginId}`, 3600, 20)
}

async function refuseAbove({ db }: Service, name: string, seconds: number, most: number) {
  const { hits, windowAge } = await countHits(db, { name, windowSeconds: seconds })
  if (hits > most) throw tooManyRequests(Math.max(1, Math.ceil(seconds - windowAge)))
}

/**
 * Counts one attempt of this client, in its own transaction, whatever the outcome. Limits that clients share
 * are counted once something is held or booked: booking/limits.ts.
 */
export async function countTry({ db, config }: Service, what: string, client: string) {
  const windowSeconds = 60
  const { hits, windowAge } = await countHits(db, { name: `${what}:${client}`, windowSeconds })
  const most = config.rateLimitPublic
  return {
    most,
    windowSeconds,
    left: Math.max(0, most - hits),
    isTooMuch: hits > most,
    wait: Math.max(1, Math.ceil(windowSeconds - windowAge)),
  }
}
