import { ensureBootstrap } from './actions/bootstrap.ts'
import { createDemo, isEmpty } from './actions/demo.ts'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { type InstanceLock, lockInstance } from './instance-lock.ts'
import { openService } from './open-service.ts'
import type { Service } from './service.ts'
import { StartError } from './start-error.ts'
import { startWorker } from './worker.ts'

export type Serving = {
  address: string
  service: Service
  /** What to tell the person who started it for the first time. */
  welcome: string | null
  stop(): Promise<void>
}

/** Starts everything; stop() lets requests and jobs finish, then closes the database. */
export async function serve(config: Config, log: (line: string) => void): Promise<Serving> {
  const opened = await openService(config, log)
  const { service, connection, embedded } = opened
  const closing: (() => Promise<unknown>)[] = [() => opened.close(lock !== null)]
  let lock: InstanceLock | null = null
  const stop = async () => {
    for (const close of closing.toReversed()) await close()
  }
  try {
    if (embedded) lock = await lockInstance(connection, config.dataDir)
    closing.push(async () => lock?.release())
    const isFirstStart = embedded !== null && config.demo && (await isEmpty(service))
    await ensureBootstrap(service)
    const welcome = isFirstStart ? await createDemo(service) : null
    const app = await buildApp(service)
    closing.push(() => app.close())
    const address = await listen(app, config)
    const worker = startWorker(service, connection, app.log)
    // Requests end first: the last of them may still queue a mail.
    closing.splice(-1, 0, () => worker.stop())
    return { address, service, welcome, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function listen(app: Awaited<ReturnType<typeof buildApp>>, { host, port }: Config): Promise<string> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new StartError(
        `Port ${port} is taken by another program. Stop it, or choose another with PORT=8081.`,
      )
    if (code === 'EACCES')
      throw new StartError(`Port ${port} needs more rights. Choose one above 1023 with PORT.`)
    throw new StartError(`Cannot listen on ${host}:${port}: ${message}. Check HOST and PORT.`)
  }
  const at = app.server.address()
  return `http://localhost:${typeof at === 'object' ? at?.port : port}`
}
