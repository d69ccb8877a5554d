import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

// Passwords as scrypt makes them. What it cost stands in front, so that a later, dearer setting still reads old ones.

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)
const cost = { N: 2 ** 15, r: 8, p: 3 }
const bytes = 32
const memory = 64 * 1024 * 1024

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password.normalize('NFKC'), salt, bytes, { ...cost, maxmem: memory })
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64'), hash.toString('base64')].join('$')
}

/** Takes as long where there is no password: nobody learns from a clock who has a login. */
export async function isPassword(password: string, kept: string | null): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = (kept ?? nobody).split('$')
  const right = Buffer.from(hash, 'base64')
  const options = { N: Number(N), r: Number(r), p: Number(p), maxmem: memory }
  const given = await derive(password.normalize('NFKC'), Buffer.from(salt, 'base64'), right.length, options)
  return timingSafeEqual(given, right) && kept !== null
}

const nobody = `scrypt$${cost.N}$${cost.r}$${cost.p}$${Buffer.alloc(16).toString('base64')}$${Buffer.alloc(bytes).toString('base64')}`
