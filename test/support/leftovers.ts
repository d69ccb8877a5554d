import type { TestService } from './service.ts'

/** Every row in the database that contains one of the texts, as `schema.table: row`. */
export async function rowsThatMention({ service }: TestService, texts: string[]): Promise<string[]> {
  const { pool } = service.db
  const { rows: tables } = await pool.query(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  )
  const patterns = texts.map(text => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`)
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await pool.query(
      `select one::text as row from ${name} one where one::text ilike any ($1)`,
      [patterns],
    )
    found.push(...rows.map(({ row }) => `${name}: ${row}`))
  }
  return found
}
