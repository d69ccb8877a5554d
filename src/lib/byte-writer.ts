const smallestPiece = 16_384
/** So large that there are few, and so small that taking one costs nothing that anybody would notice. */
const largestPiece = 262_144

/**
 * Text and bytes, put one behind the other: for answers of megabytes, without a string of them. The memory grows by pieces,
 * so that what is written already is never moved.
 */
export class ByteWriter {
  full: Buffer[] = []
  /** Where each of the full pieces begins. */
  starts: number[] = []
  before = 0
  memory = Buffer.allocUnsafeSlow(smallestPiece)
  used = 0

  get length() {
    return this.before + this.used
  }

  text(text: string) {
    // No character takes more than three bytes for each of its units.
    this.makeRoom(text.length * 3)
    this.used += this.memory.write(text, this.used)
  }

  bytes(bytes: Buffer) {
    this.makeRoom(bytes.length)
    this.memory.set(bytes, this.used)
    this.used += bytes.length
  }

  /** The bytes of [from, to), in as many parts as they lie in. */
  *written(from = 0, to = this.length): Generator<Buffer> {
    for (let index = this.pieceAt(from); index <= this.full.length && from < to; index++) {
      const start = this.starts[index] ?? this.before
      const piece = this.full[index] ?? this.memory.subarray(0, this.used)
      const part = piece.subarray(from - start, to - start)
      yield part
      from += part.length
    }
  }

  /** In the order of writing, the last one that begins no later. */
  pieceAt(position: number): number {
    let low = 0
    let high = this.starts.length
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if ((this.starts[middle] ?? this.before) <= position) low = middle
      else high = middle - 1
    }
    return low
  }

  makeRoom(size: number) {
    if (this.used + size <= this.memory.length) return
    this.full.push(this.memory.subarray(0, this.used))
    this.starts.push(this.before)
    this.before += this.used
    this.used = 0
    this.memory = Buffer.allocUnsafeSlow(Math.max(size, Math.min(this.memory.length * 2, largestPiece)))
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
  /** Does each group lie in one piece? */
  inOrder = true

  /** What is written from now on belongs to this group. True if it has just begun. */
  turnTo(group: string): boolean {
    const known = this.groups.get(group)
    if (known !== undefined && known === this.current) return false
    this.close()
    this.current = known ?? []
    if (known) this.inOrder = false
    else this.groups.set(group, this.current)
    this.current.push(this.writer.length)
    return known === undefined
  }

  close() {
    this.current?.push(this.writer.length)
    this.current = null
  }

  /** Group by group. */
  *written(): Generator<Buffer> {
    this.close()
    if (this.inOrder) return yield* this.writer.written()
    for (const pieces of this.groups.values())
      for (let index = 0; index < pieces.length; index += 2)
        yield* this.writer.written(pieces[index], pieces[index + 1])
  }
}
