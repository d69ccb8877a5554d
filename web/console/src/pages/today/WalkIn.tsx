import { useState } from 'preact/hooks'
import { instantOf, localAt } from '#shared/zones.ts'
import { api } from '../../api.ts'
import { useLoad } from '../../load.ts'
import type { CalendarPeriod } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { today } from '../../time.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Trouble } from '../../ui/Page.tsx'
import { BookDialog } from '../appointment/BookDialog.tsx'
import { soonest } from '../appointment/first-free.ts'
import { texts } from '../appointment/words.ts'
import { texts as calendarTexts } from '../calendar/words.ts'
import type { Found } from '../customers/records.ts'

let openings = 0

type Props = { day: string; customer?: Found; onDone: () => void; onClose: () => void }

/** For whoever stands before the desk: as soon as somebody is free, with whoever that is. */
export function WalkIn({ day, customer, onDone, onClose }: Props) {
  const { uuid, timeZone: zone } = useProvider()
  // What was read a while ago does not say who is free now.
  const [opening] = useState(() => ++openings)
  const { data, problem, reload } = useLoad(`walk-in-${opening}`, signal =>
    api.get(`/providers/${uuid}/calendar`, { query: { from: day }, signal }),
  )
  if (problem && !data)
    return (
      <Dialog title={texts.bookTitle} onClose={onClose}>
        <Trouble problem={problem} onRetry={reload} />
      </Dialog>
    )
  if (!data) return <span data-opening hidden />
  if (!data.resources[0])
    return (
      <Dialog title={texts.bookTitle} onClose={onClose}>
        <p>{calendarTexts.none}</p>
      </Dialog>
    )
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
