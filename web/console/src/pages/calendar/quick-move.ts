import { Problem } from '../../api.ts'
import type { CalendarPeriod, Entry } from '../../records.ts'
import { spanOf, type When } from '../appointment/form-times.ts'
import { canMoveSilently, sayMoved, sendMove } from '../appointment/MoveDialog.tsx'
import { warningsOf } from './warnings.ts'

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
