import { useMemo } from 'preact/hooks'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useLoad } from '../../load.ts'
import { useProvider } from '../../session.ts'
import { shell } from '../../shell-words.ts'
import { today } from '../../time.ts'
import { SelectField, TextField } from '../../ui/fields/Field.tsx'
import { Empty, Page, Pending } from '../../ui/Page.tsx'
import { useFilters } from '../../ui/use-filters.tsx'
import { useProducts, useResources } from '../offers/offers.ts'
import { labelOf } from '../questions/questions.ts'
import { Chart } from './Chart.tsx'
import { DataTable } from './DataTable.tsx'
import { type Preset, presets, type Range, rangeBefore, rangeOf } from './range.ts'
import './reports.css'
import { Tiles } from './Tiles.tsx'
import {
  answerTable,
  fullDay,
  percentText,
  periodLabel,
  periodTables,
  productTable,
  type Report,
  rangeText,
  resourceTable,
  withoutEmptyStart,
} from './tables.ts'
import { texts } from './words.ts'

/** Numbers of the business by week or month. */
export default function Reports() {
  const { uuid, timeZone } = useProvider()
  const { params, change } = useFilters()
  const asked = params.get('period') as Preset
  const preset = presets.includes(asked) ? asked : 'weeks'
  const range = rangeOf(preset, today(timeZone), { from: params.get('from'), to: params.get('to') })
  const usual = preset === 'months' || preset === 'year' ? 'month' : 'week'
  const by = params.get('by') === 'month' || params.get('by') === 'week' ? params.get('by')! : usual
  const filter = { resourceUuid: params.get('with'), productUuid: params.get('service') }
  const query = (of: Range) => ({ ...of, by: by as 'week' | 'month', ...filter })
  const key = (of: Range) => `${uuid}-${JSON.stringify(query(of))}`
  const before = rangeBefore(range)
  const report = useLoad(`report-${key(range)}`, signal =>
    api.get(`/providers/${uuid}/reports/bookings`, { query: query(range), signal }),
  )
  // Second, because the numbers themselves come first.
  const earlier = useLoad(report.data ? `report-${key(before)}` : null, signal =>
    api.get(`/providers/${uuid}/reports/bookings`, { query: query(before), signal }),
  )
  const answers = useLoad(report.data ? `answers-${key(range)}` : null, signal =>
    api.get(`/providers/${uuid}/reports/answers`, { query: query(range), signal }),
  )
  return (
    <Page title={shell.reports}>
      <Filters {...{ preset, range, by, params, change }} />
      <p class="soft">{texts.comparedWith(rangeText(range), rangeText(before))}</p>
      <Pending of={report} rows={8} />
      {report.data && (
        <>
          <Tiles totals={report.data.totals} before={earlier.data?.totals ?? null} />
          {isEmpty(report.data) ? <Empty>{texts.none}</Empty> : <Charts report={report.data} by={by} />}
          {answers.data?.questions.map(question => (
            <section key={question.key} class="stack">
              <h2>{labelOf(question.label)}</h2>
              <DataTable table={answerTable(question)} name={labelOf(question.label)} />
            </section>
          ))}
        </>
      )}
    </Page>
  )
}

const isEmpty = ({ totals }: Report) =>
  totals.bookings + totals.requests + totals.cancellations + totals.declined + totals.openMinutes === 0

type FilterProps = {
  preset: Preset
  range: Range
  by: string
  params: URLSearchParams
  change: (name: string, value: string | null) => void
}

function Filters({ preset, range, by, params, change }: FilterProps) {
  const resources = useResources().data?.resources ?? []
  const products = useProducts().data?.products ?? []
  return (
    <div class="filters">
      <SelectField
        label={common.period}
        value={preset}
        options={presets.map(value => ({ value, label: texts.presets[value] }))}
        onChange={value => change('period', value)}
      />
      {preset === 'custom' && (
        <>
          <TextField
            label={common.from}
            type="date"
            value={params.get('from') ?? range.from}
            onInput={value => change('from', value)}
          />
          <TextField
            label={common.to}
            type="date"
            value={params.get('to') ?? ''}
            onInput={value => change('to', value)}
          />
        </>
      )}
      <SelectField
        label={texts.by}
        value={by}
        options={[
          { value: 'week', label: texts.week },
          { value: 'month', label: texts.month },
        ]}
        onChange={value => change('by', value)}
      />
      <SelectField
        label={common.resource}
        value={params.get('with') ?? ''}
        options={[
          { value: '', label: texts.all },
          ...resources.map(one => ({ value: one.uuid, label: one.internalName })),
        ]}
        onChange={value => change('with', value)}
      />
      <SelectField
        label={common.product}
        value={params.get('service') ?? ''}
        options={[
          { value: '', label: texts.all },
          ...products.map(one => ({ value: one.uuid, label: one.name })),
        ]}
        onChange={value => change('service', value)}
      />
    </div>
  )
}

/** Remembered, so that charts are drawn again only for other numbers. */
function Charts({ report, by }: { report: Report; by: string }) {
  const { labels, tables, series, from } = useMemo(
    () => chartsOf(withoutEmptyStart(report), by),
    [report, by],
  )
  return (
    <>
      {from !== report.periods[0]!.from && <p class="soft">{texts.startsLater(fullDay(from))}</p>}
      <div class="report-grid">
        <Chart
          title={common.bookings}
          kind="bars"
          labels={labels}
          series={series.bookings}
          table={tables.bookings}
        />
        <Chart
          title={texts.utilisation}
          // A line needs two points.
          kind={labels.length > 1 ? 'line' : 'bars'}
          labels={labels}
          series={series.usage}
          table={tables.usage}
          format={percentText}
          high={1}
        />
        <Chart
          title={shell.customers}
          kind="bars"
          labels={labels}
          series={series.customers}
          table={tables.customers}
        />
        <Chart
          title={texts.leadTime}
          kind="bars"
          labels={leadLabels}
          series={series.lead}
          table={tables.lead}
        />
      </div>
      <section class="stack">
        <h2>{texts.byResource}</h2>
        <DataTable table={resourceTable(report)} name={texts.byResource} />
      </section>
      <section class="stack">
        <h2>{texts.byProduct}</h2>
        <DataTable table={productTable(report)} name={texts.byProduct} />
      </section>
    </>
  )
}

const leadLabels = [texts.underDay, texts.underWeek, texts.underMonth, texts.longer]

function chartsOf(report: Report, by: string) {
  const { periods, totals } = report
  const values = (name: string, value: (one: (typeof periods)[number]) => number | null) => ({
    name,
    values: periods.map(value),
  })
  const { underDay, underWeek, underMonth, longer } = totals.leadTime
  return {
    from: periods[0]!.from,
    labels: periods.map(one => periodLabel(one, by)),
    tables: periodTables(report, by),
    series: {
      bookings: [
        values(texts.kept, one => one.bookings - one.noShows),
        values(texts.cancellations, one => one.cancellations),
        values(texts.noShows, one => one.noShows),
      ],
      usage: [values(texts.utilisation, one => one.utilisation)],
      customers: [
        values(common.newCustomers, one => one.newCustomers),
        values(texts.returningCustomers, one => one.returningCustomers),
      ],
      lead: [{ name: texts.leadTime, values: [underDay, underWeek, underMonth, longer] }],
    },
  }
}
