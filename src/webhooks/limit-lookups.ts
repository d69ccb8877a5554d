import type { LookupAddress, LookupAllOptions, lookup as resolve } from 'node:dns'

// getaddrinfo blocks one of libuv's four threads until the name server answers, and compression and file access share these
// threads. So only two look-ups run at a time.

type Done = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void
export type LookupAll = (hostname: string, options: LookupAllOptions, done: Done) => void
type Options = { max?: number; patienceMs?: number }
type Call = { hostname: string; options: LookupAllOptions; waiting: Done[]; since: number }

/**
 * A permit is held until `lookup` really calls back, even if the sender has given up long before. Equal look-ups share one
 * call, so a name whose servers are silent takes one permit at most.
 */
export function limitLookups(
  lookup: typeof resolve,
  { max = 2, patienceMs = 15_000 }: Options = {},
): LookupAll {
  const calls = new Map<string, Call>()
  const queue: string[] = []
  let running = 0

  function settle(key: string, error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) {
    const { waiting } = calls.get(key)!
    calls.delete(key)
    for (const done of waiting) done(error, addresses)
  }

  function runNext() {
    while (running < max && queue.length > 0) {
      const key = queue.shift()!
      const { hostname, options, since } = calls.get(key)!
      // Its senders have given up; running it would only delay newer ones.
      if (performance.now() - since > patienceMs) {
        settle(key, new Error('Too many names are being looked up.'), [])
        continue
      }
      running++
      lookup(hostname, options, (error, addresses) => {
        running--
        settle(key, error, addresses)
        runNext()
      })
    }
  }

  return (hostname, options, done) => {
    const key = `${hostname} ${options.family ?? 0} ${options.hints ?? 0}`
    const known = calls.get(key)
    if (known) return void known.waiting.push(done)
    calls.set(key, { hostname, options, waiting: [done], since: performance.now() })
    queue.push(key)
    runNext()
  }
}
