import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

// Passwords as scrypt makes them. What it cost stands in front, so that a later, dearer setting still reads old ones.

export type PasswordCost = { N: number; r: number; p: number }

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)
export const usualCost: PasswordCost = { N: 2 ** 15, r: 8, p: 3 }
const bytes = 32
const memory = 64 * 1024 * 1024

export async function hashPassword(password: string, cost: PasswordCost): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password.normalize('NFKC'), salt, bytes, { ...cost, maxmem: memory })
  return written(cost, salt, hash)
}

/** Takes as long where there is no password: nobody learns from a clock who has a login. */
export async function isPassword(
  password: string,
  kept: string | null,
  cost: PasswordCost,
): Promise<boolean> {
  const nobody = written(cost, Buffer.alloc(16), Buffer.alloc(bytes))
  const [, N, r, p, salt = '', hash = ''] = (kept ?? nobody).split('$')
  const right = Buffer.from(hash, 'base64')
  const options = { N: Number(N), r: Number(r), p: Number(p), maxmem: memory }
  const given = await derive(password.normalize('NFKC'), Buffer.from(salt, 'base64'), right.length, options)
  return timingSafeEqual(given, right) && kept !== null
}

const written = ({ N, r, p }: PasswordCost, salt: Buffer, hash: Buffer) =>
  ['scrypt', N, r, p, salt.toString('base64'), hash.toString('base64')].join('$')
