import { defineConfig } from 'vitest/config'
import { SlowestFirst } from './test/support/sequencer.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/cluster.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    sequence: { sequencer: SlowestFirst },
    // Files share loaded modules: each makes a service and a database of its own, and nothing else is kept anywhere.
    isolate: false,
    env: { TZ: 'America/Caracas' },
  },
})
