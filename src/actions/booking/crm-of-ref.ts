import { findRefs } from '../../db/booking/refs.ts'
import type { Service } from '../../service.ts'

/** The CRM of the Resource that a consumer names; null if several or none match. */
export async function crmOfRef({ db }: Service, { ref }: { ref: string }): Promise<number | null> {
  const { found } = await findRefs(db, [ref])
  const [crmId, ...others] = new Set(found.map(one => one.crmId))
  return others.length === 0 ? (crmId ?? null) : null
}
