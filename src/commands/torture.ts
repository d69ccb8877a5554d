import { StartError } from '../lib/start-error.ts'
import type { Verdict } from '../torture/verdict.ts'
import { type Command, countOption, say, untilSignal } from './command.ts'

export const tortureCommand: Command = {
  name: 'torture',
  summary:
    'Proves the promise on this machine: many book few slots of a throw-away service while it and its database are killed.',
  options: {
    seconds: { type: 'string' },
    clients: { type: 'string' },
    processes: { type: 'string' },
    'kill-every': { type: 'string' },
    'upgrade-from': { type: 'string' },
  },
  help: {
    seconds: 'how long (default 30)',
    clients: 'how many book at the same time, each a process of its own (default 4)',
    processes: 'processes of the service (default 1)',
    'kill-every':
      'seconds between two kills of the service, of the database or of both; 0 for none (default 6)',
    'upgrade-from':
      'folder of the version before: nobody is killed, instead this version takes over from it, process by process',
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
      say,
      untilSignal(),
    )
    const counts = countsOf(verdict, upgradeFrom !== undefined)
    const text = counts.map(([name, count]) => `${name} ${count}`).join(', ')
    const { missingMails, crashes } = verdict
    if (missingMails + crashes > 0)
      throw new StartError(`${text}, missing mails ${missingMails}, ended by itself ${crashes} times`)
    if (counts.some(([, count]) => count > 0)) throw new StartError(text)
    say(text)
  },
}

/** What must be 0. Answers of 5xx and broken connections count where nobody is killed. */
const countsOf = (verdict: Verdict, isUpgrade: boolean): [string, number][] => [
  ['oversold', verdict.oversold],
  ['lost', verdict.lost],
  ...(isUpgrade
    ? ([
        ['5xx', verdict.failures],
        ['cut off', verdict.cutOff],
      ] as [string, number][])
    : []),
  ['double mails', verdict.doubleMails],
  ['events missed', verdict.eventsMissed],
  ['events twice', verdict.eventsTwice],
]
