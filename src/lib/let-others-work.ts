/** Long work holds the event loop for so long at most, then lets whatever waits have its turn. */
const inOneGoMs = 5

const waiting: (() => void)[] = []

/** One long work goes on in a turn of the loop: several beside each other do not add up. */
function nextTurn(): Promise<void> {
  return new Promise(resolve => {
    if (waiting.push(resolve) === 1) setImmediate(goOn)
  })
}

function goOn() {
  waiting.shift()!()
  if (waiting.length > 0) setImmediate(goOn)
}

/** Ask it often: it answers null at once, or a promise when it is time for the others. */
export function breather(): () => Promise<void> | null {
  let since = performance.now()
  return () => {
    if (performance.now() - since < inOneGoMs) return null
    return nextTurn().then(() => {
      since = performance.now()
    })
  }
}

/** Work that stops after every small step, without knowing why: here others have their turn in between. */
export async function inTurns<T>(steps: Generator<void, T>, takeBreath = breather()): Promise<T> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    const pause = takeBreath()
    if (pause) await pause
  }
}
