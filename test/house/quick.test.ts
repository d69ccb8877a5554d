import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** What makes a file slow: browsers, processes, connections that break, and tools of integrators. */
const waits =
  /support\/(browser|console-page|widget|process|worker-process|proxy|cut-proxy)\.ts'|failover\/pair\.ts'|\/tools\.ts'/

it('a test file that starts browsers or processes is in a slow folder or named .slow.test.ts', () => {
  const quick = globSync('test/**/*.test.ts', {
    exclude: ['test/{web,start,clients,failover}/**', 'test/**/*.{slow,release}.test.ts'],
  })
  expect(quick.length).toBeGreaterThan(100)
  expect(quick.filter(path => waits.test(readFileSync(path, 'utf8')))).toEqual([])
})
