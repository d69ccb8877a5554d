import type { KeyObject } from 'node:crypto'
import { seal, unseal } from '../lib/seal.ts'
import { CalendarProblem } from './problem.ts'

/** What only the service needs to know: most addresses are secrets themselves. */
export type SourceSecrets = { url: string; user: string | null; password: string | null }

type Keys = { key(purpose: string): KeyObject; keys(purpose: string): KeyObject[] }

export const sealSecrets = (signer: Keys, secrets: SourceSecrets): Buffer =>
  seal(signer.key('calendars'), JSON.stringify(secrets))

export function openSecrets(signer: Keys, sealed: Buffer): SourceSecrets {
  const text = unseal(signer.keys('calendars'), sealed)
  if (text === null) throw new CalendarProblem('key')
  return JSON.parse(text) as SourceSecrets
}

/** People copy webcal:// addresses; they mean https. */
export const asWebAddress = (address: string) => address.trim().replace(/^webcals?:\/\//i, 'https://')
