import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { runnableProgram } from '../lib/root.ts'
import { apiKey, crm } from './seed.ts'

// A service as shipped, in its own process.

/** The program that is running now. */
export const ourProgram = fileURLToPath(runnableProgram('main.ts'))

/** Detached from the terminal's Ctrl-C: the test stops it. */
export const launch = (main: string, args: string[], env: NodeJS.ProcessEnv): ChildProcess =>
  spawn(process.execPath, [main, ...args], { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })

// Does not inherit the caller's settings, so that the result does not depend on them.
export const settings = (port: number, smtpUrl: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  TMPDIR: process.env.TMPDIR,
  PORT: String(port),
  DEMO: '0',
  LOG_LEVEL: 'silent',
  SMTP_URL: smtpUrl,
  BASE_URL: `http://127.0.0.1:${port}`,
  // Short, so that many holds expire while others want the same slot.
  HOLD_SECONDS: '5',
  BOOTSTRAP_CRM: crm,
  BOOTSTRAP_API_KEY: apiKey,
})

export const isReady = (origin: string): Promise<boolean> =>
  fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(3_000) }).then(
    response => response.ok,
    () => false,
  )

export async function untilReady(origin: string) {
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; ) {
    if (await isReady(origin)) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error('The service did not start within two minutes.')
}

/**
 * Below the ports that the system gives to outgoing connections: one of those could take the port of a program that
 * is being restarted, and keep it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000)
    const server = createServer()
    const isFree = await new Promise<boolean>(resolve => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (isFree) return port
  }
}
