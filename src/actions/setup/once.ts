import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { findKeptAnswer, keepAnswer, lockRequest } from '../../db/base/kept-answers.ts'
import type { Transaction } from '../../db/base/queryable.ts'
import { within } from '../../db/base/within.ts'
import { idempotencyMismatch, inProgress, Refusal } from '../../errors.ts'
import { sha256 } from '../../lib/hash.ts'
import type { Service } from '../../service.ts'
import { inside } from './together.ts'

/** `caller` and `key` name the request; `digest` tells whether it is the same one when the name comes again. */
type NamedRequest = { caller: string; key: string; digest: Buffer }

type Answer = { status: number; body: unknown }

/**
 * Does the work once for each name and answers the same whenever it is asked again. The work and its answer are written
 * in one transaction: whoever dies before its end has done nothing, and the name is free. `refusal` tells how a refusal is
 * answered; null for those that mean "try again", which are not kept.
 */
export async function once(
  service: Service,
  request: NamedRequest,
  work: (service: Service) => Promise<Answer>,
  refusal: (refused: Refusal) => Answer | null,
): Promise<Answer & { replayed: boolean }> {
  const id = sha256(`${request.caller}\n${request.key}`)
  return service.db.transaction(async tx => {
    if (!(await lockRequest(tx, id))) throw inProgress()
    const kept = await findKeptAnswer(tx, id)
    if (kept && !kept.digest.equals(request.digest)) throw idempotencyMismatch()
    if (kept) return { ...open(service, request, kept.answer), replayed: true }
    const answer = await attempt(service, tx, work, refusal)
    await keepAnswer(tx, id, { digest: request.digest, answer: seal(service, request, answer) })
    return { ...answer, replayed: false }
  })
}

/** A refusal undoes the work, and is itself the answer. */
async function attempt(
  service: Service,
  tx: Transaction,
  work: (service: Service) => Promise<Answer>,
  refusal: (refused: Refusal) => Answer | null,
): Promise<Answer> {
  const db = within(service.db, tx)
  try {
    return await db.transaction(part => work(inside(service, within(db, part))))
  } catch (error) {
    const answer = error instanceof Refusal ? refusal(error) : null
    if (!answer) throw error
    return answer
  }
}

// Answers hold personal data, also of people who are erased within the day. They are encrypted with the caller's own
// key, of which we keep a hash only: nobody but the caller can have them read.
const cipher = 'aes-256-gcm'
const nonceLength = 12
const tagLength = 16

const secretOf = ({ signer }: Service, { caller, key }: NamedRequest) =>
  createHmac('sha256', signer.key('kept-answer')).update(`${caller}\n${key}`).digest()

function seal(service: Service, request: NamedRequest, answer: Answer): Buffer {
  const nonce = randomBytes(nonceLength)
  const sealing = createCipheriv(cipher, secretOf(service, request), nonce)
  const sealed = Buffer.concat([sealing.update(JSON.stringify(answer)), sealing.final()])
  return Buffer.concat([nonce, sealing.getAuthTag(), sealed])
}

function open(service: Service, request: NamedRequest, sealed: Buffer): Answer {
  const opening = createDecipheriv(cipher, secretOf(service, request), sealed.subarray(0, nonceLength))
  opening.setAuthTag(sealed.subarray(nonceLength, nonceLength + tagLength))
  const text = Buffer.concat([opening.update(sealed.subarray(nonceLength + tagLength)), opening.final()])
  return JSON.parse(text.toString())
}
