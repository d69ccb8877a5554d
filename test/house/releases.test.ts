// What has been released stays as it was: databases out there were made by it.

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readMigrations } from '../../src/db/base/migrations.ts'
import { packagePath, version } from '../../src/lib/root.ts'

const read = (path: string) => readFileSync(packagePath(path), 'utf8')
const releases = read('docs/releases.md')
const released = [...releases.matchAll(/^\| (\d+\.\d+\.\d+) \| `[0-9a-f]{40}` \|$/gm)].map(row => row[1]!)
const frozen = [...releases.matchAll(/^\| (\d{4}_\S+) \| `([0-9a-f]{64})` \|$/gm)]

it('a released migration is never edited', async () => {
  expect(frozen.length).toBeGreaterThan(0)
  const ours = new Map((await readMigrations()).map(({ name, checksum }) => [name, checksum]))
  for (const [_first, name, checksum] of frozen) expect([name, ours.get(name!)]).toEqual([name, checksum])
})

it('each version has its heading in the changelog, below the pending changes', () => {
  const headings = [...read('CHANGELOG.md').matchAll(/^## (\S+)/gm)].map(heading => heading[1]!)
  expect(headings[0]).toBe('Pending')
  expect(headings).toEqual(expect.arrayContaining(released))
  expect(headings[1]).toBe(version)
})

it("deployment files have the package's version", () => {
  expect(read('deploy/kubernetes/holdfast.yaml')).toContain(`image: holdfast:${version}\n`)
  expect(JSON.parse(read('package-lock.json')).version).toBe(version)
})
