import type { Bookable } from '../../../web/shared/api-types.ts'
import { Html } from '../../lib/html.ts'
import type { BookData } from './data.ts'

/**
 * The first API answers, embedded for the widget. Each identifier appears once, so a month takes a few
 * kilobytes.
 */
export function seedScript({ places, products, bookables, from, to }: BookData): Html {
  const uuids: string[] = []
  const number = (uuid: string | null | undefined) => {
    if (!uuid) return -1
    const known = uuids.indexOf(uuid)
    return known >= 0 ? known : uuids.push(uuid) - 1
  }
  const slots = bookables.map((one: Bookable) => [
    Date.parse(one.start) / 60_000,
    Date.parse(one.end) / 60_000,
    number(one.timeslot_uuid),
    number(one.appointment_uuid),
    number(one.product_uuid),
    number(one.resource_uuid),
    one.capacity,
    one.capacity_left,
  ])
  const json = JSON.stringify({ places, products, uuids, slots, from, to })
  // Inside a script only `</script` and `<!--` could end it early.
  return new Html(`<script type="application/json">${json.replaceAll('<', '\\u003c')}</script>`)
}
