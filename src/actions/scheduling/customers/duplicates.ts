import type { Queryable } from '../../../db/base/pool.ts'
import type { CustomerRow } from '../../../db/scheduling/customers.ts'
import {
  customersOf,
  distinctAmong,
  markDistinct,
  readRuns,
  type Sameness,
  sameness,
  unmarkDistinct,
} from '../../../db/scheduling/duplicates.ts'
import { invalidField } from '../../../errors.ts'
import { isDate } from '../../../rules/questions/questions.ts'
import type { Service } from '../../../service.ts'

/** Two Customers that may be one person, the older one first, and what they have in common. */
type Duplicate = { customers: [CustomerRow, CustomerRow]; same: Sameness[] }

/** Where a list goes on: in which index, and after which of its keys. */
type Position = { same: Sameness; after: string[] | null }

type DuplicatePage = { pairs: Duplicate[]; next: string | null }

/** A page reads a limited part of the indexes. It may have fewer pairs than asked for, or none, and yet a next one. */
const maxReads = 3

/**
 * Customers with the same email, number, or name and birth date, each pair once. Each Customer is listed with
 * the oldest one that is not known to be another person.
 */
export async function findDuplicates(
  db: Queryable,
  providerId: number,
  cursor: string | undefined,
  limit: number,
): Promise<DuplicatePage> {
  let position: Position | null = cursor ? readCursor(cursor) : { same: sameness[0], after: null }
  const pairs: Duplicate[] = []
  for (let read = 0; position && read < maxReads && pairs.length < limit; read++) {
    const { same, after }: Position = position
    const { runs, next } = await readRuns(db, providerId, same, after)
    const found = await pairsIn(
      db,
      providerId,
      runs.map(run => ({ ...run, ids: run.ids.slice(0, maxInRun) })),
      same,
    )
    const taken = upTo(found, limit - pairs.length)
    pairs.push(...taken.pairs)
    position = taken.reached ? { same, after: taken.reached } : following(same, next)
  }
  return { pairs, next: position && cursorOf(position) }
}

/** An address of so many people is a placeholder; the others follow when these are settled. */
const maxInRun = 20

type Found = { key: string[]; pairs: Duplicate[] }

/** Whole sets only, so that the next page starts after one. `reached` is null if all were taken. */
function upTo(found: Found[], wanted: number): { pairs: Duplicate[]; reached: string[] | null } {
  const pairs: Duplicate[] = []
  for (const [index, one] of found.entries()) {
    pairs.push(...one.pairs)
    if (pairs.length >= wanted && index < found.length - 1) return { pairs, reached: one.key }
  }
  return { pairs, reached: null }
}

function following(same: Sameness, next: string[] | null): Position | null {
  if (next) return { same, after: next }
  const another = sameness[sameness.indexOf(same) + 1]
  return another ? { same: another, after: null } : null
}

async function pairsIn(
  db: Queryable,
  providerId: number,
  runs: { key: string[]; ids: number[] }[],
  same: Sameness,
): Promise<Found[]> {
  const ids = runs.flatMap(run => run.ids)
  if (ids.length === 0) return []
  const [rows, distinct] = await Promise.all([customersOf(db, ids), distinctAmong(db, providerId, ids)])
  const byId = new Map(rows.map(row => [row.id, row]))
  const differ = new Set(distinct.map(pair => `${pair.customerId}-${pair.otherId}`))
  return runs.map(run => {
    const members = run.ids.toSorted((one, other) => one - other).flatMap(id => byId.get(id) ?? [])
    const pairs = members.flatMap((one, index) => {
      const older = members.slice(0, index).find(other => !differ.has(`${other.id}-${one.id}`))
      const both = older && sharedBy(older, one)
      // Listed before, by what comes first.
      return both && both[0] === same
        ? [{ customers: [older, one] as Duplicate['customers'], same: both }]
        : []
    })
    return { key: run.key, pairs }
  })
}

function sharedBy(one: CustomerRow, other: CustomerRow): Sameness[] {
  const isSame = {
    email: one.email !== null && one.email.toLowerCase() === other.email?.toLowerCase(),
    mobile: one.mobileKey !== null && one.mobileKey === other.mobileKey,
    birthDate:
      one.birthDate !== null &&
      one.birthDate === other.birthDate &&
      one.name.toLowerCase() === other.name.toLowerCase(),
  }
  return sameness.filter(name => isSame[name])
}

const cursorOf = ({ same, after }: Position) =>
  Buffer.from(JSON.stringify([same, after])).toString('base64url')

function readCursor(cursor: string): Position {
  try {
    const [same, after] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [Sameness, unknown]
    const isKey = after === null || (Array.isArray(after) && after.every(part => typeof part === 'string'))
    if (sameness.includes(same) && isKey && isKeyOf(same, after as string[] | null))
      return { same, after: after as string[] | null }
  } catch {}
  throw invalidField('after', 'cursor:page')
}

/** The database would refuse anything else. */
const isKeyOf = (same: Sameness, after: string[] | null) =>
  after === null ||
  (after.length === (same === 'birthDate' ? 2 : 1) &&
    after.every(part => !part.includes('\0')) &&
    (same !== 'birthDate' || isDate(after[0]!)))

/** They look like duplicates and are two people, or no longer are. */
export async function settleDistinct(
  service: Service,
  one: CustomerRow,
  other: CustomerRow,
  areDistinct: boolean,
) {
  if (one.id === other.id) throw invalidField('other', 'itself:duplicate')
  const change = areDistinct ? markDistinct : unmarkDistinct
  await service.db.transaction(tx => change(tx, one.providerId, one.id, other.id))
}
