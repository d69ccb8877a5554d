// When two requests move the same booking, the second acts on an outdated time and is refused; otherwise it
// would undo what the first was promised. The lock detects moves since the booking was read, but a request
// that waits for a connection reads it late. So recent moves are kept here for as long as a request can wait.

const rememberedMs = 60_000

/** Oldest first, by performance.now(). */
const recentMoves = new Map<string, number>()

export function rememberMove(...names: string[]) {
  const now = performance.now()
  for (const [name, at] of recentMoves) {
    if (now - at < rememberedMs) break
    recentMoves.delete(name)
  }
  for (const name of names) {
    recentMoves.delete(name)
    recentMoves.set(name, now)
  }
}

/** True if another request moved it after this one arrived. */
export const wasMovedSince = (arrived: number, name: string) => (recentMoves.get(name) ?? 0) > arrived

export const participationKey = (participationId: number) => `participation ${participationId}`
export const appointmentKey = (appointmentId: number) => `appointment ${appointmentId}`
