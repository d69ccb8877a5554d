import { parentPort } from 'node:worker_threads'
import { CalendarProblem } from './problem.ts'
import { readCalendars } from './read-calendar.ts'
import type { ThreadAnswer, ThreadTask } from './read-in-thread.ts'

// Runs in its own thread; see read-in-thread.ts.

function run({ texts, options }: ThreadTask): ThreadAnswer {
  try {
    return { read: readCalendars(texts, options) }
  } catch (error) {
    if (error instanceof CalendarProblem) return { problem: error.code, detail: error.message }
    return { problem: 'format', detail: (error as Error).message }
  }
}

parentPort!.on('message', (task: ThreadTask) => parentPort!.postMessage(run(task)))
