/** Longest time that one task may occupy the event loop before it yields. */
const maxStepMs = 5

const waiting: (() => void)[] = []

/** Resumes one task per turn of the loop, so that several long tasks do not add up. */
function nextTurn(): Promise<void> {
  return new Promise(resolve => {
    if (waiting.push(resolve) === 1) setImmediate(resumeAll)
  })
}

function resumeAll() {
  waiting.shift()!()
  if (waiting.length > 0) setImmediate(resumeAll)
}

/** Cheap to call often: returns null, or a promise when it is time to yield. */
export function yielder(): () => Promise<void> | null {
  let since = performance.now()
  return () => {
    if (performance.now() - since < maxStepMs) return null
    return nextTurn().then(() => {
      since = performance.now()
    })
  }
}

/** Runs a generator that yields after every small step and pauses between steps when other work is due. */
export async function runInSteps<T>(steps: Generator<void, T>, pauseIfDue = yielder()): Promise<T> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    const pause = pauseIfDue()
    if (pause) await pause
  }
}
