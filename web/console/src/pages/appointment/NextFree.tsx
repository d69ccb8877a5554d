import { dayAt } from '#shared/zones.ts'
import type { CalendarProduct } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { format, instant } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { type Span, useFreeTimes } from './free-times.ts'
import { texts } from './words.ts'

type Props = {
  product: CalendarProduct
  /** The first day to search. */
  day: string
  /** Only this Resource; empty for any. */
  resourceUuid: string
  chosen: number | null
  onPick: (span: Span) => void
}

const mostDays = 3

/** The first free time of each of the next days that has one. */
export function NextFree({ product, day, resourceUuid, chosen, onPick }: Props) {
  const { uuid, timeZone: zone } = useProvider()
  const { data } = useFreeTimes(uuid, {
    productUuid: product.uuid,
    from: day,
    nextDays: mostDays,
    ...(resourceUuid ? { resourceUuid } : {}),
  })
  return (
    <fieldset class="free-times next-free">
      <legend>{texts.nextAvailable}</legend>
      <div class="row">
        {data?.times.map(({ start, end, resource }) => (
          <Button
            key={start}
            pressed={instant(start) === chosen}
            onClick={() => onPick({ start: instant(start), end: instant(end) })}
          >
            <span>{format.shortDay(dayAt(instant(start), zone))}</span>
            <span>{format.time(instant(start), zone)}</span>
            {resourceUuid === '' && <span class="soft">{resource.name}</span>}
          </Button>
        ))}
        {!data?.times.length && <span class="soft">{data ? texts.noneAvailableSoon : texts.searching}</span>}
      </div>
    </fieldset>
  )
}
