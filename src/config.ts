// Every setting of the service, read once from the environment. docs/settings.md is checked against this list.

import { languages } from './languages.ts'
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
  /** Turns the text into the value, or throws a sentence that says what would be right. */
  parse: (text: string) => T
}

const optional = <T>(parse: (text: string) => T) => parse as (text: string) => T | null

export const settings = {
  port: setting('PORT', '8080', integer(0, 65535), 'Port to listen on; 0 takes a free one.'),
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
    'Port at which `holdfast worker` answers `/healthz`, `/readyz` and `/metrics`. Empty: none.',
  ),
  baseUrl: setting(
    'BASE_URL',
    null,
    optional(webAddress),
    'Address at which people reach the service, used in links. Default: `http://localhost:<PORT>`. With a `www.` host, requests for the bare host are redirected to it.',
  ),
  databaseUrl: secret(
    'DATABASE_URL',
    optional(postgresAddress),
    'PostgreSQL 15 or newer, for example `postgres://user:password@host/holdfast`. Empty: the service runs its own PostgreSQL in `DATA_DIR`.',
  ),
  connectSeconds: setting(
    'DATABASE_CONNECT_SECONDS',
    '5',
    integer(1, 600),
    'How long a request waits for a connection to the database, then it is answered 503.',
  ),
  statementSeconds: setting(
    'DATABASE_STATEMENT_SECONDS',
    '15',
    integer(1, 3600),
    'How long the database may work on one statement. A network that has gone silent is given up 2 seconds later.',
  ),
  lockSeconds: setting(
    'DATABASE_LOCK_SECONDS',
    '5',
    integer(1, 600),
    'How long a statement waits for a lock, such as that of a Resource.',
  ),
  idleSeconds: setting(
    'DATABASE_IDLE_SECONDS',
    '15',
    integer(1, 3600),
    'After how long the database ends a transaction in which nothing happens: what it locked is free then, even if the machine that locked it is gone.',
  ),
  databaseWaitSeconds: setting(
    'DATABASE_WAIT_SECONDS',
    '30',
    integer(0, 3600),
    'How long a start waits for a database that is not there yet.',
  ),
  dataDir: setting(
    'DATA_DIR',
    './data',
    text,
    'Folder of the embedded PostgreSQL and of the generated secret.',
  ),
  secretKey: secret(
    'SECRET_KEY',
    optional(atLeast(32)),
    'Signs links and sessions; at least 32 characters. Made and kept in `DATA_DIR` when the database is embedded, required with `DATABASE_URL`.',
  ),
  secretKeyPrevious: secret(
    'SECRET_KEY_PREVIOUS',
    optional(atLeast(32)),
    'The `SECRET_KEY` before this one, while it is being replaced: links that it signed go on working, none is signed with it.',
  ),
  smtpUrl: secret(
    'SMTP_URL',
    optional(smtpAddress),
    'Mail server, for example `smtp://user:password@mail.example.org:587`. Empty: mails are kept and can be read in the console.',
  ),
  mailFrom: setting(
    'MAIL_FROM',
    'Holdfast <no-reply@localhost>',
    sender,
    'Sender of all mails. Mails about bookings bear the name of their Provider before this address; answers to them go to its contact.',
  ),
  dkimDomain: setting(
    'DKIM_DOMAIN',
    null,
    optional(hostName),
    'Signs mails for this domain (DKIM), with `DKIM_SELECTOR` and `DKIM_KEY_FILE`. Empty: the mail server signs, or nobody.',
  ),
  dkimSelector: setting(
    'DKIM_SELECTOR',
    null,
    optional(hostName),
    'Under which name the public key is published: `<selector>._domainkey.<domain>`.',
  ),
  dkimKeyFile: setting('DKIM_KEY_FILE', null, optional(text), 'File with the private key, in PEM form.'),
  timeZone: setting('DEFAULT_TIME_ZONE', 'Europe/Berlin', timeZone, 'Time zone of new Providers.'),
  language: setting(
    'DEFAULT_LANGUAGE',
    'de',
    language,
    `Language where nothing else decides: ${languages.join(', ')}.`,
  ),
  holdSeconds: setting(
    'HOLD_SECONDS',
    '180',
    integer(5, 86400),
    'How long a reserved slot is held for its consumer.',
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    null,
    optional(proxies),
    'Which proxies may say who the client is: a number of hops, addresses such as `10.0.0.0/8`, or `true` for whoever claims to be one. Empty: none.',
  ),
  rateLimitPublic: setting(
    'RATE_LIMIT_PUBLIC',
    '60',
    integer(0, 1_000_000),
    'Requests a minute and client (IPv4 address, IPv6 /64) to reserve, as many to complete, to identify and to log in; 0 switches all limits for strangers off. Connections from this machine that no proxy forwarded are exempt.',
  ),
  rateLimitResource: setting(
    'RATE_LIMIT_RESOURCE',
    '600',
    integer(0, 1_000_000),
    'Holds a minute that all clients together get at one Resource, and as many bookings; 0: no such limit.',
  ),
  rateLimitMail: setting(
    'RATE_LIMIT_MAIL',
    '20',
    integer(0, 1_000_000),
    'Bookings an hour that are mailed to one address, whoever makes them; `ann+tag@` is `ann@`. 0: no such limit.',
  ),
  holdsPerClient: setting(
    'HOLDS_PER_CLIENT',
    '20',
    integer(1, 1_000_000),
    'Live holds that one client may have. Companies and schools sit behind one address.',
  ),
  holdsPerResource: setting(
    'HOLDS_PER_RESOURCE',
    '5',
    integer(1, 1_000_000),
    'How many of these may be at one Resource.',
  ),
  requestTimeoutSeconds: setting(
    'REQUEST_TIMEOUT_SECONDS',
    '30',
    integer(1, 3600),
    'How long a request may take to arrive, its body included.',
  ),
  drainSeconds: setting(
    'DRAIN_SECONDS',
    null,
    optional(integer(0, 600)),
    'After the signal to stop: how long requests are still taken while `/readyz` says 503, so that balancers notice. Default: 5 with `DATABASE_URL`, otherwise 0.',
  ),
  stopSeconds: setting(
    'STOP_SECONDS',
    '10',
    integer(0, 3600),
    'How long connections may take to finish after SIGTERM; then they are closed.',
  ),
  listCacheMegabytes: setting(
    'LIST_CACHE_MB',
    '64',
    integer(0, 65_536),
    'Memory for rendered slot lists, and an eighth of it besides for what holds need to know of them; the ones not asked for longest go first.',
  ),
  listQueue: setting(
    'LIST_QUEUE',
    '500',
    integer(1, 100_000),
    'Slot lists that may wait to be made, two at a time and in turn between clients; beyond it the client that waits for most gets 503.',
  ),
  listSendingMegabytes: setting(
    'LIST_SENDING_MB',
    '256',
    integer(1, 65_536),
    'Memory for slot lists on their way to slow readers. Whoever holds the most waits for the next one until they have read one; beyond the limit they lose the oldest.',
  ),
  logLevel: setting(
    'LOG_LEVEL',
    'info',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'How much is logged: fatal, error, warn, info, debug, trace or silent.',
  ),
  demo: setting(
    'DEMO',
    null,
    optional(flag),
    'Demo data on the first start of an embedded database: `1` always, `0` never. Empty: only while `HOST` is loopback.',
  ),
  metricsToken: secret(
    'METRICS_TOKEN',
    optional(atLeast(20)),
    'Bearer token for `/metrics`; at least 20 characters. Empty: `/metrics` answers this machine only.',
  ),
  otlpEndpoint: setting(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    null,
    optional(collector),
    'Where an OpenTelemetry collector takes traces (OTLP over HTTP), such as `http://localhost:4318`. Other `OTEL_*` settings are in [operations.md](operations.md). Empty: no traces, and nothing of it is loaded.',
  ),
  traceShare: setting(
    'OTEL_TRACES_SAMPLER_ARG',
    '1',
    share,
    'The share of requests that are traced, from 0 to 1. Whoever sends a `traceparent` has decided already.',
  ),
  eventDays: setting(
    'EVENT_DAYS',
    '90',
    integer(1, 3650),
    'How long events can be read and replayed, in days.',
  ),
  retentionMailDays: setting(
    'RETENTION_MAIL_DAYS',
    null,
    optional(integer(7, 36_500)),
    'After so many days the daily job forgets what mails said and to whom; that they were sent stays. Empty: never.',
  ),
  retentionCustomerMonths: setting(
    'RETENTION_CUSTOMER_MONTHS',
    null,
    optional(integer(1, 1200)),
    'Customers who booked by themselves and have had no Appointment for so many months are erased by the daily job, as Delete Customer does. Those whom the CRM or the console made or accepted stay. Empty: never.',
  ),
  retentionDeliveryDays: setting(
    'RETENTION_DELIVERY_DAYS',
    '30',
    integer(1, 3650),
    'How long attempts to deliver events to webhooks are shown, in days.',
  ),
  webhookAllowPrivate: setting(
    'WEBHOOK_ALLOW_PRIVATE',
    '0',
    flag,
    '`1`: webhooks may lead to private and loopback addresses, and over plain http. For tests, and where all CRMs are trusted with the network that the service runs in.',
  ),
  oidcIssuer: setting(
    'OIDC_ISSUER',
    null,
    optional(issuer),
    'Log in to the console with an OpenID Connect provider, such as `https://login.example.org`, with `OIDC_CLIENT_ID` and `OIDC_CLIENT_SECRET`. People are known by their verified email. Register `<BASE_URL>/console/login/oidc/callback` there.',
  ),
  oidcClientId: setting(
    'OIDC_CLIENT_ID',
    null,
    optional(text),
    'The name under which it knows this service.',
  ),
  oidcClientSecret: secret('OIDC_CLIENT_SECRET', optional(text), 'The secret that goes with it.'),
  bootstrapCrm: setting(
    'BOOTSTRAP_CRM',
    null,
    optional(crmName),
    'Makes sure at start that this CRM exists.',
  ),
  bootstrapApiKey: secret(
    'BOOTSTRAP_API_KEY',
    optional(apiKey),
    'Makes sure at start that this API key of `BOOTSTRAP_CRM` exists. Form: `hf_<prefix>_<secret>`.',
  ),
  bootstrapConsoleToken: secret(
    'BOOTSTRAP_CONSOLE_TOKEN',
    optional(atLeast(20)),
    "An operator's bearer token for the console API; at least 20 characters.",
  ),
}

type Settings = typeof settings
export type Config = { [K in keyof Settings]: ReturnType<Settings[K]['parse']> }

export function readConfig(env: Record<string, string | undefined>): Config {
  const config = Object.fromEntries(
    Object.entries(settings).map(([name, one]) => [name, readSetting(one, env[one.env])]),
  ) as Config
  if (config.databaseUrl && !config.secretKey)
    throw new StartError(
      'SECRET_KEY is not set. With DATABASE_URL all instances must share one: set it to at least 32 random characters, for example from `openssl rand -hex 32`.',
    )
  if (config.secretKeyPrevious && !config.secretKey)
    throw new StartError('SECRET_KEY_PREVIOUS needs SECRET_KEY: set the one that signs from now on.')
  if (config.bootstrapApiKey && !config.bootstrapCrm)
    throw new StartError(
      'BOOTSTRAP_API_KEY needs BOOTSTRAP_CRM: set the name of the CRM that the key belongs to.',
    )
  const oidc = [config.oidcIssuer, config.oidcClientId, config.oidcClientSecret]
  if (oidc.some(Boolean) && !oidc.every(Boolean))
    throw new StartError(
      'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET belong together: set all or none.',
    )
  const dkim = [config.dkimDomain, config.dkimSelector, config.dkimKeyFile]
  if (dkim.some(Boolean) && !dkim.every(Boolean))
    throw new StartError('DKIM_DOMAIN, DKIM_SELECTOR and DKIM_KEY_FILE belong together: set all or none.')
  return config
}

function readSetting(one: Setting<unknown>, given: string | undefined) {
  const value = given?.trim() || one.fallback
  if (value === null) return null
  try {
    return one.parse(value)
  } catch (error) {
    const shown = one.secret ? 'its value' : `"${value}"`
    throw new StartError(`${one.env} is wrong: ${shown} ${(error as Error).message}`)
  }
}

/** The settings in force, secrets masked: what `holdfast config` prints. */
export function describeConfig(config: Config) {
  return Object.entries(settings).map(([name, one]) => {
    const value = config[name as keyof Config]
    const masked = one.secret && value !== null
    return { env: one.env, value: masked ? '********' : value === null ? '' : String(value), help: one.help }
  })
}

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
