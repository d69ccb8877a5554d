import { parentPort, workerData } from 'node:worker_threads'
import Holidays, { type HolidaysTypes } from 'date-holidays'
import type { Holiday, HolidayAnswer, HolidayQuestion } from './holidays.ts'

// Runs in its own thread; see holidays.ts.

function answer(question: HolidayQuestion): HolidayAnswer {
  const { country, state, region, year, language } = question
  const known = new Holidays()
  const countries = known.getCountries(language) ?? {}
  if (!(country in countries)) return { kind: 'unknown', field: 'country', choices: countries }
  const states = known.getStates(country, language) ?? {}
  if (question.isAboutStates) return { kind: 'states', states }
  if (state && !(state in states)) return { kind: 'unknown', field: 'state', choices: states }
  const regions = (state && known.getRegions(country, state, language)) || {}
  if (region && !(region in regions)) return { kind: 'unknown', field: 'region', choices: regions }
  known.init(country, state ?? '', region ?? '')
  const all = known.getHolidays(year, language).filter(one => one.type === 'public')
  return { kind: 'known', holidays: all.map(asHoliday) }
}

/**
 * Whole days if the holiday starts at midnight. A suffix after the clock time marks dates that depend on the
 * moon.
 */
function asHoliday({ date, start, end, name }: HolidaysTypes.Holiday): Holiday {
  const [day, clock] = date.split(' ') as [string, string]
  const hours = (end.getTime() - start.getTime()) / 3_600_000
  if (clock === '00:00:00')
    return { from: day, to: addHours(day, 24 * Math.max(1, Math.round(hours / 24))), name }
  return { from: `${day}T${clock.slice(0, 5)}`, to: addHours(day, 24), name }
}

const addHours = (day: string, hours: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + hours * 3_600_000).toISOString().slice(0, 10)

parentPort!.postMessage(answer(workerData as HolidayQuestion))
