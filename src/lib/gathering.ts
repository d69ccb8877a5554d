import { Spread } from './counts.ts'

export type Asked<In, Out> = {
  item: In
  resolve: (answer: Out) => void
  reject: (error: unknown) => void
  /** The groups that it has been part of. */
  tries: number
}

/** `again` puts one back in the queue, to be part of the next group. */
type Work<In, Out> = (group: Asked<In, Out>[], again: (asked: Asked<In, Out>) => void) => Promise<void>

type Options<In> = {
  /** Groups under way at once. */
  lanes?: number
  /** So many in one group. */
  most?: number
  /** So many make a second group worth while. */
  crowd?: number
  /** What this one has to lock: it waits for the group that has it, instead of coming to a locked door. */
  lockOf?: (item: In) => string | null
}

/**
 * Puts together what comes in the same moment, or while all lanes are busy, so that the database is asked once for all
 * of it. A group starts after everything in it came: no answer is older than its question.
 */
export class Gathering<In, Out> {
  work: Work<In, Out>
  lanes: number
  most: number
  crowd: number
  lockOf: (item: In) => string | null
  waiting: Asked<In, Out>[] = []
  running = 0
  locked = new Set<string | null>()
  isStarting = false
  sizes = new Spread([1, 2, 4, 8, 16, 32])

  constructor(
    work: Work<In, Out>,
    { lanes = 1, most = 1000, crowd = 1, lockOf = () => null }: Options<In> = {},
  ) {
    this.work = work
    this.lanes = lanes
    this.most = most
    this.crowd = crowd
    this.lockOf = lockOf
  }

  add(item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject, tries: 0 })
      this.start()
    })
  }

  start() {
    if (this.isStarting || this.running >= this.lanes) return
    const enough = this.running === 0 ? 1 : this.crowd
    if (this.waiting.length < enough || this.waiting.filter(this.isFree).length < enough) return
    this.isStarting = true
    // Not at once: what comes in this turn belongs to it.
    setImmediate(() => {
      this.isStarting = false
      void this.run()
    })
  }

  isFree = ({ item }: Asked<In, Out>) => !this.locked.has(this.lockOf(item))

  /** The next group. Where nothing is locked, nobody has to be looked at. */
  take(): Asked<In, Out>[] {
    if (this.locked.size === 0) return this.waiting.splice(0, this.most)
    const group = this.waiting.filter(this.isFree).slice(0, this.most)
    const isTaken = new Set(group)
    this.waiting = this.waiting.filter(one => !isTaken.has(one))
    return group
  }

  async run() {
    const group = this.take()
    const locks = group.map(one => this.lockOf(one.item)).filter(lock => lock !== null)
    for (const one of group) one.tries++
    for (const lock of locks) this.locked.add(lock)
    this.sizes.note(group.length)
    this.running++
    this.start()
    try {
      await this.work(group, asked => this.waiting.unshift(asked))
    } catch (error) {
      for (const one of group) one.reject(error)
    }
    this.running--
    for (const lock of locks) this.locked.delete(lock)
    this.start()
  }
}
