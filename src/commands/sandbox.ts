import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { Announcer } from './announce.ts'
import { type Command, stopSeconds, stopWithin, untilSignal } from './command.ts'

/** Known to anyone on this machine, and worth nothing elsewhere. */
const key = `hf_sandbox_${'0'.repeat(32)}`
const consoleToken = 'sandbox-console-token'

export const sandboxCommand: Command = {
  name: 'sandbox',
  summary: 'Starts a throw-away service for integration tests, with its own PostgreSQL and a tenant.',
  settings: ['port', 'logLevel', 'logFormat'],
  async run({ config }) {
    const { serve } = await import('../start/serve.ts')
    const stopped = untilSignal()
    const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-sandbox-'))
    const sandbox = sandboxConfig(config, dataDir)
    const announcer = new Announcer(sandbox)
    try {
      const serving = await serve(sandbox, announcer.say, { jobs: true })
      announcer.started(`Holdfast sandbox is ready at ${serving.address}`, [
        ...serving.welcome.filter(line => !line.startsWith('API key')),
        `API key       ${key}   (CRM "demo", the same at every start)`,
        `Console API   Authorization: Bearer ${consoleToken}`,
        `Agents        ${serving.address}/mcp`,
        `Clock         curl -X POST ${serving.address}/sandbox/clock -H 'content-type: application/json' -d '{"hours": 24}'`,
        `Emails        ${serving.address}/sandbox/emails`,
        `API docs      ${serving.address}/docs`,
        'Everything is deleted when it stops.',
      ])
      await stopped
      await stopWithin(serving.stop(), config.stopSeconds + stopSeconds, serving.endDatabase)
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  },
}

/** Whatever the environment says, it uses nothing of another installation. */
const sandboxConfig = (config: Config, dataDir: string): Config => ({
  ...config,
  sandbox: true,
  dataDir,
  host: '127.0.0.1',
  baseUrl: `http://localhost:${config.port}`,
  databaseUrl: null,
  secretKey: null,
  secretKeyPrevious: null,
  smtpUrl: null,
  otlpEndpoint: null,
  oidcIssuer: null,
  oidcClientId: null,
  oidcClientSecret: null,
  demo: true,
  mcp: 'public',
  bootstrapCrm: 'demo',
  bootstrapApiKey: key,
  bootstrapConsoleToken: consoleToken,
})
