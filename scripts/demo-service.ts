// A throw-away service with the demo, for scripts that take pictures of it.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** `link` logs in to the console once. `stop` ends the service and removes its data. */
export type Demo = { origin: string; bookingPage: string; link: string; stop: () => Promise<void> }

export async function startDemo(port = Number(process.env.PORT ?? 8917)): Promise<Demo> {
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-screenshots-'))
  // The host in the service's links: a session belongs to one host.
  const origin = `http://localhost:${port}`
  const service = spawn(process.execPath, ['src/main.ts', 'serve'], {
    env: { ...process.env, PORT: String(port), BASE_URL: origin, DATA_DIR: dataDir, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>(resolve => service.once('exit', () => resolve()))
  const stop = async () => {
    service.kill('SIGTERM')
    await ended
    rmSync(dataDir, { recursive: true, force: true })
  }
  let output = ''
  return new Promise((resolve, reject) => {
    service.stdout.on('data', part => {
      output += part
      const [bookingPage] = /http\S+\/book\/[\w-]+/.exec(output) ?? []
      const [link] = /http\S+\/console\/login\/[\w-]+/.exec(output) ?? []
      if (bookingPage && link) resolve({ origin, bookingPage, link, stop })
    })
    service.once('exit', () => reject(new Error(`The service ended before it was up:\n${output}`)))
  })
}
