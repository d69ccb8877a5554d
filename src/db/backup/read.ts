import { createHash } from 'node:crypto'
import { StartError } from '../../lib/start-error.ts'
import {
  endOfRows,
  type Foot,
  formatName,
  formatVersion,
  type Head,
  type TableFoot,
  type TableHead,
} from './format.ts'
import { newlinesIn } from './write.ts'

const mark = Buffer.from(endOfRows)
const markBehindRows = Buffer.from(`\n${endOfRows}`)

/** Reads a backup sequentially. The rows of a table must be read before the next item. */
export class BackupReader {
  head!: Head
  #chunks: AsyncIterator<Buffer>
  /** Always starts at the beginning of a line. */
  #rest: Buffer = Buffer.alloc(0)

  private constructor(unpacked: AsyncIterable<Buffer>) {
    this.#chunks = unpacked[Symbol.asyncIterator]()
  }

  static async open(unpacked: AsyncIterable<Buffer>): Promise<BackupReader> {
    const reader = new BackupReader(unpacked)
    const head = (await reader.#line().catch(refuseOtherFile)) as Head
    if (head.format !== formatName) refuseOtherFile()
    if (head.formatVersion > formatVersion)
      throw new StartError(
        `The backup was written by Holdfast ${head.version}, which is newer. Use that version.`,
      )
    reader.head = head
    return reader
  }

  /** The next table, or the end of the backup. */
  next = async () => (await this.#line()) as TableHead | Foot

  /** Yields the rows; they are valid only if this ends without an error. */
  async *rows(table: string): AsyncGenerator<Buffer> {
    const sha256 = createHash('sha256')
    let rows = 0
    for (let piece = await this.#piece(); piece; piece = await this.#piece()) {
      sha256.update(piece)
      rows += newlinesIn(piece)
      yield piece
    }
    const foot = (await this.#line()) as TableFoot
    if (foot.rows !== rows || foot.sha256 !== sha256.digest('hex'))
      throw new StartError(`The backup is damaged: the rows of ${table} are not those that were written.`)
  }

  async #piece(): Promise<Buffer | null> {
    for (;;) {
      if (this.#rest.subarray(0, mark.length).equals(mark)) {
        this.#rest = this.#rest.subarray(mark.length)
        return null
      }
      const end = this.#rest.indexOf(markBehindRows)
      const length = (end >= 0 ? end : this.#rest.lastIndexOf(10)) + 1
      if (length > 0) return this.#take(length)
      await this.#more()
    }
  }

  async #line(): Promise<unknown> {
    let end = this.#rest.indexOf(10)
    while (end < 0) {
      await this.#more()
      end = this.#rest.indexOf(10)
    }
    try {
      return JSON.parse(this.#take(end + 1).toString())
    } catch {
      throw damaged()
    }
  }

  #take(length: number): Buffer {
    const taken = this.#rest.subarray(0, length)
    this.#rest = this.#rest.subarray(length)
    return taken
  }

  async #more() {
    const { value, done } = await this.#chunks.next().catch(() => {
      throw damaged()
    })
    if (done) throw new StartError('The backup is not whole: the file ends early.')
    this.#rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, value]) : value
  }
}

const damaged = () =>
  new StartError('The backup is damaged, or ends early: it cannot be unpacked to its end.')

function refuseOtherFile(): never {
  throw new StartError('This is no backup of Holdfast, or it is damaged.')
}
