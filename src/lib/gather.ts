import { createHash } from 'node:crypto'
import { breather } from './let-others-work.ts'

/** So many bytes are copied or digested at once: a fraction of a millisecond. */
const atOnce = 262_144

/** Parts as one, with their digest, for answers of any size. */
export async function gather(parts: readonly Buffer[], length: number) {
  const hash = createHash('sha1')
  const body = await putInOne(parts, length, bytes => hash.update(bytes))
  return { body, digest: hash.digest('base64url') }
}

/** Parts as one; `see` is shown all of it, piece by piece. */
export async function putInOne(
  parts: readonly Buffer[],
  length: number,
  see: (bytes: Buffer) => void = () => {},
): Promise<Buffer> {
  const body = Buffer.allocUnsafeSlow(length)
  const takeBreath = breather()
  let copied = 0
  let seen = 0
  // Thousands of small ones: by their index, which leaves nothing behind to clear away.
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]!
    for (let from = 0; from < part.length; from += atOnce) {
      const some = part.length <= atOnce ? part : part.subarray(from, from + atOnce)
      body.set(some, copied)
      copied += some.length
      if (copied - seen < atOnce) continue
      see(body.subarray(seen, copied))
      seen = copied
      const pause = takeBreath()
      if (pause) await pause
    }
  }
  see(body.subarray(seen))
  return body
}
