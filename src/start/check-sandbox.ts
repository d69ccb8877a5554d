import type { Queryable } from '../db/base/pool.ts'
import { markSandbox, readSandbox } from '../db/base/sandbox.ts'
import { StartError } from '../lib/start-error.ts'

/**
 * A sandbox gives everyone on the machine its emails and its clock, so it runs only on a database that was created as one; and such a
 * database serves nothing else.
 */
export async function checkSandbox(db: Queryable, isWanted: boolean, mayMark: boolean) {
  const { isSandbox, isNew } = await readSandbox(db)
  if (isWanted === isSandbox) return
  if (isSandbox) throw new StartError('This database is a sandbox. Set SANDBOX=1, or use another database.')
  if (!isNew || !mayMark)
    throw new StartError(
      'SANDBOX=1 works only on a database that was created with it. Use an empty database, or run holdfast sandbox.',
    )
  await markSandbox(db)
}
