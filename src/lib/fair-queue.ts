type Job = { start: () => void; refuse: () => void }

/**
 * A few at a time, in turn between those who ask: a crowd of one asker's delays its own only. When too many wait, it is the
 * longest line that is cut.
 */
export class FairQueue {
  lanes: number
  most: number
  full: () => Error
  lines = new Map<string, Job[]>()
  waiting = 0
  running = 0

  constructor({ lanes, most, full }: { lanes: number; most: number; full: () => Error }) {
    this.lanes = lanes
    this.most = most
    this.full = full
  }

  async run<T>(asker: string, work: () => Promise<T>): Promise<T> {
    if (this.running >= this.lanes) await this.turn(asker)
    else this.running++
    try {
      return await work()
    } finally {
      this.next()
    }
  }

  turn(asker: string): Promise<void> {
    if (this.waiting >= this.most) this.cut(asker)
    return new Promise((resolve, reject) => {
      const line = this.lines.get(asker) ?? []
      line.push({ start: resolve, refuse: () => reject(this.full()) })
      this.lines.set(asker, line)
      this.waiting++
    })
  }

  /** Makes room at the end of the longest line; whoever stands in it themselves is turned away. */
  cut(asker: string) {
    let [longest, length] = [asker, this.lines.get(asker)?.length ?? 0]
    for (const [one, line] of this.lines) if (line.length > length) [longest, length] = [one, line.length]
    if (longest === asker) throw this.full()
    this.lines.get(longest)!.pop()!.refuse()
    this.leave(longest)
  }

  /** The lane goes to the first of the line whose turn it is; that line then stands last. */
  next() {
    const [turn] = this.lines
    if (!turn) {
      this.running--
      return
    }
    const [asker, line] = turn
    const job = line.shift()!
    this.lines.delete(asker)
    this.lines.set(asker, line)
    this.leave(asker)
    job.start()
  }

  leave(asker: string) {
    this.waiting--
    if (this.lines.get(asker)?.length === 0) this.lines.delete(asker)
  }
}
