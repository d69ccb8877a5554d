// Two want to give the same booking another time. Whoever comes second has an old picture of it and is told so, instead of undoing
// what the first was just promised. The lock tells who has moved it since it was looked at; but a wish that had to wait for a
// connection looks at it late. So it is remembered here, for as long as a wish can wait, what was moved when.

const rememberedMs = 60_000

/** The oldest first, by performance.now(). */
const lately = new Map<string, number>()

export function noteMoved(...names: string[]) {
  const now = performance.now()
  for (const [name, at] of lately) {
    if (now - at < rememberedMs) break
    lately.delete(name)
  }
  for (const name of names) {
    lately.delete(name)
    lately.set(name, now)
  }
}

/** Somebody else's move was not done yet when this wish came in. */
export const wasMovedSince = (arrived: number, name: string) => (lately.get(name) ?? 0) > arrived

export const personName = (participationId: number) => `participation ${participationId}`
export const appointmentName = (appointmentId: number) => `appointment ${appointmentId}`
