import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { type CsvError, parse } from 'csv-parse'
import { parse as parseAtOnce } from 'csv-parse/sync'
import { yielder } from './run-in-steps.ts'

export const delimiters = [',', ';', '\t', '|'] as const
export type Delimiter = (typeof delimiters)[number]

export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type CsvEncoding = (typeof encodings)[number]

export class UnreadableCsv extends Error {
  line: number | null

  constructor(message: string, line: number | null = null) {
    super(message)
    this.line = line
  }
}

/** Every sequence of bytes is valid Windows-1252, so this is what is left. */
export function detectEncoding(bytes: Buffer): CsvEncoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const head = bytes.subarray(0, 4096 & ~1)
  const zeros = [0, 0]
  for (const [index, byte] of head.entries()) if (byte === 0) zeros[index % 2]!++
  // Every other byte of Latin text is zero.
  if (Math.max(...zeros) > head.length / 8) return zeros[1]! > zeros[0]! ? 'utf-16le' : 'utf-16be'
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252'
}

/** Without a byte order mark, and without NUL, which the database cannot store. */
export const decode = (bytes: Buffer, encoding: CsvEncoding): string =>
  new TextDecoder(encoding).decode(bytes).replaceAll('\0', '')

const options = { relax_column_count: true, relax_quotes: true, max_record_size: 1_000_000 }

/** The one that splits most of the first lines into the same number of columns, and into the most. */
export function detectDelimiter(text: string): Delimiter {
  const head = text.slice(0, 64 * 1024)
  const scored = delimiters.map(delimiter => ({ delimiter, score: regularity(head, delimiter) }))
  return scored.toSorted((one, other) => other.score - one.score)[0]!.delimiter
}

function regularity(head: string, delimiter: Delimiter): number {
  const counts = sampleOf(head, delimiter).map(row => row.length)
  const columns = counts[0] ?? 1
  if (columns === 1) return 0
  return (counts.filter(count => count === columns).length / counts.length) * 1000 + columns
}

function sampleOf(head: string, delimiter: Delimiter): string[][] {
  try {
    return parseAtOnce(head, { ...options, delimiter, skip_empty_lines: true, to: 20 })
  } catch {
    // The sample may end inside quotes.
    return head.split('\n', 1).map(line => line.split(delimiter))
  }
}

const sliceLength = 64 * 1024

/** Yields each row of the file, also empty ones, so that their numbers are those of a spreadsheet. */
export async function* csvRows(text: string, delimiter: Delimiter): AsyncGenerator<string[], undefined> {
  const pauseIfDue = yielder()
  const parser = parse({ ...options, delimiter, skip_empty_lines: false })
  const source = Readable.from(slicesOf(text))
  source.pipe(parser)
  try {
    for await (const row of parser) {
      yield (row as string[]).map(withoutGuard)
      const pause = pauseIfDue()
      if (pause) await pause
    }
  } catch (error) {
    throw new UnreadableCsv((error as Error).message, ((error as CsvError).lines as number) ?? null)
  } finally {
    source.destroy()
  }
}

function* slicesOf(text: string) {
  for (let at = 0; at < text.length; at += sliceLength) yield text.slice(at, at + sliceLength)
}

/** Trimmed, and without the mark that our own files have before a formula. */
const withoutGuard = (cell: string) => cell.trim().replace(/^'(?=\s*[=+\-@])/, '')

/** Some programs name the delimiter in the first line. */
export function splitHint(text: string): { hint: Delimiter | null; rest: string } {
  const [line, hint] = /^sep=([,;\t|])\r?\n/.exec(text) ?? []
  return line ? { hint: hint as Delimiter, rest: text.slice(line.length) } : { hint: null, rest: text }
}
