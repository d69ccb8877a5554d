import { readKeysInUse } from '../db/base/secret-fingerprint.ts'
import { toUtcText } from '../rules/time/time.ts'
import type { Resealed } from '../start/reseal.ts'
import { type Command, jsonOption, print, table, withService } from './command.ts'

const reseal: Command = {
  name: 'secrets reseal',
  summary: 'Encrypts all secrets in the database with the current SECRET_KEY, without stopping the service.',
  options: { 'dry-run': { type: 'boolean' }, ...jsonOption.options },
  help: { 'dry-run': 'only count what is encrypted with the previous key', ...jsonOption.help },
  run: ({ values, config }) =>
    withService(config, async ({ db, signer }) => {
      const { resealAll } = await import('../start/reseal.ts')
      const isDryRun = values['dry-run'] === true
      const { fingerprint } = (await readKeysInUse(db))!
      const done = await resealAll({ db, signer, fingerprint, isDryRun })
      const linksUntil = toUtcText(done.linksUntil)
      if (values.json) return print(JSON.stringify({ ...done, linksUntil, isDryRun }))
      print(counted(isDryRun ? 'Would encrypt again' : 'Encrypted again', done.resealed))
      if (Object.keys(done.unreadable).length > 0)
        print(counted('Cannot be read with any key given here', done.unreadable))
      if (!isDryRun && config.secretKeyPrevious !== null) print(nextStep(done))
    }),
}

export const secretCommands: Command[] = [reseal]

function counted(what: string, counts: Record<string, number>) {
  const rows = Object.entries(counts)
  if (rows.length === 0) return `${what}: nothing.`
  return `${what}:\n${table(rows.map(([name, count]) => [`  ${name}`, String(count)]))}`
}

const nextStep = ({ linksUntil }: Resealed) =>
  `No secret in the database needs SECRET_KEY_PREVIOUS any more. Links in emails sent before the change do: the last one expires on ${toUtcText(linksUntil).slice(0, 10)}. Remove SECRET_KEY_PREVIOUS after that, or now if the old key has leaked; the old links then stop working.`
