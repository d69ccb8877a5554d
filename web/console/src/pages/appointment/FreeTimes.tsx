import type { Entry, Schemas } from '../../records.ts'
import { format, instant, today } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { useFreeTimes } from './day-data.ts'
import { texts } from './words.ts'

type Props = {
  resourceUuid: string
  productUuid: string
  day: string
  zone: string
  chosen?: number | null
  /** What choosing one does. */
  title?: string
  /** What is moved stands in nobody's way: half an hour later is a free time, too. */
  moving?: Pick<Entry, 'reference' | 'start'>
  /** Only the few times nearest to this one. */
  around?: number
  onPick?: (start: number) => void
  /** Turns to the day before (-1) or after (1). */
  onDay?: (step: number) => void
}

/** What a consumer would be offered that day; to choose from, or only to look at. */
export function FreeTimes(props: Props) {
  const { resourceUuid, productUuid, day, zone, chosen = null, around, onPick, onDay } = props
  const { title = texts.freeTimes, moving } = props
  const free = useFreeTimes(resourceUuid, day, productUuid)
  const isFree = (line: Line) =>
    line.offered || (line.appointment === moving?.reference && line.start !== moving?.start)
  const all = [...new Set(free.data?.lines.filter(isFree).map(one => instant(one.start)))]
  const times = around === undefined ? all.slice(0, most) : nearest(all, around)
  return (
    <fieldset class="free-times">
      <legend>
        {title}: {format.shortDay(day)}
      </legend>
      <div class="row">
        {times.map(time =>
          onPick ? (
            <Button key={time} pressed={time === chosen} onClick={() => onPick(time)}>
              {format.time(time, zone)}
            </Button>
          ) : (
            <span key={time} class="figures">
              {format.time(time, zone)}
            </span>
          ),
        )}
        {free.data && times.length === 0 && <span class="soft">{texts.noFreeTimes}</span>}
        {onDay && day > today(zone) && (
          <Button kind="quiet" onClick={() => onDay(-1)}>
            ‹ {texts.dayBefore}
          </Button>
        )}
        {onDay && (
          <Button kind="quiet" onClick={() => onDay(1)}>
            {texts.nextDay} ›
          </Button>
        )}
      </div>
    </fieldset>
  )
}

type Line = Schemas['SlotExplanation']

const most = 24
const few = 6

const nearest = (times: number[], around: number) =>
  times
    .toSorted((one, other) => Math.abs(one - around) - Math.abs(other - around))
    .slice(0, few)
    .sort((one, other) => one - other)
