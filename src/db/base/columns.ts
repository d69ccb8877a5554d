import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Entity, Field } from '../../entities/entity.ts'
import { columnOf } from './driver/names.ts'

// SQL of an entity's fields.

const column = (name: string, field: Field | undefined): string => field?.column ?? columnOf(name)

const stored = ({ fields }: Entity) => Object.entries(fields).filter(([, field]) => !field.isElsewhere)

/** The fields that callers send, in the order of their columns. */
const sent = (entity: Entity) => stored(entity).filter(([, field]) => field.input)

/** For `select` and `returning`, under the names that the program uses. */
export const columnsOf = (entity: Entity): Sql =>
  raw(
    stored(entity)
      .map(
        ([name, field]) =>
          `${entity.table}.${column(name, field)}${field.column ? ` as ${columnOf(name)}` : ''}`,
      )
      .join(', '),
  )

/** `(columns) values (...)` with all fields that callers send, and others. */
export function insertion(entity: Entity, values: object, others: Record<string, unknown>): Sql {
  const all = {
    ...Object.fromEntries(sent(entity).map(([name, { empty }]) => [name, valueIn(values, name) ?? empty])),
    ...others,
  }
  const names = Object.keys(all).map(name => column(name, entity.fields[name]))
  return sql`(${raw(names.join(', '))}) values (${join(Object.values(all).map(value => value ?? null))})`
}

/** The columns of fields that callers send, and of others. */
export const writtenColumns = (entity: Entity, others: string[]): Sql =>
  raw(
    [...sent(entity).map(([name]) => name), ...others]
      .map(name => column(name, entity.fields[name]))
      .join(', '),
  )

/** Rows as a table whose types are those of the entity's own. */
export function rowsOf({ table, fields }: Entity, rows: object[]): Sql {
  const inColumns = (row: object) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [column(name, fields[name]), value]))
  return sql`jsonb_populate_recordset(null::${raw(table)}, ${JSON.stringify(rows.map(inColumns))}::jsonb)`
}

/** `column = value, ...` with all fields that callers send, and those named. */
export const assignments = (entity: Entity, values: object, others: string[] = []): Sql =>
  join(
    [...sent(entity).map(([name]) => name), ...others].map(
      name => sql`${raw(column(name, entity.fields[name]))} = ${valueIn(values, name) ?? null}`,
    ),
  )

/** Clears personal data. */
export const erasure = ({ fields }: Entity): Sql =>
  raw(
    Object.entries(fields)
      .filter(([, field]) => field.isPersonal)
      .map(
        ([name, field]) =>
          `${column(name, field)} = ${field.input && !('empty' in field) && !field.isNullable ? "''" : 'default'}`,
      )
      .join(', '),
  )

const valueIn = (values: object, name: string): unknown => values[name as keyof typeof values]
