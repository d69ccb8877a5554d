import { createCipheriv, createDecipheriv, createHmac, type KeyObject, randomBytes } from 'node:crypto'
import type { Transaction } from '../../db/base/queryable.ts'
import {
  claimRequest,
  endClaim,
  findKeptAnswer,
  keepAnswer,
  lockRequest,
} from '../../db/base/stored-answers.ts'
import { nestedDb } from '../../db/base/transactions.ts'
import { answerUnreadable, idempotencyMismatch, inProgress, Refusal } from '../../errors.ts'
import { sha256 } from '../../lib/hash.ts'
import type { Service } from '../../service.ts'

/** `caller` and `key` identify the request; `digest` tells whether a repeat has the same content. */
type NamedRequest = { caller: string; key: string; digest: Buffer }

type Answer = { status: number; body: unknown }

/** `prepare` waits for systems outside the database, so it runs without a connection. */
export type Work = {
  prepare?: ((service: Service) => Promise<unknown>) | undefined
  handle(service: Service, prepared: unknown): Promise<Answer>
}

/** The response for a refusal; null for refusals that mean "try again", which are not stored. */
type Refused = (refused: Refusal) => Answer | null

type Replayable = Answer & { replayed: boolean }

/**
 * Does the work once per key and returns the stored answer to every repeat. The work and its answer commit in
 * one transaction: a crash before the commit leaves nothing behind, and the key stays free.
 */
export async function runOnce(
  service: Service,
  request: NamedRequest,
  work: Work,
  refusal: Refused,
): Promise<Replayable> {
  const id = sha256(`${request.caller}\n${request.key}`)
  const { prepare } = work
  if (!prepare) return keepOnce(service, request, id, inner => work.handle(inner, undefined), refusal)
  const known = await service.db.transaction(async tx => {
    const known = await answerKnown(service, tx, request, id)
    if (!known && !(await claimRequest(tx, id, request.digest))) throw inProgress()
    return known
  })
  if (known) return known
  try {
    const prepared = await prepare(service).then(
      value => ({ value }),
      error => ({ error }),
    )
    const finish = async (inner: Service) => {
      if ('error' in prepared) throw prepared.error
      return work.handle(inner, prepared.value)
    }
    return await keepOnce(service, request, id, finish, refusal)
  } finally {
    // If the database is unreachable, the claim expires after a minute.
    await endClaim(service.db, id).catch(() => {})
  }
}

async function keepOnce(
  service: Service,
  request: NamedRequest,
  id: Buffer,
  work: (service: Service) => Promise<Answer>,
  refusal: Refused,
): Promise<Replayable> {
  return service.db.transaction(async tx => {
    const known = await answerKnown(service, tx, request, id)
    if (known) return known
    const answer = await attempt(service, tx, work, refusal)
    await keepAnswer(tx, id, { digest: request.digest, answer: seal(service, request, answer) })
    return { ...answer, replayed: false }
  })
}

/** Claims the key for this transaction and returns the stored answer, if any. */
async function answerKnown(
  service: Service,
  tx: Transaction,
  request: NamedRequest,
  id: Buffer,
): Promise<Replayable | null> {
  if (!(await lockRequest(tx, id))) throw inProgress()
  const kept = await findKeptAnswer(tx, id)
  if (kept && !kept.digest.equals(request.digest)) throw idempotencyMismatch()
  return kept && { ...open(service, request, kept.answer), replayed: true }
}

/** A refusal rolls the work back and is itself the answer. */
async function attempt(
  service: Service,
  tx: Transaction,
  work: (service: Service) => Promise<Answer>,
  refusal: Refused,
): Promise<Answer> {
  const db = nestedDb(service.db, tx)
  try {
    return await db.transaction(part => work({ ...service, db: nestedDb(db, part) }))
  } catch (error) {
    const answer = error instanceof Refusal ? refusal(error) : null
    if (!answer) throw error
    return answer
  }
}

// Answers contain personal data, possibly of people who are erased within the day. They are encrypted with
// the caller's own key, of which we store only a hash, so that only the caller can read them.
const cipher = 'aes-256-gcm'
const nonceLength = 12
const tagLength = 16

const secretOf = (key: KeyObject, { caller, key: name }: NamedRequest) =>
  createHmac('sha256', key).update(`${caller}\n${name}`).digest()

function seal(service: Service, request: NamedRequest, answer: Answer): Buffer {
  const nonce = randomBytes(nonceLength)
  const sealing = createCipheriv(cipher, secretOf(service.signer.key('kept-answer'), request), nonce)
  const sealed = Buffer.concat([sealing.update(JSON.stringify(answer)), sealing.final()])
  return Buffer.concat([nonce, sealing.getAuthTag(), sealed])
}

function open({ signer }: Service, request: NamedRequest, sealed: Buffer): Answer {
  for (const key of signer.keys('kept-answer'))
    try {
      return openWith(secretOf(key, request), sealed)
    } catch {
      // Try the next key.
    }
  throw answerUnreadable()
}

function openWith(secret: Buffer, sealed: Buffer): Answer {
  const opening = createDecipheriv(cipher, secret, sealed.subarray(0, nonceLength))
  opening.setAuthTag(sealed.subarray(nonceLength, nonceLength + tagLength))
  const text = Buffer.concat([opening.update(sealed.subarray(nonceLength + tagLength)), opening.final()])
  return JSON.parse(text.toString())
}
