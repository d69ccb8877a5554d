import { createHash } from 'node:crypto'
import type { ProviderContext } from '../../../callers.ts'
import {
  type FileLine,
  type ImportRow,
  insertImport,
  insertLines,
  rememberedMapping,
} from '../../../db/scheduling/imports.ts'
import type { ProviderRow } from '../../../db/setup/providers.ts'
import { customerQuestions } from '../../../db/setup/questions.ts'
import { invalidField } from '../../../errors.ts'
import { pseudonym } from '../../../lib/hash.ts'
import {
  csvRows,
  decode,
  detectDelimiter,
  detectEncoding,
  splitHint,
  UnreadableCsv,
} from '../../../lib/read-csv.ts'
import { guessMapping, type ImportKind, ownPrefix } from '../../../rules/imports/fields.ts'
import { guessDateOrder } from '../../../rules/imports/values.ts'
import type { Service } from '../../../service.ts'

export const maxFileMegabytes = 20
export const maxLines = 50_000
const maxColumns = 200

export type ParsedFile = { digest: string; headers: string[]; lines: FileLine[] }

/** Reads the whole file in small steps, without a connection to the database. */
export async function parseFile({ signer }: Service, content: string): Promise<ParsedFile> {
  const bytes = Buffer.from(content, 'base64')
  if (bytes.length > maxFileMegabytes * 1024 * 1024)
    throw invalidField('content', 'max:megabytes', { limit: maxFileMegabytes })
  const { hint, rest } = splitHint(decode(bytes, detectEncoding(bytes)))
  const rows = await readRows(rest, hint ?? detectDelimiter(rest))
  const [first, ...lines] = rows
  if (!first || lines.length === 0) throw invalidField('content', 'file-lines')
  const digest = pseudonym(signer.key('imports'), createHash('sha256').update(bytes).digest('hex'))
  return { digest, headers: first.cells, lines }
}

async function readRows(text: string, delimiter: ReturnType<typeof detectDelimiter>): Promise<FileLine[]> {
  const rows: FileLine[] = []
  let line = 0
  try {
    for await (const cells of csvRows(text, delimiter)) {
      line++
      if (cells.every(cell => cell === '')) continue
      if (cells.length > maxColumns) throw new UnreadableCsv(`more than ${maxColumns} columns`, line)
      if (rows.push({ line, cells }) > maxLines + 1) break
    }
  } catch (error) {
    if (!(error instanceof UnreadableCsv)) throw error
    throw invalidField('content', 'unreadable-line', { line: error.line ?? line + 1, problem: error.message })
  }
  if (rows.length > maxLines + 1) throw invalidField('content', 'maxItems:lines', { limit: maxLines })
  return rows
}

const atOnce = 1000

export async function saveFile(
  { service, actor, provider }: ProviderContext,
  { kind, fileName, file }: { kind: ImportKind; fileName: string; file: ParsedFile },
): Promise<ImportRow> {
  const { digest, headers, lines } = file
  const known = await rememberedMapping(service.db, provider.id, kind, headers)
  const questions = kind === 'customers' ? await customerQuestions(service.db, provider.id) : []
  const own = questions.map(({ key, label }) => ({
    field: ownPrefix + key,
    labels: [key, ...Object.values(label)],
  }))
  return service.db.transaction(async tx => {
    const row = await insertImport(tx, {
      providerId: provider.id,
      kind,
      fileName,
      digest,
      headers,
      mapping: known?.mapping ?? guessMapping(kind, headers, own),
      options: {
        duplicates: known?.options.duplicates ?? 'update',
        dateOrder: guessDateOrder(lines.slice(0, 2000).flatMap(one => one.cells)) ?? usualOrder(provider),
        onlyOpen: known?.options.onlyOpen ?? false,
        sendMails: false,
        mode: 'good',
      },
      actor,
      lineCount: lines.length,
    })
    for (let done = 0; done < lines.length; done += atOnce)
      await insertLines(tx, row, lines.slice(done, done + atOnce))
    return row
  })
}

/** Of most countries. */
const usualOrder = ({ timeZone }: ProviderRow) => (/^(America|US)\//.test(timeZone) ? 'mdy' : 'dmy')
