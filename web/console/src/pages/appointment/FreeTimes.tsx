import { useState } from 'preact/hooks'
import { common } from '../../common-words.ts'
import { useProvider } from '../../session.ts'
import { format, instant, today } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { type Span, useFreeTimes } from './free-times.ts'
import { texts } from './words.ts'

type Props = {
  /** Empty for any Resource that offers the Product. */
  resourceUuid: string
  productUuid: string
  day: string
  chosen?: number | null
  /** Describes what choosing a time does. */
  title?: string
  /** The Appointment being moved: it does not conflict with itself and keeps its length. */
  moving?: { uuid: string; start: string; end: string }
  /** Shows only the times nearest to this one; the others on request. */
  around?: number
  onPick: (span: Span) => void
  /** Goes to the previous (-1) or next (1) day. */
  onDay?: (step: number) => void
}

/** Free times of a day that staff can offer. */
export function FreeTimes(props: Props) {
  const { resourceUuid, productUuid, day, chosen = null, around, onPick, onDay } = props
  const { title = texts.availableTimes, moving } = props
  const { uuid, timeZone: zone } = useProvider()
  const [isAll, showAll] = useState(false)
  const free = useFreeTimes(uuid, {
    productUuid,
    from: day,
    ...(resourceUuid ? { resourceUuid } : {}),
    ...(moving ? { appointmentUuid: moving.uuid, duration: minutesOf(moving) } : {}),
  })
  const all = onceEach(free.data?.times ?? []).filter(one => !moving || one.start !== instant(moving.start))
  const times = around === undefined || isAll ? all : nearest(all, around)
  return (
    <fieldset class="free-times">
      <legend>
        {title} · {format.shortDay(day)}
      </legend>
      <div class="row times">
        {times.map(time => (
          <Button key={time.start} pressed={time.start === chosen} onClick={() => onPick(time)}>
            {format.time(time.start, zone)}
          </Button>
        ))}
        {free.data && times.length === 0 && <span class="soft">{texts.noOtherTimes}</span>}
      </div>
      <div class="row">
        {times.length < all.length && (
          <Button kind="quiet" onClick={() => showAll(true)}>
            {texts.showAllTimes(all.length)}
          </Button>
        )}
        {onDay && day > today(zone) && (
          <Button kind="quiet" onClick={() => onDay(-1)}>
            ‹ {common.previousDay}
          </Button>
        )}
        {onDay && (
          <Button kind="quiet" onClick={() => onDay(1)}>
            {common.nextDay} ›
          </Button>
        )}
      </div>
    </fieldset>
  )
}

/** Several Resources may be free at the same time. */
function onceEach(times: { start: string; end: string }[]): Span[] {
  const byStart = new Map<number, Span>()
  for (const { start, end } of times)
    if (!byStart.has(instant(start)))
      byStart.set(instant(start), { start: instant(start), end: instant(end) })
  return [...byStart.values()]
}

const minutesOf = ({ start, end }: { start: string; end: string }) =>
  Math.round((instant(end) - instant(start)) / 60_000)

const few = 6

const nearest = (times: Span[], around: number) =>
  times
    .toSorted((one, other) => Math.abs(one.start - around) - Math.abs(other.start - around))
    .slice(0, few)
    .sort((one, other) => one.start - other.start)
