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

/**
 * Puts together what comes in the same moment, or while all lanes are busy, so that the database is asked once for all
 * of it. A group starts after everything in it came: no answer is older than its question.
 */
export class Gathering<In, Out> {
  work: Work<In, Out>
  lanes: number
  most: number
  crowd: number
  waiting: Asked<In, Out>[] = []
  running = 0
  isStarting = false
  sizes = new Spread([1, 2, 4, 8, 16, 32])

  /** `lanes`: groups under way at once. `most`: so many in one group. `crowd`: so many make a second group worth while. */
  constructor(work: Work<In, Out>, { lanes = 1, most = 1000, crowd = 1 } = {}) {
    this.work = work
    this.lanes = lanes
    this.most = most
    this.crowd = crowd
  }

  add(item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject, tries: 0 })
      this.start()
    })
  }

  start() {
    const enough = this.running === 0 ? 1 : this.crowd
    if (this.isStarting || this.running >= this.lanes || this.waiting.length < enough) return
    this.isStarting = true
    // Not at once: what comes in this turn belongs to it.
    setImmediate(() => {
      this.isStarting = false
      void this.run()
    })
  }

  async run() {
    const group = this.waiting.splice(0, this.most)
    for (const one of group) one.tries++
    this.sizes.note(group.length)
    this.running++
    this.start()
    try {
      await this.work(group, asked => this.waiting.unshift(asked))
    } catch (error) {
      for (const one of group) one.reject(error)
    }
    this.running--
    this.start()
  }
}
