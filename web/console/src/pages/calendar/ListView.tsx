import './list-view.css'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { CalendarPeriod, CalendarResource, Entry } from '../../records.ts'
import { clockAt, format, instant, timeRange } from '../../time.ts'
import { Empty } from '../../ui/Page.tsx'
import { grouped, isShown, kindOf, whoIn } from './look.ts'
import { texts } from './words.ts'

type Props = {
  data: CalendarPeriod
  resources: CalendarResource[]
  zone: string
  now: number
  onOpen: (uuid: string) => void
}

const atOnce = 60

/** The week in order. As much as one looks at is drawn: the rest follows as one scrolls. */
export function ListView({ data, resources, zone, now, onOpen }: Props) {
  const [count, setCount] = useState(atOnce)
  const wanted = useMemo(() => {
    const uuids = new Set(resources.map(one => one.uuid))
    return data.entries.filter(one => uuids.has(one.resource.uuid) && isShown(one, now))
  }, [data, resources, now])
  const days = grouped(wanted.slice(0, count), one => clockAt(instant(one.start), zone).slice(0, 10))
  if (wanted.length === 0) return <Empty>{texts.nothing}</Empty>
  return (
    <div class="calendar-list">
      {[...days].map(([day, entries]) => (
        <section key={day}>
          <h2>{format.day(day)}</h2>
          <ul>
            {entries.map(one => (
              <Line key={one.uuid} entry={one} zone={zone} now={now} onOpen={onOpen} />
            ))}
          </ul>
        </section>
      ))}
      {count < wanted.length && <End key={count} onReach={() => setCount(count + 4 * atOnce)} />}
    </div>
  )
}

type LineProps = { entry: Entry; zone: string; now: number; onOpen: (uuid: string) => void }

const Line = ({ entry, zone, now, onOpen }: LineProps) => (
  <li class={`entry-mark ${kindOf(entry, now)}`}>
    <button type="button" class="mark" data-uuid={entry.uuid} onClick={() => onOpen(entry.uuid)}>
      <time dateTime={entry.start}>{timeRange(entry.start, entry.end, zone)}</time>
      <span class="mark-who">{whoIn(entry, now)}</span>
      <span class="mark-what">
        {entry.product.name} · {entry.resource.name}
      </span>
    </button>
  </li>
)

/** Says when the end of what is drawn comes near. */
function End({ onReach }: { onReach: () => void }) {
  const place = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    const seen = new IntersectionObserver(([one]) => one!.isIntersecting && onReach(), {
      rootMargin: '800px',
    })
    seen.observe(place.current!)
    return () => seen.disconnect()
  }, [])
  return <p ref={place} />
}
