import { Problem } from '../../api.ts'
import type { CalendarPeriod, Entry } from '../../records.ts'
import { spanOf, type When } from '../appointment/form-times.ts'
import { canMoveSilently, sayMoved, sendMove } from '../appointment/MoveDialog.tsx'
import { warningsOf } from './warnings.ts'

/** Where an Appointment was dropped. */
export type Dropped = { uuid: string; to: When }

/** It stays there while a dialog asks, and until the calendar has been read again. */
export function withDropped(data: CalendarPeriod, { uuid, to }: Dropped, zone: string): CalendarPeriod {
  const span = spanOf(to, zone)
  const resource = data.resources.find(one => one.uuid === to.resourceUuid)
  if (!span || !resource) return data
  const [start, end] = [new Date(span.start).toISOString(), new Date(span.end).toISOString()]
  const there = { start, end, blockedFrom: start, blockedTo: end }
  return {
    ...data,
    entries: data.entries.map(one =>
      one.uuid === uuid
        ? { ...one, ...there, resource: { ...one.resource, uuid: resource.uuid, name: resource.name } }
        : one,
    ),
  }
}

/** Moves at once after a drag if there is no one to notify and no conflict; it can be undone. */
export function useQuickMove(data: CalendarPeriod | null, zone: string, onDone: () => void) {
  return async (entry: Entry, to: When): Promise<boolean> => {
    const span = spanOf(to, zone)
    if (!data || !span || !canMoveSilently(entry)) return false
    const request = { ...span, resourceUuid: to.resourceUuid }
    const warnings = warningsOf(data, { ...request, productUuid: entry.product.uuid, except: entry.uuid })
    if (warnings.length > 0) return false
    try {
      await sendMove(entry.uuid, request, { ignoreConflicts: false, sendMails: false, message: '' })
    } catch (error) {
      if (error instanceof Problem) return false
      throw error
    }
    sayMoved(entry, zone, false, onDone)
    onDone()
    return true
  }
}
