import { createKey, revokeKey } from '../actions/setup/keys.ts'
import { describeConfig } from '../config.ts'
import { ensureCrm, listCrms } from '../db/setup/crms.ts'
import { type KeyScope, keyScopes, listKeys } from '../db/setup/keys.ts'
import { isLanguage, languages } from '../languages.ts'
import { StartError } from '../lib/start-error.ts'
import { crmNameRule, isCrmName } from '../rules/references.ts'
import { toUtcText } from '../rules/time/time.ts'
import { createDemo } from '../start/demo.ts'
import { type Command, forMachines, say, table, withService } from './command.ts'

const crmCreate: Command = {
  name: 'crm create',
  summary: 'Makes a CRM: the tenant that an integrator works in. Its name is the {crmId} of the paths.',
  words: ['<name>'],
  options: { language: { type: 'string' } },
  help: { language: `language of its mails: ${languages.join(', ')}` },
  run: ({ words: [name = ''], values, config }) =>
    withService(config, async ({ db }) => {
      if (!isCrmName(name)) throw new StartError(`The name ${crmNameRule}`)
      const language = values.language === undefined ? null : String(values.language)
      if (language !== null && !isLanguage(language))
        throw new StartError(`--language must be one of ${languages.join(', ')}.`)
      const { created } = await ensureCrm(db, name, language)
      say(created ? `CRM ${name} is made. Next: holdfast key create ${name}` : `CRM ${name} exists already.`)
    }),
}

const crmList: Command = {
  name: 'crm list',
  summary: 'Lists the CRMs.',
  ...forMachines,
  run: ({ values, config }) =>
    withService(config, async ({ db }) => {
      const crms = await listCrms(db)
      if (values.json)
        return say(
          JSON.stringify(
            crms.map(({ name, language, providers, keys }) => ({ name, language, providers, keys })),
          ),
        )
      if (crms.length === 0) return say('There is no CRM yet. Make one: holdfast crm create <name>')
      const rows = crms.map(crm => [crm.name, crm.language ?? '-', String(crm.providers), String(crm.keys)])
      say(table([['NAME', 'LANGUAGE', 'PROVIDERS', 'KEYS'], ...rows]))
    }),
}

const keyCreate: Command = {
  name: 'key create',
  summary:
    'Makes an API key of a CRM and prints it, once. Several may be valid at the same time, for a rotation.',
  words: ['<crm>'],
  options: { label: { type: 'string' }, scopes: { type: 'string' }, days: { type: 'string' } },
  help: {
    label: 'what it is for',
    scopes: `comma-separated: ${keyScopes.join(', ')} (default: all)`,
    days: 'expires after so many days (default: never)',
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
      say(key)
    }),
}

const keyList: Command = {
  name: 'key list',
  summary: 'Lists the API keys: prefixes, never the keys themselves.',
  options: { crm: { type: 'string' }, ...forMachines.options },
  help: { crm: 'only keys of this CRM', ...forMachines.help },
  run: ({ values, config }) =>
    withService(config, async ({ db }) => {
      const keys = await listKeys(db, values.crm === undefined ? null : String(values.crm))
      if (values.json) return say(JSON.stringify(keys.map(toldKey)))
      if (keys.length === 0) return say('There is no key yet. Make one: holdfast key create <crm>')
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
      say(table([['UUID', 'KEY', 'CRM', 'SCOPES', 'LABEL', 'STATE', 'LAST USED'], ...rows]))
    }),
}

type ListedKey = Awaited<ReturnType<typeof listKeys>>[number]

function toldKey({ uuid, prefix, crm, scopes, label, revokedAt, expiresAt, lastUsedAt }: ListedKey) {
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
  summary: 'Ends a key. Every instance refuses it within 5 seconds.',
  words: ['<uuid or prefix>'],
  run: ({ words: [wanted = ''], config }) =>
    withService(config, async service => {
      const prefix = wanted.match(/^hf_([a-z0-9]+)/)?.[1] ?? wanted
      const matches = await revokeKey(service, prefix)
      if (matches === 0) throw new StartError(`There is no valid key ${wanted}. See holdfast key list.`)
      if (matches > 1)
        throw new StartError(`Several keys begin with ${wanted}. Name the uuid: see holdfast key list.`)
      say('Revoked.')
    }),
}

const demo: Command = {
  name: 'demo',
  summary: 'Makes the demo tenant (CRM demo) and prints how to reach it.',
  run: ({ config }) => withService(config, async service => say(await createDemo(service))),
}

const config: Command = {
  name: 'config',
  summary: 'Prints the settings in force, secrets masked.',
  async run({ config }) {
    say(table(describeConfig(config).map(({ env, value }) => [env, value])))
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
    throw new StartError(`"${wrong}" is no scope. Choose from ${keyScopes.join(', ')}.`)
  return scopes as KeyScope[]
}

function expiryOf(days: unknown): Date | null {
  if (days === undefined) return null
  if (!/^\d{1,5}$/.test(String(days)) || Number(days) < 1)
    throw new StartError('--days must be a whole number from 1.')
  return new Date(Date.now() + Number(days) * 86_400_000)
}
