type UnansweredRequest = { name: string; address: string }

/**
 * Requests that got no answer and may have been processed. A repeat sends the identical request with the same
 * idempotency key, so the service processes it once, even if the page meanwhile warns about a conflict, which
 * may be the first request's own result.
 */
export class UnansweredRequests {
  lost = new Map<string, UnansweredRequest>()

  begin(path: string, body: unknown, query: object, address: string) {
    const key = JSON.stringify([path, body, { ...query, ignoreConflicts: null }])
    const attempt = this.lost.get(key) ?? { name: anyName(), address }
    return { ...attempt, wasLost: () => this.lost.set(key, attempt) }
  }

  /** Another action has been taken since, so the same request again is meant as a new one. */
  wentOn() {
    this.lost.clear()
  }
}

/** `crypto.randomUUID` exists only over https. */
const anyName = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
