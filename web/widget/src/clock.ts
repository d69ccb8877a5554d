/** The service's clock, as far as its answers tell: a visitor's clock may be hours off. */
export function makeClock(local: () => number = Date.now) {
  let ahead = 0
  return {
    now: () => local() + ahead,
    /** The header counts whole seconds and arrives late: rather a second too far than a hold shown too long. */
    learn(header: string | null) {
      const date = header ? Date.parse(header) : Number.NaN
      if (!Number.isNaN(date)) ahead = date + 1000 - local()
    },
  }
}
