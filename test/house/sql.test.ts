import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

// SQL belongs in db, and writes go through actions: handlers and pages only read.

type Node = { type: string; start: number; end: number; [name: string]: unknown }

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts'))
  .map(name => posix.join('src', name))
const texts = new Map(files.map(file => [file, readFileSync(file, 'utf8')]))

const statementsOf = (file: string) => parseSync(file, texts.get(file)!).program.body as unknown as Node[]

/** They ask the server itself something before there is a Db: whether it is the right one, and whose it is. */
const beforeDb = ['src/start/instance-lock.ts', 'src/start/refuse-transaction-pooling.ts']

test('SQL appears only in db', () => {
  const outside = files.filter(file => !file.startsWith('src/db/') && !beforeDb.includes(file))
  const asks = /\b(?:pool|client|probe)\.query\(|from 'sql-template-tag'/
  expect(outside.filter(file => asks.test(texts.get(file)!))).toEqual([])
})

/** What db offers, with the text of each function and constant. */
function partsOfDb(): Map<string, string> {
  const parts = new Map<string, string>()
  for (const file of files.filter(one => one.startsWith('src/db/'))) {
    for (const statement of statementsOf(file)) {
      const declared = (statement.declaration ?? statement) as Node & { declarations?: Node[]; id?: Node }
      for (const one of declared.declarations ?? [declared]) {
        const name = (one as { id?: { name?: string } }).id?.name
        if (name) parts.set(`${file} ${name}`, texts.get(file)!.slice(one.start, one.end))
      }
    }
  }
  return parts
}

const writes =
  /\b(?:insert into|update \w+ set|delete from|add_jobs?\(|reschedule_jobs|force_unlock|pg_notify)\b/

/** Those that write themselves or call one that does. */
function writersOf(parts: Map<string, string>): Set<string> {
  const writers = new Set([...parts].filter(([_key, text]) => writes.test(text)).map(([name]) => name))
  for (let before = 0; before < writers.size; ) {
    before = writers.size
    const names = new Set([...writers].map(one => one.split(' ')[1]!))
    for (const [name, text] of parts)
      if ([...text.matchAll(/\b([a-z]\w+)\(/g)].some(([_match, called]) => names.has(called!)))
        writers.add(name)
  }
  return writers
}

test('handlers and pages write nothing themselves', () => {
  const writers = writersOf(partsOfDb())
  expect(writers.size).toBeGreaterThan(100)
  const above = files.filter(file => /^src\/(http|pages)\//.test(file))
  const wrong = above.flatMap(file =>
    statementsOf(file)
      .filter(node => node.type === 'ImportDeclaration' && node.importKind !== 'type')
      .flatMap(node => {
        const from = posix.join(posix.dirname(file), (node.source as { value: string }).value)
        const names = (node.specifiers as { imported?: { name: string }; importKind?: string }[])
          .filter(one => one.importKind !== 'type')
          .map(one => one.imported?.name)
        return names.filter(name => writers.has(`${from} ${name}`)).map(name => `${file}: ${name}`)
      }),
  )
  expect(wrong).toEqual([])
})
