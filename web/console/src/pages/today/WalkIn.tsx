import { localAt } from '#shared/zones.ts'
import { useProvider } from '../../session.ts'
import { today } from '../../time.ts'
import { BookDialog } from '../appointment/BookDialog.tsx'
import { useDayData } from '../appointment/day-data.ts'

type Props = { day: string; onDone: () => void; onClose: () => void }

/** For whoever stands before the desk: now, to the next quarter of an hour. */
export function WalkIn({ day, onDone, onClose }: Props) {
  const { uuid, timeZone: zone } = useProvider()
  const { data } = useDayData(uuid, day)
  const [first] = data?.resources ?? []
  if (!data || !first) return <span data-opening hidden />
  const from = day === today(zone) ? quarterAfter(localAt(Date.now(), zone).slice(11)) : '09:00'
  return (
    <BookDialog
      start={{ resourceUuid: first.uuid, day, from, to: '' }}
      resources={data.resources}
      products={data.products}
      onDone={onDone}
      onClose={onClose}
    />
  )
}

function quarterAfter(time: string): string {
  const minutes = Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
  const quarter = Math.min(23 * 60, Math.ceil(minutes / 15) * 15)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(Math.floor(quarter / 60))}:${two(quarter % 60)}`
}
