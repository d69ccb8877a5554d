import { useEffect, useState } from 'preact/hooks'
import { csvText } from '../../../../../src/lib/csv.ts'
import { api, type Problem } from '../../api.ts'
import { fieldErrorText } from '../../field-errors.ts'
import type { ImportPage, Schemas } from '../../records.ts'
import { Button } from '../../ui/Button.tsx'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { Skeleton, Trouble } from '../../ui/Page.tsx'
import { locale } from '../../words.ts'
import { download } from '../questions/csv.ts'
import { useFieldNames } from './MappingForm.tsx'
import { texts } from './words.ts'

type Line = Schemas['ImportLineProblem']

const shownLines = 50
const pageSize = 1000

const number = new Intl.NumberFormat(locale.tag)
export const numberText = (value: number) => number.format(value)

/** Errors by line, and all of them as a file. */
export function Problems({ page }: { page: ImportPage }) {
  const names = useFieldNames(page.kind)
  const [lines, setLines] = useState<Line[] | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const { busy, run } = useSubmit()
  const load = () =>
    api.get(`/imports/${page.uuid}/problems`, { query: { limit: shownLines } }).then(
      answer => setLines(answer.lines),
      error => setProblem(error as Problem),
    )
  useEffect(() => void load(), [page.uuid, page.state])
  const nameOf = (field: string | null) => names.find(one => one.value === field)?.label ?? ''
  const cellsOf = (line: Line) =>
    line.problems.map(one => [String(line.line), nameOf(one.field), textOf(one, line.result)])
  const save = () =>
    run(async () => {
      const rows: string[][] = [[texts.line, texts.field, texts.problem]]
      for (let after = 0; ; ) {
        const { lines } = await api.get(`/imports/${page.uuid}/problems`, {
          query: { after, limit: pageSize },
        })
        if (lines.length === 0) break
        rows.push(...lines.flatMap(cellsOf))
        after = lines.at(-1)!.line
      }
      download(`${page.fileName.replace(/\.\w+$/, '')}-${texts.errorsFile}.csv`, csvText(rows))
      return true
    })
  const count = page.counts.REFUSED + page.counts.KEPT
  return (
    <section class="stack">
      <h2>{page.state === 'UNDONE' && !page.wasStopped ? texts.keptTitle : texts.problemsTitle}</h2>
      {problem && <Trouble problem={problem} onRetry={load} />}
      {!lines && !problem && <Skeleton rows={3} />}
      {lines && (
        <div class="table-frame">
          <table class="table">
            <thead>
              <tr>
                <th>{texts.line}</th>
                <th>{texts.field}</th>
                <th>{texts.problem}</th>
              </tr>
            </thead>
            <tbody>
              {lines.flatMap(cellsOf).map(([line, field, text], index) => (
                <tr key={index}>
                  <td class="figures">{line}</td>
                  <td>{field}</td>
                  <td>{text}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <div class="row">
        <Button busy={busy} onClick={save}>
          {texts.downloadErrors}
        </Button>
        {count > shownLines && (
          <span class="soft">{texts.firstShown(numberText(shownLines), numberText(count))}</span>
        )}
      </div>
    </section>
  )
}

type LineProblem = Line['problems'][number]

function textOf({ code, rule, limit }: LineProblem, result: Line['result']): string {
  const known = texts.reasons as Record<string, string>
  const own = known[result === 'KEPT' ? `kept ${code}` : code] ?? known[rule ?? '']
  if (own) return own
  return fieldErrorText({
    errorCode: code,
    message: texts.reasons.other,
    rule: rule ?? '',
    ...(limit === null ? {} : { limit }),
  })
}
