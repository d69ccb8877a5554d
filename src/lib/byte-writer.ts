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

  written(): Buffer {
    return this.memory.subarray(0, this.length)
  }

  makeRoom(size: number) {
    const needed = this.length + size
    if (needed <= this.memory.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.memory.length * 2))
    larger.set(this.written())
    this.memory = larger
  }
}
