import { bumpForHoldsElsewhere, lockById, markChangedHolds } from '../../db/base/ledger.ts'
import { releaseHolds, resourceOfHold } from '../../db/booking/holds.ts'
import { isUuid } from '../../rules/references.ts'
import type { Service } from '../../service.ts'

/** Releases a hold. Repeating it, or calling it after expiry or booking, changes nothing. */
export async function release({ db }: Service, placeholder: string) {
  if (!isUuid(placeholder)) return
  await db.transaction(async tx => {
    const resourceId = await resourceOfHold(tx, placeholder)
    if (resourceId === null) return
    await lockById(tx, resourceId)
    await tx.last(
      Promise.all([
        bumpForHoldsElsewhere(tx, [placeholder], resourceId),
        markChangedHolds(tx, [placeholder]),
        releaseHolds(tx, [placeholder]),
      ]),
    )
  })
}
