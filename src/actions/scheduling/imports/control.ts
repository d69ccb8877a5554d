import type { Queryable } from '../../../db/base/pool.ts'
import { queueImport } from '../../../db/import-jobs.ts'
import {
  beginPass,
  countResults,
  deleteImport,
  type ImportOptions,
  type ImportRow,
  type ImportState,
  lockImport,
  updateImport,
} from '../../../db/scheduling/imports.ts'
import { customerQuestions } from '../../../db/setup/questions.ts'
import { importState, invalidField, notFound, undoExpired } from '../../../errors.ts'
import { importFields, type Mapping, missingFields, ownPrefix } from '../../../rules/imports/fields.ts'
import type { Actor } from '../../../rules/messages/events.ts'
import type { Service } from '../../../service.ts'

type Key = Pick<ImportRow, 'providerId' | 'id' | 'uuid'>

/** Locks the import; refuses it in other states. */
async function lockIn(tx: Queryable, key: Key, states: ImportState[]): Promise<ImportRow> {
  const row = await lockImport(tx, key)
  if (!row) throw notFound('Import', key.uuid)
  if (!states.includes(row.state)) throw importState(row.state)
  return row
}

type Plan = { mapping: Mapping } & Pick<ImportOptions, 'duplicates' | 'dateOrder' | 'onlyOpen' | 'sendMails'>

/** Starts a dry run with this mapping. */
export async function checkImport(
  { db }: Service,
  actor: Actor,
  key: Key,
  { mapping, ...options }: Plan,
): Promise<ImportRow> {
  return db.transaction(async tx => {
    const row = await lockIn(tx, key, ['UPLOADED', 'CHECKED'])
    await refuseMapping(tx, row, mapping)
    return begin(tx, { ...row, mapping, options: { ...row.options, ...options }, actor }, 'CHECKING')
  })
}

/** Imports what was checked. */
export async function startImport(
  { db }: Service,
  actor: Actor,
  key: Key,
  mode: ImportOptions['mode'],
): Promise<ImportRow> {
  return db.transaction(async tx => {
    const row = await lockIn(tx, key, ['CHECKED'])
    const refused = (await countResults(tx, row)).find(one => one.result === 'REFUSED')
    if (mode === 'all' && refused) throw invalidField('mode', 'refused-lines', { count: refused.count })
    return begin(tx, { ...row, options: { ...row.options, mode }, actor }, 'RUNNING')
  })
}

async function begin(tx: Queryable, row: ImportRow, state: ImportState): Promise<ImportRow> {
  // Appointments may repeat the number and the address of a customer.
  const at = (field: string) => {
    const index = row.kind === 'customers' ? row.mapping!.indexOf(field) : -1
    return index < 0 ? null : index
  }
  await beginPass(tx, row, { reference: at('reference'), email: at('email') })
  return continueAs(tx, row, state)
}

async function continueAs(tx: Queryable, row: ImportRow, state: ImportState): Promise<ImportRow> {
  await queueImport(tx, row)
  return updateImport(tx, row, { state })
}

/** Takes back what has not changed since then. */
export async function undoImport({ db }: Service, actor: Actor, key: Key): Promise<ImportRow> {
  return db.transaction(async tx => {
    const row = await lockIn(tx, key, ['DONE'])
    if (!row.isUndoable) throw undoExpired()
    return continueAs(tx, { ...row, actor }, 'UNDOING')
  })
}

/** Deletes the file. What was imported stays. */
export async function discardImport({ db }: Service, key: Key) {
  await db.transaction(async tx => {
    await deleteImport(tx, await lockIn(tx, key, ['UPLOADED', 'CHECKED']))
  })
}

async function refuseMapping(tx: Queryable, { kind, headers, providerId }: ImportRow, mapping: Mapping) {
  if (mapping.length > headers.length) throw invalidField('mapping', 'maxItems', { limit: headers.length })
  const own =
    kind === 'customers' ? (await customerQuestions(tx, providerId)).map(one => ownPrefix + one.key) : []
  const known = [...Object.keys(importFields[kind]), ...own]
  for (const [index, field] of mapping.entries()) {
    if (field !== null && !known.includes(field))
      throw invalidField(`mapping[${index}]`, 'one-of:column', { choices: known })
    if (field !== null && mapping.indexOf(field) !== index)
      throw invalidField(`mapping[${index}]`, 'duplicate:column')
  }
  const missing = missingFields(kind, mapping)
  if (missing.length > 0) throw invalidField('mapping', 'missing-columns', { fields: missing })
}
