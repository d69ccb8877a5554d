import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { packagePath } from '../../lib/root.ts'

export type Migration = {
  number: number
  name: string
  text: string
  checksum: string
  /** The oldest program that works beside the resulting schema, named by the newest migration it ships. */
  worksFrom: number
  /** Concurrent index builds cannot run in a transaction. */
  inTransaction: boolean
}

const ourFolder = packagePath('migrations/')

let known: Promise<Migration[]> | undefined

/** The migrations of this program, read once at start: its files may be replaced while it runs. */
export function ourMigrations(): Promise<Migration[]> {
  known ??= readMigrations()
  return known
}

/** In numeric order. A migration is a file, or a folder of files that belong together. */
export async function readMigrations(folder: URL = ourFolder): Promise<Migration[]> {
  const names = (await readdir(folder)).filter(name => /^\d{4}_/.test(name)).sort()
  const migrations = await Promise.all(
    names.map(async name => describe(name, (await readFiles(folder, name)).replaceAll('\r\n', '\n'))),
  )
  const duplicate = migrations.find((one, index) => one.number === migrations[index - 1]?.number)
  if (duplicate)
    throw new Error(`Two migrations have the number ${duplicate.number}. Give ${duplicate.name} another.`)
  return migrations
}

function describe(name: string, text: string): Migration {
  const number = Number(name.slice(0, 4))
  const worksFrom = Number(text.match(/^-- works from (\d+)\b/m)?.[1])
  if (!(worksFrom >= 1 && worksFrom <= number))
    throw new Error(`${name} must say which programs still work beside it: "-- works from <number>".`)
  return {
    number,
    name,
    text,
    checksum: createHash('sha256').update(text).digest('hex'),
    worksFrom,
    inTransaction: !/^-- without a transaction\b/m.test(text),
  }
}

async function readFiles(folder: URL, name: string): Promise<string> {
  if (name.endsWith('.sql')) return readFile(new URL(name, folder), 'utf8')
  const parts = (await readdir(new URL(`${name}/`, folder))).filter(part => part.endsWith('.sql')).sort()
  return (await Promise.all(parts.map(part => readFiles(folder, `${name}/${part}`)))).join('\n')
}
