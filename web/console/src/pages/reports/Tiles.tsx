import { common } from '../../common-words.ts'
import { countText, daysText, percentText, type Report } from './tables.ts'
import { texts } from './words.ts'

type Totals = Report['totals']
type Tile = {
  name: string
  value: string
  note?: string
  now: number | null
  before: number | null | undefined
}

const rateOf = ({ noShows, attended }: Totals) =>
  noShows + attended > 0 ? noShows / (noShows + attended) : null

/** The most important numbers, each compared with the period before. */
export function Tiles({ totals, before }: { totals: Totals; before: Totals | null }) {
  const tiles: Tile[] = [
    {
      name: common.bookings,
      value: countText(totals.bookings),
      now: totals.bookings,
      before: before?.bookings,
    },
    {
      name: texts.cancellations,
      value: countText(totals.cancellations),
      note: texts.ofThemLate(countText(totals.lateCancellations)),
      now: totals.cancellations,
      before: before?.cancellations,
    },
    {
      name: texts.noShows,
      value: countText(totals.noShows),
      ...(rateOf(totals) === null ? {} : { note: texts.ofRecorded(percentText(rateOf(totals))) }),
      now: totals.noShows,
      before: before?.noShows,
    },
    {
      name: texts.utilisation,
      value: percentText(totals.utilisation),
      now: totals.utilisation,
      before: before?.utilisation,
    },
    {
      name: texts.leadTime,
      value: daysText(totals.leadTime.averageMinutes),
      now: totals.leadTime.averageMinutes,
      before: before?.leadTime.averageMinutes,
    },
    {
      name: common.newCustomers,
      value: countText(totals.newCustomers),
      note: texts.andReturning(countText(totals.returningCustomers)),
      now: totals.newCustomers,
      before: before?.newCustomers,
    },
  ]
  return (
    <dl class="report-tiles">
      {tiles.map(({ name, value, note, now, before }) => (
        <div key={name} class="card">
          <dt>{name}</dt>
          <dd class="report-value">{value}</dd>
          {note && <dd class="soft">{note}</dd>}
          <dd class="soft">{changeText(now, before)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Keeps its line while the period before is loading, so that nothing moves. */
function changeText(now: number | null, before: number | null | undefined): string {
  if (before === undefined) return '\u00a0'
  if (now === null || before === null || before === 0) return texts.nothingBefore
  const share = (now - before) / before
  const sign = share > 0 ? '+' : share < 0 ? '−' : '±'
  return texts.thanBefore(`${sign}${percentText(Math.round(Math.abs(share) * 100) / 100)}`)
}
