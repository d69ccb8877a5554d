import { StartError } from '../lib/start-error.ts'
import { payload } from '../webhooks/deliver.ts'
import type { ToldEvent } from '../webhooks/log.ts'
import { isDelivered, makeSender } from '../webhooks/send.ts'
import { newSecret, signedHeaders } from '../webhooks/sign.ts'
import { type Command, say } from './command.ts'
import { eventsOf, followHelp, followOptions } from './follow-events.ts'

const tail: Command = {
  name: 'events tail',
  summary: 'Prints what happens in a CRM, one event a line, as JSON.',
  options: followOptions,
  help: followHelp,
  async run({ values, config }) {
    // As other programs in a pipe: nobody reads, nothing is to be done.
    process.stdout.once('error', () => process.exit())
    for await (const event of eventsOf(values, config)) say(JSON.stringify(event))
  },
}

const listen: Command = {
  name: 'listen',
  summary:
    'Posts what happens in a CRM to a local address, signed like a webhook: to try a receiver without a tunnel.',
  options: { ...followOptions, forward: { type: 'string' }, secret: { type: 'string' } },
  help: {
    ...followHelp,
    forward: 'where to post, for example http://localhost:3000/hook',
    secret: 'signs the posts (default: a new one, which is printed)',
  },
  async run({ values, config }) {
    const url = String(values.forward ?? '')
    if (!URL.canParse(url))
      throw new StartError('--forward must be an address such as http://localhost:3000/hook.')
    const secret = String(values.secret ?? newSecret())
    say(`Events go to ${url}. Check their signatures with ${secret}`)
    const sender = makeSender({ allowPrivate: true })
    for await (const event of eventsOf(values, config)) {
      const body = JSON.stringify(payload(event))
      const sent = await sender.send(url, signedHeaders([secret], event.id, new Date(), body), body)
      say(lineOf(event, isDelivered(sent) ? `${sent.status}` : `not delivered: ${sent.error ?? sent.status}`))
    }
  },
}

const lineOf = ({ at, kind, id }: ToldEvent, outcome: string) => `${at}  ${kind}  ${id}  ${outcome}`

export const eventCommands: Command[] = [tail, listen]
