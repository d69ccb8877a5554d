// PostgreSQL's error codes that we react to, by name.
// https://www.postgresql.org/docs/current/errcodes-appendix.html

const notNullViolation = '23502'
const uniqueViolation = '23505'
const exclusionViolation = '23P01'
const serializationFailure = '40001'
export const deadlockDetected = '40P01'
export const failedTransaction = '25P02'
export const lockNotAvailable = '55P03'
export const insufficientPrivilege = '42501'
/** Ours: see count_or_refuse() in the first migration. */
export const refusedByCount = 'HF429'
const featureNotSupported = '0A000'
const undefinedThing = { table: '42P01', column: '42703' }

type PostgresError = Error & { code?: string; constraint?: string; column?: string }

const codeOf = (error: unknown) => (error as PostgresError | null)?.code ?? ''

/** Did this constraint refuse the write? */
export function violates(error: unknown, constraint: string): boolean {
  const { code, constraint: named } = error as PostgresError
  return (code === uniqueViolation || code === exclusionViolation) && named === constraint
}

/** Was the row refused because it has nothing in this column? */
export const isMissing = (error: unknown, column: string) =>
  codeOf(error) === notNullViolation && (error as PostgresError).column === column

/** Does the statement speak of something that this database has not got? */
export const isUndefined = (error: unknown, thing: keyof typeof undefinedThing) =>
  codeOf(error) === undefinedThing[thing]

export const isLockTimeout = (error: unknown) => codeOf(error) === lockNotAvailable

/** Thrown by a transaction that must begin anew: while it waited for a lock, what it had read became old. */
export class BeginAnew extends Error {}

/** Two that were made up in one moment can be the same, once in two billion times: the next one is another. */
const madeUpReferences = ['appointment_reference', 'participation_reference']

export function isRetryable(error: unknown): boolean {
  return (
    error instanceof BeginAnew ||
    madeUpReferences.some(name => violates(error, name)) ||
    [serializationFailure, deadlockDetected].includes(codeOf(error)) ||
    isStalePlan(error)
  )
}

/**
 * The connection broke between a commit and its answer: it was done or it was not, and only another look can tell. A loss
 * of the connection all the same.
 */
export class LostCommit extends Error {
  constructor(options: { cause: unknown }) {
    super('Connection terminated while a commit was under way', options)
  }
}

/** A row was refused for what it holds or for what is there already: the doing of whoever wrote it. */
export const isRowRefused = (error: unknown) =>
  /^2[23]/.test(codeOf(error)) || codeOf(error) === refusedByCount

/** Refused only because an earlier statement of the transaction had failed. */
export const isAborted = (error: unknown) => codeOf(error) === failedTransaction

/** A migration changed a table under a prepared statement: the connection must go, a new one is fine. */
function isStalePlan(error: unknown): boolean {
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

/** The database is away, going down or starting: nothing the caller did wrong. */
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

/** The database has said what went wrong with a statement: then it is sure that nothing was committed. */
export const isAnswered = (error: unknown) => (error as { severity?: string } | null)?.severity === 'ERROR'

/** Nothing good comes from this connection any more; another one may lead to a database that can be written to. */
export const isSpoilt = (error: unknown) =>
  isConnectionLoss(error) || isStalePlan(error) || codeOf(error) === readOnly

const causes: Record<string, string> = {
  [readOnly]: 'the database is read-only: a standby, or its disk is protected',
  '53000': 'the database is short of resources',
  [diskFull]: 'the disk of the database is full',
  '53200': 'the database is out of memory',
  [tooManyConnections]: 'the database has too many connections',
  '53400': 'a limit of the database is reached',
  [lockNotAvailable]: 'a lock was not to be had in time',
  '57014': 'a statement took too long',
  [insufficientPrivilege]: 'our user of the database lacks a right',
  '58030': 'the database cannot read or write its files',
}

export const isRightMissing = (error: unknown) => codeOf(error) === insufficientPrivilege

/** Nothing can be written; what is there can still be read. */
export const isDiskFull = (error: unknown) => codeOf(error) === diskFull

/** Why the database could not do it, where the caller did nothing wrong and may try again; null: it is something else. */
export function outageOf(error: unknown): string | null {
  if (/^timeout exceeded when trying to connect/.test((error as Error | null)?.message ?? ''))
    return 'all connections to the database are in use'
  return causes[codeOf(error)] ?? (isConnectionLoss(error) ? 'the database is away' : null)
}

/** Too many wait for this lock already. The transaction is rolled back and comes again when it is its turn. */
export class GiveWay extends Error {
  key: string

  constructor(key: string) {
    super('Others wait for this lock already.')
    this.key = key
  }
}

/** Waited long enough: as if PostgreSQL had said so. */
export const busyLock = () =>
  Object.assign(new Error('The lock could not be had in time.'), { code: lockNotAvailable })
