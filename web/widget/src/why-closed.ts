import { addDays, type Day } from '#shared/dates.ts'
import type { Texts } from '#shared/texts/index.ts'
import { startOfDay } from '#shared/zones.ts'
import type { State } from './state.ts'

type Format = { day(day: Day): string }

/** What to say of a day without times: why it is closed, if it is; else that there are none. */
export function nothingOn(state: State, day: Day, texts: Texts, format: Format): string {
  const reason = closedOn(state, day)
  return reason ? texts.closedOn(format.day(day), reason) : texts.noTimesOn(format.day(day))
}

/** Closed for the better part of the day, wherever the visitor could go. An hour at noon is no reason for an empty day. */
function closedOn({ places, resource, zone }: State, day: Day): string | null {
  const [from, to] = [startOfDay(day, zone), startOfDay(addDays(day, 1), zone)]
  const isLong = (closure: { from: string; to: string }) =>
    Math.min(to, Date.parse(closure.to)) - Math.max(from, Date.parse(closure.from)) >= (to - from) / 2
  const asked = places.filter(one => resource === null || one.resource.uuid === resource)
  const reasons = asked.map(one => one.closures.find(isLong)?.reason)
  return reasons.every(reason => reason !== undefined) ? (reasons[0] ?? null) : null
}
