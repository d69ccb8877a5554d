type Attempt = { name: string; address: string }

/**
 * What was sent and got no answer: it may have been done. Sent once more it goes out as it was, under the same name, and the
 * service does it once. Even if by then the page warns of what is in the way: that may be what was just made.
 */
export class Attempts {
  lost = new Map<string, Attempt>()

  begin(path: string, body: unknown, query: object, address: string) {
    const wish = JSON.stringify([path, body, { ...query, ignoreConflicts: null }])
    const attempt = this.lost.get(wish) ?? { name: anyName(), address }
    return { ...attempt, wasLost: () => this.lost.set(wish, attempt) }
  }

  /** Something else was done since: whoever wishes the same again sees what there is, and wants another one. */
  wentOn() {
    this.lost.clear()
  }
}

/** Browsers make uuids over https only. */
const anyName = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
