import './list-view.css'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { CalendarPeriod, CalendarResource, Entry } from '../../records.ts'
import { clockAt, format, instant, timeRange } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { usePrinting } from '../../ui/LongBody.tsx'
import { Empty } from '../../ui/Page.tsx'
import { briefTexts as questionTexts } from '../questions/brief-words.ts'
import { csvOf, download } from '../questions/csv.ts'
import { useQuestions } from '../questions/questions.ts'
import { type Closed, closedOn } from './closures-on-day.ts'
import { grouped, hueOf, isShown, kindOf, labelOf } from './entry-style.ts'
import type { Place } from './Grid.tsx'
import { texts } from './words.ts'

type Props = {
  data: CalendarPeriod
  resources: CalendarResource[]
  days: string[]
  zone: string
  now: number
  onOpen: (uuid: string) => void
  onPlace: (place: Place) => void
}

const atOnce = 60

/** A week in order: bookings and closures. Rows are rendered as they scroll into view. */
export function ListView({ data, resources, days, zone, now, onOpen, onPlace }: Props) {
  const [count, setCount] = useState(atOnce)
  const isPrinting = usePrinting()
  const wanted = useMemo(() => {
    const uuids = new Set(resources.map(one => one.uuid))
    const booked = data.entries
      .filter(one => uuids.has(one.resource.uuid) && isShown(one, now))
      .map((entry): Item => ({ at: clockAt(instant(entry.start), zone), entry }))
    const closed = closedItems(data, resources, days, zone)
    return closed.length > 0 ? [...booked, ...closed].sort(byTime) : booked
  }, [data, resources, days, zone, now])
  const hue = useMemo(() => hueOf(data), [data])
  const entries = wanted.flatMap(one => one.entry ?? [])
  const hasAnswers = entries.some(one => one.people.some(person => Object.keys(person.answers).length > 0))
  const questions = useQuestions(hasAnswers).data?.questions
  const shown = grouped(isPrinting ? wanted : wanted.slice(0, count), one => one.at.slice(0, 10))
  if (wanted.length === 0) return <Empty>{texts.noAppointments}</Empty>
  return (
    <div class="calendar-list">
      {entries.length > 0 && (questions || !hasAnswers) && (
        <p>
          <Button onClick={() => download(`${days[0]}.csv`, csvOf(entries, questions ?? [], zone))}>
            {questionTexts.download}
          </Button>
        </p>
      )}
      {[...shown].map(([day, items]) => (
        <section key={day}>
          <h2>{format.day(day)}</h2>
          <ul>
            {items.map(({ entry, closed }) =>
              entry ? (
                <Line key={entry.uuid} entry={entry} hue={hue(entry)} zone={zone} now={now} onOpen={onOpen} />
              ) : (
                <ClosedLine
                  key={`${closed!.uuid} ${closed!.resourceUuid}`}
                  closed={closed!}
                  onPlace={onPlace}
                />
              ),
            )}
          </ul>
        </section>
      ))}
      {count < wanted.length && <End key={count} onReach={() => setCount(count + 4 * atOnce)} />}
    </div>
  )
}

/** A booking or a closure; `at` is its local start. */
type Item = { at: string; entry?: Entry; closed?: ClosedHere }
/** Without a Resource the whole business is closed. */
type ClosedHere = Closed & { resourceUuid: string | null; place: string }

/** A closure of all Resources is listed once. */
function closedItems(
  data: CalendarPeriod,
  resources: CalendarResource[],
  days: string[],
  zone: string,
): Item[] {
  if (data.closures.length + data.busyTimes.length === 0) return []
  return days.flatMap(day => {
    const each = resources.flatMap(({ uuid, name }) =>
      closedOn(data, uuid, day, zone).map(one => ({ ...one, resourceUuid: uuid, place: name })),
    )
    return [...grouped(each, one => one.uuid).values()].flatMap(same => {
      const isEverywhere = same.length > 1 && same.length === resources.length && !same[0]!.isBlock
      const lines: ClosedHere[] = isEverywhere
        ? [{ ...same[0]!, resourceUuid: null, place: texts.all }]
        : same
      return lines.map(closed => ({ at: closed.start, closed }))
    })
  })
}

const byTime = (one: Item, other: Item) => one.at.localeCompare(other.at)

type LineProps = { entry: Entry; hue: string; zone: string; now: number; onOpen: (uuid: string) => void }

const Line = ({ entry, hue, zone, now, onOpen }: LineProps) => (
  <li class={`entry-mark ${kindOf(entry, now)} ${hue}`}>
    <button type="button" class="mark" data-uuid={entry.uuid} onClick={() => onOpen(entry.uuid)}>
      <time dateTime={entry.start}>{timeRange(entry.start, entry.end, zone)}</time>
      <span class="mark-who">{labelOf(entry, now)}</span>
      <span class="mark-what">
        {entry.product.name} · {entry.resource.name}
      </span>
    </button>
  </li>
)

/** A block by staff links to where it can be removed. */
function ClosedLine({ closed, onPlace }: { closed: ClosedHere; onPlace: (place: Place) => void }) {
  const { name, start, end, place, resourceUuid, isBlock } = closed
  const isAllDay = start.endsWith('T00:00') && end.endsWith('T00:00')
  const content = (
    <>
      <time>{isAllDay ? texts.allDay : `${start.slice(11)} – ${end.slice(11)}`}</time>
      <span class="mark-who">{name}</span>
      <span class="mark-what">{place}</span>
    </>
  )
  return (
    <li class="closed-mark">
      {isBlock ? (
        <button type="button" class="mark" onClick={() => onPlace({ resourceUuid, start, end })}>
          {content}
        </button>
      ) : (
        <p class="mark">{content}</p>
      )}
    </li>
  )
}

/** Fires when the end of the rendered rows comes into view. */
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
