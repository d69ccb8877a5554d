import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { sealedColumns } from '../../src/db/base/sealed-columns.ts'
import { useService } from '../support/service.ts'

const holdfast = await useService()

/** Binary columns that SECRET_KEY does not encrypt, or whose key is that of the caller. */
const notSealed = /(\.|_)(hash|hashes|digest|bytes)$|^kept_answer\.(id|answer)$/

it('one list names every encrypted column and every key that encrypts one', async () => {
  const rows = await holdfast.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and udt_name in ('bytea', '_bytea') order by 1`,
  )
  const listed = sealedColumns.map(({ table, column }) => `${table}.${column}`)
  // A new column: add it to the list, or say above why it is not encrypted with SECRET_KEY.
  expect(rows.map(row => row.name).filter(name => !notSealed.test(name))).toEqual(listed.toSorted())

  const purposes = new Set(sealedColumns.map(one => one.purpose))
  // A cookie of a login that is in progress.
  purposes.add('oidc')
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(name =>
    name.endsWith('.ts'),
  )
  const used = sources.flatMap(name =>
    [...readFileSync(`src/${name}`, 'utf8').matchAll(/\bseal\(\s*[\w.]*key\('([\w-]+)'\)/g)].map(
      match => match[1]!,
    ),
  )
  expect(new Set(used)).toEqual(purposes)
})
