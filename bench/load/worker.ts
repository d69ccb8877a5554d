// The load process: receives plans and reports outcomes, in a process separate from the server it measures.

import pg from 'pg'
import { Connection, requestText } from './connection.ts'
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
    return await drive(connections, step, limit, plan)
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
  if (work.kind === 'stays') return { step: stayStep(work.stays), limit: endless }
  if (work.kind === 'pairs') return { step: pairStep(work.pairs), limit: work.pairs.length }
  if (work.kind === 'changed') return changedStep(work, connections)
  const requests = work.requests.map(text => Buffer.from(text))
  const step: Step = async (connection, index) =>
    (await connection.send(requests[index % requests.length]!)).status
  return { step, limit: work.kind === 'cycle' ? endless : requests.length }
}

/** A pair counts once, with the status of its second half; if the first half fails, with that status. */
function pairStep(pairs: { reserve: string; complete: string }[]): Step {
  return async (connection, index) => {
    const { reserve, complete } = pairs[index]!
    const held = await connection.send(reserve, true)
    if (held.status !== 200) return held.status
    const placeholder = JSON.parse(held.body).participation.customer_uuid as string
    return (await connection.send(complete.replace('PLACEHOLDER'.padEnd(36, '_'), placeholder))).status
  }
}

let stayed = 0

/** Slots rotate across runs, so that one that is still being released is not requested again at once. */
function stayStep(stays: { reserve: string; complete: string }[]): Step {
  return async connection => {
    const { reserve, complete } = stays[stayed++ % stays.length]!
    const held = await connection.send(reserve, true)
    if (held.status !== 200) return held.status
    const placeholder = JSON.parse(held.body).participation.customer_uuid as string
    const booked = await connection.send(complete.replace('PLACEHOLDER'.padEnd(36, '_'), placeholder), true)
    if (booked.status !== 201) return booked.status
    const link = new URL(JSON.parse(booked.body).createdAppointment.cancelLink)
    const [token, customer, appointment] = [
      link.searchParams.get('X-SIGNED-APP-CUSTOMER')!,
      link.searchParams.get('pDataId'),
      link.hash.split('/').at(-1),
    ]
    const path = `/customers/${customer}/appointments/${appointment}`
    return (await connection.send(requestText('DELETE', path, { 'x-signed-app-customer': token }))).status
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
  { seconds, warming = 0, pace }: Plan,
): Promise<Outcome> {
  const begun = performance.now()
  const warm = begun + warming * 1000
  const until = warm + seconds * 1000
  const times: number[] = []
  const statuses: Record<string, number> = {}
  const answered: Record<string, number> = {}
  let next = 0
  let count = 0
  await Promise.all(
    connections.map(async connection => {
      for (let now = performance.now(); now < until && next < limit; ) {
        const index = next++
        if (pace) now = await turnAt(begun + (index / pace) * 1000)
        const status = await step(connection, index)
        const after = performance.now()
        if (after >= warm && after < until) answered[status] = (answered[status] ?? 0) + 1
        if (now >= warm) {
          statuses[status] = (statuses[status] ?? 0) + 1
          if (status < 500) times.push(after - now)
          count++
        }
        now = after
      }
    }),
  )
  const took = (performance.now() - warm) / 1000
  return {
    ...percentiles(times),
    count,
    accepted: times.length,
    seconds: took,
    perSecond: count / took,
    statuses,
    answered,
    used: next,
  }
}

/** Waits until the given moment; returns when it continues. */
async function turnAt(moment: number): Promise<number> {
  const early = moment - performance.now()
  if (early > 1) await new Promise(resolve => setTimeout(resolve, early))
  return performance.now()
}

function percentiles(times: number[]) {
  const sorted = Float64Array.from(times).sort()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}
