import type { Schemas } from '../../records.ts'
import { format, instant } from '../../time.ts'
import type { ChannelKey } from '../channels/channel-keys.ts'
import { texts as channelTexts } from '../channels/words.ts'
import { texts as roles } from '../people/words.ts'
import { texts } from './words.ts'

// An event as a sentence: what happened, to whom, and who did it.

const { names: channelNames } = channelTexts

export type Entry = Schemas['AuditEntry']

export function whatHappened({ kind, data }: Entry): string {
  const [noun = '', verb = ''] = kind.split('.')
  const setting = noun === 'settings' ? settingOf(String(data.channelKey)) : null
  return `${setting ?? texts.nouns[noun] ?? noun}: ${texts.verbs[verb] ?? verb}`
}

/** All channels share one label; every other setting has its own. */
const settingOf = (key: string) => texts.settings[key in channelNames ? 'channel' : key]

/** For the service itself, the name of the component says nothing useful. */
export function doneBy({ by, actor }: Entry): string {
  if (by) return by
  const name = actor.kind === 'service' ? null : actor.name?.slice(0, 8)
  return [texts.actors[actor.kind], name].filter(Boolean).join(' ')
}

type Named = Record<string, unknown> | null | undefined

/** Nouns whose record has another name. */
const recordOf: Record<string, string> = { staff: 'user', settings: 'resource' }

/** A name or a time; the reference if there is nothing better. */
export function subjectOf({ data, kind }: Entry, zone = 'UTC'): string {
  const [noun = ''] = kind.split('.')
  const record = data[recordOf[noun] ?? noun] as Named
  const appointment = data.appointment as Named
  const start = (appointment?.start ?? (noun === 'timeslot' ? record?.start : null)) as string | null
  const person = [record?.firstName, record?.lastName].filter(Boolean).join(' ')
  const name =
    person ||
    record?.publicName ||
    record?.userName ||
    record?.name ||
    record?.label ||
    record?.url ||
    // For deleted records.
    data.name
  const channel = noun === 'settings' ? channelNames[data.channelKey as ChannelKey] : null
  const when = start ? format.when(instant(start), zone) : null
  const role = noun === 'staff' ? roles[data.role as keyof typeof roles] : null
  const parts = [name, channel, role, when].filter(Boolean).join(' · ')
  return parts || (noun === 'settings' ? '' : String(data.reference ?? texts.deleted))
}
