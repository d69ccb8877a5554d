import { defineConfig } from 'vitest/config'
import { SlowestFirst } from './test/support/sequencer.ts'

const { TESTS } = process.env
const every = ['test/**/*.test.ts']
// Needs the whole machine.
const failover = 'test/failover/*.test.ts'
// Take minutes, and what they protect changes rarely: run before a release, or when a change touches it.
const release = 'test/**/*.release.test.ts'
/**
 * Starts browsers, processes or broken connections, runs integrators' tools, explores at random for long, or tries a whole table. `npm test`
 * leaves these out; `npm run test:all` and CI run them. test/house/quick.test.ts checks that no other file belongs here.
 */
const slow = ['test/{web,start,clients}/**', 'test/**/*.slow.test.ts']

const sets = {
  quick: { include: every, exclude: [failover, release, ...slow] },
  all: { include: every, exclude: [failover, release] },
  failover: { include: [failover], exclude: [release] },
  release: { include: [release], exclude: [] },
}
// Without TESTS, `npx vitest run FILE` finds every file.
const { include, exclude } = sets[TESTS as keyof typeof sets] ?? { include: every, exclude: [] }

export default defineConfig({
  test: {
    include,
    exclude,
    globalSetup: ['test/support/cluster.ts'],
    // What tests wait for has limits of its own; this one ends a test that hangs, on a busy machine too.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Tests wait for databases, browsers and processes: with a third worker, two cores are busy.
    maxWorkers: TESTS === 'failover' || TESTS === 'release' ? 2 : 3,
    sequence: { sequencer: SlowestFirst },
    // Failures show what an array held, not only its length.
    chaiConfig: { truncateThreshold: 400 },
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
