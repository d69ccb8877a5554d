import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import {
  claimTenant,
  lowerFence,
  passFence,
  raiseFence,
  startTracking,
  stopTracking,
} from '../db/backup/fence.ts'
import { type MovedTable, movedTables } from '../db/backup/move/columns.ts'
import { drain, leave, resumeEarly, suspendFor } from '../db/backup/move/hand-over.ts'
import {
  arrive,
  beginDeparture,
  cancelDeparture,
  chooseEraBase,
  chooseOffset,
  type FormerOrigin,
  findArrival,
  formerOrigins,
  recordFormer,
} from '../db/backup/move/records.ts'
import { copyRound } from '../db/backup/move/round.ts'
import type { Sides } from '../db/backup/move/stage.ts'
import { addressesOf, type ChangedAddress, changedAddresses } from '../db/backup/tenant.ts'
import { type Connection, closePool, noLimits, openPool } from '../db/base/driver/connection.ts'
import type { Crm } from '../db/setup/crms.ts'
import { seal, unseal } from '../lib/seal.ts'
import type { Signer } from '../lib/signer.ts'
import { StartError } from '../lib/start-error.ts'
import { openLinkKeys, sealLinkKeys } from './adopt-origins.ts'

// Moves a CRM to another installation while it is in use: copies it, copies later changes, then closes it
// under a lease of a few seconds, copies the rest, records that it left, and opens it there. Can be run again
// after any interruption.

export type Side = { connection: Connection; signer: Signer; name: string }

export type Move = {
  crm: Crm
  source: Side
  target: Side
  /** Redirect target of the source; '' for 410. */
  address: string
  /** Maximum time for which the CRM may be closed, in seconds. */
  pauseSeconds: number
  /** Called before each step, for progress output. */
  step(name: Step, detail?: string): void
}

export type Step = 'begun' | 'copied' | 'caught-up' | 'suspended' | 'drained' | 'final' | 'left' | 'arrived'

type Handed = { suspendedMs: number; rows: number; attempts: number }
/** `addresses`: booking pages that have another one in the target. */
export type TenantMoved = Handed & { addresses: ChangedAddress[] }

const maxAttempts = 20
const pauseBetweenMs = 2_000
const propagationMs = 2_000

export async function moveTenant(move: Move): Promise<TenantMoved> {
  const opened = await openAll(move)
  const { control } = opened
  try {
    await passFence(control)
    await passFence(opened.target)
    if (!(await claimTenant(control, move.crm.id)))
      throw new StartError(`Another command is moving or deleting CRM ${move.crm.name}.`)
    const departure = await beginDeparture(control, move.crm.id, move.target.name)
    if (departure.target !== move.target.name)
      throw new StartError(
        `CRM ${move.crm.name} is being moved to ${departure.target}. Finish that, or run crm move ${move.crm.name} --cancel.`,
      )
    move.step('begun')
    const moved = departure.leftAt ? { suspendedMs: 0, rows: 0, attempts: 0 } : await untilLeft(move, opened)
    const arrival = (await findArrival(opened.target, departure.move))!
    await arrive(opened.target, arrival.crmId, departure.move)
    const suspendedMs = moved.suspendedMs && performance.now() - moved.suspendedMs
    move.step('arrived')
    await stopTracking(control)
    const [before, after] = [opened.source, opened.target].map(one => addressesOf(one, move.crm.name))
    return { ...moved, suspendedMs, addresses: changedAddresses(await before!, await after!) }
  } finally {
    await opened.close()
  }
}

/** Cancels a move before the CRM has left. The copy in the target stays suspended until it is deleted. */
export async function cancelMove(connection: Connection, crm: Crm) {
  const pool = openPool(connection, { max: 1, limits: noLimits })
  const client = await pool.connect()
  try {
    await passFence(client)
    if (!(await cancelDeparture(client, crm.id)))
      throw new StartError(`CRM ${crm.name} is not being moved, or has already moved.`)
    await lowerFence(client)
  } finally {
    client.release(true)
    await closePool(pool)
  }
}

type Opened = Sides & { control: pg.PoolClient; close(): Promise<void> }

/** Runs until the source has recorded that the CRM left. `suspendedMs` is when it was closed. */
async function untilLeft(move: Move, opened: Opened): Promise<Handed> {
  const { crm, step } = move
  const { control } = opened
  await raiseFence(control)
  const tables = await movedTables(control)
  const wasTracked = await startTracking(control, tables)
  const origin = await originOf(move, opened)
  const begun = await findArrival(opened.target, origin.move)
  // Some changes since the last copy were not tracked: everything is copied again.
  const changedSince = wasTracked ? (begun?.copiedBefore ?? null) : null
  const copying: Copying = { tables, origin, changedSince }
  let rows = await round(move, opened, copying)
  const arrival = (await findArrival(opened.target, origin.move))!
  const former = (await formerOrigins(control, crm.id)).map(one => resealed(move, one))
  await recordFormer(opened.target, arrival.crmId, former)
  await opened.target.query('analyze')
  // After this, every instance of the target knows the source's keys, and that the CRM is not open yet.
  if (!begun) await pause(propagationMs)
  step('copied', `${rows} rows`)
  for (let attempts = 1; attempts <= maxAttempts; attempts++) {
    rows += await catchUp(move, opened, copying)
    step('caught-up')
    const lease = await suspendFor(control, crm.id, move.pauseSeconds)
    if (!lease) throw new StartError(`CRM ${crm.name} is suspended. Resume it first.`)
    const suspendedMs = lease.deadline - move.pauseSeconds * 1000
    try {
      step('suspended')
      if (await drain(control, crm.id, lease)) {
        step('drained')
        rows += await round(move, opened, copying)
        step('final')
        if (await leave(control, crm.id, lease, move.address)) {
          step('left')
          return { suspendedMs, rows, attempts }
        }
      }
    } finally {
      await resumeEarly(control, crm.id, lease)
    }
    await pause(pauseBetweenMs)
  }
  throw new StartError(
    `CRM ${crm.name} could not be handed over within ${move.pauseSeconds} seconds. Nothing was lost: it is open again in the old installation. Run the command again, with a longer --pause if needed.`,
  )
}

const maxRounds = 10

/** Copies changes until a round gets no faster, so that little is left while the CRM is closed. */
async function catchUp(move: Move, opened: Opened, copying: Copying): Promise<number> {
  let rows = 0
  let before = Number.POSITIVE_INFINITY
  for (let rounds = 0; rounds < maxRounds; rounds++) {
    const startedAt = performance.now()
    rows += await round(move, opened, copying)
    const ms = performance.now() - startedAt
    if (ms > before / 2) break
    before = ms
  }
  return rows
}

async function originOf({ crm, source, target }: Move, sides: Opened): Promise<FormerOrigin> {
  const { move } = await beginDeparture(sides.control, crm.id, target.name)
  const linkKeys = sealLinkKeys(target.signer, source.signer.linkKeys())
  const common = { move, sourceCrmId: String(crm.id), linkKeys }
  const known = await findArrival(sides.target, move)
  if (known) return { ...common, idOffset: known.idOffset, eraBase: known.eraBase }
  const tables = (await movedTables(sides.source)).filter(table => table.hasId).map(table => table.name)
  return {
    ...common,
    idOffset: await chooseOffset(sides.source, sides.target, tables),
    eraBase: await chooseEraBase(sides.source, crm.id),
  }
}

/** `changedSince` is null if everything is copied; other rounds read tracked changes. */
type Copying = { tables: MovedTable[]; origin: FormerOrigin; changedSince: string | null }

/** Returns the number of rows read. */
async function round({ crm, source, target }: Move, sides: Opened, copying: Copying): Promise<number> {
  const { origin, tables, changedSince } = copying
  const { rows, before } = await copyRound(sides, {
    crmId: crm.id,
    tables,
    changedSince,
    idOffset: origin.idOffset,
    eraBase: origin.eraBase,
    origin,
    reseal: (purpose, sealed) => {
      const text = unseal(source.signer.keys(purpose), sealed)
      return text === null ? sealed : seal(target.signer.key(purpose), text)
    },
  }).catch(explain)
  copying.changedSince = before
  return rows
}

const resealed = ({ source, target }: Move, origin: FormerOrigin): FormerOrigin => ({
  ...origin,
  linkKeys: sealLinkKeys(target.signer, openLinkKeys(source.signer, origin.linkKeys)),
})

/** CRM names, and email addresses and user names of Users, are unique per installation. */
function explain(error: unknown): never {
  const { code, detail, table } = error as { code?: string; detail?: string; table?: string }
  if (code !== '23505') throw error
  throw new StartError(`The target already has a ${table} with the same name or address. ${detail ?? ''}`)
}

async function openAll({ source, target }: Move): Promise<Opened> {
  const pools = [source, target].map(({ connection }) => openPool(connection, { max: 2, limits: noLimits }))
  const [here, there] = pools as [pg.Pool, pg.Pool]
  const close = async (clients: pg.PoolClient[]) => {
    for (const client of clients) client.release(true)
    await Promise.all(pools.map(closePool))
  }
  const clients = await Promise.all([here.connect(), here.connect(), there.connect()])
  const [reading, control, writing] = clients as [pg.PoolClient, pg.PoolClient, pg.PoolClient]
  return { source: reading, control, target: writing, close: () => close(clients) }
}
