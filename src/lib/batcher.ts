export type Pending<In, Out> = {
  item: In
  resolve: (answer: Out) => void
  reject: (error: unknown) => void
  /** Number of batches it has been part of. */
  tries: number
}

/** `again` puts an item back at the head of the queue. */
type Work<In, Out> = (group: Pending<In, Out>[], again: (pending: Pending<In, Out>) => void) => Promise<void>

type Options<In> = {
  /** Batches in flight at once. */
  concurrency?: number
  /** Maximum items in one batch. */
  maxBatch?: number
  /** Minimum waiting items that justify a second batch. */
  minForSecond?: number
  /** The lock this item needs: it waits for the batch that holds it instead of being locked out. */
  lockOf?: (item: In) => string | null
  /** Learns the size of each batch. */
  observe?: (size: number) => void
}

/**
 * Batches items that arrive in the same turn, or while all slots are busy, so that the database is asked
 * once. A batch starts after everything in it has arrived, so no answer is older than its request.
 */
export class Batcher<In, Out> {
  work: Work<In, Out>
  concurrency: number
  maxBatch: number
  minForSecond: number
  lockOf: (item: In) => string | null
  waiting: Pending<In, Out>[] = []
  running = 0
  locked = new Set<string | null>()
  isStarting = false
  observe: (size: number) => void

  constructor(
    work: Work<In, Out>,
    {
      concurrency = 1,
      maxBatch = 1000,
      minForSecond = 1,
      lockOf = () => null,
      observe = () => {},
    }: Options<In> = {},
  ) {
    this.work = work
    this.concurrency = concurrency
    this.maxBatch = maxBatch
    this.minForSecond = minForSecond
    this.lockOf = lockOf
    this.observe = observe
  }

  add(item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject, tries: 0 })
      this.start()
    })
  }

  start() {
    if (this.isStarting || this.running >= this.concurrency) return
    const enough = this.running === 0 ? 1 : this.minForSecond
    if (this.waiting.length < enough || this.waiting.filter(this.isFree).length < enough) return
    this.isStarting = true
    // Deferred, so that everything that arrives in this turn joins the batch.
    setImmediate(() => {
      this.isStarting = false
      void this.run()
    })
  }

  isFree = ({ item }: Pending<In, Out>) => !this.locked.has(this.lockOf(item))

  /** The next batch. Skips the lock check if nothing is locked. */
  take(): Pending<In, Out>[] {
    if (this.locked.size === 0) return this.waiting.splice(0, this.maxBatch)
    const group = this.waiting.filter(this.isFree).slice(0, this.maxBatch)
    const isTaken = new Set(group)
    this.waiting = this.waiting.filter(one => !isTaken.has(one))
    return group
  }

  async run() {
    const group = this.take()
    const locks = group.map(one => this.lockOf(one.item)).filter(lock => lock !== null)
    for (const one of group) one.tries++
    for (const lock of locks) this.locked.add(lock)
    this.observe(group.length)
    this.running++
    this.start()
    try {
      await this.work(group, pending => this.waiting.unshift(pending))
    } catch (error) {
      for (const one of group) one.reject(error)
    }
    this.running--
    for (const lock of locks) this.locked.delete(lock)
    this.start()
  }
}
