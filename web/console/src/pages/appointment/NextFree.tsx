import { useEffect, useState } from 'preact/hooks'
import { addDays } from '#shared/dates.ts'
import { dayAt, instantOf } from '#shared/zones.ts'
import { api, Problem } from '../../api.ts'
import type { CalendarPeriod, CalendarProduct } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { format, today } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { freeAt, soonestByDay } from './first-free.ts'
import { texts } from './words.ts'

type Props = {
  product: CalendarProduct
  /** Milliseconds. */
  length: number
  /** The first day that is looked at. */
  day: string
  /** Only at this Resource; empty: at any. */
  resourceUuid: string
  chosen: number | null
  onPick: (start: number) => void
}

/** "When is the next free time, with anybody?": the first of each of the next days that has one. */
export function NextFree({ product, length, day, resourceUuid, chosen, onPick }: Props) {
  const { timeZone: zone } = useProvider()
  const found = useNextFree(product, length, day, resourceUuid)
  return (
    <fieldset class="free-times next-free">
      <legend>{texts.nextFree}</legend>
      <div class="row">
        {found.list.map(({ start, place }) => (
          <Button key={start} pressed={start === chosen} onClick={() => onPick(start)}>
            <span>{format.shortDay(dayAt(start, zone))}</span>
            <span>
              {format.time(start, zone)}
              {place && resourceUuid === '' && <span class="soft"> · {place}</span>}
            </span>
          </Button>
        ))}
        {found.list.length === 0 && (
          <span class="soft">{found.isDone ? texts.nextFreeNone : texts.searching}</span>
        )}
      </div>
    </fieldset>
  )
}

type Found = { list: { start: number; place: string }[]; isDone: boolean }

const most = 3
const weeks = 6

/** Week by week, until there are enough: most practices have something free in the first one. */
function useNextFree(product: CalendarProduct, length: number, day: string, resourceUuid: string): Found {
  const { uuid, timeZone: zone } = useProvider()
  const [found, setFound] = useState<Found>({ list: [], isDone: false })
  useEffect(() => {
    const stop = new AbortController()
    const first = day < today(zone) ? today(zone) : day
    async function look() {
      const list: Found['list'] = []
      for (let week = 0; week < weeks && list.length < most; week++) {
        const from = addDays(first, 7 * week)
        const query = { from, to: addDays(from, 7) }
        const data = at(
          await api.get(`/providers/${uuid}/calendar`, { query, signal: stop.signal }),
          resourceUuid,
        )
        const days = Array.from({ length: 7 }, (_, index) => addDays(from, index))
        for (const start of soonestByDay(data, product, { from: earliest(first, zone), length, days, zone }))
          list.push({ start, place: freeAt(data, product, { start, end: start + length })?.name ?? '' })
        setFound({ list: list.slice(0, most), isDone: false })
      }
      setFound({ list: list.slice(0, most), isDone: true })
    }
    setFound({ list: [], isDone: false })
    look().catch(error => {
      // Without it one still chooses by hand.
      if (!stop.signal.aborted && !(error instanceof Problem)) throw error
    })
    return () => stop.abort()
  }, [uuid, zone, product.uuid, length, day, resourceUuid])
  return found
}

const quarterMs = 900_000

/** Nothing is promised for a time that is over. */
const earliest = (day: string, zone: string) =>
  Math.max(instantOf(`${day}T00:00`, zone), Math.ceil(Date.now() / quarterMs) * quarterMs)

const at = (data: CalendarPeriod, resourceUuid: string): CalendarPeriod =>
  resourceUuid === '' ? data : { ...data, resources: data.resources.filter(one => one.uuid === resourceUuid) }
