import { createHmac } from 'node:crypto'
import type { Db } from '../db/base/pool.ts'
import { keepFingerprint, readFingerprint } from '../db/base/secret-fingerprint.ts'
import { StartError } from '../lib/start-error.ts'

type Keys = { current: string; previous: string | null }

/**
 * A wrong SECRET_KEY looks fine until somebody clicks on a link in a mail. So the database remembers a fingerprint of the
 * one it was used with, from which nobody can tell the key.
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
      'SECRET_KEY is not the one that this database has been used with: links in mails and logins would end. Set the former one, or set it as SECRET_KEY_PREVIOUS beside the new one. If it is lost, see docs/operations.md.',
    )
  await keepFingerprint(db, fingerprint(current))
}

export const fingerprint = (key: string) =>
  createHmac('sha256', key).update('holdfast secret fingerprint').digest('hex').slice(0, 32)
