import { globSync, readFileSync } from 'node:fs'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

// `[, , third]` makes readers count commas: an element that is not used has a name, too, such as `_key`.

const files = globSync('{src,web,test,bench,scripts,bin}/**/*.{ts,tsx,js}', {
  exclude: ['**/node_modules/**'],
})
const suspicious = /\[\s*,|,\s*,/

type Node = { type?: string; elements?: unknown[]; start: number }

function holesIn(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  if (!suspicious.test(text)) return []
  const found: string[] = []
  const visit = (node: Node | null) => {
    if (typeof node !== 'object' || node === null) return
    if (node.type === 'ArrayPattern' && node.elements!.includes(null))
      found.push(`${file}:${text.slice(0, node.start).split('\n').length}`)
    for (const child of Object.values(node)) visit(child as unknown as Node)
  }
  visit(parseSync(file, text).program as unknown as Node)
  return found
}

test('nothing is destructured with holes', () => {
  expect(files.length).toBeGreaterThan(1000)
  expect(files.flatMap(holesIn)).toEqual([])
})

test('services are built whole', () => {
  const cast = new RegExp(['as', 'Service\\b'].join(' '))
  expect(files.filter(file => cast.test(readFileSync(file, 'utf8')))).toEqual([])
})

test('helpers of tests do not take the names of the runner', () => {
  const taken = /\b(?:const|let|function) (?:describe|expect|it|test|vi)\b/
  const tests = files.filter(file => file.startsWith('test/'))
  expect(tests.filter(file => taken.test(readFileSync(file, 'utf8')))).toEqual([])
})
