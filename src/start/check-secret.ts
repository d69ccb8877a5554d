import { createHmac } from 'node:crypto'
import type { Db } from '../db/base/pool.ts'
import { keepFingerprint, readFingerprint } from '../db/base/secret-fingerprint.ts'
import { StartError } from '../lib/start-error.ts'

type Keys = { current: string; previous: string | null }

/**
 * A wrong SECRET_KEY would go unnoticed until a customer clicks a link in an email. The database therefore
 * stores a fingerprint of the key, from which the key cannot be derived.
 */
export async function checkSecret(
  db: Db,
  { current, previous }: Keys,
  { mayChange }: { mayChange: boolean },
) {
  const known = await readFingerprint(db)
  if (known === fingerprint(current)) return
  const isRotated = previous !== null && known === fingerprint(previous)
  if (known !== null && !isRotated && !mayChange)
    throw new StartError(
      'SECRET_KEY is not the one this database was used with: links in emails and logins would stop working. Set the old one, or set it as SECRET_KEY_PREVIOUS beside the new one. If it is lost, see docs/operations.md.',
    )
  await keepFingerprint(db, fingerprint(current))
}

export const fingerprint = (key: string) =>
  createHmac('sha256', key).update('holdfast secret fingerprint').digest('hex').slice(0, 32)
