import { StartError } from '../lib/start-error.ts'
import { payload } from '../webhooks/deliver.ts'
import type { EventWithData } from '../webhooks/log.ts'
import { isDelivered, makeSender } from '../webhooks/send.ts'
import { newSecret, signedHeaders } from '../webhooks/sign.ts'
import { type Command, print } from './command.ts'
import { eventsOf, followHelp, followOptions } from './follow-events.ts'

const tail: Command = {
  name: 'events tail',
  summary: 'Prints the events of a CRM as they happen, one JSON object per line.',
  options: followOptions,
  help: followHelp,
  async run({ values, config }) {
    // If the reader of the pipe is gone, exit quietly like other programs.
    process.stdout.once('error', () => process.exit())
    for await (const event of eventsOf(values, config)) print(JSON.stringify(event))
  },
}

const listen: Command = {
  name: 'listen',
  summary:
    'Posts the events of a CRM to a local address, signed like a webhook, to test a receiver without a tunnel.',
  options: { ...followOptions, forward: { type: 'string' }, secret: { type: 'string' } },
  help: {
    ...followHelp,
    forward: 'address to post to, for example http://localhost:3000/hook',
    secret: 'secret that signs the requests (default: a new one, which is printed)',
  },
  async run({ values, config }) {
    const url = String(values.forward ?? '')
    if (!URL.canParse(url))
      throw new StartError('--forward must be an address such as http://localhost:3000/hook.')
    const secret = String(values.secret ?? newSecret())
    print(`Forwarding events to ${url}. Verify their signatures with ${secret}`)
    const sender = makeSender({ allowPrivate: true })
    for await (const event of eventsOf(values, config)) {
      const body = JSON.stringify(payload(event))
      const sent = await sender.send(url, signedHeaders([secret], event.id, new Date(), body), body)
      print(
        lineOf(event, isDelivered(sent) ? `${sent.status}` : `not delivered: ${sent.error ?? sent.status}`),
      )
    }
  },
}

const lineOf = ({ at, kind, id }: EventWithData, outcome: string) => `${at}  ${kind}  ${id}  ${outcome}`

export const eventCommands: Command[] = [tail, listen]
