import type pg from 'pg'
import { readApplied } from '../base/schema-version.ts'
import { exportedTables, tenantTables } from './tenant.ts'

// A CRM as text: a JSON header line, one line per row (referenced rows first), and a last line with the row
// count. Ids are those of the exporting installation and are valid only within the file.

export const tenantFormat = { format: 'holdfast crm', formatVersion: 1 }

export type TenantHead = typeof tenantFormat & {
  version: string
  crm: string
  takenAt: string
  migration: { number: number; name: string; checksum: string | null }
}
export type TenantFoot = { end: true; rows: number }

const pageSize = 500

/** One consistent snapshot, streamed line by line. */
export async function* exportTenant(
  client: pg.ClientBase,
  crm: { id: number; name: string },
  version: string,
): AsyncGenerator<string> {
  await client.query('begin isolation level repeatable read, read only')
  try {
    const { number, name, checksum } = (await readApplied(client as unknown as pg.Pool)).at(-1)!
    const { rows } = await client.query('select now() as "takenAt"')
    const head = {
      ...tenantFormat,
      version,
      crm: crm.name,
      ...rows[0],
      migration: { number, name, checksum },
    }
    yield `${JSON.stringify(head)}\n`
    let count = 0
    for (const table of exportedTables(await tenantTables(client))) {
      const order = table.hasId ? 'order by id' : ''
      await client.query(
        `declare export no scroll cursor for select row_to_json(one)::text as row from "${table.name}" one
         where ${table.isOwned} ${order}`,
        [crm.id],
      )
      for (;;) {
        const page = await client.query<{ row: string }>(`fetch ${pageSize} from export`)
        // Uses PostgreSQL's own JSON text, so that no number loses precision in JavaScript.
        yield page.rows.map(({ row }) => `{"table":"${table.name}","row":${row}}\n`).join('')
        count += page.rows.length
        if (page.rows.length < pageSize) break
      }
      await client.query('close export')
    }
    yield `${JSON.stringify({ end: true, rows: count })}\n`
  } finally {
    await client.query('rollback').catch(() => {})
  }
}
