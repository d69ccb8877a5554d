import { scryptSync } from 'node:crypto'
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { HashJob } from './password-threads.ts'

// Runs in its own thread; see password-threads.ts.

// On Linux a priority applies to one thread; elsewhere it would slow down the whole process. Hashing uses
// only spare CPU.
if (process.platform === 'linux') setPriority(0, 10)

parentPort!.on('message', ({ password, salt, length, options }: HashJob) => {
  parentPort!.postMessage(scryptSync(password, salt, length, options))
})
