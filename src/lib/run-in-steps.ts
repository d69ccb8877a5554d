import { setTimeout as pause } from 'node:timers/promises'

/**
 * Longest time that one task may occupy the event loop before it yields. Most lists are done by then. A
 * longer task continues in small steps: a request beside it needs several turns of the loop, and waits for a
 * step in each.
 */
const maxStepMs = 5
const laterStepMs = 1

/** A task that has taken longer rests after every step, so that it uses half of a core at most. */
const longTaskMs = 50
const restMs = 1

/** A turn that took longer served other requests. Their next turns are soon due, so every task rests. */
const busyTurnMs = 0.2

type Waiting = { resume: () => void; isLong: boolean }

const waiting: Waiting[] = []

/** Resumes one task per turn of the loop, so that several long tasks do not add up. */
function nextTurn(isLong: boolean): Promise<void> {
  return new Promise(resume => {
    if (waiting.push({ resume, isLong }) === 1) resumeLater()
  })
}

function resumeLater() {
  const since = performance.now()
  setImmediate(() => {
    if (waiting[0]!.isLong || performance.now() - since > busyTurnMs) setTimeout(resumeNext, restMs)
    else resumeNext()
  })
}

function resumeNext() {
  waiting.shift()!.resume()
  if (waiting.length > 0) resumeLater()
}

/** Cheap to call often: returns null, or a promise when it is time to yield. */
export function yielder(): () => Promise<void> | null {
  let since = performance.now()
  let stepMs = maxStepMs
  let spentMs = 0
  return () => {
    const stepped = performance.now() - since
    if (stepped < stepMs) return null
    spentMs += stepped
    return nextTurn(spentMs > longTaskMs).then(() => {
      since = performance.now()
      stepMs = laterStepMs
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

/**
 * Pauses nine times as long as a step took, so that background work takes at most a tenth of the database.
 */
const restTimes = 9
const longestMs = 1_000

/** Runs a step of background work, then pauses: longer if the machine is busier. */
export async function runAtLowPriority<T>(step: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  const done = await step()
  await pause(Math.min(longestMs, restTimes * (performance.now() - startedAt)))
  return done
}
