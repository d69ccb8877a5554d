/** Escape gives up a drag: once released, the appointment goes back. The calendar itself knows no way to. */
export function makeGivingUp() {
  let isGivenUp = false
  let watching = new AbortController()
  const end = () => watching.abort()
  const begin = () => {
    end()
    isGivenUp = false
    watching = new AbortController()
    const note = ({ key }: KeyboardEvent) => {
      isGivenUp ||= key === 'Escape'
    }
    addEventListener('keydown', note, { signal: watching.signal })
  }
  return { begin, end, isGivenUp: () => isGivenUp }
}
