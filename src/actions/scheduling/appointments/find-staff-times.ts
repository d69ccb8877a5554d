import { explainedPeriod, loadWindows } from '../../../db/booking/windows.ts'
import { runInSteps, yielder } from '../../../lib/run-in-steps.ts'
import { type StaffTime, type StaffTimesRequest, staffTimesOf } from '../../../rules/offers/staff-times.ts'
import { offsetAt, startOfNextLocalDay, zoneOffsets } from '../../../rules/time/zones.ts'
import { type ClockWish, clockAt, matchesClock, spansOfWish } from '../../../rules/waiting/wish.ts'
import type { Service } from '../../../service.ts'

type Place = { id: number; uuid: string; name: string }

/** Where and for what staff look for a time; `places` are in order of preference. */
export type StaffQuestion = Pick<StaffTimesRequest, 'product' | 'duration' | 'moving' | 'includeClosed'> & {
  places: Place[]
  timeZone: string
  /** Only these weekdays and hours, as on the waiting list. */
  wish?: ClockWish | null
}

/** `date`: the local day. */
export type FoundTime = StaffTime & { place: Place; date: string }

type Period = { from: number; to: number }

/** All free times of a period, ordered by time, then by place. */
export async function findStaffTimes(service: Service, question: StaffQuestion, period: Period) {
  const found = await searchPlaces(service, question, period)
  return found.sort((one, other) => one.start - other.start)
}

/**
 * By day, then in the order of preference, each with its first times. The others are only counted, not built:
 * a few weeks of many Resources have tens of thousands.
 */
export async function findTimeGroups(
  service: Service,
  question: StaffQuestion,
  period: Period,
  perGroup: number,
): Promise<TimeGroup[]> {
  const counts = new Map(question.places.map(({ id }) => [id, new Map<string, number>()]))
  const times = await searchPlaces(service, question, period, (place, date) => {
    const ofPlace = counts.get(place.id)!
    const count = (ofPlace.get(date) ?? 0) + 1
    ofPlace.set(date, count)
    return count <= perGroup
  })
  return groupTimes(times, question, perGroup).map(group => ({
    ...group,
    count: counts.get(group.place.id)!.get(group.date)!,
  }))
}

/** Place by place, each in order of time. `keep`: whether the time is part of the answer. */
async function searchPlaces(
  { db }: Service,
  { places, wish = null, timeZone, ...question }: StaffQuestion,
  { from, to }: Period,
  keep?: (place: Place, date: string) => boolean,
): Promise<FoundTime[]> {
  if (places.length === 0) return []
  const wanted = places.map(({ id }) => ({ resourceId: id, channelKey: 'RESOURCE_PUBLIC' as const }))
  const loaded = await loadWindows(db, wanted, explainedPeriod(from, to))
  const offsets = zoneOffsets(timeZone, from, to)
  const dateOf = localDates(offsets)
  const asked = wish && {
    wants: (time: { start: number; end: number }) =>
      matchesClock(wish, clockAt(time, offsetAt(offsets, time.start))),
    within: spansOfWish(wish, { from, to }, offsets),
  }
  const pauseIfDue = yielder()
  const found: FoundTime[] = []
  for (const { window, resource, now } of loaded) {
    const place = places.find(one => one.id === resource.id)!
    const keeping = keep && { keep: (start: number) => keep(place, dateOf(start)) }
    const request = { ...question, ...asked, ...keeping, now, from, to }
    const times = await runInSteps(staffTimesOf(window, request), pauseIfDue)
    for (const time of times) found.push({ ...time, place, date: dateOf(time.start) })
  }
  return found
}

/** Thousands of times fall on a few days. */
function localDates(offsets: ReturnType<typeof zoneOffsets>) {
  const known = new Map<number, string>()
  return (start: number) => {
    const offset = offsetAt(offsets, start)
    const day = Math.floor((start + offset) / dayMs)
    const date = known.get(day) ?? clockAt({ start, end: start }, offset).date
    known.set(day, date)
    return date
  }
}

/** The free times of one day at one place. */
export type TimeGroup = { date: string; place: Place; count: number; times: FoundTime[] }

/** By day, then in the order of preference, each with its first times. */
export function groupTimes(times: FoundTime[], { places }: StaffQuestion, perGroup: number): TimeGroup[] {
  const groups = new Map<string, TimeGroup>()
  for (const time of times) {
    const { date, place } = time
    const key = `${date} ${place.id}`
    const group = groups.get(key) ?? { date, place, count: 0, times: [] }
    groups.set(key, group)
    group.count++
    if (group.times.length < perGroup) group.times.push(time)
  }
  const rank = new Map(places.map(({ id }, index) => [id, index]))
  const inOrder = (one: TimeGroup, other: TimeGroup) =>
    one.date < other.date
      ? -1
      : one.date > other.date
        ? 1
        : rank.get(one.place.id)! - rank.get(other.place.id)!
  return [...groups.values()].sort(inOrder)
}

const dayMs = 86_400_000
/** In days. Most businesses have something free in the first week; the search widens only if not. */
const steps = [7, 7, 14, 28, 56, 70]

/** The free times of the next `count` days that have one, before `to` and at most half a year ahead. */
export async function findNextDays(
  service: Service,
  question: StaffQuestion,
  { from, to }: Period,
  count: number,
): Promise<FoundTime[]> {
  const found: FoundTime[] = []
  const days = new Set<string>()
  let begin = from
  for (const step of steps) {
    if (begin >= to) break
    const end = Math.min(startOfNextLocalDay(begin + (step - 1) * dayMs, question.timeZone), to)
    for (const time of await findStaffTimes(service, question, { from: begin, to: end })) {
      if (days.size === count && !days.has(time.date)) return found
      days.add(time.date)
      found.push(time)
    }
    if (days.size === count) break
    begin = end
  }
  return found
}

/** The first time of each day. */
export const firstOfDays = (times: FoundTime[]): FoundTime[] =>
  times.filter(({ date }, index) => date !== times[index - 1]?.date)
