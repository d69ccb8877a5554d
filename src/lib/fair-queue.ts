type Job = { start: () => void; refuse: () => void }

/** What one tenant waits for and has used: its askers take turns. */
class Share {
  lines = new Map<string, Job[]>()
  waiting = 0
  running = 0
  /** Milliseconds of work so far, never behind those that were served meanwhile. */
  spent = 0
  lastCost = 0

  push(asker: string, job: Job) {
    const line = this.lines.get(asker) ?? []
    line.push(job)
    this.lines.set(asker, line)
    this.waiting++
  }

  /** The first of the line whose turn it is; that line then stands last. */
  shift(): Job {
    const [turn] = this.lines
    const [asker, line] = turn!
    const job = line.shift()!
    this.lines.delete(asker)
    if (line.length > 0) this.lines.set(asker, line)
    this.waiting--
    return job
  }

  /** The last of the longest line. */
  pop(): Job {
    const [asker, line] = [...this.lines].reduce((one, other) =>
      other[1].length > one[1].length ? other : one,
    )
    const job = line.pop()!
    if (line.length === 0) this.lines.delete(asker)
    this.waiting--
    return job
  }
}

/** `heavyMs`: a tenant whose last piece of work took longer leaves a lane to the others. */
type Options = { concurrency: number; maxWaiting: number; full: () => Error; heavyMs?: number }

const maxIdle = 1_000

/**
 * A few at a time. The tenant that has used the least time so far is next, and within a tenant askers take turns: heavy work or
 * a crowd delays its own only. When too many wait, the tenant with the most waiting loses the last of its longest line.
 */
export class FairQueue {
  concurrency: number
  maxWaiting: number
  full: () => Error
  heavyMs: number
  shares = new Map<string, Share>()
  waiting = 0
  running = 0
  /** What those that are served have spent: where newcomers begin. */
  floor = 0

  constructor({ concurrency, maxWaiting, full, heavyMs = Number.POSITIVE_INFINITY }: Options) {
    this.heavyMs = heavyMs
    this.concurrency = concurrency
    this.maxWaiting = maxWaiting
    this.full = full
  }

  async run<T>(asker: string, work: () => Promise<T>, tenant = asker): Promise<T> {
    const share = this.shareOf(tenant)
    if (this.running < this.concurrency && this.mayStart(share)) this.start(share)
    else await this.turn(tenant, share, asker)
    const started = performance.now()
    try {
      return await work()
    } finally {
      this.finish(share, performance.now() - started)
    }
  }

  shareOf(tenant: string): Share {
    if (this.shares.size > maxIdle)
      for (const [name, one] of this.shares) if (one.waiting + one.running === 0) this.shares.delete(name)
    const share = this.shares.get(tenant) ?? new Share()
    this.shares.set(tenant, share)
    if (share.waiting + share.running === 0) share.spent = Math.max(share.spent, this.floor)
    return share
  }

  mayStart({ running, lastCost }: Share): boolean {
    return lastCost < this.heavyMs || running < Math.max(1, this.concurrency - 1)
  }

  start(share: Share) {
    this.running++
    share.running++
    this.floor = Math.max(this.floor, share.spent)
  }

  finish(share: Share, ms: number) {
    this.running--
    share.running--
    share.spent += ms
    share.lastCost = ms
    for (let next = this.next(); next && this.running < this.concurrency; next = this.next()) {
      this.start(next)
      this.waiting--
      next.shift().start()
    }
  }

  /** What is running counts as what such work cost last. */
  next(): Share | null {
    const costOf = ({ spent, running, lastCost }: Share) => spent + running * Math.max(1, lastCost)
    let best: Share | null = null
    for (const one of this.shares.values())
      if (one.waiting > 0 && this.mayStart(one) && (!best || costOf(one) < costOf(best))) best = one
    return best
  }

  turn(tenant: string, share: Share, asker: string): Promise<void> {
    if (this.waiting >= this.maxWaiting) this.cut(share, asker)
    return new Promise((resolve, reject) => {
      // Served last among equals, as it came last.
      if (share.waiting === 0 && this.shares.delete(tenant)) this.shares.set(tenant, share)
      share.push(asker, { start: resolve, refuse: () => reject(this.full()) })
      this.waiting++
    })
  }

  /** Makes room; an asker that would stand in the line that is cut is turned away itself. */
  cut(share: Share, asker: string) {
    const largest = [...this.shares.values()].reduce(
      (one, other) => (other.waiting > one.waiting ? other : one),
      share,
    )
    const own = share.lines.get(asker)?.length ?? 0
    const isLongest = [...share.lines.values()].every(line => line.length <= own)
    if (largest === share && (isLongest || share.waiting === 0)) throw this.full()
    largest.pop().refuse()
    this.waiting--
  }
}
