// Writes clients/ts/src/schema.ts, the types of every call, from our own OpenAPI document.

import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openApiText } from './openapi.ts'

export const schemaFile = new URL('../clients/ts/src/schema.ts', import.meta.url)
const tool = new URL('../clients/tools/node_modules/.bin/openapi-typescript', import.meta.url)

if (import.meta.main) await writeFile(schemaFile, await clientTypes())

export async function clientTypes(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-types-'))
  try {
    const [document, types] = [join(folder, 'openapi.json'), join(folder, 'schema.ts')]
    await writeFile(document, await openApiText())
    // Query parameters with a default are optional.
    const options = ['--default-non-nullable', 'false']
    await promisify(execFile)(fileURLToPath(tool), [document, '-o', types, ...options])
    return await readFile(types, 'utf8')
  } finally {
    await rm(folder, { recursive: true })
  }
}
