// Every setting of the service, read once from the environment. docs/settings.md is checked against this list.

import { languages } from './languages.ts'
import { textOf, unknownSettings } from './lib/setting-sources.ts'
import { StartError } from './lib/start-error.ts'
import {
  apiKey,
  atLeast,
  collector,
  crmName,
  flag,
  hostName,
  integer,
  issuer,
  language,
  oneOf,
  postgresAddress,
  proxies,
  sender,
  share,
  smtpAddress,
  text,
  timeZone,
  webAddress,
} from './rules/setting-values.ts'

type Setting<T> = {
  env: string
  fallback: string | null
  secret?: boolean
  help: string
  /** Turns the text into the value, or throws a sentence that says what is valid. */
  parse: (text: string) => T
}

const optional = <T>(parse: (text: string) => T) => parse as (text: string) => T | null

export const settings = {
  port: setting('PORT', '8080', integer(0, 65535), 'Port to listen on; 0 picks a free one.'),
  host: setting(
    'HOST',
    '127.0.0.1',
    text,
    'Address to listen on. `0.0.0.0` accepts connections from other machines.',
  ),
  workerPort: setting(
    'WORKER_PORT',
    null,
    optional(integer(0, 65535)),
    'Port on which `holdfast worker` serves `/healthz`, `/readyz` and `/metrics`. Leave empty for none.',
  ),
  baseUrl: setting(
    'BASE_URL',
    null,
    optional(webAddress),
    'Public address of the service, used in links. Default: `http://localhost:<PORT>`. With a `www.` host, requests for the bare host are redirected to it.',
  ),
  databaseUrl: secret(
    'DATABASE_URL',
    optional(postgresAddress),
    'PostgreSQL 15 or newer, for example `postgres://user:password@host/holdfast`. If empty, the service runs its own PostgreSQL in `DATA_DIR`.',
  ),
  databasePool: setting(
    'DATABASE_POOL',
    '10',
    integer(2, 200),
    'Most database connections of a process for requests. They are closed when unused. Jobs use up to 5 more and readiness 1.',
  ),
  connectSeconds: setting(
    'DATABASE_CONNECT_SECONDS',
    '5',
    integer(1, 600),
    'How long a request waits for a database connection before it returns 503; three times as long while other requests get one.',
  ),
  statementSeconds: setting(
    'DATABASE_STATEMENT_SECONDS',
    '15',
    integer(1, 3600),
    'Time limit for one database statement. If the network stops responding, the connection is closed 2 seconds later.',
  ),
  lockSeconds: setting(
    'DATABASE_LOCK_SECONDS',
    '5',
    integer(1, 600),
    'How long a statement waits for a lock, such as the lock of a Resource.',
  ),
  idleSeconds: setting(
    'DATABASE_IDLE_SECONDS',
    '15',
    integer(1, 3600),
    'When the database ends an idle transaction. This releases its locks, even if the machine that holds them is gone.',
  ),
  databaseWaitSeconds: setting(
    'DATABASE_WAIT_SECONDS',
    '30',
    integer(0, 3600),
    'How long to wait at startup for a database that cannot be reached yet.',
  ),
  dataDir: setting(
    'DATA_DIR',
    './data',
    text,
    'Folder for the embedded PostgreSQL and the generated secret.',
  ),
  secretKey: secret(
    'SECRET_KEY',
    optional(atLeast(32)),
    'Signs links and sessions; at least 32 characters. Generated in `DATA_DIR` for the embedded database, required with `DATABASE_URL`.',
  ),
  secretKeyPrevious: secret(
    'SECRET_KEY_PREVIOUS',
    optional(atLeast(32)),
    'A second key during a rotation: what is signed or encrypted with it is accepted, new links and secrets use `SECRET_KEY`. See [operations.md](operations.md#replacing-the-secret_key).',
  ),
  smtpUrl: secret(
    'SMTP_URL',
    optional(smtpAddress),
    'Mail server, for example `smtp://user:password@mail.example.org:587`. If empty, emails are kept and can be read in the console, which shows invitation links to copy; booking pages say so, and visitors cannot join the waiting list.',
  ),
  smtpConnections: setting(
    'SMTP_CONNECTIONS',
    '4',
    integer(1, 100),
    'How many emails are handed to the mail server at the same time. Raise it if the mail server is slow but takes many at once.',
  ),
  mailFrom: setting(
    'MAIL_FROM',
    'Holdfast <no-reply@localhost>',
    sender,
    'Sender of all emails. Emails about bookings show the name of the Provider with this address; replies go to the Provider’s contact.',
  ),
  dkimDomain: setting(
    'DKIM_DOMAIN',
    null,
    optional(hostName),
    'Signs emails for this domain (DKIM), with `DKIM_SELECTOR` and `DKIM_KEY_FILE`. If empty, emails are not signed here; the mail server may sign them.',
  ),
  dkimSelector: setting(
    'DKIM_SELECTOR',
    null,
    optional(hostName),
    'Name under which the public key is published: `<selector>._domainkey.<domain>`.',
  ),
  dkimKeyFile: setting('DKIM_KEY_FILE', null, optional(text), 'File with the private key in PEM format.'),
  timeZone: setting('DEFAULT_TIME_ZONE', 'Europe/Berlin', timeZone, 'Time zone of new Providers.'),
  language: setting('DEFAULT_LANGUAGE', 'de', language, `Default language: ${languages.join(', ')}.`),
  holdSeconds: setting(
    'HOLD_SECONDS',
    '180',
    integer(5, 86400),
    'How long a reserved slot is held for the consumer.',
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    null,
    optional(proxies),
    'Trusted proxies: a number of hops, addresses such as `10.0.0.0/8`, or `true` to trust any. If empty, forwarding headers are ignored.',
  ),
  rateLimitPublic: setting(
    'RATE_LIMIT_PUBLIC',
    '60',
    integer(0, 1_000_000),
    'Requests per minute and client (IPv4 address, IPv6 /64), counted separately for reserving, completing, identifying and logging in; 0 disables all limits for anonymous clients. Connections from this machine that no proxy forwarded are exempt.',
  ),
  rateLimitResource: setting(
    'RATE_LIMIT_RESOURCE',
    '600',
    integer(0, 1_000_000),
    'Holds per minute at one Resource for all clients together, and as many bookings; 0 for no limit.',
  ),
  rateLimitMail: setting(
    'RATE_LIMIT_MAIL',
    '20',
    integer(0, 1_000_000),
    'Bookings per hour that send email to one address, from any client; `ann+tag@` counts as `ann@`. 0 for no limit.',
  ),
  holdsPerClient: setting(
    'HOLDS_PER_CLIENT',
    '20',
    integer(1, 1_000_000),
    'Live holds per client. Companies and schools often share one address.',
  ),
  holdsPerResource: setting(
    'HOLDS_PER_RESOURCE',
    '5',
    integer(1, 1_000_000),
    'Live holds per client at one Resource.',
  ),
  requestTimeoutSeconds: setting(
    'REQUEST_TIMEOUT_SECONDS',
    '30',
    integer(1, 3600),
    'Time limit for a request to arrive completely, including its body.',
  ),
  drainSeconds: setting(
    'DRAIN_SECONDS',
    null,
    optional(integer(0, 600)),
    'After the stop signal: how long requests are still accepted while `/readyz` returns 503, so that load balancers notice. Default: 5 with `DATABASE_URL`, otherwise 0.',
  ),
  stopSeconds: setting(
    'STOP_SECONDS',
    '10',
    integer(0, 3600),
    'How long open connections may take to finish after SIGTERM before they are closed.',
  ),
  listCacheMegabytes: setting(
    'LIST_CACHE_MB',
    '64',
    integer(0, 65_536),
    'Memory for cached slot lists, plus an eighth of it for data that speeds up holds. The least recently used lists are evicted first.',
  ),
  listQueue: setting(
    'LIST_QUEUE',
    '500',
    integer(1, 100_000),
    'Slot lists that may wait to be rendered, two at a time and fairly between clients. Beyond it, the client with the most waiting requests gets 503.',
  ),
  listSendingMegabytes: setting(
    'LIST_SENDING_MB',
    '256',
    integer(1, 65_536),
    'Memory for slot lists being sent to slow readers. The client that uses the most waits until it has read one; beyond the limit, its oldest response is cut off.',
  ),
  logLevel: setting(
    'LOG_LEVEL',
    'info',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'Log level: fatal, error, warn, info, debug, trace or silent.',
  ),
  logFormat: setting(
    'LOG_FORMAT',
    null,
    optional(oneOf('json', 'pretty')),
    'Format of the log: `json` or `pretty`. If empty, pretty on a terminal, otherwise JSON. Colours only on a terminal, and not with `NO_COLOR`.',
  ),
  demo: setting(
    'DEMO',
    null,
    optional(flag),
    'Demo data on the first start of an embedded database: `1` always, `0` never. If empty, only while `HOST` is loopback.',
  ),
  metricsToken: secret(
    'METRICS_TOKEN',
    optional(atLeast(20)),
    'Bearer token for `/metrics`; at least 20 characters. If empty, `/metrics` is available on this machine only.',
  ),
  otlpEndpoint: setting(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    null,
    optional(collector),
    'Address of an OpenTelemetry collector (OTLP over HTTP), such as `http://localhost:4318`. Other `OTEL_*` settings are in [operations.md](operations.md). If empty, tracing is off and not loaded.',
  ),
  traceShare: setting(
    'OTEL_TRACES_SAMPLER_ARG',
    '1',
    share,
    'Share of requests to trace, from 0 to 1. Requests with a `traceparent` follow its decision.',
  ),
  eventDays: setting('EVENT_DAYS', '90', integer(1, 3650), 'How many days events can be read and replayed.'),
  retentionMailDays: setting(
    'RETENTION_MAIL_DAYS',
    null,
    optional(integer(7, 36_500)),
    'Days after which the daily job deletes the content and recipients of emails; that they were sent is kept. If empty, never.',
  ),
  retentionCustomerMonths: setting(
    'RETENTION_CUSTOMER_MONTHS',
    null,
    optional(integer(1, 1200)),
    'Months without an Appointment after which the daily job erases Customers who booked online, as Delete Customer does. Customers added or accepted by the CRM or in the console are kept. If empty, never.',
  ),
  retentionDeliveryDays: setting(
    'RETENTION_DELIVERY_DAYS',
    '30',
    integer(1, 3650),
    'How many days webhook deliveries are shown.',
  ),
  webhookAllowPrivate: setting(
    'WEBHOOK_ALLOW_PRIVATE',
    '0',
    flag,
    '`1` lets webhooks and external calendars use private and loopback addresses, and plain http. For tests, and where all CRMs may reach the network of the service.',
  ),
  mcp: setting(
    'MCP',
    'off',
    oneOf('off', 'public', 'keys'),
    'Lets agents book over `/mcp` (Model Context Protocol): `public` for everyone, `keys` only with an API key of scope `agent`, `off` for none. See [agents.md](agents.md).',
  ),
  sandbox: setting(
    'SANDBOX',
    '0',
    flag,
    '`1` for integration tests on a throw-away database: the clock can be moved, emails can be read and failures requested under `/sandbox`. Only on a database that was created with it; see [sandbox.md](sandbox.md).',
  ),
  oidcIssuer: setting(
    'OIDC_ISSUER',
    null,
    optional(issuer),
    'Log in to the console with an OpenID Connect provider, such as `https://login.example.org`, with `OIDC_CLIENT_ID` and `OIDC_CLIENT_SECRET`. People are matched by their verified email. Register `<BASE_URL>/console/login/oidc/callback` there.',
  ),
  oidcClientId: setting('OIDC_CLIENT_ID', null, optional(text), 'Client id of this service at the provider.'),
  oidcClientSecret: secret(
    'OIDC_CLIENT_SECRET',
    optional(text),
    'Client secret of this service at the provider.',
  ),
  bootstrapCrm: setting(
    'BOOTSTRAP_CRM',
    null,
    optional(crmName),
    'Creates this CRM at startup if it does not exist.',
  ),
  bootstrapApiKey: secret(
    'BOOTSTRAP_API_KEY',
    optional(apiKey),
    'Creates this API key of `BOOTSTRAP_CRM` at startup if it does not exist. Format: `hf_<prefix>_<secret>`.',
  ),
  bootstrapConsoleToken: secret(
    'BOOTSTRAP_CONSOLE_TOKEN',
    optional(atLeast(20)),
    'Operator bearer token for the console API; at least 20 characters.',
  ),
}

type Settings = typeof settings
export type Config = { [K in keyof Settings]: ReturnType<Settings[K]['parse']> }

/** Throws one StartError that lists every invalid setting. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const problems: string[] = []
  const read = Object.entries(settings).map(([name, one]) => {
    try {
      return [name, readSetting(one, env)]
    } catch (error) {
      problems.push((error as Error).message)
      return [name, undefined]
    }
  })
  const config = Object.fromEntries(read) as Config
  problems.push(...contradictions(config))
  if (problems.length > 0) throw new StartError(problems.join('\n'))
  return config
}

/** Names in the environment that look like settings but are not. */
export const misspelledSettings = (env: Record<string, string | undefined>): string[] =>
  unknownSettings(env, Object.values(settings))

/** A value that was invalid by itself is undefined here and has already been reported. */
function contradictions(config: Config): string[] {
  const { secretKey, bootstrapCrm } = config
  const oidc = [config.oidcIssuer, config.oidcClientId, config.oidcClientSecret]
  const dkim = [config.dkimDomain, config.dkimSelector, config.dkimKeyFile]
  const isHalf = (group: unknown[]) => group.includes(null) && group.some(Boolean)
  const found: [boolean, string][] = [
    [
      Boolean(config.databaseUrl) && secretKey === null,
      'SECRET_KEY is not set. With DATABASE_URL, all instances must share one: set it to at least 32 random characters, for example from `openssl rand -hex 32`.',
    ],
    [
      Boolean(config.secretKeyPrevious) && secretKey === null,
      'SECRET_KEY_PREVIOUS requires SECRET_KEY: set the new key that signs from now on.',
    ],
    [
      Boolean(config.bootstrapApiKey) && bootstrapCrm === null,
      'BOOTSTRAP_API_KEY requires BOOTSTRAP_CRM: set the name of the CRM that the key belongs to.',
    ],
    [
      config.sandbox && Boolean(config.smtpUrl || config.otlpEndpoint || config.oidcIssuer),
      'SANDBOX keeps everything on this machine: unset SMTP_URL, OTEL_EXPORTER_OTLP_ENDPOINT and OIDC_ISSUER.',
    ],
    [isHalf(oidc), 'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET belong together: set all or none.'],
    [isHalf(dkim), 'DKIM_DOMAIN, DKIM_SELECTOR and DKIM_KEY_FILE belong together: set all or none.'],
  ]
  return found.flatMap(([isSo, message]) => (isSo ? [message] : []))
}

function readSetting(one: Setting<unknown>, env: Record<string, string | undefined>) {
  const value = textOf(one, env) ?? one.fallback
  if (value === null) return null
  try {
    return one.parse(value)
  } catch (error) {
    const shown = one.secret ? 'its value' : `"${withoutCredentials(value)}"`
    throw new Error(`${one.env} is invalid: ${shown} ${(error as Error).message}`)
  }
}

/** The effective settings with secrets masked, as `holdfast config` prints them. */
export function describeConfig(config: Config) {
  return Object.entries(settings).map(([name, one]) => {
    const value = config[name as keyof Config]
    const shown =
      one.secret && value !== null ? '********' : withoutCredentials(value === null ? '' : String(value))
    return { env: one.env, value: shown, help: one.help }
  })
}

/** Addresses can contain a user name and password (https://user:password@host), or a secret in the query. */
const withoutCredentials = (text: string) =>
  text
    .replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/?#]*@/gi, '$1********@')
    .replace(/([?&][^=&\s#]*(?:passw|secret|token|key)[^=&\s#]*=)[^&\s#]*/gi, '$1********')

function setting<T>(
  env: string,
  fallback: string | null,
  parse: (text: string) => T,
  help: string,
): Setting<T> {
  return { env, fallback, parse, help }
}

function secret<T>(env: string, parse: (text: string) => T, help: string): Setting<T> {
  return { env, fallback: null, parse, help, secret: true }
}
