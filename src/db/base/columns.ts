import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Entity, Field } from '../../entities/entity.ts'
import { columnOf } from './driver/names.ts'
import { asJson, json, type Part, utcMs } from './json.ts'

// SQL of an entity's fields.

const column = (name: string, field: Field | undefined): string => field?.column ?? columnOf(name)

const stored = ({ fields }: Entity) => Object.entries(fields).filter(([_key, field]) => !field.isElsewhere)

/** The fields that callers send, in the order of their columns. */
const sent = (entity: Entity) => stored(entity).filter(([_key, field]) => field.input)

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

/** `'name', column, ...` for `json_build_object`. */
export const jsonPartsOf = <E extends Entity>(
  entity: E,
  names: readonly (keyof E['fields'] & string)[],
): Sql => raw(names.map(name => `'${name}', ${entity.table}.${column(name, entity.fields[name])}`).join(', '))

/** `table.column as name, ...`: some fields under other names, for rows of several tables. */
export const columnsAs = <E extends Entity>(
  entity: E,
  names: Record<string, keyof E['fields'] & string>,
): Sql =>
  raw(
    Object.entries(names)
      .map(([name, field]) => `${entity.table}.${column(field, entity.fields[field])} as ${columnOf(name)}`)
      .join(', '),
  )

/** For `jsonText`: what answers show of each field. */
export const shownJson = <E extends Entity & { outputs: object }>({ table, fields, outputs }: E) =>
  Object.fromEntries(
    Object.keys(outputs).map(name => {
      const value = raw(`${table}.${column(name, fields[name])}`)
      return [name, fields[name]?.isInstant ? utcMs(value) : asJson(value)]
    }),
  ) as Record<keyof E['outputs'], Part>

/** `(columns) values (...)` with all fields that callers send, and others. */
export function insertion(entity: Entity, values: object, others: Record<string, unknown>): Sql {
  const all = {
    ...Object.fromEntries(
      sent(entity).map(([name, field]) => [name, valueIn(values, name, field) ?? field.empty]),
    ),
    ...others,
  }
  const names = Object.keys(all).map(name => column(name, entity.fields[name]))
  return sql`(${raw(names.join(', '))}) values (${join(Object.values(all).map(value => value ?? null))})`
}

/** The columns of fields that callers send, and of others. */
export const writtenColumns = (entity: Entity, others: string[]): Sql =>
  columnNames(entity, [...sent(entity).map(([name]) => name), ...others])

/** The columns of these fields. */
export const columnNames = ({ fields }: Entity, names: readonly string[]): Sql =>
  raw(names.map(name => column(name, fields[name])).join(', '))

/** Rows as a table whose types are those of the entity's own. */
export function rowsOf({ table, fields }: Entity, rows: object[]): Sql {
  const inColumns = (row: object) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [column(name, fields[name]), asTime(value, fields[name])]),
    )
  return sql`jsonb_populate_recordset(null::${raw(table)}, ${JSON.stringify(rows.map(inColumns))}::jsonb)`
}

/** `column = value, ...` with all fields that callers send, and those named. */
export const assignments = (entity: Entity, values: object, others: string[] = []): Sql =>
  assign(entity, values, [...sent(entity).map(([name]) => name), ...others])

/** The same with the fields that `values` has. */
export const assignmentsOf = (entity: Entity, values: object): Sql =>
  assign(entity, values, Object.keys(values))

const assign = ({ fields }: Entity, values: object, names: string[]): Sql =>
  join(
    names.map(
      name => sql`${raw(column(name, fields[name]))} = ${valueIn(values, name, fields[name]) ?? null}`,
    ),
  )

/** Clears personal data. */
export const erasure = ({ fields }: Entity): Sql =>
  raw(
    Object.entries(fields)
      .filter(([_key, field]) => field.isPersonal)
      .map(
        ([name, field]) =>
          `${column(name, field)} = ${field.input && !('empty' in field) && !field.isNullable ? "''" : 'default'}`,
      )
      .join(', '),
  )

function valueIn(values: object, name: string, field: Field | undefined): unknown {
  const value: unknown = values[name as keyof typeof values]
  return field?.isJson ? json(value) : asTime(value, field)
}

const asTime = (value: unknown, field: Field | undefined): unknown =>
  field?.isInstant && typeof value === 'number' ? new Date(value) : value
