import { format, instant } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { useFreeTimes } from './day-data.ts'
import { texts } from './words.ts'

type Props = {
  resourceUuid: string
  productUuid: string
  day: string
  zone: string
  chosen?: number | null
  onPick?: (start: number) => void
  onDay?: () => void
}

/** What a consumer would be offered that day; to choose from, or only to look at. */
export function FreeTimes({ resourceUuid, productUuid, day, zone, chosen = null, onPick, onDay }: Props) {
  const free = useFreeTimes(resourceUuid, day, productUuid)
  const times = [...new Set(free.data?.lines.filter(one => one.offered).map(one => instant(one.start)))]
  return (
    <fieldset class="free-times">
      <legend>
        {texts.freeTimes}: {format.shortDay(day)}
      </legend>
      <div class="row">
        {times.slice(0, 24).map(time =>
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
        {onDay && (
          <Button kind="quiet" onClick={onDay}>
            {texts.nextDay} ›
          </Button>
        )}
      </div>
    </fieldset>
  )
}
