import { StartError } from '../lib/start-error.ts'
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
  },
  help: {
    seconds: 'how long (default 30)',
    clients: 'how many book at the same time, each a process of its own (default 4)',
    processes: 'processes of the service (default 1)',
    'kill-every':
      'seconds between two kills of the service, of the database or of both; 0 for none (default 6)',
  },
  async run({ values }) {
    const options = {
      seconds: countOption('seconds', values.seconds ?? 30, 1, 86_400),
      clients: countOption('clients', values.clients ?? 4, 1, 64),
      processes: countOption('processes', values.processes ?? 1, 1, 64),
      killEvery: countOption('kill-every', values['kill-every'] ?? 6, 0, 3_600),
    }
    const { torture } = await import('../torture/run.ts')
    const verdict = await torture(options, say, untilSignal())
    const { oversold, lost, doubleMails, eventsMissed, eventsTwice, missingMails, crashes } = verdict
    const text = `oversold ${oversold}, lost ${lost}, double mails ${doubleMails}, events missed ${eventsMissed}, events twice ${eventsTwice}`
    if (missingMails + crashes > 0)
      throw new StartError(`${text}, missing mails ${missingMails}, ended by itself ${crashes} times`)
    if (oversold + lost + doubleMails + eventsMissed + eventsTwice > 0) throw new StartError(text)
    say(text)
  },
}
