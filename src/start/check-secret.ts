import { createHmac } from 'node:crypto'
import type { Db } from '../db/base/pool.ts'
import { endFormerKey, keepFingerprint, readKeysInUse } from '../db/base/secret-fingerprint.ts'
import { makeSigner } from '../lib/signer.ts'
import { StartError } from '../lib/start-error.ts'
import { hasUnreadable } from './reseal.ts'

type Keys = { current: string; previous: string | null }

/**
 * A wrong SECRET_KEY would go unnoticed until a customer clicks a link in an email. The database therefore
 * stores a fingerprint of the key, from which the key cannot be derived, and that of a former key which is
 * needed until `holdfast secrets reseal` is done.
 */
export async function checkSecret(
  db: Db,
  { current, previous }: Keys,
  { mayChange }: { mayChange: boolean },
) {
  const known = await readKeysInUse(db)
  const given = fingerprintsOf({ current, previous })
  const isKnown = known === null || given.includes(known.fingerprint)
  if (!isKnown && !mayChange)
    throw new StartError(
      'SECRET_KEY is not the one this database was used with: links in emails and logins would stop working. Set the old one, or set it as SECRET_KEY_PREVIOUS beside the new one. If it is lost, see docs/operations.md.',
    )
  if (known === null || !isKnown) return keepFingerprint(db, given[0]!)
  const lacksKey = known.stillNeeded !== null && !given.includes(known.stillNeeded)
  if (lacksKey && (await hasUnreadable(db, makeSigner(current, previous)))) throw new StartError(stillNeeded)
  if (known.fingerprint !== given[0]) await keepFingerprint(db, given[0]!, known.fingerprint)
  else if (lacksKey) await endFormerKey(db, known.fingerprint)
}

const stillNeeded =
  'Secrets in the database are still encrypted with the former SECRET_KEY. Set it as SECRET_KEY_PREVIOUS, run holdfast secrets reseal, and remove it afterwards. If it is lost, see docs/operations.md.'

export const fingerprintsOf = ({ current, previous }: Keys): string[] =>
  [current, previous].filter(key => key !== null).map(fingerprint)

export const fingerprint = (key: string) =>
  createHmac('sha256', key).update('holdfast secret fingerprint').digest('hex').slice(0, 32)
