import { createHash } from 'node:crypto'
import { yielder } from './run-in-steps.ts'

/** Bytes copied or hashed at a time: a fraction of a millisecond. */
const atOnce = 262_144

/** Joins parts of any size and returns them with their digest. */
export async function concatAndHash(parts: readonly Buffer[], length: number) {
  const hash = createHash('sha1')
  const body = await concatInSteps(parts, length, bytes => hash.update(bytes))
  return { body, digest: hash.digest('base64url') }
}

/** Joins parts; `see` receives all bytes, piece by piece. */
export async function concatInSteps(
  parts: readonly Buffer[],
  length: number,
  see: (bytes: Buffer) => void = () => {},
): Promise<Buffer> {
  const body = Buffer.allocUnsafeSlow(length)
  const pauseIfDue = yielder()
  let copied = 0
  let seen = 0
  // An index loop over thousands of small parts allocates nothing.
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]!
    for (let from = 0; from < part.length; from += atOnce) {
      const some = part.length <= atOnce ? part : part.subarray(from, from + atOnce)
      body.set(some, copied)
      copied += some.length
      if (copied - seen < atOnce) continue
      see(body.subarray(seen, copied))
      seen = copied
      const pause = pauseIfDue()
      if (pause) await pause
    }
  }
  see(body.subarray(seen))
  return body
}
