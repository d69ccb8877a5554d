import { explainedPeriod, loadWindows } from '../../db/booking/windows.ts'
import { runInSteps } from '../../lib/run-in-steps.ts'
import { type StaffTime, type StaffTimesRequest, staffTimesOf } from '../../rules/offers/staff-times.ts'
import { startOfLocalDay, startOfNextLocalDay } from '../../rules/time/zones.ts'
import type { Service } from '../../service.ts'

type Place = { id: number; uuid: string; name: string }

/** Where and for what staff look for a time; `places` are in order of preference. */
export type StaffQuestion = Pick<StaffTimesRequest, 'product' | 'duration' | 'moving'> & {
  places: Place[]
  timeZone: string
}

export type FoundTime = StaffTime & { place: Place }

/** All free times of a period, ordered by time, then by place. */
export async function findStaffTimes(
  { db }: Service,
  { places, ...question }: StaffQuestion,
  { from, to }: { from: number; to: number },
): Promise<FoundTime[]> {
  if (places.length === 0) return []
  const wanted = places.map(({ id }) => ({ resourceId: id, channelKey: 'RESOURCE_PUBLIC' as const }))
  const loaded = await loadWindows(db, wanted, explainedPeriod(from, to))
  const found: FoundTime[] = []
  for (const { window, resource, now } of loaded) {
    const place = places.find(one => one.id === resource.id)!
    const times = await runInSteps(staffTimesOf(window, { ...question, now, from, to }))
    for (const time of times) found.push({ ...time, place })
  }
  return found.sort((one, other) => one.start - other.start)
}

const dayMs = 86_400_000
/** In days. Most businesses have something free in the first week; the search widens only if not. */
const steps = [7, 7, 14, 28, 56, 70]

/** The first free time of each of the next `count` days that have one, at most half a year ahead. */
export async function findNextDays(
  service: Service,
  question: StaffQuestion,
  from: number,
  count: number,
): Promise<FoundTime[]> {
  const firsts = new Map<number, FoundTime>()
  let begin = from
  for (const days of steps) {
    const end = startOfNextLocalDay(begin + (days - 1) * dayMs, question.timeZone)
    for (const time of await findStaffTimes(service, question, { from: begin, to: end })) {
      const day = startOfLocalDay(time.start, question.timeZone)
      if (!firsts.has(day)) firsts.set(day, time)
      if (firsts.size === count) return [...firsts.values()]
    }
    begin = end
  }
  return [...firsts.values()]
}
