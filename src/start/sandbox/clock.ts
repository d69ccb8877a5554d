import { noticeStaleCalendars } from '../../actions/scheduling/calendars/stale-calendars.ts'
import { extendHours } from '../../actions/scheduling/hours/hours.ts'
import { remind, tidy } from '../../actions/scheduling/housekeeping.ts'
import { purge } from '../../actions/scheduling/retention.ts'
import { forgetLists } from '../../db/base/sandbox.ts'
import { clockNow, processClock } from '../../lib/clock.ts'
import type { Service } from '../../service.ts'

const hour = 3_600_000
const day = 24 * hour

/** Hourly steps for a week; longer jumps have larger ones. */
const maxSteps = 168

let turn: Promise<unknown> = Promise.resolve()

/** One change after the other. */
export function setClock(service: Service, target: number): Promise<void> {
  const moved = turn.then(() => moveTo(service, target))
  turn = moved.catch(() => {})
  return moved
}

/** Forwards in steps, with the jobs of each, so that a reminder is sent although its appointment is over in the end. */
async function moveTo(service: Service, target: number) {
  const start = clockNow()
  const step = Math.max(hour, (target - start) / maxSteps)
  let dailyAt = start + day
  for (let at = Math.min(start + step, target); at < target; at += step) {
    showTime(at)
    await runJobs(service, at >= dailyAt)
    if (at >= dailyAt) dailyAt = at + day
  }
  showTime(target)
  await forgetLists(service.db)
  await runJobs(service, true)
}

function showTime(at: number) {
  processClock.shiftMs = Math.round(at - Date.now())
}

export const resetClock = () => {
  processClock.shiftMs = 0
}

async function runJobs(service: Service, withDaily: boolean) {
  await remind(service)
  await tidy(service)
  if (!withDaily) return
  await extendHours(service)
  await noticeStaleCalendars(service)
  await purge(service, { dryRun: false })
}
