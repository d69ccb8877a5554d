import { Worker } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { assertNoConnectionHeld } from './held-connection-check.ts'
import { runnableProgram } from './root.ts'

// Public holidays from a library that knows the rules of about two hundred countries. Its data takes tens of
// megabytes, so a thread loads it on demand and exits. The answer is cached, because holidays that were
// previewed are usually added next.

export type HolidayQuestion = {
  /** Only which states there are. */
  isAboutStates?: true
  country: string
  state?: string | null
  region?: string | null
  year: number
  language: string
}

/** Dates or local date-times; `to` is exclusive. */
export type Holiday = { from: string; to: string; name: string }

export type HolidayAnswer =
  | { kind: 'known'; holidays: Holiday[] }
  | { kind: 'states'; states: Record<string, string> }
  /** The valid choices: codes and names. */
  | { kind: 'unknown'; field: 'country' | 'state' | 'region'; choices: Record<string, string> }

const answers = new LRUCache<string, Promise<HolidayAnswer>>({ max: 50 })

export function askHolidays(question: HolidayQuestion): Promise<HolidayAnswer> {
  assertNoConnectionHeld('a look at public holidays')
  const { country, state = null, region = null, year, language } = question
  const name = JSON.stringify([country, state, region, year, language, question.isAboutStates ?? false])
  const known = answers.get(name)
  if (known) return known
  const answer = askThread(question)
  answers.set(name, answer)
  answer.catch(() => answers.delete(name))
  return answer
}

function askThread(question: HolidayQuestion): Promise<HolidayAnswer> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(runnableProgram('lib/holidays-thread.ts'), { workerData: question })
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', code =>
      reject(new Error(`The thread that reads public holidays ended with ${code}.`)),
    )
  })
}
