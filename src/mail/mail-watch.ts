import type { Db } from '../db/base/pool.ts'
import { wakeDeliveries } from '../db/mails.ts'
import type { Health } from '../lib/watch/health.ts'
import { OutageLog } from '../lib/watch/outage-log.ts'
import { isMailOutage } from './refused.ts'
import type { Transport } from './transport.ts'

type Log = { warn(details: object, message: string): void }

const lookEveryMs = 30_000
const firstWave = 2
const largestWave = 64

/**
 * Detects when the mail server stops accepting emails, and when it recovers. Failed emails would wait for
 * hours, longer after each attempt. So the server is probed now and then, and once it accepts an email,
 * waiting ones are sent: a few first, then twice as many after each success.
 */
export class MailWatch {
  readonly #db: Db
  readonly #transport: Transport
  readonly #health: Health
  readonly #log: Log
  readonly #outages = new OutageLog('the mail server takes nothing')
  readonly #timer: NodeJS.Timeout
  /** How many to send next; 0 if no email waits because of an outage. */
  #wave = 0

  constructor(db: Db, transport: Transport, health: Health, log: Log, everyMs = lookEveryMs) {
    this.#db = db
    this.#transport = transport
    this.#health = health
    this.#log = log
    this.#timer = setInterval(() => this.#look(), everyMs)
    this.#timer.unref()
  }

  failed(error: unknown) {
    if (!isMailOutage(error)) return
    this.#health.mailFailingSince ??= Date.now()
    this.#wave = 0
    const { code, responseCode, message } = error as Error & { code?: string; responseCode?: number }
    this.#outages.note(this.#log, code ?? String(responseCode ?? 'unknown'), { message })
  }

  delivered() {
    if (this.#health.mailFailingSince !== null) this.#over()
    else if (this.#wave > 0) this.#wake()
  }

  stop() {
    clearInterval(this.#timer)
  }

  async #look() {
    if (this.#health.mailFailingSince === null) return
    await this.#transport.verify().then(
      () => this.#over(),
      () => {},
    )
  }

  #over() {
    const since = this.#health.mailFailingSince ?? Date.now()
    this.#health.mailFailingSince = null
    this.#log.warn({ seconds: Math.round((Date.now() - since) / 1000) }, 'the mail server takes mails again')
    this.#wave = firstWave
    this.#wake()
  }

  #wake() {
    const wave = this.#wave
    this.#wave = Math.min(wave * 2, largestWave)
    wakeDeliveries(this.#db, wave).then(
      woken => {
        if (woken === 0) this.#wave = 0
      },
      // The database is unavailable: these emails are sent at their next attempt.
      () => {},
    )
  }
}
