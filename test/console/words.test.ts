/// <reference types="vite/client" />
// Every text of the console exists in all five languages. Types check most of it, but not the lists of names.

import { globSync, readFileSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { languages } from '../../web/shared/texts/index.ts'

type Catalogue = Record<string, Record<string, unknown>>
const seen = vi.hoisted(() => ({ catalogues: [] as Catalogue[] }))

// The page's own takes one language out of it, by the browser's settings.
vi.mock('../../web/console/src/words.ts', () => ({
  words(catalogue: Catalogue) {
    seen.catalogues.push(catalogue)
    return catalogue.en
  },
}))

const files = import.meta.glob('../../web/console/src/**/*words.ts')

it('every language has every text, and none is empty', async () => {
  // Another file of this process may have loaded them already.
  vi.resetModules()
  for (const [path, load] of Object.entries(files)) if (!path.endsWith('/src/words.ts')) await load()
  expect(seen.catalogues.length).toBeGreaterThan(15)
  for (const catalogue of seen.catalogues) {
    expect(Object.keys(catalogue).sort()).toEqual([...languages].sort())
    const english = namesIn(catalogue.en)
    for (const language of languages)
      expect([language, namesIn(catalogue[language])]).toEqual([language, english])
  }
})

it('no message says only that something was saved', () => {
  const pages = globSync('web/console/src/**/*.tsx').map(path => readFileSync(path, 'utf8'))
  const said = pages.flatMap(page =>
    [...page.matchAll(/showToast\(common\.saved[^;]*/g)].map(([call]) => call),
  )
  expect(said.length).toBeGreaterThan(10)
  expect(said.filter(call => !call.includes('about: '))).toEqual([])
})

/** Keys such as `labels.name`; empty texts are left out. */
function namesIn(words: unknown, before = ''): string[] {
  if (typeof words === 'string') return words.trim() ? [before] : []
  if (typeof words !== 'object' || words === null) return [before]
  return Object.entries(words)
    .flatMap(([name, one]) => namesIn(one, before ? `${before}.${name}` : name))
    .sort()
}
