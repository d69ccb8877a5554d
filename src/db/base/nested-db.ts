import sql from 'sql-template-tag'
import type { Db, Transaction } from './queryable.ts'
import { retried } from './transactions.ts'

/** A database whose transactions are part of an outer one: they commit together with it or not at all. */
export function nestedDb(db: Db, tx: Transaction): Db {
  return {
    ...db,
    query: statement => tx.query(statement),
    together: read => read(tx),
    transaction: (work, isRival) => retried(() => asPart(tx, work), isRival),
  }
}

async function asPart<T>(tx: Transaction, work: (tx: Transaction) => Promise<T>): Promise<T> {
  await tx.query(sql`savepoint part`)
  try {
    // The outer transaction commits later, so these statements are not the last.
    const result = await work({ query: statement => tx.query(statement), last: statements => statements })
    await tx.query(sql`release savepoint part`)
    return result
  } catch (error) {
    await tx.query(sql`rollback to savepoint part`)
    // It still exists, and would hide the savepoint of a transaction around this one.
    await tx.query(sql`release savepoint part`)
    throw error
  }
}
