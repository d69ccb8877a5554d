import { countOtherKeys, lastBookedStart, movingCrms, passFenceHere } from '../db/base/key-use.ts'
import type { Db } from '../db/base/pool.ts'
import {
  readSealed,
  replaceSealed,
  type SealedColumn,
  type SealedValue,
  sealedColumns,
} from '../db/base/sealed-columns.ts'
import { endFormerKey } from '../db/base/secret-fingerprint.ts'
import { seal, unseal } from '../lib/seal.ts'
import type { Signer } from '../lib/signer.ts'
import { StartError } from '../lib/start-error.ts'
import { latestLinkEnd } from '../links.ts'

// Encrypts all secrets in the database with the current SECRET_KEY, while the service runs. Each value is
// replaced only if it is still the one that was read, so nothing that changes meanwhile is lost, and an
// interrupted run can be repeated.

export type Resealed = {
  /** Values by `table.column` that were encrypted again, or would be. */
  resealed: Record<string, number>
  /** Values that no given key opens. */
  unreadable: Record<string, number>
  /** When the last link that may be signed with the former key expires, in milliseconds. */
  linksUntil: number
}

type Reseal = { db: Db; signer: Signer; fingerprint: string; isDryRun: boolean }

const maxPasses = 20
const batchSize = 200

export async function resealAll(reseal: Reseal): Promise<Resealed> {
  const { db, fingerprint, isDryRun } = reseal
  if (!isDryRun) await refuseWhileInUse(reseal)
  const resealed: Record<string, number> = {}
  for (let passes = 1; ; passes++) {
    const pass = await onePass(reseal)
    for (const [name, count] of Object.entries(pass.old)) resealed[name] = (resealed[name] ?? 0) + count
    const isDone = Object.keys(pass.old).length === 0
    if (!isDone && !isDryRun && passes < maxPasses) continue
    if (!isDryRun) {
      await refuseWhileInUse(reseal)
      if (!isDone || !(await endFormerKey(db, fingerprint))) throw new StartError(changing)
    }
    return { resealed, unreadable: pass.unreadable, linksUntil: latestLinkEnd(await lastBookedStart(db)) }
  }
}

const changing =
  'Secrets are still being encrypted with the old key. Restart all instances with the new SECRET_KEY, then run this again.'

async function refuseWhileInUse({ db, fingerprint }: Reseal) {
  const others = await countOtherKeys(db, fingerprint)
  if (others > 0)
    throw new StartError(
      `An instance still uses another SECRET_KEY (${others} connections). Restart it with the new SECRET_KEY and the old one as SECRET_KEY_PREVIOUS, then run this again.`,
    )
  const moving = await movingCrms(db)
  if (moving.length > 0)
    throw new StartError(`CRM ${moving.join(', ')} is being moved. Finish or cancel the move first.`)
}

type Pass = { old: Record<string, number>; unreadable: Record<string, number> }

/** Whether a secret in the database is encrypted with a key that is not given. */
export async function hasUnreadable(db: Db, signer: Signer): Promise<boolean> {
  for await (const { column, values } of allSealed(db))
    if (values.some(({ sealed }) => unseal(signer.keys(column.purpose), sealed) === null)) return true
  return false
}

async function onePass(reseal: Reseal): Promise<Pass> {
  const pass: Pass = { old: {}, unreadable: {} }
  for await (const { column, values } of allSealed(reseal.db)) await resealBatch(reseal, column, values, pass)
  return pass
}

async function* allSealed(db: Db): AsyncGenerator<{ column: SealedColumn; values: SealedValue[] }> {
  for (const column of sealedColumns) {
    let after: string[] | null = null
    for (;;) {
      const values: SealedValue[] = await readSealed(db, column, { after, limit: batchSize })
      yield { column, values }
      after = values.at(-1)?.key ?? null
      if (values.length < batchSize) break
    }
  }
}

async function resealBatch(
  { db, signer, isDryRun }: Reseal,
  column: SealedColumn,
  values: SealedValue[],
  pass: Pass,
) {
  const current = signer.key(column.purpose)
  const name = `${column.table}.${column.column}`
  const count = (counts: Record<string, number>) => (counts[name] = (counts[name] ?? 0) + 1)
  const old = values.filter(({ sealed }) => unseal([current], sealed) === null)
  const opened = old.map(value => ({ value, text: unseal(signer.keys(column.purpose), value.sealed) }))
  for (const { text } of opened) count(text === null ? pass.unreadable : pass.old)
  if (isDryRun || opened.length === 0) return
  await db.transaction(async tx => {
    await passFenceHere(tx)
    for (const { value, text } of opened)
      if (text !== null) await replaceSealed(tx, column, value, seal(current, text))
  })
}
