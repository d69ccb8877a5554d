import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

// One spelling for each thing: camelCase in the program, snake_case in SQL and in those names of the API that have it.

const snakeCase = /^[a-z][a-z0-9]*(_[a-z0-9]+)+$/

/** The API's own names, in the rooms that speak it. */
const api = readFileSync('clients/ts/src/schema.ts', 'utf8')
const wire = new Set([...api.matchAll(/^\s+"?([a-z]+(?:_[a-z]+)+)"?\??:/gm)].map(([_match, name]) => name!))
const speakers = ['src/http/', 'src/pages/', 'src/torture/']

/** What other programs call their own things, and where we talk to them. */
const foreign: Record<string, string[]> = {
  'src/actions/console/oidc.ts': [
    'access_token',
    'code_challenge',
    'code_challenge_method',
    'email_verified',
    'redirect_uri',
  ],
  'src/db/base/driver/connection.ts': ['application_name', 'query_timeout'],
  'src/db/base/driver/hosts.ts': ['transaction_read_only'],
  'src/db/base/driver/timelines.ts': ['application_name', 'query_timeout'],
  'src/lib/read-csv.ts': ['max_record_size', 'relax_column_count', 'relax_quotes', 'skip_empty_lines'],
  'src/db/embedded/spawn.ts': [
    'autovacuum_naptime',
    'listen_addresses',
    'log_checkpoints',
    'log_error_verbosity',
    'log_min_error_statement',
    'log_min_messages',
    'log_timezone',
    'max_connections',
    'unix_socket_directories',
    'unix_socket_permissions',
    'wal_compression',
  ],
  // A table, as in the exported rows.
  'src/db/backup/import.ts': ['waiting_entry'],
  // Tools and their fields, as agents know them.
  'src/http/mcp/tool-texts.ts': [
    'book_directly',
    'booking_status',
    'explain_unavailable',
    'find_services',
    'find_times',
    'first_name',
    'hold_id',
    'hold_time',
    'last_name',
    'propose_booking',
    'release_hold',
  ],
  'src/http/mcp/mcp.ts': [
    'booking_status',
    'explain_unavailable',
    'find_services',
    'find_times',
    'hold_time',
    'propose_booking',
    'release_hold',
  ],
  'src/http/mcp/hold.ts': ['book_directly', 'first_name', 'held_until', 'hold_id', 'last_name'],
  'src/torture/agents.ts': ['first_name', 'hold_id', 'last_name'],
  'src/start/backup.ts': ['full_page_writes', 'synchronous_commit'],
  'src/start/worker.ts': ['max_attempts'],
}

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts'))
  .map(name => posix.join('src', name))

/** Names of variables and properties, also in types; what stands in texts and in SQL is none. */
function namesIn(file: string): string[] {
  const names: string[] = []
  const visit = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return
    const { type, name } = node as { type?: string; name?: string }
    if (type === 'Identifier' && snakeCase.test(name!)) names.push(name!)
    for (const child of Object.values(node)) visit(child)
  }
  visit(parseSync(file, readFileSync(file, 'utf8')).program)
  return names
}

test('names are camelCase, except API fields and names of other programs', () => {
  const wrong = files.flatMap(file => {
    const speaks = speakers.some(room => file.startsWith(room))
    const known = new Set(foreign[file])
    const names = namesIn(file).filter(name => !known.has(name) && !(speaks && wire.has(name)))
    return [...new Set(names)].map(name => `${file}: ${name}`)
  })
  expect(wrong).toEqual([])
})

test('an imported type has a unique name', () => {
  const named = files.flatMap(file => {
    const text = readFileSync(file, 'utf8')
    return [...text.matchAll(/^export (?:type|interface) (\w+)\b(?! from)/gm)].map(([_match, name]) => ({
      name: name!,
      file,
    }))
  })
  const twins = [...Map.groupBy(named, one => one.name).values()].filter(all => all.length > 1)
  expect(twins.map(all => `${all[0]!.name}: ${all.map(one => one.file).join(', ')}`)).toEqual([])
})
