import { randomUUID } from 'node:crypto'
import {
  createWebhook,
  recordTestDelivery,
  removeWebhook,
  sendNow,
  webhookOf,
} from '../actions/setup/webhooks.ts'
import { findCrm } from '../db/setup/crms.ts'
import { listWebhooks, type WebhookRow } from '../db/webhooks.ts'
import { named } from '../http/events/with-data.ts'
import { StartError } from '../lib/start-error.ts'
import { commandLineActor, type EventKind, eventKinds, serviceActor } from '../rules/messages/events.ts'
import type { Service } from '../service.ts'
import { type Command, print, table, withService } from './command.ts'

const crmOption = { options: { crm: { type: 'string' } }, help: { crm: 'name of the CRM' } } as const

const create: Command = {
  name: 'webhook create',
  summary: 'Creates a webhook that posts new events of a CRM to an address, and prints its signing secret.',
  words: ['<url>'],
  options: { ...crmOption.options, kinds: { type: 'string' }, description: { type: 'string' } },
  help: { ...crmOption.help, kinds: 'only these kinds, separated by commas', description: 'description' },
  run: ({ words: [url = ''], values, config }) =>
    withService(config, async service => {
      const caller = await callerFor(service, values.crm)
      const kinds = kindsOf(values.kinds)
      const description = values.description === undefined ? null : String(values.description)
      const { webhook, secret } = await createWebhook(service, caller, { url, kinds, description })
      print(`${webhook.uuid}\n${secret}   (shown once)`)
    }),
}

const list: Command = {
  name: 'webhook list',
  summary: 'Lists the webhooks of a CRM and their delivery state.',
  ...crmOption,
  run: ({ values, config }) =>
    withService(config, async service => {
      const { crm } = await callerFor(service, values.crm)
      const rows = await listWebhooks(service.db, crm.id)
      print(table([['uuid', 'state', 'kinds', 'url'], ...rows.map(asRow)]))
    }),
}

const test: Command = {
  name: 'webhook test',
  summary: 'Posts a test event to a webhook immediately, and prints the result.',
  words: ['<uuid>'],
  ...crmOption,
  run: ({ words: [uuid = ''], values, config }) =>
    withService(config, async service => {
      const { crm } = await callerFor(service, values.crm)
      const webhook = await webhookOf(service.db, crm.id, uuid)
      const event = {
        id: randomUUID(),
        sequence: 0,
        ...named('test', webhook.now),
        provider: null,
        actor: serviceActor,
        data: {},
      }
      const { status, ms, error } = await recordTestDelivery(
        service,
        await sendNow(service, webhook, event, null),
      )
      if (status === null) throw new StartError(`Not delivered: ${error}`)
      print(`${status} after ${ms} ms`)
    }),
}

const remove: Command = {
  name: 'webhook remove',
  summary: 'Removes a webhook and stops its deliveries.',
  words: ['<uuid>'],
  ...crmOption,
  run: ({ words: [uuid = ''], values, config }) =>
    withService(config, async service => {
      await removeWebhook(service, await callerFor(service, values.crm), uuid)
      print('Removed.')
    }),
}

export const webhookCommands: Command[] = [create, list, test, remove]

async function callerFor({ db }: Service, name: unknown) {
  const crm = name === undefined ? null : await findCrm(db, String(name))
  if (!crm) throw new StartError('--crm must name a CRM. See holdfast crm list.')
  return { crm, actor: commandLineActor }
}

function kindsOf(text: unknown): EventKind[] | null {
  if (text === undefined) return null
  const kinds = String(text).split(',')
  const unknown = kinds.find(kind => !eventKinds.includes(kind as EventKind))
  if (unknown !== undefined)
    throw new StartError(`"${unknown}" is not an event kind. Choose from ${eventKinds.join(', ')}.`)
  return kinds as EventKind[]
}

function asRow({ uuid, url, kinds, offReason, failures }: WebhookRow): string[] {
  const state = offReason ?? (failures > 0 ? `failing (${failures})` : 'on')
  return [uuid, state, kinds?.join(',') ?? 'all', url]
}
