import { confirmDetails, dropDetails, lockOwnDetails, type OwnDetails } from '../../db/booking/own-details.ts'
import { bumpForContact } from '../../db/setup/revisions.ts'
import { digestOf } from '../../lib/digest.ts'
import type { Actor } from '../../rules/news/events.ts'
import type { Service } from '../../service.ts'
import { happened } from '../happened.ts'

/** What is to be confirmed, under a mark that changes with it. */
export const markOf = (details: OwnDetails) => digestOf(details).toString('base64url').slice(0, 22)

export const isNothing = ({ firstName, lastName, mobile, customers }: OwnDetails) =>
  firstName === null && lastName === null && mobile === null && customers.length === 0

/** What was said of them as a User: whoever manages the staff sees no Customers of other Providers. */
export const asUser = (details: OwnDetails): OwnDetails => ({ ...details, customers: [] })

type Settled = { kind: 'settled' | 'changed' | 'nothing'; details: OwnDetails }

/**
 * Keeps or deletes what strangers said of this person. Only what was shown: whatever came in between, under the same
 * address, is shown first. Null: there is no such person any more.
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
    if (isNothing(details)) return { kind: 'nothing', details }
    if (markOf(details) !== mark) return { kind: 'changed', details }
    await (keep ? confirmDetails : dropDetails)(tx, details)
    await bumpForContact(tx, details.userId)
    await happened(tx, service, [
      { actor, crmId: details.crmId, news: { 'user.changed': [details.userId] } },
      ...details.customers.map(({ id, providerId }) => ({
        actor,
        provider: { id: providerId, crmId: details.crmId },
        news: { 'customer.changed': [id] },
      })),
    ])
    return { kind: 'settled', details }
  })
}
