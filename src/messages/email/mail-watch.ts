import type { Db } from '../../db/base/pool.ts'
import { wakeDeliveries } from '../../db/mails.ts'
import type { Health } from '../../lib/watch/health.ts'
import type { OutageLog } from '../../lib/watch/outage-log.ts'
import { isMailOutage } from './sender.ts'
import type { Transport } from './transport.ts'

type Log = { warn(details: object, message: string): void }

type Watched = { db: Db; health: Health; outages: { mail: OutageLog } }

const cause = 'the mail server accepts no mail'
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
  readonly #outage: OutageLog
  readonly #timer: NodeJS.Timeout
  /** How many to send next; 0 if no email waits because of an outage. */
  #wave = 0

  constructor({ db, health, outages }: Watched, transport: Transport, log: Log, everyMs = lookEveryMs) {
    this.#db = db
    this.#transport = transport
    this.#health = health
    this.#log = log
    this.#outage = outages.mail
    this.#timer = setInterval(() => this.#look(), everyMs)
    this.#timer.unref()
  }

  failed(error: unknown) {
    if (!isMailOutage(error)) return
    this.#health.mailFailingSince ??= Date.now()
    this.#wave = 0
    const { code, responseCode, command } = error as Error & Record<string, unknown>
    // Without the message: mail servers quote addresses in it.
    const reason = [code, responseCode, command].filter(Boolean).join(' ')
    this.#outage.failed(this.#log, cause, { reason })
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
    this.#health.mailFailingSince = null
    this.#outage.end(this.#log)
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
