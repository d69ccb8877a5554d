import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { FairQueue } from './fair-queue.ts'
import { computeHash } from './password-threads.ts'

// Passwords hashed with scrypt. The cost is stored with the hash, so that a later, higher cost still reads
// old ones.

export type PasswordCost = { N: number; r: number; p: number }

export const defaultCost: PasswordCost = { N: 2 ** 15, r: 8, p: 3 }
const bytes = 32
const memory = 64 * 1024 * 1024

/** `hashing`: a few at a time, in turn between askers. */
type Hasher = { passwordHashing: FairQueue; passwordCost: PasswordCost }

/** `asker` is the client, such as a network address. A flood from one asker delays only its own. */
export async function hashPassword(hasher: Hasher, asker: string, password: string): Promise<string> {
  const salt = randomBytes(16)
  const { passwordCost } = hasher
  return written(passwordCost, salt, await derive(hasher, asker, password, salt, bytes, passwordCost))
}

/** Takes as long if there is no password, so that timing does not reveal which logins exist. */
export async function isPassword(
  hasher: Hasher,
  asker: string,
  password: string,
  kept: string | null,
): Promise<boolean> {
  const dummy = written(hasher.passwordCost, Buffer.alloc(16), Buffer.alloc(bytes))
  const [_first, N, r, p, salt = '', hash = ''] = (kept ?? dummy).split('$')
  const right = Buffer.from(hash, 'base64')
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  const given = await derive(hasher, asker, password, Buffer.from(salt, 'base64'), right.length, cost)
  return timingSafeEqual(given, right) && kept !== null
}

function derive(
  { passwordHashing }: Hasher,
  asker: string,
  text: string,
  salt: Buffer,
  length: number,
  cost: PasswordCost,
) {
  const password = text.normalize('NFKC')
  return passwordHashing.run(asker, () =>
    computeHash({ password, salt, length, options: { ...cost, maxmem: memory } }),
  )
}

const written = ({ N, r, p }: PasswordCost, salt: Buffer, hash: Buffer) =>
  ['scrypt', N, r, p, salt.toString('base64'), hash.toString('base64')].join('$')
