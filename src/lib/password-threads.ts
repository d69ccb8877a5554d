import type { ScryptOptions } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { assertNoConnectionHeld } from './held-connection-check.ts'
import { runnableProgram } from './root.ts'

// Hashing a password takes a quarter of a second of CPU. Node's four threads also compress responses and
// resolve names, so a few guesses would block every page. Hashing therefore has up to two threads of its own, and
// one where there are only two cores: a flood of guesses must leave a core for bookings.

export type HashJob = { password: string; salt: Uint8Array; length: number; options: ScryptOptions }

/** Limits of the queue in front of the threads. Requests beyond it are asked to retry. */
export const hashingLimits = {
  concurrency: availableParallelism() > 2 ? 2 : 1,
  maxWaiting: 16,
  retrySeconds: 2,
}

const idle: Worker[] = []

export async function computeHash(job: HashJob): Promise<Buffer> {
  assertNoConnectionHeld('a password hash')
  const thread = idle.pop() ?? startThread()
  const hash = await answerOf(thread, job)
  idle.push(thread)
  return hash
}

/** The threads do not keep the process alive. */
function startThread(): Worker {
  const thread = new Worker(runnableProgram('lib/password-thread.ts'))
  thread.unref()
  return thread
}

function answerOf(thread: Worker, job: HashJob): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const failed = (error: unknown) => {
      idle.splice(0, idle.length, ...idle.filter(one => one !== thread))
      reject(error instanceof Error ? error : new Error('The thread that computes passwords ended.'))
    }
    thread.once('error', failed)
    thread.once('exit', failed)
    thread.once('message', (hash: Uint8Array) => {
      thread.off('error', failed)
      thread.off('exit', failed)
      resolve(Buffer.from(hash))
    })
    thread.postMessage(job)
  })
}
