// The load process: told what to send, it tells how it went. It runs apart from the server that it measures.

import pg from 'pg'
import { Connection } from './connection.ts'
import type { Outcome, Plan } from './plan.ts'

type Step = (connection: Connection, index: number) => Promise<number>

process.on('message', async (plan: Plan) => {
  try {
    process.send!({ outcome: await carryOut(plan) })
  } catch (error) {
    process.send!({ error: (error as Error).stack })
  }
})

async function carryOut(plan: Plan): Promise<Outcome> {
  const { step, limit, close } = await stepOf(plan)
  const connections = Array.from({ length: plan.connections }, () => new Connection(plan.port))
  try {
    await Promise.all(connections.map(connection => connection.opened))
    return await drive(connections, step, limit, plan.seconds)
  } finally {
    for (const connection of connections) connection.close()
    await close?.()
  }
}

async function stepOf({
  work,
  connections,
}: Plan): Promise<{ step: Step; limit: number; close?: () => unknown }> {
  const endless = Number.POSITIVE_INFINITY
  if (work.kind === 'pairs') return { step: pairStep(work.pairs), limit: work.pairs.length }
  if (work.kind === 'changed') return changedStep(work, connections)
  const requests = work.requests.map(text => Buffer.from(text))
  const step: Step = async (connection, index) =>
    (await connection.send(requests[index % requests.length]!)).status
  return { step, limit: work.kind === 'cycle' ? endless : requests.length }
}

/** A pair counts once, with the status of its second half; a first half that fails is counted as that. */
function pairStep(pairs: { reserve: string; complete: string }[]): Step {
  return async (connection, index) => {
    const { reserve, complete } = pairs[index]!
    const held = await connection.send(reserve, true)
    if (held.status !== 200) return held.status
    const placeholder = JSON.parse(held.body).participation.customer_uuid as string
    return (await connection.send(complete.replace('PLACEHOLDER'.padEnd(36, '_'), placeholder))).status
  }
}

async function changedStep(work: Extract<Plan['work'], { kind: 'changed' }>, connections: number) {
  const pool = new pg.Pool({ ...work.database, max: connections })
  const requests = work.requests.map(({ value, request }) => ({
    value,
    bytes: request && Buffer.from(request),
  }))
  const step: Step = async (connection, index) => {
    const { bytes, value } = requests[index % requests.length]!
    await pool.query({ name: 'change', text: work.sql, values: [value] })
    return bytes ? (await connection.send(bytes)).status : 200
  }
  return { step, limit: Number.POSITIVE_INFINITY, close: () => pool.end() }
}

async function drive(
  connections: Connection[],
  step: Step,
  limit: number,
  seconds: number,
): Promise<Outcome> {
  const begun = performance.now()
  const until = begun + seconds * 1000
  const times: number[] = []
  const statuses: Record<string, number> = {}
  let next = 0
  await Promise.all(
    connections.map(async connection => {
      for (let now = performance.now(); now < until && next < limit; ) {
        const status = await step(connection, next++)
        statuses[status] = (statuses[status] ?? 0) + 1
        const after = performance.now()
        times.push(after - now)
        now = after
      }
    }),
  )
  const took = (performance.now() - begun) / 1000
  return {
    ...percentiles(times),
    count: times.length,
    seconds: took,
    perSecond: times.length / took,
    statuses,
    used: next,
  }
}

function percentiles(times: number[]) {
  const sorted = Float64Array.from(times).sort()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { p50: at(0.5), p99: at(0.99), max: at(1) }
}
