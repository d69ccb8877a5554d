import { parentPort } from 'node:worker_threads'
import { readMultistatus } from './caldav-xml.ts'
import { digestOfText } from './entry-content.ts'
import { CalendarProblem } from './problem.ts'
import { readCalendars } from './read-calendar.ts'
import type { ThreadAnswer, ThreadTask } from './read-in-thread.ts'

// Runs in its own thread; see read-in-thread.ts.

function run(task: ThreadTask): ThreadAnswer {
  try {
    if ('entry' in task) return { done: digestOfText(task.entry) }
    return { done: 'xml' in task ? readMultistatus(task.xml) : readCalendars(task.texts, task.options) }
  } catch (error) {
    if (error instanceof CalendarProblem) return { problem: error.code, detail: error.message }
    return { problem: 'format', detail: (error as Error).message }
  }
}

parentPort!.on('message', (task: ThreadTask) => parentPort!.postMessage(run(task)))
