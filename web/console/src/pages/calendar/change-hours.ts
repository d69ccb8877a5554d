import { api, Problem } from '../../api.ts'
import type { CalendarPeriod, OpenTime } from '../../records.ts'
import { nameOf } from '../../records.ts'
import { showProblem, showToast } from '../../ui/toasts.tsx'
import { texts } from './words.ts'

type Span = { start: number; end: number }

/** Slots from opening hours would be created again: change the hours or block the time instead. */
export const canShift = (slot: OpenTime) => !slot.byHours

/** Names the bookings that would lose their slot; the service would refuse the change. */
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
  return names.length > 0 ? texts.bookedInRemovedPart(names.join(', ')) : null
}

export const sendShift = (uuid: string, { start, end, raster }: Span & { raster?: number }) =>
  api.patch(`/timeslots/${uuid}`, {
    start: new Date(start).toISOString(),
    end: new Date(end).toISOString(),
    ...(raster === undefined ? {} : { raster }),
  })

/** Saves a drag at once: no email is sent, and it can be undone. */
export async function shiftTo(data: CalendarPeriod, slot: OpenTime, to: Span, onDone: () => void) {
  const stranded = strandedBy(data, slot, to)
  if (stranded) return showToast(stranded, { tone: 'bad' })
  try {
    await sendShift(slot.uuid, to)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return showProblem(error)
  }
  const back = { start: Date.parse(slot.start), end: Date.parse(slot.end) }
  showToast(texts.hoursChanged, { undo: () => sendShift(slot.uuid, back).then(onDone) })
  onDone()
}
