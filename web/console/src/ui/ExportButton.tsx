import { csvText } from '../../../../src/lib/csv.ts'
import { download } from '../pages/questions/csv.ts'
import { words } from '../words.ts'
import { Button } from './Button.tsx'
import { useSubmit } from './use-submit.ts'

/** Heads of columns whose pages have no word for them. */
export const exportTexts = words({
  en: { export: 'Export CSV', when: 'When', details: 'Details', wish: 'Wanted' },
  de: { export: 'Als CSV exportieren', when: 'Wann', details: 'Einzelheiten', wish: 'Wunsch' },
  fr: { export: 'Exporter en CSV', when: 'Quand', details: 'Détails', wish: 'Souhait' },
  es: { export: 'Exportar CSV', when: 'Cuándo', details: 'Detalles', wish: 'Deseo' },
  it: { export: 'Esporta CSV', when: 'Quando', details: 'Dettagli', wish: 'Desiderio' },
})

type Cell = string | number | null | undefined

/** `next`: where the following page starts; null at the end. */
export type ListPage<Row> = { rows: Row[]; next: string | null | undefined }

type Props<Row> = {
  file: string
  heads: string[]
  cells: (row: Row) => Cell[]
  /** A list that is read page by page, with the filters of the screen. */
  read: (after: string | null) => Promise<ListPage<Row>>
}

/** The list on the screen as a file. Read through the same calls, so it holds what the person may see. */
export function ExportButton<Row>({ file, heads, cells, read }: Props<Row>) {
  const { busy, run } = useSubmit()
  const save = () =>
    run(async () => {
      const rows = [heads]
      for (let after: string | null = null; ; ) {
        const page: ListPage<Row> = await read(after)
        rows.push(...page.rows.map(row => cells(row).map(cell => String(cell ?? ''))))
        if (!page.next) break
        after = page.next
      }
      download(`${file}.csv`, csvText(rows))
      return true
    })
  return (
    <Button busy={busy} onClick={save}>
      {exportTexts.export}
    </Button>
  )
}

/** A list that is on the screen as a whole. */
export const wholeOf =
  <Row,>(rows: Row[]) =>
  async (): Promise<ListPage<Row>> => ({ rows, next: null })
