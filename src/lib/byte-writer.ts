const smallestPiece = 16_384
/** So large that there are few, and so small that taking one costs nothing that anybody would notice. */
const largestPiece = 262_144

/**
 * Text and bytes, put one behind the other: for answers of megabytes, without a string of them. The memory grows by pieces,
 * so that what is written already is never moved.
 */
export class ByteWriter {
  full: Buffer[] = []
  before = 0
  memory = Buffer.allocUnsafeSlow(smallestPiece)
  used = 0
  /** Where what is written now begins in this memory; what is before it has been taken. */
  begin = 0

  get length() {
    return this.before + this.used - this.begin
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

  /** All that was written since the last time. It stays where it is, if that is one piece: the next is written behind it. */
  take(): Buffer {
    const last = this.memory.subarray(this.begin, this.used)
    const bytes = this.full.length === 0 ? last : Buffer.concat([...this.full, last])
    this.full = []
    this.before = 0
    this.begin = this.used
    return bytes
  }

  makeRoom(size: number) {
    if (this.used + size <= this.memory.length) return
    this.full.push(this.memory.subarray(this.begin, this.used))
    this.before += this.used - this.begin
    this.begin = 0
    this.used = 0
    this.memory = Buffer.allocUnsafeSlow(Math.max(size, Math.min(this.memory.length * 2, largestPiece)))
  }
}
