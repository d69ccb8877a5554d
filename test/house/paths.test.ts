import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const pages = globSync(['README.md', 'CONTRIBUTING.md', 'docs/*.md', 'docs/decisions/*.md', 'bench/**/*.md'])

const topFolders = ['src', 'web', 'test', 'docs', 'bench', 'scripts', 'deploy', 'migrations', 'clients']
const belowSrc = readdirSync('src', { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(entry => entry.name)
const isPath = new RegExp(`^(${[...topFolders, ...belowSrc].join('|')})/[\\w./-]+$`)

/** Short paths below src count too: docs with them go stale just as easily. */
const exists = (path: string) => existsSync(path) || existsSync(`src/${path}`)

const pathsIn = (text: string): string[] =>
  [...text.matchAll(/`([^`\n]+)`/g)].map(([_match, code]) => code!).filter(code => isPath.test(code))

describe('paths in docs', () => {
  test('are found at all', () => {
    expect(pathsIn(readFileSync('docs/architecture.md', 'utf8'))).toContain('src/actions/record-events.ts')
  })

  test.each(pages)('%s names only files that exist', page => {
    expect(pathsIn(readFileSync(page, 'utf8')).filter(path => !exists(path))).toEqual([])
  })
})
