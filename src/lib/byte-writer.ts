/** Text and bytes, put one behind the other in memory that grows: for answers of megabytes, without a string of them. */
export class ByteWriter {
  memory = Buffer.allocUnsafeSlow(16_384)
  length = 0

  text(text: string) {
    // No character takes more than three bytes for each of its units.
    this.makeRoom(text.length * 3)
    this.length += this.memory.write(text, this.length)
  }

  bytes(bytes: Buffer) {
    this.makeRoom(bytes.length)
    this.memory.set(bytes, this.length)
    this.length += bytes.length
  }

  written(from = 0, to = this.length): Buffer {
    return this.memory.subarray(from, to)
  }

  makeRoom(size: number) {
    const needed = this.length + size
    if (needed <= this.memory.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.memory.length * 2))
    larger.set(this.written())
    this.memory = larger
  }
}

/** The pieces of one group: where each begins and ends. */
type Pieces = number[]

/**
 * Writes groups whose members may come in any order into one memory: a group costs a few numbers, and groups that come
 * one after the other need not be put together at all.
 */
export class GroupWriter {
  writer = new ByteWriter()
  groups = new Map<string, Pieces>()
  current: Pieces | null = null

  /** What is written from now on belongs to this group. True if it has just begun. */
  turnTo(group: string): boolean {
    const known = this.groups.get(group)
    if (known !== undefined && known === this.current) return false
    this.close()
    this.current = known ?? []
    if (!known) this.groups.set(group, this.current)
    this.current.push(this.writer.length)
    return known === undefined
  }

  close() {
    this.current?.push(this.writer.length)
    this.current = null
  }

  /** Group by group. */
  written(): Buffer {
    this.close()
    const pieces = [...this.groups.values()]
    if (pieces.every(one => one.length === 2)) return this.writer.written()
    const parts = pieces.flatMap(one =>
      one.flatMap((from, index) => (index % 2 ? [] : this.writer.written(from, one[index + 1]))),
    )
    return Buffer.concat(parts)
  }
}
