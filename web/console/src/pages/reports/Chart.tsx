import { BarChart, LineChart, Svg } from 'chartist'
import { useEffect, useRef } from 'preact/hooks'
import { locale } from '../../words.ts'
import { DataTable, type Table } from './DataTable.tsx'
import { texts } from './words.ts'

// The console's policy forbids style attributes; reports.css has the same rules.
const attr = Svg.prototype.attr as (...values: unknown[]) => unknown
Svg.prototype.attr = function (this: Svg, attributes: unknown, ...rest: unknown[]) {
  const { style: _, ...others } = Object(attributes)
  return attr.call(this, typeof attributes === 'string' ? attributes : others, ...rest)
} as typeof Svg.prototype.attr

type Series = { name: string; values: (number | null)[] }

type Props = {
  title: string
  kind: 'bars' | 'line'
  labels: string[]
  series: Series[]
  /** The numbers behind the chart. */
  table: Table
  /** Writes a number on the axis. */
  format?: (value: number) => string
  high?: number
}

const plain = new Intl.NumberFormat(locale.tag)
const labelPixels = 72

/** A chart that screen readers skip: they, and everyone else, have the table below it. */
export function Chart({ title, kind, labels, series, table, format = plain.format, high }: Props) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    place.current!.style.setProperty('--count', String(labels.length))
    const every = Math.ceil(labels.length / Math.max(2, place.current!.clientWidth / labelPixels))
    const axes = {
      axisX: {
        showGrid: false,
        // Room for two lines.
        offset: 40,
        labelInterpolationFnc: (label: string | number, index: number) =>
          index % every === 0 ? label : null,
      },
      axisY: {
        onlyInteger: high === undefined,
        offset: 48,
        scaleMinSpace: 36,
        labelInterpolationFnc: (value: string | number) => format(Number(value)),
      },
      low: 0,
      ...(high === undefined ? {} : { high }),
      chartPadding: { top: 12, right: 8, bottom: 0, left: 0 },
    }
    const data = { labels, series: series.map(one => one.values) }
    const chart =
      kind === 'bars'
        ? new BarChart(place.current, data, { ...axes, stackBars: true })
        : new LineChart(place.current, data, { ...axes, lineSmooth: false, fullWidth: false })
    return () => chart.detach()
  }, [kind, labels, series, format, high])
  return (
    <section class="card report-chart">
      <h2>{title}</h2>
      {series.length > 1 && (
        <ul class="report-legend" aria-hidden="true">
          {series.map((one, index) => (
            <li key={one.name} class={`series-${'abc'[index]}`}>
              {one.name}
            </li>
          ))}
        </ul>
      )}
      <div class={`report-plot ${kind} ${labels.length > 4 ? 'dates' : ''}`} ref={place} aria-hidden="true" />
      <details>
        <summary>{texts.showTable}</summary>
        <DataTable table={table} name={title} />
      </details>
    </section>
  )
}
