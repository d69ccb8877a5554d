import { fork } from 'node:child_process'
import { once } from 'node:events'

export type Bare = { port: number; pid: number; stop(): Promise<void> }

/** Starts one of the programs in bench/bare: sends its input as a message and receives its port. */
export async function startBare(name: string, input: unknown): Promise<Bare> {
  const child = fork(new URL(`../bare/${name}.ts`, import.meta.url).pathname, { serialization: 'advanced' })
  const answered = once(child, 'message')
  child.send(input as object)
  const [port] = (await answered) as [number]
  return {
    port,
    pid: child.pid!,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}
