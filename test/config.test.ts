import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { describeConfig, misspelledSettings, readConfig, settings } from '../src/config.ts'
import { makeServer } from '../src/http/wire/server/server.ts'
import { StartError } from '../src/lib/start-error.ts'
import { unconnectedService } from './support/unconnected-service.ts'

const key = `hf_demo_${'0123456789abcdef'.repeat(2)}`
const secretKey = 's'.repeat(32)

describe('without settings', () => {
  it('every setting has its default', () => {
    expect(readConfig({})).toEqual({
      port: 8080,
      host: '127.0.0.1',
      workerPort: null,
      baseUrl: null,
      databaseUrl: null,
      databasePool: 10,
      connectSeconds: 5,
      statementSeconds: 15,
      lockSeconds: 5,
      idleSeconds: 15,
      databaseWaitSeconds: 30,
      dataDir: './data',
      secretKey: null,
      secretKeyPrevious: null,
      smtpUrl: null,
      smtpConnections: 4,
      mailFrom: 'Holdfast <no-reply@localhost>',
      dkimDomain: null,
      dkimSelector: null,
      dkimKeyFile: null,
      timeZone: 'Europe/Berlin',
      language: 'de',
      holdSeconds: 180,
      trustProxy: null,
      rateLimitPublic: 60,
      rateLimitResource: 600,
      rateLimitMail: 20,
      holdsPerClient: 20,
      holdsPerResource: 5,
      requestTimeoutSeconds: 30,
      drainSeconds: null,
      stopSeconds: 10,
      listCacheMegabytes: 64,
      eventDays: 90,
      retentionMailDays: null,
      retentionCustomerMonths: null,
      retentionDeliveryDays: 30,
      webhookAllowPrivate: false,
      mcp: 'off',
      sandbox: false,
      listQueue: 500,
      listSendingMegabytes: 256,
      logLevel: 'info',
      logFormat: null,
      demo: null,
      metricsToken: null,
      otlpEndpoint: null,
      traceShare: 1,
      oidcIssuer: null,
      oidcClientId: null,
      oidcClientSecret: null,
      bootstrapCrm: null,
      bootstrapApiKey: null,
      bootstrapConsoleToken: null,
    })
  })

  it('an empty setting counts as not set', () => {
    const empty = Object.fromEntries(Object.values(settings).map(({ env }) => [env, ' ']))
    expect(readConfig(empty)).toEqual(readConfig({}))
  })

  it('other environment variables are ignored', () => {
    expect(readConfig({ HOME: '/root', port: '1', PORTS: 'x' })).toEqual(readConfig({}))
  })
})

describe('a setting', () => {
  it.each([
    ['PORT', '0', { port: 0 }],
    ['PORT', ' 65535 ', { port: 65535 }],
    ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
    ['BASE_URL', 'https://www.example.org', { baseUrl: 'https://www.example.org' }],
    ['BASE_URL', 'https://www.example.org/', { baseUrl: 'https://www.example.org' }],
    ['BASE_URL', 'http://localhost:8080', { baseUrl: 'http://localhost:8080' }],
    ['DATABASE_LOCK_SECONDS', '1', { lockSeconds: 1 }],
    ['DATA_DIR', '/var/lib/holdfast', { dataDir: '/var/lib/holdfast' }],
    ['SECRET_KEY', secretKey, { secretKey }],
    ['SMTP_URL', 'smtps://a:b@mail.example.org', { smtpUrl: 'smtps://a:b@mail.example.org' }],
    ['MAIL_FROM', 'Ann <ann@example.org>', { mailFrom: 'Ann <ann@example.org>' }],
    ['DEFAULT_TIME_ZONE', 'America/New_York', { timeZone: 'America/New_York' }],
    ['DEFAULT_LANGUAGE', 'it', { language: 'it' }],
    ['HOLD_SECONDS', '5', { holdSeconds: 5 }],
    ['TRUST_PROXY', '10.0.0.0/8', { trustProxy: '10.0.0.0/8' }],
    ['RATE_LIMIT_PUBLIC', '0', { rateLimitPublic: 0 }],
    ['LIST_CACHE_MB', '0', { listCacheMegabytes: 0 }],
    ['EVENT_DAYS', '365', { eventDays: 365 }],
    ['WEBHOOK_ALLOW_PRIVATE', '1', { webhookAllowPrivate: true }],
    ['MCP', 'keys', { mcp: 'keys' }],
    ['SANDBOX', '1', { sandbox: true }],
    ['LOG_LEVEL', 'silent', { logLevel: 'silent' }],
    ['LOG_FORMAT', 'pretty', { logFormat: 'pretty' }],
    ['DEMO', '0', { demo: false }],
    ['DEMO', 'true', { demo: true }],
    ['BOOTSTRAP_CRM', 'crm', { bootstrapCrm: 'crm' }],
    ['BOOTSTRAP_CONSOLE_TOKEN', 't'.repeat(20), { bootstrapConsoleToken: 't'.repeat(20) }],
  ])('%s=%s is accepted', (env, value, expected) => {
    expect(readConfig({ [env]: value })).toEqual({ ...readConfig({}), ...expected })
  })

  it('DATABASE_URL accepts any address that the driver accepts', () => {
    for (const url of ['postgres://a:b@c/d', 'postgresql://c/d', 'postgres://a@/d?host=/run/postgresql'])
      expect(readConfig({ DATABASE_URL: url, SECRET_KEY: secretKey }).databaseUrl).toBe(url)
  })

  it('BOOTSTRAP_API_KEY requires BOOTSTRAP_CRM', () => {
    const config = readConfig({ BOOTSTRAP_CRM: 'crm', BOOTSTRAP_API_KEY: key })
    expect(config).toMatchObject({ bootstrapCrm: 'crm', bootstrapApiKey: key })
  })
})

describe('an invalid setting prevents the start with a sentence that names it:', () => {
  const wrong: [string, string][] = [
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', '0x50'],
    ['PORT', 'http'],
    ['WORKER_PORT', 'some'],
    ['DATABASE_POOL', '1'],
    ['DATABASE_CONNECT_SECONDS', '0'],
    ['SMTP_CONNECTIONS', '0'],
    ['DATABASE_STATEMENT_SECONDS', '0'],
    ['DATABASE_LOCK_SECONDS', '601'],
    ['DATABASE_IDLE_SECONDS', 'soon'],
    ['DATABASE_WAIT_SECONDS', '-1'],
    ['BASE_URL', 'www.example.org'],
    ['BASE_URL', 'ftp://example.org'],
    ['BASE_URL', 'https://example.org/booking'],
    ['BASE_URL', 'https://example.org/?a=b'],
    ['DATABASE_URL', 'mysql://host/db'],
    ['DATABASE_URL', 'localhost:5432'],
    ['SECRET_KEY', 's'.repeat(31)],
    ['SECRET_KEY_PREVIOUS', 's'.repeat(31)],
    ['SMTP_URL', 'mail.example.org'],
    ['SMTP_URL', 'http://mail.example.org'],
    ['SMTP_URL', 'smtp://'],
    ['DEFAULT_TIME_ZONE', 'Mars/Olympus'],
    ['DEFAULT_LANGUAGE', 'nl'],
    ['DEFAULT_LANGUAGE', 'DE'],
    ['HOLD_SECONDS', '4'],
    ['HOLD_SECONDS', '86401'],
    ['HOLD_SECONDS', '3 minutes'],
    ['RATE_LIMIT_PUBLIC', '-1'],
    ['RATE_LIMIT_PUBLIC', 'off'],
    ['RATE_LIMIT_RESOURCE', 'many'],
    ['RATE_LIMIT_MAIL', '-1'],
    ['HOLDS_PER_CLIENT', '0'],
    ['HOLDS_PER_RESOURCE', '0'],
    ['REQUEST_TIMEOUT_SECONDS', '0'],
    ['DRAIN_SECONDS', '-1'],
    ['STOP_SECONDS', 'soon'],
    ['LIST_QUEUE', '0'],
    ['LIST_SENDING_MB', '0'],
    ['METRICS_TOKEN', 't'.repeat(19)],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.1'],
    ['MAIL_FROM', 'Holdfast'],
    ['MAIL_FROM', 'Holdfast <holdfast>'],
    ['MAIL_FROM', 'a@b, c@d'],
    ['DKIM_DOMAIN', 'exa mple.org'],
    ['OIDC_ISSUER', 'login.example.org'],
    ['DKIM_SELECTOR', '-'],
    ['TRUST_PROXY', 'nonsense'],
    ['BOOTSTRAP_CRM', 'a/b'],
    ['BOOTSTRAP_CRM', '..'],
    ['BOOTSTRAP_CRM', 'two words'],
    ['LIST_CACHE_MB', '65537'],
    ['EVENT_DAYS', '0'],
    ['RETENTION_MAIL_DAYS', '6'],
    ['RETENTION_CUSTOMER_MONTHS', '0'],
    ['RETENTION_DELIVERY_DAYS', '0'],
    ['WEBHOOK_ALLOW_PRIVATE', 'perhaps'],
    ['MCP', 'on'],
    ['SANDBOX', 'maybe'],
    ['LIST_CACHE_MB', '64M'],
    ['LOG_LEVEL', 'verbose'],
    ['LOG_FORMAT', 'text'],
    ['DEMO', 'maybe'],
    ['BOOTSTRAP_API_KEY', 'secret'],
    ['BOOTSTRAP_API_KEY', `hf_abc_${'0'.repeat(24)}`],
    ['BOOTSTRAP_API_KEY', `hf_abcd_${'0'.repeat(23)}`],
    ['BOOTSTRAP_API_KEY', `hf_ABCD_${'0'.repeat(24)}`],
    ['BOOTSTRAP_API_KEY', `hf_${'a'.repeat(17)}_${'0'.repeat(24)}`],
    ['BOOTSTRAP_CONSOLE_TOKEN', 't'.repeat(19)],
  ]

  it.each(wrong)('%s=%s', (env, value) => {
    const others: Record<string, string> = { SECRET_KEY: secretKey, BOOTSTRAP_CRM: 'crm' }
    const error = errorOf(() => readConfig({ ...others, [env]: value }))
    expect(error).toBeInstanceOf(StartError)
    expect(error.message).toMatch(new RegExp(`^${env} is invalid: .*(must|is).*\\.$`))
    expect(error.message).not.toContain('\n')
  })

  it('this list covers every setting that can be invalid', () => {
    const takesAnything = ['HOST', 'DATA_DIR', 'DKIM_KEY_FILE', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET']
    const tested = new Set([...wrong.map(([env]) => env), ...takesAnything])
    expect([...tested].sort()).toEqual(
      Object.values(settings)
        .map(({ env }) => env)
        .sort(),
    )
  })

  it('secrets are not repeated', () => {
    for (const env of [
      'DATABASE_URL',
      'SECRET_KEY',
      'SECRET_KEY_PREVIOUS',
      'METRICS_TOKEN',
      'SMTP_URL',
      'BOOTSTRAP_API_KEY',
      'BOOTSTRAP_CONSOLE_TOKEN',
    ])
      expect(errorOf(() => readConfig({ [env]: 'very-secret' })).message).not.toContain('very-secret')
  })

  it('SECRET_KEY is missing with DATABASE_URL', () => {
    const error = errorOf(() => readConfig({ DATABASE_URL: 'postgres://host/db' }))
    expect(error).toBeInstanceOf(StartError)
    expect(error.message).toMatch(/^SECRET_KEY is not set\./)
  })

  it('DKIM is set only in part', () => {
    const error = errorOf(() => readConfig({ DKIM_DOMAIN: 'example.org', DKIM_SELECTOR: 'mail' }))
    expect(error).toBeInstanceOf(StartError)
    expect(error.message).toMatch(/DKIM_KEY_FILE belong together/)
  })

  it('SECRET_KEY_PREVIOUS without SECRET_KEY', () => {
    const error = errorOf(() => readConfig({ SECRET_KEY_PREVIOUS: secretKey }))
    expect(error).toBeInstanceOf(StartError)
    expect(error.message).toMatch(/^SECRET_KEY_PREVIOUS requires SECRET_KEY/)
  })

  it('BOOTSTRAP_API_KEY without BOOTSTRAP_CRM', () => {
    const error = errorOf(() => readConfig({ BOOTSTRAP_API_KEY: key }))
    expect(error).toBeInstanceOf(StartError)
    expect(error.message).toMatch(/^BOOTSTRAP_API_KEY requires BOOTSTRAP_CRM/)
  })
})

describe('settings', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-settings-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }

  it('reads every secret from a file', () => {
    for (const { env } of Object.values(settings).filter(one => one.secret)) {
      const value = { DATABASE_URL: 'postgres://host/db', SMTP_URL: 'smtp://host', BOOTSTRAP_API_KEY: key }[
        env
      ]
      const others = { SECRET_KEY: secretKey, BOOTSTRAP_CRM: 'crm', OIDC_ISSUER: 'https://login.example.org' }
      const text = value ?? 'x'.repeat(40)
      const given: Record<string, string> = { ...others, OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' }
      delete given[env]
      const config = readConfig({ ...given, [`${env}_FILE`]: file(env, `${text}\n`) })
      expect(config, env).toEqual(readConfig({ ...given, [env]: text }))
    }
  })

  it('refuses a file that is missing, empty or given beside the value', () => {
    const refusalOf = (env: Record<string, string>) => errorOf(() => readConfig(env)).message
    expect(refusalOf({ SMTP_URL_FILE: join(folder, 'none') })).toMatch(/^SMTP_URL_FILE is invalid: ENOENT/)
    expect(refusalOf({ SMTP_URL_FILE: file('empty', '\n') })).toMatch(
      /^SMTP_URL_FILE is invalid: .* is empty\.$/,
    )
    expect(refusalOf({ SMTP_URL: 'smtp://a', SMTP_URL_FILE: file('smtp', 'smtp://b') })).toBe(
      'SMTP_URL and SMTP_URL_FILE are both set: keep one of them.',
    )
  })

  it('reports all invalid settings at once', () => {
    const { message } = errorOf(() =>
      readConfig({ PORT: 'x', HOLD_SECONDS: '1', DKIM_DOMAIN: 'example.org' }),
    )
    expect(message.split('\n').map(line => line.split(' ')[0])).toEqual([
      'PORT',
      'HOLD_SECONDS',
      'DKIM_DOMAIN,',
    ])
  })

  it('reports names that look like settings but are not, and ignores the rest', () => {
    const strange = {
      SMPT_URL: 'a',
      HOLDFAST_PORT: '1',
      HOLDFAST_COLOUR: 'b',
      PORT_FILE: 'c',
      SECRET_KEYS: 'd',
    }
    expect(misspelledSettings({ ...strange, HOME: '/root', PATH: '/bin', POSTGRES_PASSWORD: 'x' })).toEqual([
      'SMPT_URL is not a setting. Did you mean SMTP_URL?',
      'HOLDFAST_PORT is not a setting. Did you mean PORT?',
      'HOLDFAST_COLOUR is not a setting. See holdfast config.',
      'PORT_FILE is not a setting: PORT cannot come from a file.',
      'SECRET_KEYS is not a setting. Did you mean SECRET_KEY?',
    ])
    const all = Object.fromEntries(Object.values(settings).map(({ env }) => [env, 'x']))
    expect(misspelledSettings({ ...all, SECRET_KEY_FILE: 'x' })).toEqual([])
  })
})

describe('TRUST_PROXY', () => {
  const serverWith = (TRUST_PROXY: string) =>
    makeServer(unconnectedService({ TRUST_PROXY, LOG_LEVEL: 'silent' }))

  /** The client address that the service sees behind two proxies. */
  async function clientSeenWith(setting: string) {
    const app = serverWith(setting).get(
      '/ip',
      { config: { access: { kind: 'public' } } },
      async ({ ip }) => ip,
    )
    const headers = { 'x-forwarded-for': '192.0.2.1, 10.0.0.2' }
    return (await app.inject({ url: '/ip', headers, remoteAddress: '10.0.0.1' })).body
  }

  it.each([
    ['', '10.0.0.1'],
    ['false', '10.0.0.1'],
    ['0', '10.0.0.1'],
    ['1', '10.0.0.2'],
    ['2', '192.0.2.1'],
    ['true', '192.0.2.1'],
    ['10.0.0.0/8', '192.0.2.1'],
    ['10.0.0.1', '10.0.0.2'],
    ['10.0.0.1, 10.0.0.2', '192.0.2.1'],
    ['loopback, uniquelocal', '192.0.2.1'],
    ['2001:db8::/32', '10.0.0.1'],
  ])('%j identifies the client as %s', async (setting, client) => {
    expect(await clientSeenWith(setting)).toBe(client)
  })

  it.each([
    'nonsense',
    'yes',
    '-1',
    '10.0.0.0/33',
    '10.0.0.0/0',
    '10.0.0',
    '10.0.0.1; 10.0.0.2',
    '10.0.0.1,',
  ])('%j prevents the start with a sentence', setting => {
    const error = errorOf(() => serverWith(setting))
    expect(error).toBeInstanceOf(StartError)
    expect(error.message).toMatch(/^TRUST_PROXY is invalid: /)
  })
})

describe('holdfast config', () => {
  it('shows every setting, with secrets masked', () => {
    const shown = describeConfig(
      readConfig({
        PORT: '9000',
        DATABASE_URL: 'postgres://user:very-secret@host/db',
        SECRET_KEY: 'very-secret'.repeat(3),
        SMTP_URL: 'smtp://user:very-secret@host',
        BOOTSTRAP_CRM: 'crm',
        BOOTSTRAP_API_KEY: `hf_demo_${'very-secret'.repeat(3)}`,
        BOOTSTRAP_CONSOLE_TOKEN: 'very-secret'.repeat(2),
      }),
    )
    expect(shown.map(({ env }) => env)).toEqual(Object.values(settings).map(({ env }) => env))
    const values = Object.fromEntries(shown.map(({ env, value }) => [env, value]))
    expect(values).toMatchObject({
      PORT: '9000',
      HOST: '127.0.0.1',
      BASE_URL: '',
      DATABASE_URL: '********',
      SECRET_KEY: '********',
      SMTP_URL: '********',
      BOOTSTRAP_CRM: 'crm',
      BOOTSTRAP_API_KEY: '********',
      BOOTSTRAP_CONSOLE_TOKEN: '********',
    })
    expect(JSON.stringify(shown)).not.toContain('very-secret')
  })

  it('masks credentials inside addresses', () => {
    const issuer = 'https://client:very-secret@login.example.org/?api_key=very-secret&realm=a'
    const shown = describeConfig(
      readConfig({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' }),
    )
    const { value } = shown.find(({ env }) => env === 'OIDC_ISSUER')!
    expect(value).toContain('login.example.org')
    expect(value).not.toContain('very-secret')
  })

  it('shows an unset secret as empty', () => {
    expect(describeConfig(readConfig({})).find(({ env }) => env === 'SMTP_URL')!.value).toBe('')
  })
})

describe('docs/settings.md', () => {
  it('has one row for each setting, with the text of src/config.ts', () => {
    const text = readFileSync(new URL('../docs/settings.md', import.meta.url), 'utf8')
    const rows = text.split('\n').filter(line => line.startsWith('| `'))
    const expected = Object.values(settings).map(
      ({ env, fallback, help }) => `| \`${env}\` | ${fallback === null ? '' : `\`${fallback}\``} | ${help} |`,
    )
    expect(rows).toEqual(expected)
  })
})

function errorOf(work: () => unknown): Error {
  try {
    work()
  } catch (error) {
    return error as Error
  }
  throw new Error('It was accepted.')
}
