import { type Bare, startBare } from './bare.ts'
import { type Load, startLoad } from './load.ts'
import { progress } from './progress.ts'
import { type Seeded, seed } from './seed.ts'
import { type Running, startService } from './service.ts'

export type Stage = {
  service: Running
  seeded: Seeded
  load: Load
  bare(name: string, input: unknown): Promise<Bare>
}

type Options = Parameters<typeof startService>[0] & {
  data?: Parameters<typeof seed>[1] | 'none'
  loadPrefix?: string[]
}

/** Sets up the service, its data and the load process for one bench, and removes everything after it. */
export async function onStage<T>(
  work: (stage: Stage) => Promise<T>,
  { data, loadPrefix, ...options }: Options = {},
): Promise<T> {
  progress('  starting the service and its PostgreSQL')
  const service = await startService(options)
  const load = startLoad(loadPrefix)
  const bares: Bare[] = []
  try {
    const begun = performance.now()
    const seeded = data === 'none' ? (null as unknown as Seeded) : await seed(service, data)
    if (seeded) progress(`  seeded in ${((performance.now() - begun) / 1000).toFixed(1)} s`)
    const bare = async (name: string, input: unknown) => {
      const started = await startBare(name, input)
      bares.push(started)
      return started
    }
    return await work({ service, seeded, load, bare })
  } finally {
    for (const bare of bares) await bare.stop()
    await load.stop()
    await service.stop()
  }
}
