import { explainDay } from '../actions/booking/explain-day.ts'
import { resolveRef } from '../actions/booking/resolve-ref.ts'
import { findRefs } from '../db/booking/refs.ts'
import { readChannelKey } from '../rules/offers/channels.ts'
import { type Command, print, table, withService } from './command.ts'

export const explainCommand: Command = {
  name: 'explain',
  summary: 'Explains, slot by slot, why a time is or is not offered.',
  words: ['<resource>', '<date>'],
  options: { channel: { type: 'string' }, product: { type: 'string' } },
  help: { channel: 'channel key (default RESOURCE_PUBLIC)', product: 'reference or uuid of a Product' },
  run: ({ words: [ref = '', date = ''], values, config }) =>
    withService(config, async service => {
      const known = resolveRef((await findRefs(service.db, [ref])).found, ref, 1)
      const channelKey =
        known.channelKey ?? readChannelKey(values.channel === undefined ? undefined : String(values.channel))
      const prdRef = values.product === undefined ? null : String(values.product)
      const { lines, timeZone } = await explainDay(service, {
        resourceId: known.resourceId,
        channelKey,
        date,
        prdRef,
      })
      if (lines.length === 0) return print(`${ref} has no Timeslot on ${date} (${timeZone}).`)
      const local = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
      const rows = lines.map(line => [
        local.format(new Date(line.start)),
        line.offered ? 'offered' : 'not offered',
        line.products.length > 0 ? `${line.text} ${line.products.join(', ')}` : line.text,
      ])
      print(table([[timeZone, '', ''], ...rows]))
    }),
}
