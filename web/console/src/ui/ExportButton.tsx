import { csvText } from '../../../../src/lib/csv.ts'
import { download } from '../pages/questions/csv.ts'
import { words } from '../words.ts'
import { Button } from './Button.tsx'
import { useSubmit } from './editing/use-submit.ts'

/** Heads of columns whose pages have no word for them. */
export const exportTexts = words({
  en: {
    export: 'Export CSV',
    when: 'When',
    details: 'Details',
    wish: 'Wanted',
    name: 'Name',
    email: 'Email',
    mobile: 'Mobile number',
    service: 'Service',
    person: 'With',
    note: 'Note',
    status: 'Status',
  },
  de: {
    export: 'Als CSV exportieren',
    when: 'Wann',
    details: 'Einzelheiten',
    wish: 'Wunsch',
    name: 'Name',
    email: 'E-Mail',
    mobile: 'Mobilnummer',
    service: 'Leistung',
    person: 'Bei',
    note: 'Notiz',
    status: 'Status',
  },
  fr: {
    export: 'Exporter en CSV',
    when: 'Quand',
    details: 'Détails',
    wish: 'Souhait',
    name: 'Nom',
    email: 'E-mail',
    mobile: 'Portable',
    service: 'Prestation',
    person: 'Avec',
    note: 'Remarque',
    status: 'Statut',
  },
  es: {
    export: 'Exportar CSV',
    when: 'Cuándo',
    details: 'Detalles',
    wish: 'Deseo',
    name: 'Nombre',
    email: 'Correo',
    mobile: 'Móvil',
    service: 'Servicio',
    person: 'Con',
    note: 'Nota',
    status: 'Estado',
  },
  it: {
    export: 'Esporta CSV',
    when: 'Quando',
    details: 'Dettagli',
    wish: 'Desiderio',
    name: 'Nome',
    email: 'E-mail',
    mobile: 'Cellulare',
    service: 'Servizio',
    person: 'Con',
    note: 'Nota',
    status: 'Stato',
  },
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
    <Button busy={busy} label={`${exportTexts.export}: ${file}`} onClick={save}>
      {exportTexts.export}
    </Button>
  )
}

/** A list that is on the screen as a whole. Nothing while it is empty or being loaded. */
export function ExportList<Row>({ rows, ...list }: Omit<Props<Row>, 'read'> & { rows: Row[] | undefined }) {
  return rows?.length ? <ExportButton {...list} read={async () => ({ rows, next: null })} /> : null
}
