import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Outcome, Plan } from '../load/plan.ts'

/** The process that sends the load; started once per bench, so that it is as warm as the server. */
export function startLoad(prefix: string[] = []) {
  const [execPath, ...execArgv] = [...prefix, process.execPath]
  const child = fork(new URL('../load/worker.ts', import.meta.url).pathname, {
    execPath: execPath!,
    execArgv,
  })
  return { pid: child.pid!, run: (plan: Plan) => run(child, plan), stop: () => stop(child) }
}

export type Load = ReturnType<typeof startLoad>

async function run(child: ChildProcess, plan: Plan): Promise<Outcome> {
  const answered = once(child, 'message')
  child.send(plan)
  const [{ outcome, error }] = (await answered) as [{ outcome?: Outcome; error?: string }]
  if (!outcome) throw new Error(`The load process failed: ${error}`)
  return outcome
}

async function stop(child: ChildProcess) {
  const ended = once(child, 'exit')
  child.disconnect()
  child.kill()
  await ended
}

/** Any other status makes a figure worthless. */
export function expectOnly(outcome: Outcome, ...allowed: number[]) {
  const others = Object.keys(outcome.statuses).filter(status => !allowed.includes(Number(status)))
  if (others.length > 0) throw new Error(`Unexpected answers: ${JSON.stringify(outcome.statuses)}`)
  return outcome
}
