import { useState } from 'preact/hooks'
import { localAt } from '#shared/zones.ts'
import { api } from '../../api.ts'
import { useLoad } from '../../load.ts'
import type { CalendarProduct } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { instant, today } from '../../time.ts'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { Trouble } from '../../ui/Page.tsx'
import { BookDialog } from '../appointment/BookDialog.tsx'
import { readFreeTimes } from '../appointment/free-times.ts'
import { texts } from '../appointment/words.ts'
import { texts as calendarTexts } from '../calendar/words.ts'
import type { Found } from '../customers/records.ts'

let openings = 0

type Props = { day: string; customer?: Found; onDone: () => void; onClose: () => void }

/** Books a walk-in customer at the first free time, with anyone available. */
export function WalkIn({ day, customer, onDone, onClose }: Props) {
  const { uuid, timeZone: zone } = useProvider()
  // Cached results may be outdated, so each opening loads again.
  const [opening] = useState(() => ++openings)
  const { data, problem, reload } = useLoad(`walk-in-${opening}`, async signal => {
    const calendar = await api.get(`/providers/${uuid}/calendar`, { query: { from: day }, signal })
    return { ...calendar, first: await firstTime(uuid, calendar.products[0], day, zone, signal) }
  })
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
        <p>{calendarTexts.noResources}</p>
      </Dialog>
    )
  return (
    <BookDialog
      start={{ resourceUuid: '', day, from: data.first, to: '' }}
      resources={data.resources}
      products={data.products}
      {...(customer ? { customer } : {})}
      onDone={onDone}
      onClose={onClose}
    />
  )
}

/** The first free time: from now on today, preferably from nine on other days. */
async function firstTime(
  providerUuid: string,
  product: CalendarProduct | undefined,
  day: string,
  zone: string,
  signal: AbortSignal,
): Promise<string> {
  const isToday = day === today(zone)
  const { times } = product
    ? await readFreeTimes(providerUuid, { productUuid: product.uuid, from: day }, signal)
    : { times: [] }
  const starts = times.map(one => localAt(instant(one.start), zone).slice(11))
  const usual = isToday ? nextQuarter(localAt(Date.now(), zone).slice(11)) : '09:00'
  return starts.find(one => isToday || one >= usual) ?? starts[0] ?? usual
}

function nextQuarter(time: string): string {
  const minutes = Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
  const quarter = Math.min(23 * 60, Math.ceil(minutes / 15) * 15)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(Math.floor(quarter / 60))}:${two(quarter % 60)}`
}
