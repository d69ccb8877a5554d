/**
 * New events wake their CRM. Events from before the start do not, nor those that a pause or a suspension held back, so all
 * webhooks are looked at in turns: this many every second, and fewer while a whole pass finds nothing.
 */
const sweepMs = 1_000
export const sweptAtOnce = { finding: 200, idle: 20 }

/** Where the sweep is, and how many webhooks it looks at next. */
export class WebhookSweep {
  after = 0
  nextAt = 0
  isFinding = true
  hasFound = false

  /** How many webhooks after `after` to look at now; 0 if it is too early. */
  take(now: number): number {
    if (now < this.nextAt) return 0
    this.nextAt = now + sweepMs
    return sweptAtOnce[this.isFinding ? 'finding' : 'idle']
  }

  /** After the last one, it begins again. */
  looked(ids: number[], count: number) {
    const isOver = ids.length < count
    this.after = isOver ? 0 : ids.at(-1)!
    if (!isOver) return
    this.isFinding = this.hasFound
    this.hasFound = false
  }

  /** One of them had undelivered events: there may be more. */
  found() {
    this.isFinding = true
    this.hasFound = true
  }
}
