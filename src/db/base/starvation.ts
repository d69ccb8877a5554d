/** Since when no connection was available. Any successful checkout ends it. */
export class Starvation {
  since: number | null = null

  async watch<T>(connecting: Promise<T>): Promise<T> {
    this.since ??= performance.now()
    const connection = await connecting
    this.since = null
    return connection
  }

  get ms(): number {
    return this.since === null ? 0 : performance.now() - this.since
  }
}

/** Beyond this, bookings fail and the instance reports that it is not ready. */
export const starvedMs = 10_000
