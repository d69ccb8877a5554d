import { createKey, revokeKey } from '../actions/setup/keys.ts'
import { describeConfig, misspelledSettings } from '../config.ts'
import { ensureCrm, listCrms } from '../db/setup/crms.ts'
import { type KeyScope, keyScopes, listKeys } from '../db/setup/keys.ts'
import { isLanguage, languages } from '../languages.ts'
import { StartError } from '../lib/start-error.ts'
import { crmNameRule, isCrmName } from '../rules/references.ts'
import { toUtcText } from '../rules/time/time.ts'
import { createDemo } from '../start/demo.ts'
import { type Command, jsonOption, print, table, withService } from './command.ts'

const crmCreate: Command = {
  name: 'crm create',
  summary: 'Creates a CRM (tenant). Its name is the {crmId} in paths.',
  words: ['<name>'],
  options: { language: { type: 'string' } },
  help: { language: `language of its emails: ${languages.join(', ')}` },
  run: ({ words: [name = ''], values, config }) =>
    withService(config, async ({ db }) => {
      if (!isCrmName(name)) throw new StartError(`The name ${crmNameRule}`)
      const language = values.language === undefined ? null : String(values.language)
      if (language !== null && !isLanguage(language))
        throw new StartError(`--language must be one of ${languages.join(', ')}.`)
      const { created } = await ensureCrm(db, name, language)
      print(
        created ? `CRM ${name} created. Next: holdfast key create ${name}` : `CRM ${name} already exists.`,
      )
    }),
}

const crmList: Command = {
  name: 'crm list',
  summary: 'Lists all CRMs.',
  ...jsonOption,
  run: ({ values, config }) =>
    withService(config, async ({ db }) => {
      const crms = await listCrms(db)
      if (values.json) return print(JSON.stringify(crms.map(({ id: _, ...crm }) => crm)))
      if (crms.length === 0) return print('There is no CRM yet. Create one: holdfast crm create <name>')
      const stateOf = (crm: (typeof crms)[number]) =>
        crm.movedTo !== null ? `moved ${crm.movedTo}`.trim() : crm.isSuspended ? 'suspended' : 'active'
      const rows = crms.map(crm => [
        crm.name,
        crm.language ?? '-',
        String(crm.providers),
        String(crm.keys),
        stateOf(crm),
      ])
      print(table([['NAME', 'LANGUAGE', 'PROVIDERS', 'KEYS', 'STATE'], ...rows]))
    }),
}

const keyCreate: Command = {
  name: 'key create',
  summary:
    'Creates an API key for a CRM and prints it once. Several keys can be valid at the same time, for rotation.',
  words: ['<crm>'],
  options: { label: { type: 'string' }, scopes: { type: 'string' }, days: { type: 'string' } },
  help: {
    label: 'what the key is for',
    scopes: `comma-separated: ${keyScopes.join(', ')} (default: all)`,
    days: 'number of days until the key expires (default: never)',
  },
  run: ({ words: [crm = ''], values, config }) =>
    withService(config, async service => {
      const label = values.label === undefined ? null : String(values.label)
      const key = await createKey(service, {
        crm,
        label,
        scopes: scopesOf(values.scopes),
        expiresAt: expiryOf(values.days),
      })
      print(key)
    }),
}

const keyList: Command = {
  name: 'key list',
  summary: 'Lists API keys by prefix, never the keys themselves.',
  options: { crm: { type: 'string' }, ...jsonOption.options },
  help: { crm: 'only keys of this CRM', ...jsonOption.help },
  run: ({ values, config }) =>
    withService(config, async ({ db }) => {
      const keys = await listKeys(db, values.crm === undefined ? null : String(values.crm))
      if (values.json) return print(JSON.stringify(keys.map(keyView)))
      if (keys.length === 0) return print('There is no key yet. Create one: holdfast key create <crm>')
      const when = (instant: number | null) => (instant === null ? '-' : toUtcText(instant).slice(0, 16))
      const rows = keys.map(key => [
        key.uuid,
        `hf_${key.prefix}_…`,
        key.crm,
        key.scopes.join(','),
        key.label ?? '-',
        key.revokedAt !== null
          ? 'revoked'
          : key.expiresAt !== null
            ? `until ${when(key.expiresAt)}`
            : 'valid',
        when(key.lastUsedAt),
      ])
      print(table([['UUID', 'KEY', 'CRM', 'SCOPES', 'LABEL', 'STATE', 'LAST USED'], ...rows]))
    }),
}

type ListedKey = Awaited<ReturnType<typeof listKeys>>[number]

function keyView({ uuid, prefix, crm, scopes, label, revokedAt, expiresAt, lastUsedAt }: ListedKey) {
  const when = (instant: number | null) => (instant === null ? null : toUtcText(instant))
  const times = {
    revokedAt: when(revokedAt),
    expiresAt: when(expiresAt),
    lastUsedAt: when(lastUsedAt),
  }
  return { uuid, prefix, crm, scopes, label, ...times }
}

const keyRevoke: Command = {
  name: 'key revoke',
  summary: 'Revokes a key. All instances refuse it within 5 seconds.',
  words: ['<uuid or prefix>'],
  run: ({ words: [wanted = ''], config }) =>
    withService(config, async service => {
      const prefix = wanted.match(/^hf_([a-z0-9]+)/)?.[1] ?? wanted
      const matches = await revokeKey(service, prefix)
      if (matches === 0) throw new StartError(`There is no valid key ${wanted}. See holdfast key list.`)
      if (matches > 1)
        throw new StartError(`Several keys start with ${wanted}. Use the uuid: see holdfast key list.`)
      print('Revoked.')
    }),
}

const demo: Command = {
  name: 'demo',
  summary: 'Creates the demo tenant (CRM demo) and prints how to access it.',
  run: ({ config }) =>
    withService(
      config,
      async service => print((await createDemo(service)).map(line => `  ${line}`).join('\n')),
      {
        log: () => {},
        migrations: 'apply',
        mayCreate: true,
      },
    ),
}

const config: Command = {
  name: 'config',
  summary: 'Prints the effective settings, with secrets masked.',
  async run({ config }) {
    print(table(describeConfig(config).map(({ env, value }) => [env, value])))
    for (const line of misspelledSettings(process.env)) print(line)
  },
}

export const manageCommands: Command[] = [crmCreate, crmList, keyCreate, keyList, keyRevoke, demo, config]

function scopesOf(text: unknown): KeyScope[] | undefined {
  if (text === undefined) return undefined
  const scopes = String(text)
    .split(',')
    .map(scope => scope.trim())
  const wrong = scopes.find(scope => !keyScopes.includes(scope as KeyScope))
  if (wrong !== undefined)
    throw new StartError(`"${wrong}" is not a scope. Choose from ${keyScopes.join(', ')}.`)
  return scopes as KeyScope[]
}

function expiryOf(days: unknown): Date | null {
  if (days === undefined) return null
  if (!/^\d{1,5}$/.test(String(days)) || Number(days) < 1)
    throw new StartError('--days must be a whole number of at least 1.')
  return new Date(Date.now() + Number(days) * 86_400_000)
}
