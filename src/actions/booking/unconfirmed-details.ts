import {
  confirmDetails,
  dropDetails,
  lockOwnDetails,
  type OwnDetails,
} from '../../db/booking/unconfirmed-details.ts'
import { bumpForContact } from '../../db/setup/revisions.ts'
import { digestOf } from '../../lib/hash.ts'
import type { Actor } from '../../rules/messages/events.ts'
import type { Service } from '../../service.ts'
import { recordEvents } from '../record-events.ts'

/** Identifies the shown details: it changes when they do. */
export const detailsDigest = (details: OwnDetails) => digestOf(details).toString('base64url').slice(0, 22)

export const isEmptyDetails = ({ firstName, lastName, mobile, customers }: OwnDetails) =>
  firstName === null && lastName === null && mobile === null && customers.length === 0

/** Only the details of the User: managers of staff do not see Customers of other Providers. */
export const userDetailsOnly = (details: OwnDetails): OwnDetails => ({ ...details, customers: [] })

type Settled = { kind: 'settled' | 'changed' | 'nothing'; details: OwnDetails }

/**
 * Keeps or deletes details that strangers entered for this person. Applies only to what was shown: details
 * entered since are shown first. Null if the person no longer exists.
 */
export async function settleDetails(
  service: Service,
  actor: Actor,
  userUuid: string,
  { keep, mark }: { keep: boolean; mark: string },
  shown: (details: OwnDetails) => OwnDetails = details => details,
): Promise<Settled | null> {
  return service.db.transaction(async tx => {
    const all = await lockOwnDetails(tx, userUuid)
    if (!all) return null
    const details = shown(all)
    if (isEmptyDetails(details)) return { kind: 'nothing', details }
    if (detailsDigest(details) !== mark) return { kind: 'changed', details }
    await (keep ? confirmDetails : dropDetails)(tx, details)
    await bumpForContact(tx, details.userId)
    await recordEvents(tx, service, [
      { actor, crmId: details.crmId, events: { 'user.changed': [details.userId] } },
      ...details.customers.map(({ id, providerId }) => ({
        actor,
        provider: { id: providerId, crmId: details.crmId },
        events: { 'customer.changed': [id] },
      })),
    ])
    return { kind: 'settled', details }
  })
}
