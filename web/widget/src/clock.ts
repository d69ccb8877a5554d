/** The service's clock, estimated from its answers: a visitor's clock may be hours off. */
export function makeClock(local: () => number = Date.now) {
  let ahead = 0
  return {
    now: () => local() + ahead,
    /**
     * The header has whole seconds and arrives late; it is better to be a second ahead than to show a hold
     * too long.
     */
    learn(header: string | null) {
      const date = header ? Date.parse(header) : Number.NaN
      if (!Number.isNaN(date)) ahead = date + 1000 - local()
    },
  }
}
