import sql, { type Sql } from 'sql-template-tag'
import { customer } from '../../entities/customer.ts'
import type { ErrorCode } from '../../errors.ts'
import type { ImportKind, Mapping } from '../../rules/imports/fields.ts'
import type { DateOrder } from '../../rules/imports/values.ts'
import type { Actor } from '../../rules/messages/events.ts'
import { columnsOf } from '../base/columns.ts'
import { suspendedProviders } from '../base/conditions.ts'
import { json, jsonRows } from '../base/json.ts'
import type { Queryable } from '../base/pool.ts'
import type { CustomerRow } from './customers.ts'

export const importStates = [
  'UPLOADED',
  'CHECKING',
  'CHECKED',
  'RUNNING',
  'DONE',
  'UNDOING',
  'UNDONE',
] as const
export type ImportState = (typeof importStates)[number]

/** A file that was not imported is deleted after these days; an import can be undone as long. */
const fileDays = 7
export const undoDays = 30

export type ImportOptions = {
  /** What happens to customers that exist. */
  duplicates: 'update' | 'skip'
  dateOrder: DateOrder
  /** Whether appointments outside of opening hours and in closures are refused. */
  onlyOpen: boolean
  sendMails: boolean
  /** The good lines, or all or none. */
  mode: 'good' | 'all'
}

export type ImportRow = {
  providerId: number
  id: number
  uuid: string
  kind: ImportKind
  state: ImportState
  fileName: string | null
  digest: string
  headers: string[]
  mapping: Mapping | null
  options: ImportOptions
  actor: Actor
  lineCount: number
  wasStopped: boolean
  createdAt: number
  changedAt: number
  isUndoable: boolean
}

const columns = sql`provider_id, id, uuid, kind, state, file_name, digest, headers, mapping, options, actor, line_count,
  was_stopped, created_at, changed_at, changed_at > app_clock() - make_interval(days => ${undoDays}) as is_undoable`

type NewImport = Pick<
  ImportRow,
  'providerId' | 'kind' | 'fileName' | 'digest' | 'headers' | 'mapping' | 'options' | 'actor' | 'lineCount'
>

export const insertImport = (tx: Queryable, one: NewImport) =>
  tx.one<ImportRow>(sql`
    insert into data_import (provider_id, kind, file_name, digest, headers, mapping, options, actor, line_count)
    values (${one.providerId}, ${one.kind}, ${one.fileName}, ${one.digest}, ${json(one.headers)}::jsonb,
      ${json(one.mapping)}::jsonb, ${json(one.options)}::jsonb, ${json(one.actor)}::jsonb, ${one.lineCount})
    returning ${columns}
  `)

export type FileLine = { line: number; cells: string[] }

export async function insertLines(tx: Queryable, { providerId, id }: ImportRow, lines: FileLine[]) {
  await tx.query(sql`
    insert into data_import_line (provider_id, import_id, line, cells)
    select ${providerId}, ${id}, line, cells from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as (line int, cells jsonb)
  `)
}

export const findImport = (db: Queryable, uuid: string) =>
  db.first<ImportRow>(sql`select ${columns} from data_import where uuid = ${uuid}`)

/** Newest first; without those that are only remembered for their mapping. */
export const listImports = (db: Queryable, providerId: number, limit: number) =>
  db.query<ImportRow>(sql`
    select ${columns} from data_import where provider_id = ${providerId} and file_name is not null
    order by id desc limit ${limit}
  `)

/** Of the last file with the same headers. */
export const rememberedMapping = (db: Queryable, providerId: number, kind: ImportKind, headers: string[]) =>
  db.first<Pick<ImportRow, 'mapping' | 'options'>>(sql`
    select mapping, options from data_import
    where provider_id = ${providerId} and kind = ${kind} and headers = ${json(headers)}::jsonb and state <> 'UPLOADED'
    order by id desc limit 1
  `)

/** An earlier import of the same file that was not undone. */
export const sameFile = (db: Queryable, { providerId, id, digest, kind }: ImportRow) =>
  db.value<number | null>(sql`
    select changed_at from data_import
    where provider_id = ${providerId} and digest = ${digest} and kind = ${kind} and id <> ${id} and state in ('RUNNING', 'DONE')
    order by id desc limit 1
  `)

type Key = Pick<ImportRow, 'providerId' | 'id'>

const isOne = ({ providerId, id }: Key) => sql`provider_id = ${providerId} and id = ${id}`
const isLineOf = ({ providerId, id }: Key) => sql`provider_id = ${providerId} and import_id = ${id}`

/** One worker at a time: others wait here, and then see what is left. */
export const lockImport = (tx: Queryable, key: Key) =>
  tx.first<ImportRow>(sql`select ${columns} from data_import where ${isOne(key)} for update`)

export async function updateImport(
  tx: Queryable,
  row: ImportRow,
  change: Partial<Pick<ImportRow, 'state' | 'wasStopped'>>,
): Promise<ImportRow> {
  const { state, mapping, options, actor, wasStopped } = { ...row, ...change }
  return tx.one<ImportRow>(sql`
    update data_import set state = ${state}, mapping = ${json(mapping)}::jsonb, options = ${json(options)}::jsonb,
      actor = ${json(actor)}::jsonb, was_stopped = ${wasStopped}, changed_at = app_clock()
    where ${isOne(row)} returning ${columns}
  `)
}

export const lineResults = [
  'CREATED',
  'CHANGED',
  'UNCHANGED',
  'SKIPPED',
  'REFUSED',
  'UNDONE',
  'KEPT',
] as const
export type ImportResult = (typeof lineResults)[number]

/** Without values of the file. */
export type LineProblem = { code: ErrorCode; field: string | null; rule: string | null; limit: number | null }

/** `before`: what undoing needs. */
export type LineOutcome = {
  line: number
  result: ImportResult
  problems: LineProblem[] | null
  customerId: number | null
  appointmentId: number | null
  isNewCustomer: boolean
  before: object | null
}

/**
 * Begins a pass over all lines. A reference that occurs again is refused, and lines that share an address are marked. `columns`: the
 * positions of reference and address in a line; null if the file has none.
 */
export async function beginPass(
  tx: Queryable,
  key: Key,
  { reference, email }: { reference: number | null; email: number | null },
) {
  const repeated: LineProblem[] = [
    { code: 'duplicate-reference', field: 'reference', rule: null, limit: null },
  ]
  await tx.query(sql`
    update data_import_line set result = null, problems = null, customer_id = null, appointment_id = null, is_new_customer = null,
      before = null, saved_at = null, booked_at = null, shares_email = false
    where ${isLineOf(key)}
  `)
  // Found before they are changed: a join would compare each line with each.
  const shared = await linesWith(tx, key, email, sql`count(*) over (partition by value)`)
  await tx.query(sql`
    update data_import_line set shares_email = true where ${isLineOf(key)} and line = any (${shared}::int[])
  `)
  const again = await linesWith(tx, key, reference, sql`row_number() over (partition by value order by line)`)
  await tx.query(sql`
    update data_import_line set result = 'REFUSED', problems = ${json(repeated)}::jsonb
    where ${isLineOf(key)} and line = any (${again}::int[])
  `)
}

/** Lines whose value in this column occurs more than once, as `count` says. */
async function linesWith(tx: Queryable, key: Key, column: number | null, count: Sql): Promise<number[]> {
  if (column === null) return []
  return tx.column<number>(sql`
    select line from (
      select line, ${count} as count from (
        select line, lower(cells ->> ${column}::int) as value from data_import_line where ${isLineOf(key)}
      ) as cell where value <> ''
    ) as counted where count > 1
  `)
}

export type WaitingLine = FileLine & { sharesEmail: boolean }

/** `limit`: null for all. */
export const waitingLines = (db: Queryable, key: Key, limit: number | null) =>
  db.query<WaitingLine>(sql`
    select line, coalesce(cells, '[]') as cells, shares_email from data_import_line
    where ${isLineOf(key)} and result is null order by line limit ${limit}
  `)

/** The first lines, as long as the file is kept. */
export const firstLines = (db: Queryable, key: Key, limit: number) =>
  db.query<FileLine>(sql`
    select line, cells from data_import_line where ${isLineOf(key)} and cells is not null order by line limit ${limit}
  `)

/** Those that still wait, until the transaction ends. */
export const lockLines = (tx: Queryable, key: Key, lines: number[]) =>
  tx.query<WaitingLine>(sql`
    select line, coalesce(cells, '[]') as cells, shares_email from data_import_line
    where ${isLineOf(key)} and line = any (${lines}::int[]) and result is null order by line for update
  `)

/** The cells of a line are deleted once it is imported. */
export async function saveOutcomes(
  tx: Queryable,
  key: Key,
  outcomes: LineOutcome[],
  { keepCells }: { keepCells: boolean },
) {
  // Finds each line by its key; an update that joins the outcomes would compare each with each.
  await tx.query(sql`
    insert into data_import_line (provider_id, import_id, line, result, problems, customer_id, appointment_id, is_new_customer,
      before, saved_at, booked_at)
    select ${key.providerId}, ${key.id}, line, result, problems, customer_id, appointment_id, is_new_customer, before,
      (select updated_at from customer where id = customer_id),
      (select updated_at from appointment where id = appointment_id)
    from jsonb_to_recordset(${jsonRows(outcomes)}::jsonb) as outcome
      (line int, result text, problems jsonb, customer_id bigint, appointment_id bigint, is_new_customer boolean, before jsonb)
    on conflict (provider_id, import_id, line) do update set result = excluded.result, problems = excluded.problems,
      customer_id = excluded.customer_id, appointment_id = excluded.appointment_id, is_new_customer = excluded.is_new_customer,
      before = excluded.before, saved_at = excluded.saved_at, booked_at = excluded.booked_at,
      cells = case when ${keepCells} then data_import_line.cells end
  `)
}

/** Nothing of the file is needed any more. */
export async function clearCells(tx: Queryable, key: Key) {
  await tx.query(sql`update data_import_line set cells = null where ${isLineOf(key)} and cells is not null`)
}

type ResultCount = { result: ImportResult | null; count: number; customers: number }

/** `customers`: how many of these lines created one. */
export const countResults = (db: Queryable, key: Key) =>
  db.query<ResultCount>(sql`
    select result, count(*) as count, count(*) filter (where is_new_customer) as customers
    from data_import_line where ${isLineOf(key)} group by result
  `)

type RefusedLine = { line: number; result: ImportResult; problems: LineProblem[] }

/** Lines with problems, in order. */
export const refusedLines = (db: Queryable, key: Key, after: number, limit: number) =>
  db.query<RefusedLine>(sql`
    select line, result, problems from data_import_line
    where ${isLineOf(key)} and line > ${after} and problems is not null order by line limit ${limit}
  `)

export type DoneLine = Pick<
  LineOutcome,
  'line' | 'customerId' | 'appointmentId' | 'isNewCustomer' | 'before'
> & {
  result: 'CREATED' | 'CHANGED'
  customerReference: string | null
  appointmentReference: string | null
  /** Both are as the import left them. */
  isCustomerUntouched: boolean
  isAppointmentUntouched: boolean
}

/** Last ones first; those that created a customer after the customer's other lines. */
export const linesToUndo = (tx: Queryable, key: Key, limit: number) =>
  tx.query<DoneLine>(sql`
    select line, result, customer_id, appointment_id, coalesce(is_new_customer, false) as is_new_customer, before,
      customer.reference as customer_reference, customer.updated_at is not distinct from saved_at as is_customer_untouched,
      appointment.reference as appointment_reference,
      appointment.updated_at is not distinct from booked_at and appointment.start_at > app_clock() as is_appointment_untouched
    from (
      select * from data_import_line where ${isLineOf(key)} and result in ('CREATED', 'CHANGED')
      order by is_new_customer and appointment_id is not null, line desc limit ${limit} for update
    ) as done
    left join customer on customer.id = customer_id and erased_at is null
    left join appointment on appointment.id = appointment_id
    order by is_new_customer and appointment_id is not null, line desc
  `)

/** Bookings and waiting list entries, other than this Appointment and those that are undone. */
export const hasOtherBookings = (
  tx: Queryable,
  key: Key,
  { customerId, appointmentId }: Pick<LineOutcome, 'customerId' | 'appointmentId'>,
) =>
  tx.any(sql`
    select from participation
    where customer_id = ${customerId} and appointment_id is distinct from ${appointmentId}::bigint and not exists (
      select from data_import_line as undone
      where undone.customer_id = ${customerId} and ${isLineOf(key)} and result = 'UNDONE'
        and undone.appointment_id = participation.appointment_id
    )
    union all
    select from waiting_entry where customer_id = ${customerId}
    limit 1
  `)

export async function deleteImport(tx: Queryable, key: Key) {
  await tx.query(sql`delete from data_import where ${isOne(key)}`)
}

const isOld = (days: number): Sql => sql`
  changed_at < app_now() - make_interval(days => ${days}) and provider_id <> all (${suspendedProviders})
`

/** The mapping of an import is kept, without anything personal. */
export async function forgetOldImports(db: Queryable) {
  await db.query(sql`
    delete from data_import where state in ('UPLOADED', 'CHECKED') and ${isOld(fileDays)}
  `)
  await db.query(sql`
    with old as (
      update data_import set file_name = null
      where state in ('DONE', 'UNDONE') and ${isOld(undoDays)} and file_name is not null returning provider_id, id
    )
    delete from data_import_line
    where provider_id = any (array (select provider_id from old)) and import_id = any (array (select id from old))
  `)
}

/** Lines of files that wait to be imported, and what undoing would need. */
export async function eraseFromImports(
  tx: Queryable,
  { providerId, id }: { providerId: number; id: number },
  texts: string[],
) {
  await tx.query(sql`
    update data_import_line set customer_id = null, before = null, is_new_customer = null where customer_id = ${id}
  `)
  await tx.query(sql`
    delete from data_import_line
    where provider_id = ${providerId} and cells is not null and exists (
      select from jsonb_array_elements_text(cells) as cell
      where lower(cell) = any (array (select lower(one) from unnest(${texts}::text[]) as one))
    )
  `)
}

/** Customers with these addresses that no line of this import has used. */
export const unusedByEmail = (tx: Queryable, { providerId, id }: Key, emails: string[]) =>
  tx.query<CustomerRow>(sql`
    select ${columnsOf(customer)} from (
      select * from customer
      where provider_id = ${providerId} and lower(email) = any (array (select lower(one) from unnest(${emails}::text[]) as one)) offset 0
    ) as customer
    where erased_at is null and not exists (
      select from data_import_line as used
      where used.customer_id = customer.id and used.provider_id = ${providerId} and used.import_id = ${id}
    )
    order by customer.id
  `)
