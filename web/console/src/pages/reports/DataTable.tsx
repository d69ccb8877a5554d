import { csvText } from '../../../../../src/lib/csv.ts'
import { Button } from '../../ui/Button.tsx'
import { download } from '../questions/csv.ts'
import { texts } from './words.ts'

/** The first column names the row. */
export type Table = { file: string; heads: string[]; rows: string[][] }

/** The numbers of a report, and the same as a file. */
export function DataTable({ table, name }: { table: Table; name: string }) {
  const { file, heads, rows } = table
  return (
    <div class="stack">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls sideways, so it needs the focus */}
      <section class="table-frame" aria-label={name} tabIndex={0}>
        <table class="table numbers">
          <thead>
            <tr>
              {heads.map(head => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([first, ...rest]) => (
              <tr key={first}>
                <th scope="row">{first}</th>
                {rest.map((cell, index) => (
                  <td key={heads[index + 1]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <div class="row">
        <Button onClick={() => download(`${file}.csv`, csvText([heads, ...rows]))}>{texts.download}</Button>
      </div>
    </div>
  )
}
