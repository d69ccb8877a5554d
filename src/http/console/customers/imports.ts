import Type from 'typebox'
import {
  checkImport,
  discardImport,
  startImport,
  undoImport,
} from '../../../actions/scheduling/imports/control.ts'
import {
  maxFileMegabytes,
  maxLines,
  type ParsedFile,
  parseFile,
  saveFile,
} from '../../../actions/scheduling/imports/upload.ts'
import {
  countResults,
  findImport,
  firstLines,
  type ImportRow,
  importStates,
  lineResults,
  listImports as listAll,
  refusedLines,
  sameFile,
  undoDays,
} from '../../../db/scheduling/imports.ts'
import { importKinds } from '../../../rules/imports/fields.ts'
import { dateOrders } from '../../../rules/imports/values.ts'
import { toUtcText } from '../../../rules/time/time.ts'
import type { Service } from '../../../service.ts'
import { ofProvider } from '../../wire/callers/permit.ts'
import { Choice, Moment, Text, Uuid } from '../../wire/fields.ts'
import { consoleRoute } from '../../wire/route.ts'
import { Nullable } from '../../wire/wrapper.ts'
import { providerInPath } from '../subjects.ts'

const importInPath = ofProvider<ImportRow>('Import', findImport)

const Mapping = Type.Array(Nullable(Type.String({ maxLength: 100 })), {
  maxItems: 200,
  description: 'The field of each column, in the order of the file; null leaves a column out.',
})

const plan = {
  duplicates: Choice(['update', 'skip'], {
    description:
      'What happens to Customers with the same reference or email: they get the values of the file, or stay as they are.',
  }),
  dateOrder: Choice(dateOrders, { description: 'Whether 3/4/2026 is in April (`dmy`) or in March (`mdy`).' }),
  onlyOpen: Type.Boolean({ description: 'Refuse Appointments outside of opening hours and in closures.' }),
  sendMails: Type.Boolean({ description: 'Send the usual emails about the imported Appointments.' }),
}

const brief = {
  uuid: Uuid,
  kind: Choice(importKinds),
  state: Choice(importStates, {
    description:
      '`CHECKING`, `RUNNING` and `UNDOING` proceed in the background and end as `CHECKED`, `DONE` and `UNDONE`.',
  }),
  fileName: Type.String(),
  createdAt: Moment,
  lineCount: Type.Integer({ description: 'Without the line of headers and blank lines.' }),
}

const ImportSummary = Type.Object(brief, { title: 'ImportSummary' })

const ImportPage = Type.Object(
  {
    ...brief,
    headers: Type.Array(Type.String()),
    samples: Type.Array(Type.Array(Type.String()), {
      description: 'The first lines of the file, until it is imported.',
    }),
    mapping: Mapping,
    ...plan,
    mode: Choice(['good', 'all']),
    counts: Type.Object(
      Object.fromEntries([...lineResults, 'WAITING'].map(name => [name, Type.Integer()])) as Record<
        (typeof lineResults)[number] | 'WAITING',
        Type.TInteger
      >,
      {
        title: 'ImportCounts',
        description: 'How many lines have each result; while and after checking, the result they would have.',
      },
    ),
    newCustomers: Type.Integer({ description: 'How many Customers are created.' }),
    wasStopped: Type.Boolean({
      description: 'All lines were to be imported, one could not be, and the import was undone.',
    }),
    importedBefore: Nullable(
      Type.String({ format: 'date-time', description: 'When the same file was imported before.' }),
    ),
    undoUntil: Nullable(
      Type.String({ format: 'date-time', description: 'Until when the import can be undone.' }),
    ),
  },
  { title: 'ImportPage' },
)

const LineProblem = Type.Object(
  {
    line: Type.Integer({ description: 'The row of a spreadsheet; the headers are row 1.' }),
    result: Choice(lineResults),
    problems: Type.Array(
      Type.Object(
        {
          code: Type.String({ description: 'An error code.' }),
          field: Nullable(Type.String({ description: 'The field, as in `mapping`.' })),
          rule: Nullable(Type.String({ description: 'The rule that the value breaks.' })),
          limit: Nullable(Type.Number()),
        },
        { title: 'ImportProblem' },
      ),
    ),
  },
  { title: 'ImportLineProblem' },
)

const access = { right: 'manage', whose: importInPath } as const

export const uploadImport = consoleRoute({
  method: 'POST',
  path: '/console/api/providers/:uuid/imports',
  operationId: 'uploadImport',
  access: { right: 'manage', whose: providerInPath },
  summary: 'Upload a file of Customers or Appointments',
  description: `A CSV file with a line of headers. Delimiter (comma, semicolon, tab) and encoding (UTF-8, UTF-16, Windows-1252) are detected. At most ${maxFileMegabytes} MB and ${maxLines} lines. Nothing is imported yet: the answer suggests a mapping, which \`check\` takes.`,
  body: Type.Object(
    {
      kind: Choice(importKinds),
      fileName: Text(200),
      content: Type.String({ minLength: 1, description: 'The file in base64.' }),
    },
    { title: 'ImportUpload' },
  ),
  isUpload: true,
  replies: { 201: ImportPage },
  prepare: ({ body, service }): Promise<ParsedFile> => parseFile(service, body.content),
  async handle({ body, service, prepared: file, context }) {
    const { kind, fileName } = body
    const row = await saveFile(context, { kind, fileName, file })
    return pageOf(service, row)
  },
})

export const listImports = consoleRoute({
  method: 'GET',
  path: '/console/api/providers/:uuid/imports',
  operationId: 'listImports',
  access: { right: 'manage', whose: providerInPath },
  summary: 'List imports',
  description: 'The newest 20. Imports are listed for 30 days, files that were not imported for 7.',
  replies: { 200: Type.Object({ imports: Type.Array(ImportSummary) }, { title: 'Imports' }) },
  handle: async ({ service, found: provider }) => ({
    imports: (await listAll(service.db, provider.id, 20)).map(summaryOf),
  }),
})

export const getImport = consoleRoute({
  method: 'GET',
  path: '/console/api/imports/:uuid',
  operationId: 'getImport',
  access,
  summary: 'Get an import and its progress',
  description: 'Read it again while it proceeds.',
  replies: { 200: ImportPage },
  handle: ({ service, found }) => pageOf(service, found),
})

export const getImportProblems = consoleRoute({
  method: 'GET',
  path: '/console/api/imports/:uuid/problems',
  operationId: 'getImportProblems',
  access,
  summary: 'Get the lines of an import that have problems',
  description:
    'In the order of the file. Continue with `after`, the last line of the answer, until `lines` is empty.',
  query: {
    after: Type.Integer({ minimum: 0, default: 0, description: 'Only lines after this one.' }),
    limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Maximum number of lines.' }),
  },
  replies: { 200: Type.Object({ lines: Type.Array(LineProblem) }, { title: 'ImportProblems' }) },
  handle: async ({ query, service, found }) => ({
    lines: await refusedLines(service.db, found, query.after, query.limit),
  }),
})

export const checkImportPage = consoleRoute({
  method: 'POST',
  path: '/console/api/imports/:uuid/check',
  operationId: 'checkImport',
  access,
  summary: 'Check an import without importing anything',
  description:
    'A dry run in the background: every line is tried and rolled back. The mapping is remembered for files with the same headers.',
  body: Type.Object({ mapping: Mapping, ...plan }, { title: 'ImportPlan' }),
  replies: { 200: ImportPage },
  errors: ['import-state'],
  handle: async ({ body, caller, service, found }) =>
    await pageOf(service, await checkImport(service, caller.actor, found, body)),
})

export const runImport = consoleRoute({
  method: 'POST',
  path: '/console/api/imports/:uuid/run',
  operationId: 'runImport',
  access,
  summary: 'Import what was checked',
  description:
    'In the background. With `good`, lines with problems are left out. With `all`, all lines are imported or none: if one cannot be, the others are undone.',
  body: Type.Object({ mode: Choice(['good', 'all']) }, { title: 'ImportRun' }),
  replies: { 200: ImportPage },
  errors: ['import-state'],
  handle: async ({ body, caller, service, found }) =>
    await pageOf(service, await startImport(service, caller.actor, found, body.mode)),
})

export const undoImportPage = consoleRoute({
  method: 'POST',
  path: '/console/api/imports/:uuid/undo',
  operationId: 'undoImport',
  access,
  summary: 'Undo an import',
  description: `For ${undoDays} days, in the background and without emails. New Customers are erased, changed ones get their previous values, Appointments are cancelled. What was booked or changed since then stays, and is listed among the problems.`,
  replies: { 200: ImportPage },
  errors: ['import-state', 'undo-expired'],
  handle: async ({ caller, service, found }) =>
    await pageOf(service, await undoImport(service, caller.actor, found)),
})

export const discardImportPage = consoleRoute({
  method: 'DELETE',
  path: '/console/api/imports/:uuid',
  operationId: 'discardImport',
  access,
  summary: 'Delete a file that was not imported',
  description: 'Files are also deleted 7 days after they were uploaded.',
  replies: { 204: null },
  errors: ['import-state'],
  handle: ({ service, found }) => discardImport(service, found),
})

const summaryOf = ({ uuid, kind, state, fileName, createdAt, lineCount }: ImportRow) => ({
  uuid,
  kind,
  state,
  fileName: fileName ?? '',
  createdAt: toUtcText(createdAt),
  lineCount,
})

const sampleCount = 5

async function pageOf({ db }: Service, row: ImportRow) {
  const { headers, mapping, options, wasStopped, state, changedAt } = row
  const [results, lines, before] = await Promise.all([
    countResults(db, row),
    firstLines(db, row, sampleCount),
    sameFile(db, row),
  ])
  const countOf = (name: string | null) => results.find(one => one.result === name)?.count ?? 0
  const counts = Object.fromEntries([
    ...lineResults.map(name => [name, countOf(name)]),
    ['WAITING', countOf(null)],
  ])
  return {
    ...summaryOf(row),
    headers,
    samples: lines.map(one => one.cells),
    mapping: headers.map((_, index) => mapping?.[index] ?? null),
    ...options,
    counts,
    newCustomers: results.reduce((all, one) => all + one.customers, 0),
    wasStopped,
    importedBefore: before === null ? null : toUtcText(before),
    undoUntil: state === 'DONE' ? toUtcText(changedAt + undoDays * 86_400_000) : null,
  }
}
