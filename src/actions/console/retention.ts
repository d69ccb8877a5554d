import { isDeepStrictEqual } from 'node:util'
import type { CrmCaller } from '../../callers.ts'
import { type CrmRetention, lockRetention, type Retention, updateRetention } from '../../db/retention.ts'
import type { Service } from '../../service.ts'
import { recordEvents } from '../record-events.ts'

/** Applies from the next run of the daily job. */
export function changeRetention(
  service: Service,
  { crm, actor }: Pick<CrmCaller, 'crm' | 'actor'>,
  change: Partial<Retention>,
  check: (current: CrmRetention) => void,
): Promise<CrmRetention> {
  return service.db.transaction(async tx => {
    const locked = await lockRetention(tx, crm.id)
    check(locked)
    const changed = { ...locked, ...change }
    if (isDeepStrictEqual(changed, locked)) return locked
    await updateRetention(tx, changed)
    const events = { 'settings.changed': [{ detail: 'retention' }] }
    await recordEvents(tx, service, { actor, crmId: crm.id, events })
    return changed
  })
}
