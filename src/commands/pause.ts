import { pauseOutgoing, readPause, resumeOutgoing } from '../db/base/outgoing-pause.ts'
import { toUtcText } from '../rules/time/time.ts'
import { type Command, jsonOption, print, withService } from './command.ts'

const pause: Command = {
  name: 'pause',
  summary: 'Holds back emails and webhooks until holdfast resume. Bookings continue.',
  options: { reason: { type: 'string' }, ...jsonOption.options },
  help: { reason: 'shown in the console and in /readyz', ...jsonOption.help },
  run: ({ values, config }) =>
    withService(config, async ({ db }) => {
      await pauseOutgoing(db, String(values.reason ?? 'paused by the operator'))
      const { reason, since } = (await readPause(db))!
      if (values.json) return print(JSON.stringify({ paused: true, reason, since: toUtcText(since) }))
      print(`Emails and webhooks are paused (${reason}). They wait until you run: holdfast resume`)
    }),
}

const resume: Command = {
  name: 'resume',
  summary: 'Sends emails and webhooks again, after a restore or holdfast pause.',
  ...jsonOption,
  run: ({ values, config }) =>
    withService(config, async ({ db }) => {
      const wasPaused = await resumeOutgoing(db)
      if (values.json) return print(JSON.stringify({ paused: false, wasPaused }))
      print(
        wasPaused
          ? 'Emails and webhooks are sent again, the waiting ones first.'
          : 'Emails and webhooks were not paused.',
      )
    }),
}

export const pauseCommands: Command[] = [pause, resume]
