import { StartError } from '../lib/start-error.ts'
import type { Verdict } from '../torture/verdict.ts'
import { type Command, countOption, print, untilSignal } from './command.ts'

export const tortureCommand: Command = {
  name: 'torture',
  summary:
    'Tests the promise on this machine: many clients book a few slots of a temporary service, and others wait for them, while it and its database are killed.',
  options: {
    seconds: { type: 'string' },
    clients: { type: 'string' },
    processes: { type: 'string' },
    'kill-every': { type: 'string' },
    'upgrade-from': { type: 'string' },
  },
  help: {
    seconds: 'duration in seconds (default 30)',
    clients: 'number of concurrent clients, each in its own process (default 4)',
    processes: 'processes of the service (default 1)',
    'kill-every': 'seconds between kills of the service, the database or both; 0 for none (default 6)',
    'upgrade-from':
      'folder of the previous version: instead of kills, this version replaces it process by process',
  },
  async run({ values }) {
    const options = {
      seconds: countOption('seconds', values.seconds ?? 30, 1, 86_400),
      clients: countOption('clients', values.clients ?? 4, 1, 64),
      processes: countOption('processes', values.processes ?? 1, 1, 64),
      killEvery: countOption('kill-every', values['kill-every'] ?? 6, 0, 3_600),
    }
    const { torture } = await import('../torture/run.ts')
    const upgradeFrom = values['upgrade-from'] as string | undefined
    const verdict = await torture(
      { ...options, ...(upgradeFrom ? { upgradeFrom, killEvery: 0 } : {}) },
      print,
      untilSignal(),
    )
    const counts = countsOf(verdict, upgradeFrom !== undefined)
    const results = [...counts, ['email copies', verdict.mailCopies] as const]
    const text = results.map(([name, count]) => `${name} ${count}`).join(', ')
    const { withoutMail, crashes } = verdict
    if (withoutMail.length + crashes > 0)
      throw new StartError(`${text}, missing emails ${withoutMail.length}, crashed ${crashes} times`)
    if (counts.some(([_key, count]) => count > 0)) throw new StartError(text)
    print(text)
  },
}

/** Counts that must be 0. 5xx responses and broken connections only count if nothing is killed. */
const countsOf = (verdict: Verdict, isUpgrade: boolean): [string, number][] => [
  ['oversold', verdict.oversold],
  ['lost', verdict.lost],
  ...(isUpgrade
    ? ([
        ['5xx', verdict.failures],
        ['cut off', verdict.cutOff],
      ] as [string, number][])
    : []),
  ['duplicate emails', verdict.doubleMails],
  ['events missed', verdict.eventsMissed],
  ['events twice', verdict.eventsTwice],
  ['broken invariants', verdict.broken],
]
