import { instantOf, localAt } from '#shared/zones.ts'
import type { CalendarPeriod } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { today } from '../../time.ts'
import { BookDialog } from '../appointment/BookDialog.tsx'
import { useDayData } from '../appointment/day-data.ts'
import { soonest } from '../appointment/first-free.ts'
import type { Found } from '../customers/records.ts'

type Props = { day: string; customer?: Found; onDone: () => void; onClose: () => void }

/** For whoever stands before the desk: as soon as somebody is free, with whoever that is. */
export function WalkIn({ day, customer, onDone, onClose }: Props) {
  const { uuid, timeZone: zone } = useProvider()
  const { data } = useDayData(uuid, day)
  if (!data?.resources[0]) return <span data-opening hidden />
  return (
    <BookDialog
      start={{ resourceUuid: '', day, from: firstTime(data, day, zone), to: '' }}
      resources={data.resources}
      products={data.products}
      {...(customer ? { customer } : {})}
      onDone={onDone}
      onClose={onClose}
    />
  )
}

/** Of today from now on; of other days from nine on. */
function firstTime(data: CalendarPeriod, day: string, zone: string): string {
  const from = day === today(zone) ? quarterAfter(localAt(Date.now(), zone).slice(11)) : '09:00'
  const [product] = data.products
  const free = product ? soonest(data, product, instantOf(`${day}T${from}`, zone)) : null
  return free === null ? from : localAt(free, zone).slice(11)
}

function quarterAfter(time: string): string {
  const minutes = Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
  const quarter = Math.min(23 * 60, Math.ceil(minutes / 15) * 15)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(Math.floor(quarter / 60))}:${two(quarter % 60)}`
}
