/**
 * The state of this process, written by its parts and read by `/readyz`. Times are those of
 * `performance.now()`, which no change of the clock affects; `mailFailingSince` is shown and counts from 1970.
 */
export class Health {
  /** When the job queue last answered or a job last ran here; null if this process runs no jobs. */
  jobsSeenAt: number | null = null
  /** Since when the mail server accepts no mail; null if it does, as far as we know. */
  mailFailingSince: number | null = null
  /** When the database last reported a full disk; null: never. */
  diskFullAt: number | null = null
  /** When a request last carried a proxy's headers although TRUST_PROXY is not set; null: never. */
  untrustedProxyAt: number | null = null
  /** Why a small write did not succeed when it was last tried; null: it did. */
  writeTrouble: string | null = null
  /** Stopping: requests in flight are finished, no new ones should be routed here. */
  isDraining = false
}
