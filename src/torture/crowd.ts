import { setTimeout as pause } from 'node:timers/promises'
import type { Arrival, MailSink } from './mail-sink.ts'

/** People or programs that use the service in a way of their own, besides the clients. */
export type Crowd = {
  /** Email addresses of the people whose booking, and whose cancellation, was confirmed. */
  booked: Set<string>
  cancelled: Set<string>
  end(): Promise<void>
  judge(arrivals: Arrival[]): Promise<CrowdVerdict>
}

export type CrowdVerdict = { complaints: string[]; doubleMails: number; oversold?: number; summary: string }

/** Repeats the step until the end, which reports its error. */
export function repeat(everyMs: number, step: (count: number) => Promise<unknown>): Pick<Crowd, 'end'> {
  let isEnding = false
  async function run() {
    for (let count = 1; !isEnding; count++) {
      await step(count)
      await pause(everyMs)
    }
  }
  const running = run()
  running.catch(() => {})
  return {
    end() {
      isEnding = true
      return running
    },
  }
}

/** Passes on each email of this kind to one of these people, once. */
export function mailReader({ arrivals }: MailSink, kind: string, people: Set<string>) {
  const answered = new Set<string>()
  return async (respond: (arrival: Arrival) => Promise<unknown>) => {
    const isFresh = (one: Arrival) => one.kind === kind && !answered.has(one.messageId) && people.has(one.to)
    for (const arrival of arrivals.filter(isFresh)) {
      answered.add(arrival.messageId)
      await respond(arrival)
    }
  }
}
