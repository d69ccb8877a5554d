import type { Outages } from '../../lib/watch/outage-log.ts'

// Names for the PostgreSQL error codes that we handle.
// https://www.postgresql.org/docs/current/errcodes-appendix.html

const notNullViolation = '23502'
const uniqueViolation = '23505'
const exclusionViolation = '23P01'
const serializationFailure = '40001'
export const deadlockDetected = '40P01'
export const failedTransaction = '25P02'
export const lockNotAvailable = '55P03'
export const insufficientPrivilege = '42501'
/** Our own code: see count_or_refuse() in the first migration. */
export const refusedByCount = 'HF429'
/** Ours: see fence_tenant() in the migrations. */
const refusedByFence = 'HF503'
/** Ours: see refuse_deleted_provider() in the migrations. */
const providerDeleted = 'HF404'
const featureNotSupported = '0A000'
const undefinedCodes = { table: '42P01', column: '42703' }

type PostgresError = Error & { code?: string; constraint?: string; column?: string }

const codeOf = (error: unknown) => (error as PostgresError | null)?.code ?? ''

/** Whether this constraint refused the write. */
export function violates(error: unknown, constraint: string): boolean {
  const { code, constraint: named } = error as PostgresError
  return (code === uniqueViolation || code === exclusionViolation) && named === constraint
}

/** Whether the row was refused because this column is null. */
export const isMissing = (error: unknown, column: string) =>
  codeOf(error) === notNullViolation && (error as PostgresError).column === column

/** Whether the statement names a table or column that this database does not have. */
export const isUndefined = (error: unknown, thing: keyof typeof undefinedCodes) =>
  codeOf(error) === undefinedCodes[thing]

/** The fence refused the write: the id of the suspended CRM. */
export const suspendedCrmOf = (error: unknown): number | null =>
  codeOf(error) === refusedByFence ? Number((error as { detail?: string }).detail) : null

/** The Provider was deleted while the row was written. */
export const isProviderDeleted = (error: unknown) => codeOf(error) === providerDeleted

export const isLockTimeout = (error: unknown) => codeOf(error) === lockNotAvailable

/** Thrown to restart a transaction whose reads became stale while it waited for a lock. */
export class RestartTransaction extends Error {}

/** Two generated references collide once in two billion; the retry generates another. */
const generatedReferences = ['appointment_reference', 'participation_reference']

export function isRetryable(error: unknown): boolean {
  return (
    error instanceof RestartTransaction ||
    generatedReferences.some(name => violates(error, name)) ||
    [serializationFailure, deadlockDetected].includes(codeOf(error)) ||
    isStalePlan(error)
  )
}

/**
 * The connection broke between a commit and its answer, so only another look can tell whether it was
 * committed. Also counts as a connection loss.
 */
export class LostCommit extends Error {
  constructor(options: { cause: unknown }) {
    super('Connection terminated while a commit was under way', options)
  }
}

/** A row was refused because of its content or a conflict: the fault of the request that wrote it. */
export const isRowRefused = (error: unknown) =>
  /^2[23]/.test(codeOf(error)) || [refusedByCount, refusedByFence, providerDeleted].includes(codeOf(error))

/** Refused only because an earlier statement of the transaction failed. */
export const isAborted = (error: unknown) => codeOf(error) === failedTransaction

/** A migration changed a table under a prepared statement: discard the connection; a new one works. */
export function isStalePlan(error: unknown): boolean {
  return codeOf(error) === featureNotSupported && /cached plan/.test((error as Error).message)
}

const systemCodes = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EAI_AGAIN',
]

const tooManyConnections = '53300'
const idleInTransactionTimeout = '25P03'
const readOnly = '25006'
const diskFull = '53100'

/** The server or our role has reached its connection limit. */
export const isServerFull = (error: unknown) => codeOf(error) === tooManyConnections

/** The database is unreachable, stopping or starting; the caller did nothing wrong. */
export function isConnectionLoss(error: unknown): boolean {
  const code = codeOf(error)
  return (
    /^(08|57P)/.test(code) ||
    code === tooManyConnections ||
    code === idleInTransactionTimeout ||
    systemCodes.includes(code) ||
    /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Query read timeout)/.test(
      (error as Error | null)?.message ?? '',
    )
  )
}

/** Ours: this host still accepts writes, but another one was promoted since. */
const replaced = 'HF001'

export const olderTimeline = (timeline: number, newest: number) =>
  Object.assign(
    new Error(`This host was replaced: it is on timeline ${timeline}, the cluster on ${newest}.`),
    {
      code: replaced,
    },
  )

export const isOlderTimeline = (error: unknown) => codeOf(error) === replaced

/** The server reported an error for a statement, so nothing was committed. */
export const isServerError = (error: unknown) => (error as { severity?: string } | null)?.severity === 'ERROR'

/** Discard this connection; another one may reach a writable database. */
export const isUnusableConnection = (error: unknown) =>
  isConnectionLoss(error) || isStalePlan(error) || [readOnly, replaced].includes(codeOf(error))

const causes: Record<string, string> = {
  [replaced]: 'this database host was replaced: it is on an older timeline than the cluster',
  [readOnly]: 'the database is read-only: a standby, or its disk is protected',
  '53000': 'the database is short of resources',
  [diskFull]: 'the disk of the database is full',
  '53200': 'the database is out of memory',
  [tooManyConnections]: 'the database has too many connections',
  '53400': 'a limit of the database is reached',
  [lockNotAvailable]: 'a lock was not available in time',
  '57014': 'a statement took too long',
  [insufficientPrivilege]: 'our user of the database lacks a right',
  '58030': 'the database cannot read or write its files',
}

export const isRightMissing = (error: unknown) => codeOf(error) === insufficientPrivilege

/** Nothing can be written; existing data can still be read. */
export const isDiskFull = (error: unknown) => codeOf(error) === diskFull

/** Why the database could not do it, if the caller may retry; null for any other error. */
function outageOf(error: unknown): string | null {
  if (isPoolTimeout(error)) return 'all connections to the database are in use'
  return causes[codeOf(error)] ?? (isConnectionLoss(error) ? 'the database is away' : null)
}

export const isPoolTimeout = (error: unknown) =>
  /^timeout exceeded when trying to connect/.test((error as Error | null)?.message ?? '')

/** Of waiting for a connection of the pool, or for the server to open one. */
export const isConnectTimeout = (error: unknown) =>
  isPoolTimeout(error) ||
  /^(Connection terminated due to connection timeout|timeout expired)/.test(
    (error as Error | null)?.message ?? '',
  )

export const waitsForStandby = 'commit waits for a synchronous standby'
export const noConnection = 'no connection available'
export const noDiskSpace = 'disk full'

/** As readiness names it: the words that an operator searches the documentation for. */
export function causeOf(error: unknown): string | null {
  if (codeOf(error) === tooManyConnections) return noConnection
  if (isDiskFull(error)) return noDiskSpace
  return outageOf(error)
}

/** Too many transactions already wait for this lock. The transaction is rolled back and retried in turn. */
export class LockQueueFull extends Error {
  key: string

  constructor(key: string) {
    super('Others wait for this lock already.')
    this.key = key
  }
}

/** Thrown after waiting too long, with the code PostgreSQL would use. */
export const busyLock = () =>
  Object.assign(new Error('The lock could not be had in time.'), { code: lockNotAvailable })

type Log = { warn(details: object, message: string): void }

/** If the database is the reason, logs the outage and returns its cause. */
export function logOutage(outages: Outages, log: Log, error: unknown): string | null {
  const cause = outageOf(error)
  if (cause !== null) outageFor(outages, error, cause).failed(log, cause, { reason: reasonOf(error) })
  return cause
}

/**
 * The write probe only sees that the database is unavailable. It may succeed while a disk is nearly full or a lock
 * is held, so those end when they stop occurring.
 */
function outageFor(outages: Outages, error: unknown, cause: string) {
  const isAway = isPoolTimeout(error) ? outages.database.isOpen : isUnusableConnection(error)
  return isAway ? outages.database : outages.of(cause)
}

/** No stack: it is the same for every failure. The messages of these errors contain no data of people. */
function reasonOf(error: unknown): string {
  const { message, code = '' } = error as Error & { code?: string }
  return message.includes(code) ? message : `${code} ${message}`
}
