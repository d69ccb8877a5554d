type Attempt = { name: string; address: string }

/**
 * What a dialog has sent and got no answer to: it may have been done. Pressed once more it is sent as it was, under the same
 * name, and the service does it once. Even if by then the page warns of what is in the way: that may be what was just made.
 */
export class Attempts {
  open = new Map<string, Attempt>()

  begin(path: string, body: unknown, query: object, address: string): Attempt & { end(): void } {
    const wish = JSON.stringify([path, body, { ...query, ignoreConflicts: null }])
    const attempt = this.open.get(wish) ?? { name: anyName(), address }
    this.open.set(wish, attempt)
    return { ...attempt, end: () => this.open.delete(wish) }
  }
}

/** Browsers make uuids over https only. */
const anyName = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
