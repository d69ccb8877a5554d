import type { Slot } from '../../../web/shared/slots.ts'
import { Html } from '../../lib/html.ts'
import type { BookData } from './data.ts'

/**
 * The first API answers, embedded for the widget. Each identifier appears once, so a month takes a few
 * kilobytes.
 */
export function seedScript({ places, products, slots: known, from, to }: BookData): Html {
  const uuids: string[] = []
  const numbers = new Map<string, number>()
  const number = (uuid: string | null) => {
    if (!uuid) return -1
    const known = numbers.get(uuid)
    if (known !== undefined) return known
    numbers.set(uuid, uuids.length)
    return uuids.push(uuid) - 1
  }
  const slots = known.map((one: Slot) => [
    one.start / 60_000,
    one.end / 60_000,
    number(one.timeslot),
    number(one.appointment),
    number(one.product),
    number(one.resource),
    one.seats,
    one.seatsLeft,
  ])
  const json = JSON.stringify({ places, products, uuids, slots, from, to })
  // Inside a script only `</script` and `<!--` could end it early.
  return new Html(`<script type="application/json">${json.replaceAll('<', '\\u003c')}</script>`)
}
