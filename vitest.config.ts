import { defineConfig } from 'vitest/config'
import { SlowestFirst } from './test/support/sequencer.ts'
import { slowTests } from './test/support/suites.ts'

const { TESTS } = process.env
// Needs the machine for itself, and minutes.
const failover = 'test/failover/*.test.ts'

export default defineConfig({
  test: {
    include: TESTS === 'failover' ? [failover] : ['test/**/*.test.ts'],
    exclude: TESTS === 'failover' ? [] : [failover, ...(TESTS === 'quick' ? slowTests() : [])],
    globalSetup: ['test/support/cluster.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    sequence: { sequencer: SlowestFirst },
    // Files share loaded modules: each makes a service and a database of its own, and nothing else is kept anywhere.
    isolate: false,
    // npm run coverage: what of the server no test runs. Pages run in a browser and count elsewhere.
    coverage: {
      provider: 'v8',
      include: ['src/**'],
      reporter: ['text-summary', 'html'],
      reportsDirectory: 'coverage',
    },
    env: { TZ: 'America/Caracas' },
  },
})
