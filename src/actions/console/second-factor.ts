import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { Queryable } from '../../db/base/pool.ts'
import { queueMessages } from '../../db/mails.ts'
import { type ConsoleUser, updateConsoleUser } from '../../db/setup/console-users.ts'
import { codeRequired, factorInUse, notFound, wrongCode } from '../../errors.ts'
import { sha256 } from '../../lib/hash.ts'
import { seal, unseal } from '../../lib/seal.ts'
import { loginEmail } from '../../messages/compose.ts'
import type { Actor } from '../../rules/messages/events.ts'
import type { Service } from '../../service.ts'
import { recordEvents } from '../record-events.ts'
import { lockLogin } from './open-session.ts'

// Codes of an authenticator app in addition to the password. A code works once; recovery codes replace a lost
// device.

const period = 30
const recoveryCodes = 10

/** Creates a secret for the app; it takes effect once a code proves that the app has it. */
export async function beginTotp(service: Service, login: Pick<ConsoleUser, 'id' | 'email'>) {
  const secret = new Secret({ size: 20 })
  const sealed = seal(service.signer.key('totp'), secret.base32)
  await service.db.transaction(async tx => {
    // Otherwise an open session could swap the factor for one of its own without a code.
    if ((await lockLogin(tx, login.id)).totpSecret) throw factorInUse()
    await updateConsoleUser(tx, login.id, { totpPending: sealed })
  })
  return { secret: secret.base32, uri: generator(secret.base32, login.email).toString() }
}

/** The recovery codes are shown once. */
export async function confirmTotp(service: Service, loginId: number, code: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes }, newRecoveryCode)
  await service.db.transaction(async tx => {
    const login = await lockLogin(tx, loginId)
    if (login.totpSecret) throw factorInUse()
    const step = login.totpPending && stepOf(service, login.totpPending, code)
    if (step === null) throw wrongCode()
    await updateConsoleUser(tx, loginId, {
      totpSecret: login.totpPending,
      totpPending: null,
      totpStep: step,
      recoveryHashes: codes.map(one => sha256(plain(one))),
    })
  })
  return codes
}

export async function endTotp(service: Service, loginId: number, code: string) {
  await service.db.transaction(async tx => {
    await useCode(service, tx, loginId, code)
    await updateConsoleUser(tx, loginId, { totpSecret: null, totpPending: null, recoveryHashes: [] })
  })
}

/** For a person who lost both the app and the recovery codes. They are notified by email. */
export async function resetTotp(service: Service, actor: Actor, loginId: number) {
  await service.db.transaction(async tx => {
    const login = await lockLogin(tx, loginId)
    if (!login.totpSecret) throw notFound('second factor of', login.email)
    await updateConsoleUser(tx, loginId, { totpSecret: null, totpPending: null, recoveryHashes: [] })
    await queueMessages(tx, [loginEmail(service, 'factor-reset', login, `${service.baseUrl}/console`, null)])
    const events = { 'settings.changed': [{ detail: 'second-factor' }] }
    if (login.crmId !== null) await recordEvents(tx, service, { actor, crmId: login.crmId, events })
  })
}

/** Accepts a code of the app or a recovery code, once. */
export async function useCode(service: Service, tx: Queryable, loginId: number, code: string | null) {
  if (!code) throw codeRequired()
  const login = await lockLogin(tx, loginId)
  if (!login.totpSecret) return
  const step = stepOf(service, login.totpSecret, code)
  if (step !== null && step > login.totpStep) return updateConsoleUser(tx, loginId, { totpStep: step })
  const used = sha256(plain(code))
  const left = login.recoveryHashes.filter(one => !one.equals(used))
  if (left.length === login.recoveryHashes.length) throw wrongCode()
  await updateConsoleUser(tx, loginId, { recoveryHashes: left })
}

/** The 30-second step the code belongs to, allowing one step before and after; null if it matches none. */
function stepOf({ signer }: Service, sealed: Buffer, code: string): number | null {
  const secret = unseal(signer.keys('totp'), sealed)
  const token = code.replace(/\s/g, '')
  if (secret === null || !/^\d{6}$/.test(token)) return null
  const delta = generator(secret, '').validate({ token, window: 1 })
  return delta === null ? null : Math.floor(Date.now() / 1000 / period) + delta
}

const generator = (secret: string, label: string) =>
  new TOTP({ issuer: 'Holdfast', label, secret, algorithm: 'SHA1', digits: 6, period })

/** Without letters that look like digits. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

function newRecoveryCode(): string {
  const letters = [...randomBytes(16)].map(byte => alphabet[byte % alphabet.length]).join('')
  return letters.match(/.{4}/g)!.join('-')
}

const plain = (code: string) => code.toLowerCase().replace(/[^a-z0-9]/g, '')
