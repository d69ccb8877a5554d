// The program as a person runs it: a real process with its own environment.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { freePort as freeNumber } from '../../src/torture/instance.ts'

// Each process loads hundreds of files: with this, they are compiled once.
const NODE_COMPILE_CACHE = join(tmpdir(), 'holdfast-compile-cache')

export type Running = { child: ChildProcess; output: () => string; exit: Promise<number | null> }

export function startCli(
  args: string[],
  env: Record<string, string>,
  identity: { uid?: number; gid?: number } = {},
): Running {
  const child = spawn(process.execPath, [inject('program'), ...args], {
    env: {
      PATH: process.env.PATH,
      HOME: tmpdir(),
      LOG_LEVEL: 'warn',
      DRAIN_SECONDS: '0',
      NODE_COMPILE_CACHE,
      ...env,
    },
    ...identity,
  })
  let text = ''
  child.stdout.on('data', chunk => (text += chunk))
  child.stderr.on('data', chunk => (text += chunk))
  const exit = new Promise<number | null>(resolve => child.once('exit', code => resolve(code)))
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await exit
  })
  return { child, output: () => text, exit }
}

/** Runs a command to its end. */
export async function run(args: string[], env: Record<string, string>) {
  const { child, output } = startCli(args, env)
  // Not `exit`: it may come before the last of the output was read.
  const code = await new Promise<number | null>(resolve => child.once('close', resolve))
  return { code, output: output() }
}

/** Starts the service and waits until it answers. */
export async function serve(env: Record<string, string>): Promise<Running & { url: string }> {
  const running = startCli(['serve'], env)
  const url = `http://localhost:${env.PORT}`
  for (;;) {
    if (running.child.exitCode !== null) throw new Error(`It ended:\n${running.output()}`)
    const ready = await fetch(`${url}/readyz`).then(
      response => response.ok,
      () => false,
    )
    if (ready) return { ...running, url }
    await new Promise(resolve => setTimeout(resolve, 30))
  }
}

/** A folder that is removed when the test ends, with the PostgreSQL in it. */
export function newDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-serve-'))
  onTestFinished(() => {
    const pid = postmasterOf(folder)
    if (pid !== null) killQuietly(pid)
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

export function postmasterOf(dataDir: string): number | null {
  try {
    return Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
  } catch {
    return null
  }
}

function killQuietly(pid: number) {
  try {
    process.kill(pid, 'SIGQUIT')
  } catch {}
}

export const freePort = async () => String(await freeNumber())
