type Log = { warn(details: { cause: string; err?: unknown; count?: number }, message: string): void }

const everyMs = 60_000

/** Logs a repeated failure once when it begins, then a count every minute until it is over. */
export class OutageLog {
  readonly #message: string
  readonly #counts = new Map<string, number>()
  readonly #everyMs: number

  constructor(message: string, every = everyMs) {
    this.#message = message
    this.#everyMs = every
  }

  note(log: Log, cause: string, err: unknown) {
    const count = this.#counts.get(cause)
    this.#counts.set(cause, (count ?? 0) + 1)
    if (count !== undefined) return
    log.warn({ cause, err }, this.#message)
    this.#counts.set(cause, 0)
    this.#countLater(log, cause)
  }

  #countLater(log: Log, cause: string) {
    const timer = setTimeout(() => {
      const count = this.#counts.get(cause) ?? 0
      this.#counts.delete(cause)
      if (count === 0) return
      log.warn({ cause, count }, `${this.#message}, so many times more`)
      this.#counts.set(cause, 0)
      this.#countLater(log, cause)
    }, this.#everyMs)
    timer.unref()
  }
}
