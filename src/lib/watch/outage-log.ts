type Log = { warn(details: object, message: string): void }
type Options = { endsWhenQuiet?: boolean }

const everyMs = 60_000
/** Requests that were already waiting fail a moment after the recovery. */
const quietMs = 4_000

/**
 * Logs an outage with one line when it begins, one a minute with the number of failures, and one when it ends. A
 * line per failure would hide everything else.
 */
export class OutageLog {
  readonly #endsWhenQuiet: boolean
  /** Failures since the last line, by cause. Empty: no outage. */
  readonly #counts = new Map<string, number>()
  #beganAt = 0
  #failedAt = 0
  #failures = 0
  #timer: NodeJS.Timeout | undefined

  /** `endsWhenQuiet`: ends after a minute without a failure, where nothing reports the recovery. */
  constructor({ endsWhenQuiet = false }: Options = {}) {
    this.#endsWhenQuiet = endsWhenQuiet
  }

  get isOpen(): boolean {
    return this.#counts.size > 0
  }

  /** A failure. A new cause gets its own line. */
  failed(log: Log, cause: string, details: object = {}) {
    const isFirst = !this.isOpen
    if (isFirst) this.#begin(log)
    this.#failedAt = performance.now()
    this.#failures++
    const count = this.#counts.get(cause)
    this.#counts.set(cause, count === undefined ? 0 : count + 1)
    if (count === undefined)
      log.warn({ cause, ...details }, `outage ${isFirst ? 'began' : 'continues'}: ${cause}`)
  }

  /** A failed check: starts an outage, but does not count as another failure of a known one. */
  stillFails(log: Log, cause: string) {
    if (this.isOpen) this.#failedAt = performance.now()
    else this.failed(log, cause)
  }

  /** A check that succeeded. */
  recovered(log: Log) {
    if (performance.now() - this.#failedAt >= quietMs) this.end(log)
  }

  #begin(log: Log) {
    this.#beganAt = performance.now()
    this.#failures = 0
    this.#timer = setInterval(() => this.#report(log), everyMs)
    this.#timer.unref()
  }

  #report(log: Log) {
    const failures = this.#counts.values().reduce((sum, count) => sum + count, 0)
    if (failures === 0 && this.#endsWhenQuiet) return this.end(log)
    for (const cause of this.#counts.keys()) this.#counts.set(cause, 0)
    const details = {
      cause: this.#causes(),
      failures,
      seconds: secondsBetween(this.#beganAt, performance.now()),
    }
    log.warn(details, `outage continues: ${details.cause} (${failures} more failures in the last minute)`)
  }

  end(log: Log) {
    if (!this.isOpen) return
    clearInterval(this.#timer)
    const seconds = secondsBetween(this.#beganAt, this.#failedAt)
    const [failures, cause] = [this.#failures, this.#causes()]
    this.#counts.clear()
    log.warn(
      { cause, failures, seconds },
      `outage ended: ${cause} (lasted ${seconds} s, ${failures} failures)`,
    )
  }

  #causes = () => [...this.#counts.keys()].join('; ')
}

const secondsBetween = (from: number, to: number) => Math.round((to - from) / 1000)

/** The outages of this process. */
export class Outages {
  /** Ends when a small write succeeds. */
  readonly database = new OutageLog()
  readonly mail = new OutageLog()
  readonly #others = new Map<string, OutageLog>()

  /** One that nothing checks, such as a lock that is held for long. */
  of(cause: string): OutageLog {
    const known = this.#others.get(cause) ?? new OutageLog({ endsWhenQuiet: true })
    this.#others.set(cause, known)
    return known
  }
}
