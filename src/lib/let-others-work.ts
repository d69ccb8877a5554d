/** Long work holds the event loop for so long at most, then lets whatever waits have its turn. */
const inOneGoMs = 8

const others = () => new Promise<void>(resolve => setImmediate(resolve))

/** Ask it often: it answers null at once, or a promise when it is time for the others. */
export function breather(): () => Promise<void> | null {
  let since = performance.now()
  return () => {
    if (performance.now() - since < inOneGoMs) return null
    return others().then(() => {
      since = performance.now()
    })
  }
}
