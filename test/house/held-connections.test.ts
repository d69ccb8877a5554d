import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compress } from '../../src/lib/compression.ts'
import { askHolidays } from '../../src/lib/holidays.ts'
import { hashPassword } from '../../src/lib/password.ts'
import { openTransport } from '../../src/messages/email/transport.ts'
import { useService } from '../support/service.ts'

// No database connection may be held while anything outside the database is waited for. Every file that does so is listed here
// and calls assertNoConnectionHeld(), which throws in tests where the caller holds a connection. All tests of the service run with it.

const waits: Record<string, RegExp> = {
  HTTP: /\bhttps?\)?\.request\(|\bfetch\(|'openid-client'|exporter-trace-otlp/,
  SMTP: /'nodemailer'/,
  DNS: /from 'node:dns/,
  hashing: /import \{[^}]*\b(scrypt|scryptSync|pbkdf2|argon2)\b[^}]*\} from 'node:crypto'/,
  compression: /^import \{[^}]*\} from 'node:zlib'/m,
  thread: /new Worker\(/,
  program: /from 'node:child_process'/,
}

/** They check it themselves. */
const guarded: Record<string, string[]> = {
  'src/actions/console/oidc.ts': ['HTTP'],
  'src/calendars/read-in-thread.ts': ['thread'],
  'src/calendars/request.ts': ['HTTP', 'compression'],
  'src/lib/compression.ts': ['compression'],
  'src/lib/holidays.ts': ['thread'],
  'src/lib/password-threads.ts': ['thread'],
  'src/messages/email/transport.ts': ['SMTP'],
  'src/webhooks/send.ts': ['HTTP'],
}

/** They cannot be reached with a connection of the service's pool in hand; each with the reason. */
const unreachable: Record<string, [string[], string]> = {
  'src/commands/follow-events.ts': [['HTTP'], 'a command that opens no database'],
  'src/lib/password-thread.ts': [['hashing'], 'runs in a thread that knows no database'],
  'src/lib/watch/open-telemetry.ts': [['HTTP'], 'exports spans in the background'],
  'src/pages/docs/client-archive.ts': [['compression'], 'a page without a database'],
  'src/pages/widget-files.ts': [
    ['HTTP', 'compression'],
    'at the start, before any request; its fetch is for browsers',
  ],
  'src/start/backup.ts': [['compression'], 'a command with a pool of its own'],
  'src/webhooks/guard.ts': [['DNS'], 'looks names up for src/webhooks/send.ts only'],
  'src/webhooks/limit-lookups.ts': [['DNS'], 'looks names up for src/webhooks/guard.ts only'],
}

const isOwnProgram = (file: string) => file.startsWith('src/torture/') || file.startsWith('src/db/embedded/')

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts'))
  .map(name => posix.join('src', name))
  .filter(file => !isOwnProgram(file))
const textOf = (file: string) => readFileSync(file, 'utf8')

describe('waiting for systems outside the database', () => {
  it('happens only in the listed files', () => {
    const found = files.flatMap(file => {
      const kinds = Object.keys(waits).filter(kind => waits[kind]!.test(textOf(file)))
      return kinds.length > 0 ? [[file, kinds] as const] : []
    })
    const listed = {
      ...guarded,
      ...Object.fromEntries(Object.entries(unreachable).map(([k, v]) => [k, v[0]])),
    }
    expect(Object.fromEntries(found)).toEqual(listed)
  })

  it('checks first that no connection is held', () => {
    for (const file of Object.keys(guarded)) expect(textOf(file), file).toContain('assertNoConnectionHeld(')
  })
})

describe('while a connection is held', async () => {
  const { service } = await useService({ SMTP_URL: 'smtp://localhost:1' })
  const transport = openTransport('smtp://localhost:1', service.config)
  const letter = { envelope: {} } as Parameters<typeof transport.send>[0]
  const attempts: [string, () => unknown][] = [
    ['a webhook request', () => service.webhookSender.send('https://example.org/', {}, '{}')],
    ['a password hash', () => hashPassword(service, 'ann', 'correct horse')],
    ['compression', () => compress([Buffer.from('text')], 'gzip')],
    ['an email', () => transport.send(letter)],
    ['a look at public holidays', () => askHolidays({ country: 'DE', year: 2027, language: 'de' })],
    ['a second connection', () => service.db.transaction(async () => {})],
  ]

  it.each(attempts)('%s is refused', async (what, attempt) => {
    const held = service.db.transaction(async () => void (await attempt()))
    await expect(held).rejects.toThrow(`${what} must not wait while a database connection is held.`)
  })

  it('the parts of a transaction run normally', async () => {
    expect(await service.db.transaction(async () => 'done')).toBe('done')
  })
})
