import type { WebhookRow } from '../db/webhooks.ts'
import type { Sent } from './send.ts'

export type DeliveryLog = { warn(details: object, message: string): void }

/**
 * One line when a receiver starts to accept nothing, fewer and fewer while that lasts, and one when it accepts
 * events again. The failures are in the database, because each attempt may run in another process.
 */
export function logDelivery(
  log: DeliveryLog,
  webhook: WebhookRow,
  result: { isDown: boolean; failed: Sent | undefined } | null,
) {
  if (!result) return
  const failed = result.isDown ? result.failed : undefined
  const { uuid, url, failures, failingSince, now } = webhook
  // Not the whole address: its path can contain a secret.
  const receiver = { webhook: uuid, host: new URL(url).host }
  const seconds = Math.round((now - (failingSince ?? now)) / 1000)
  if (failed && failures === 0) log.warn({ ...receiver, ...reasonOf(failed) }, `outage began: ${cause}`)
  else if (failed && Number.isInteger(Math.log2(failures + 1)))
    log.warn(
      { ...receiver, ...reasonOf(failed), failures: failures + 1, seconds },
      `outage continues: ${cause} (attempt ${failures + 1})`,
    )
  else if (!failed && failures > 0)
    log.warn(
      { ...receiver, failures, seconds },
      `outage ended: ${cause} (lasted ${seconds} s, ${failures} failures)`,
    )
}

const cause = 'a webhook receiver accepts no events'

const reasonOf = ({ status, error }: Sent) => ({ cause, receiverStatus: status, reason: error })
