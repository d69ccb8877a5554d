import { closedAt, closedSentence } from '#shared/closures.ts'
import { addDays } from '#shared/dates.ts'
import type { Format } from '#shared/format.ts'
import type { Texts } from '#shared/texts/index.ts'
import { startOfDay } from '#shared/zones.ts'
import { monthSpan, type State } from './state.ts'

/** The selected Resource, or all of them. */
const askedPlaces = ({ places, resource }: State) =>
  places.filter(one => resource === null || one.resource.uuid === resource)

/** Why and until when it is closed now; null if it is open. */
export const closedNow = (state: State, at: number, texts: Texts, format: Format): string | null =>
  closedSentence(askedPlaces(state), at, state.zone, texts, format)

/**
 * Why a day or the shown month has no times: it is closed, and until when; otherwise, that there are none.
 */
export function nothingOn(state: State, texts: Texts, format: Format, now: number): string {
  const { day, zone, month } = state
  const { from, to } = day
    ? { from: startOfDay(day, zone), to: startOfDay(addDays(day, 1), zone) }
    : monthSpan(state)
  // A closed lunch hour does not explain an empty day.
  const isLong = (one: { from: string; to: string }) =>
    !day || Math.min(to, Date.parse(one.to)) - Math.max(from, Date.parse(one.from)) >= (to - from) / 2
  const at = day ? (from + to) / 2 : Math.max(now, from)
  const places = askedPlaces(state).map(one => ({ closures: one.closures.filter(isLong) }))
  const closed = closedAt(places, at)
  if (day && closed && closed.until <= to) return texts.closedOn(format.day(day), closed.reason)
  const isWhole = closed && closed.until >= to
  const sentence = isWhole && closedNow(state, at, texts, format)
  return sentence || (day ? texts.noTimesOn(format.day(day)) : texts.noTimesIn(format.month(month)))
}
