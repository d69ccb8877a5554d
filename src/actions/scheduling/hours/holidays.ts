import type { ProviderContext } from '../../../callers.ts'
import { holidaysOn } from '../../../db/scheduling/closures.ts'
import type { ProviderRow } from '../../../db/setup/providers.ts'
import { invalidField } from '../../../errors.ts'
import { askHolidays, type Holiday, type HolidayAnswer } from '../../../lib/holidays.ts'
import type { Service } from '../../../service.ts'
import { createClosures } from './closures.ts'

type HolidayPlace = { country: string; state?: string | null; region?: string | null }
type HolidayRequest = HolidayPlace & { year?: number | null }

/** The public holidays of a year, and whether the Provider is already closed on them. */
export async function findHolidays(service: Service, provider: ProviderRow, request: HolidayRequest) {
  const holidays = await holidaysOf(provider, request)
  const closed = await holidaysOn(service.db, provider.id, holidays.map(dayOf))
  const days = new Set(closed.map(one => one.holiday))
  return holidays.map(holiday => ({ ...holiday, closed: days.has(dayOf(holiday)) }))
}

/** Creates a closure of the whole Provider for each holiday that has none. */
export async function addHolidays(context: ProviderContext, holidays: Holiday[]) {
  const inputs = holidays.map(holiday => ({
    from: holiday.from,
    to: holiday.to,
    reason: holiday.name,
    holiday: dayOf(holiday),
  }))
  const made = await createClosures(context, { inputs, resources: null })
  const closures = await holidaysOn(context.service.db, context.provider.id, holidays.map(dayOf))
  return { closures, added: made.closures.length, appointments: made.appointments }
}

const dayOf = ({ from }: Holiday) => from.slice(0, 10)

/**
 * Without a year: the next twelve months. Waits for a worker thread, so do not call it while holding a
 * connection.
 */
export async function holidaysOf(
  provider: ProviderRow,
  { year, ...place }: HolidayRequest,
): Promise<Holiday[]> {
  if (year) return holidaysIn(provider, { ...place, year })
  const today = Temporal.Now.plainDateISO(provider.timeZone)
  const end = today.add({ years: 1 })
  const found = await Promise.all(
    [today.year, end.year].map(one => holidaysIn(provider, { ...place, year: one })),
  )
  return found.flat().filter(one => dayOf(one) >= today.toString() && dayOf(one) < end.toString())
}

async function holidaysIn({ language }: ProviderRow, request: HolidayPlace & { year: number }) {
  const country = request.country.toUpperCase()
  const [state, region] = [request.state?.toUpperCase(), request.region?.toUpperCase()]
  const found = await askHolidays({ ...request, country, state, region, language })
  return found.kind === 'known' ? found.holidays : refuse(found)
}

/** Sorted by name. */
export async function regionsOf(country: string, language: string) {
  const found = await askHolidays({ isAboutStates: true, country: country.toUpperCase(), year: 0, language })
  if (found.kind !== 'states') return refuse(found)
  return Object.entries(found.states)
    .map(([code, name]) => ({ code, name }))
    .sort((one, other) => one.name.localeCompare(other.name, language))
}

function refuse(found: HolidayAnswer): never {
  const { field, choices } = found as Extract<HolidayAnswer, { kind: 'unknown' }>
  const codes = Object.keys(choices)
  if (codes.length === 0) throw invalidField(field, 'one-of:nothing')
  throw invalidField(field, 'one-of', { choices: codes })
}
