import { setTimeout as pause } from 'node:timers/promises'

const maxRemembered = 50_000
const againMs = 250

/**
 * Remembers which emails the mail server accepted. A failover may lose or delay our record of that; as long
 * as the process runs, the email is recorded again and not sent again.
 */
export class AcceptedEmails {
  readonly #note: (mailIds: number[]) => Promise<void>
  readonly #keys = new Set<string>()
  readonly #unnoted = new Set<number>()
  #noting = false
  #isClosed = false

  constructor(note: (mailIds: number[]) => Promise<void>) {
    this.#note = note
  }

  /**
   * An email that staff send again has another job. The job id could be reused after a failover, so the uuid
   * is compared too.
   */
  has(jobId: string, uuid: string): boolean {
    return this.#keys.has(`${jobId} ${uuid}`)
  }

  add(jobId: string, uuid: string) {
    this.#keys.add(`${jobId} ${uuid}`)
    const [oldest] = this.#keys
    if (this.#keys.size > maxRemembered) this.#keys.delete(oldest!)
  }

  /** Retries until it succeeds, before another process may take the job. */
  recordLater(mailId: number) {
    this.#unnoted.add(mailId)
    if (!this.#noting) void this.#keepNoting()
  }

  close() {
    this.#isClosed = true
  }

  async #keepNoting() {
    this.#noting = true
    while (this.#unnoted.size > 0 && !this.#isClosed) {
      const ids = [...this.#unnoted]
      await this.#note(ids).then(
        () => ids.forEach(id => void this.#unnoted.delete(id)),
        () => pause(againMs, undefined, { ref: false }),
      )
    }
    this.#noting = false
  }
}
