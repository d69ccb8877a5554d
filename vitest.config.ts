import { defineConfig } from 'vitest/config'
import { SlowestFirst } from './test/support/sequencer.ts'

const { TESTS } = process.env
// Needs the whole machine, for minutes.
const failover = 'test/failover/*.test.ts'
/**
 * Starts browsers, processes or broken connections, runs integrators' tools, explores at random for long, or tries a whole table. `npm test`
 * leaves these out; `npm run test:all` and CI run them. test/house/quick.test.ts checks that no other file belongs here.
 */
const slow = ['test/{web,start,clients}/**', 'test/**/*.slow.test.ts']

export default defineConfig({
  test: {
    include: TESTS === 'failover' ? [failover] : ['test/**/*.test.ts'],
    exclude: TESTS === 'failover' ? [] : [failover, ...(TESTS === 'quick' ? slow : [])],
    globalSetup: ['test/support/cluster.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // Tests wait for databases, browsers and processes: with a third worker, two cores are busy.
    maxWorkers: TESTS === 'failover' ? 2 : 3,
    sequence: { sequencer: SlowestFirst },
    // Files share loaded modules: each creates its own service and database, and nothing else is shared.
    isolate: false,
    // Fewer collections of young objects: 6 % less CPU time.
    execArgv: ['--max-semi-space-size=64'],
    // The job queue rejects promises without a handler where a test takes its database away. The service catches
    // the same ones: src/start/worker.ts.
    onUnhandledError({ message, stack }) {
      const isLost = /^(timeout exceeded when trying to connect|Connection terminated)/.test(message)
      if (isLost && /graphile-worker/.test(stack ?? '')) return false
    },
    // npm run coverage: server code that no test runs. Pages run in a browser and are not measured.
    coverage: {
      provider: 'v8',
      include: ['src/**'],
      reporter: ['text-summary', 'html'],
      reportsDirectory: 'coverage',
    },
    env: { TZ: 'America/Caracas' },
  },
})
