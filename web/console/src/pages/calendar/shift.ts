import { api, Problem } from '../../api.ts'
import type { CalendarPeriod, OpenTime } from '../../records.ts'
import { say, sayProblem } from '../../ui/toasts.tsx'
import { nameOf } from '../appointment/names.ts'
import { texts } from './words.ts'

type Span = { start: number; end: number }

/** Opening hours would make theirs anew: these are changed under Offers, or blocked. */
export const canShift = (slot: OpenTime) => !slot.byHours

/** Who is booked in the part that would be gone, in a sentence; the service would refuse it. */
export function strandedBy({ entries }: CalendarPeriod, slot: OpenTime, to: Span): string | null {
  const names = entries
    .filter(one => {
      const [start, end] = [Date.parse(one.start), Date.parse(one.end)]
      const wasIn = start >= Date.parse(slot.start) && end <= Date.parse(slot.end)
      return (
        one.origin === 'consumer' &&
        one.state === 'ACTIVE' &&
        one.resource.uuid === slot.resourceUuid &&
        wasIn &&
        (start < to.start || end > to.end)
      )
    })
    .map(nameOf)
  return names.length > 0 ? texts.stranded(names.join(', ')) : null
}

export const sendShift = (uuid: string, { start, end, raster }: Span & { raster?: number }) =>
  api.patch(`/timeslots/${uuid}`, {
    start: new Date(start).toISOString(),
    end: new Date(end).toISOString(),
    ...(raster === undefined ? {} : { raster }),
  })

/** Where a drag ended: done at once, for nobody hears of it, and taken back by undo. */
export async function shiftTo(data: CalendarPeriod, slot: OpenTime, to: Span, onDone: () => void) {
  const stranded = strandedBy(data, slot, to)
  if (stranded) return say(stranded, { tone: 'bad' })
  try {
    await sendShift(slot.uuid, to)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return sayProblem(error)
  }
  const back = { start: Date.parse(slot.start), end: Date.parse(slot.end) }
  say(texts.shifted, { undo: () => sendShift(slot.uuid, back).then(onDone) })
  onDone()
}
