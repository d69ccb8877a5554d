// `npm test` runs what is quick; `npm run test:all`, as CI does, also what starts browsers, processes, tools of integrators or
// lines that break, and waits for them most of the time. Which is which follows from what a file uses, so that nobody has to
// remember it.

import { globSync, readFileSync } from 'node:fs'

const waits =
  /support\/(browser|widget|process|worker-process|proxy|cut-proxy)\.ts'|failover\/pair\.ts'|\/tools\.ts'|'node:child_process'/

export const slowTests = (): string[] =>
  globSync('test/**/*.test.ts').filter(path => waits.test(readFileSync(path, 'utf8')))
