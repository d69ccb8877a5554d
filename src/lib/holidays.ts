import { Worker } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { program } from './root.ts'

// Public holidays of the world, out of a library that knows the rules of some two hundred countries. Its data take tens of
// megabytes and a moment to read, so a thread does that when somebody asks, which is once a year, and is gone again. What it
// said is kept: whoever has looked at the holidays of a year adds them next.

export type HolidayQuestion = {
  country: string
  state?: string | null
  region?: string | null
  year: number
  language: string
}

/** Days or local times, `to` excluded. */
export type Holiday = { from: string; to: string; name: string }

export type HolidayAnswer =
  | { kind: 'known'; holidays: Holiday[] }
  /** What there is instead: codes and names. */
  | { kind: 'unknown'; field: 'country' | 'state' | 'region'; choices: Record<string, string> }

const answers = new LRUCache<string, Promise<HolidayAnswer>>({ max: 50 })

export function askHolidays(question: HolidayQuestion): Promise<HolidayAnswer> {
  const { country, state = null, region = null, year, language } = question
  const name = JSON.stringify([country, state, region, year, language])
  const known = answers.get(name)
  if (known) return known
  const answer = askThread(question)
  answers.set(name, answer)
  answer.catch(() => answers.delete(name))
  return answer
}

function askThread(question: HolidayQuestion): Promise<HolidayAnswer> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(program('lib/holidays-thread.ts'), { workerData: question })
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', code =>
      reject(new Error(`The thread that reads public holidays ended with ${code}.`)),
    )
  })
}
