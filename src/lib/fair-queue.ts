type Job = { start: () => void; refuse: () => void }

/** The waiting jobs and used time of one tenant. Its clients take turns. */
class Share {
  lines = new Map<string, Job[]>()
  waiting = 0
  running = 0
  /** Milliseconds of work so far, but never less than `floor` when it starts to wait. */
  spent = 0
  lastCost = 0

  push(client: string, job: Job) {
    const line = this.lines.get(client) ?? []
    line.push(job)
    this.lines.set(client, line)
    this.waiting++
  }

  /** The first job of the next line, which then goes to the end. */
  shift(): Job {
    const [turn] = this.lines
    const [client, line] = turn!
    const job = line.shift()!
    this.lines.delete(client)
    if (line.length > 0) this.lines.set(client, line)
    this.waiting--
    return job
  }

  /** The last job of the longest line. */
  pop(): Job {
    const [client, line] = [...this.lines].reduce((one, other) =>
      other[1].length > one[1].length ? other : one,
    )
    const job = line.pop()!
    if (line.length === 0) this.lines.delete(client)
    this.waiting--
    return job
  }
}

/** `heavyMs`: a tenant whose last piece of work took longer leaves a slot to the others. */
type Options = { concurrency: number; maxWaiting: number; full: () => Error; heavyMs?: number }

const maxIdle = 1_000

/**
 * Runs a few jobs at a time. The tenant that has used the least time so far is next, and its clients take turns: heavy work or
 * many requests only delay the same tenant. When too many wait, the tenant with the most loses the last job of its longest line.
 */
export class FairQueue {
  concurrency: number
  maxWaiting: number
  full: () => Error
  heavyMs: number
  shares = new Map<string, Share>()
  waiting = 0
  running = 0
  /** What the tenants being served have spent: new ones start there. */
  floor = 0

  constructor({ concurrency, maxWaiting, full, heavyMs = Number.POSITIVE_INFINITY }: Options) {
    this.heavyMs = heavyMs
    this.concurrency = concurrency
    this.maxWaiting = maxWaiting
    this.full = full
  }

  async run<T>(client: string, work: () => Promise<T>, tenant = client): Promise<T> {
    const share = this.shareOf(tenant)
    if (this.running < this.concurrency && this.mayStart(share)) this.start(share)
    else await this.turn(tenant, share, client)
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

  turn(tenant: string, share: Share, client: string): Promise<void> {
    if (this.waiting >= this.maxWaiting) this.cut(share, client)
    return new Promise((resolve, reject) => {
      // Last among equals, because it arrived last.
      if (share.waiting === 0 && this.shares.delete(tenant)) this.shares.set(tenant, share)
      share.push(client, { start: resolve, refuse: () => reject(this.full()) })
      this.waiting++
    })
  }

  /** Makes room. If the longest line is the client's own, the new job is refused instead. */
  cut(share: Share, client: string) {
    const largest = [...this.shares.values()].reduce(
      (one, other) => (other.waiting > one.waiting ? other : one),
      share,
    )
    const own = share.lines.get(client)?.length ?? 0
    const isLongest = [...share.lines.values()].every(line => line.length <= own)
    if (largest === share && (isLongest || share.waiting === 0)) throw this.full()
    largest.pop().refuse()
    this.waiting--
  }
}
