import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Config } from '../config.ts'
import { StartError } from '../lib/start-error.ts'

type Dkim = { domainName: string; keySelector: string; privateKey: string }

/** Null if emails are not signed. An unusable key fails at startup, not with the first email. */
export function readDkim({ dkimDomain, dkimSelector, dkimKeyFile }: Config): Dkim | null {
  if (!dkimDomain || !dkimSelector || !dkimKeyFile) return null
  return { domainName: dkimDomain, keySelector: dkimSelector, privateKey: readKey(dkimKeyFile) }
}

function readKey(path: string): string {
  try {
    const key = readFileSync(path, 'utf8')
    createPrivateKey(key)
    return key
  } catch (error) {
    throw new StartError(
      `DKIM_KEY_FILE is invalid: ${path} holds no private key that can be read (${(error as Error).message}). Make one with \`openssl genrsa -out ${path} 2048\`.`,
    )
  }
}
