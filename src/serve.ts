import pg from 'pg'
import { ensureBootstrap } from './actions/bootstrap.ts'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { openService } from './open-service.ts'
import { StartError } from './start-error.ts'
import { startWorker } from './worker.ts'

export type Serving = {
  address: string
  service: Awaited<ReturnType<typeof openService>>['service']
  stop(): Promise<void>
}

/** Starts everything; stop() lets requests and jobs finish, then closes the database. */
export async function serve(config: Config, log: (line: string) => void): Promise<Serving> {
  const opened = await openService(config, log)
  const { service, connection, embedded } = opened
  let lock: pg.Client | null = null
  try {
    if (embedded) lock = await lockInstance(connection, config.dataDir)
    await ensureBootstrap(service)
    const app = await buildApp(service)
    const address = await listen(app, config)
    const worker = startWorker(service, connection, app.log)
    return {
      address,
      service,
      async stop() {
        await app.close()
        await worker.stop()
        await lock?.end()
        await opened.close(true)
      },
    }
  } catch (error) {
    await lock?.end()
    await opened.close(lock !== null)
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

const instanceLock = 7_304_115_222

// A second service on the same folder would fight over PostgreSQL. The lock lives as long as its connection, so a
// killed service leaves none behind.
async function lockInstance(connection: pg.PoolConfig, dataDir: string) {
  const client = new pg.Client(connection as pg.ClientConfig)
  client.on('error', () => {})
  await client.connect()
  for (let tries = 0; tries < 20; tries++) {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [
      instanceLock,
    ])
    if (rows[0]!.mine) return client
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  await client.end()
  throw new StartError(
    `Another Holdfast is running on DATA_DIR ${dataDir}. Stop it, or give this one a folder and a port of its own, for example DATA_DIR=./data2 PORT=8081.`,
  )
}
