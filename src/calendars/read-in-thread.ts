import { Worker } from 'node:worker_threads'
import { assertNoConnectionHeld } from '../lib/held-connection-check.ts'
import { runnableProgram } from '../lib/root.ts'
import type { DavEntry } from './caldav-xml.ts'
import { CalendarProblem, type ProblemCode } from './problem.ts'
import type { ReadCalendar, ReadOptions } from './read-calendar.ts'

// A calendar of 10 MB, or a rule that repeats every second, would stop the service while it is read. So a thread reads it, with
// limits of time and memory, and two at a time at most.

export type ThreadTask = { texts: string[]; options: ReadOptions } | { xml: string } | { entry: string }
export type ThreadAnswer =
  | { done: ReadCalendar | DavEntry[] | string }
  | { problem: ProblemCode; detail: string }

const maxThreads = 2
const timeoutMs = 20_000
const idleMs = 20_000
const maxMegabytes = 400

type Job = { resolve(answer: ThreadAnswer): void; reject(error: Error): void }

/** Starting a thread takes longer than reading most calendars, so one that has finished waits for the next. */
class ReadThread {
  worker = new Worker(runnableProgram('calendars/read-thread.ts'), {
    resourceLimits: { maxOldGenerationSizeMb: maxMegabytes },
  })
  job: Job | null = null
  isEnded = false

  constructor() {
    this.worker.on('message', (answer: ThreadAnswer) => this.job?.resolve(answer))
    this.worker.on('error', error =>
      this.end(isOutOfMemory(error) ? new CalendarProblem('size') : (error as Error)),
    )
    this.worker.on('exit', code => this.end(new Error(`The thread that reads calendars ended with ${code}.`)))
  }

  async ask(task: ThreadTask, limitMs: number): Promise<ThreadAnswer> {
    this.worker.ref()
    const timer = setTimeout(() => this.end(new CalendarProblem('repeats')), limitMs)
    try {
      return await new Promise<ThreadAnswer>((resolve, reject) => {
        this.job = { resolve, reject }
        this.worker.postMessage(task)
      })
    } finally {
      clearTimeout(timer)
      this.job = null
      // The process may end while the thread waits.
      this.worker.unref()
    }
  }

  end(error: Error) {
    this.isEnded = true
    this.job?.reject(error)
    void this.worker.terminate()
  }
}

let running = 0
const waiting: (() => void)[] = []
let idle: ReadThread[] = []
let idleTimer: NodeJS.Timeout | undefined

export const readInThread = (texts: string[], options: ReadOptions, limitMs = timeoutMs) =>
  runInThread({ texts, options }, limitMs) as Promise<ReadCalendar>

/** Answers of CalDAV servers have up to 10 MB too. */
export const readXmlInThread = (xml: string) => runInThread({ xml }, timeoutMs) as Promise<DavEntry[]>

/** Of an entry that we wrote; see entry-content.ts. */
export const digestInThread = (entry: string) => runInThread({ entry }, timeoutMs) as Promise<string>

async function runInThread(task: ThreadTask, limitMs: number) {
  assertNoConnectionHeld('reading a calendar')
  if (running >= maxThreads) await new Promise<void>(resolve => waiting.push(resolve))
  running++
  const thread = idle.pop() ?? new ReadThread()
  try {
    const answer = await thread.ask(task, limitMs)
    if ('problem' in answer) throw new CalendarProblem(answer.problem)
    return answer.done
  } finally {
    keepIdle(thread)
    running--
    waiting.shift()?.()
  }
}

function keepIdle(thread: ReadThread) {
  idle = [...idle, thread].filter(one => !one.isEnded)
  clearTimeout(idleTimer)
  idleTimer = setTimeout(() => {
    for (const one of idle.splice(0)) one.end(new Error('no longer needed'))
  }, idleMs).unref()
}

const isOutOfMemory = (error: unknown) => (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY'
