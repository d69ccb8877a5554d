import { lockById, raiseTouchedElsewhere, tellTouchedHolds } from '../../db/base/ledger.ts'
import { releaseHolds, resourceOfHold } from '../../db/booking/holds.ts'
import { isUuid } from '../../rules/references.ts'
import type { Service } from '../../service.ts'

/** Gives a held place back. Asking twice, too late or after the booking changes nothing. */
export async function release({ db }: Service, placeholder: string) {
  if (!isUuid(placeholder)) return
  await db.transaction(async tx => {
    const resourceId = await resourceOfHold(tx, placeholder)
    if (resourceId === null) return
    await lockById(tx, resourceId)
    await tx.last(
      Promise.all([
        raiseTouchedElsewhere(tx, [placeholder], resourceId),
        tellTouchedHolds(tx, [placeholder]),
        releaseHolds(tx, [placeholder]),
      ]),
    )
  })
}
