import { dayAt } from '#shared/zones.ts'
import type { CalendarResource, Entry } from '../../records.ts'
import { format, instant, timeRange } from '../../time.ts'

type Props = {
  entry: Entry
  zone: string
  /** Where it was dropped, if the fields for it are not shown. */
  to?: { start: number; end: number; resourceUuid: string } | null
  resources: Pick<CalendarResource, 'uuid' | 'name'>[]
}

/** Who it is, and from when to when. */
export function MoveSummary({ entry, zone, to, resources }: Props) {
  const start = instant(entry.start)
  const name = <strong>{entry.people[0]?.name ?? entry.product.name}</strong>
  if (!to)
    return (
      <p>
        {name}
        <br />
        <span class="soft">
          {format.fullDay(start, zone)}, {timeRange(entry.start, entry.end, zone)} · {entry.resource.name}
        </span>
      </p>
    )
  const [from, till] = [to.start, to.end].map(time => new Date(time).toISOString())
  const place = resources.find(one => one.uuid === to.resourceUuid)?.name ?? ''
  return (
    <p class="from-to">
      {name}
      <del class="soft">
        {format.shortDay(dayAt(start, zone))}, {timeRange(entry.start, entry.end, zone)} ·{' '}
        {entry.resource.name}
      </del>
      <ins>
        {format.shortDay(dayAt(to.start, zone))}, {timeRange(from!, till!, zone)} · {place}
      </ins>
    </p>
  )
}
