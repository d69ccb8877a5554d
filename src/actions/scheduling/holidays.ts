import { holidaysOn } from '../../db/scheduling/closures.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import { invalidField } from '../../errors.ts'
import { askHolidays, type Holiday } from '../../lib/holidays.ts'
import type { Actor } from '../../rules/news/events.ts'
import type { Service } from '../../service.ts'
import { closeTimes } from './closures.ts'

type HolidayWish = { country: string; state?: string | null; region?: string | null; year: number }

/** The public holidays of a year, and whether the Provider has closed on them already. */
export async function findHolidays(service: Service, provider: ProviderRow, wish: HolidayWish) {
  const holidays = await holidaysOf(provider, wish)
  const closed = await holidaysOn(service.db, provider.id, holidays.map(dayOf))
  const days = new Set(closed.map(one => one.holiday))
  return holidays.map(holiday => ({ ...holiday, closed: days.has(dayOf(holiday)) }))
}

/** A closure of the whole Provider for each of them that there is none for. */
export async function addHolidays(service: Service, actor: Actor, provider: ProviderRow, wish: HolidayWish) {
  const holidays = await holidaysOf(provider, wish)
  const wishes = holidays.map(holiday => ({
    from: holiday.from,
    to: holiday.to,
    reason: holiday.name,
    holiday: dayOf(holiday),
  }))
  const made = await closeTimes(service, actor, provider, { wishes, resources: null })
  const closures = await holidaysOn(service.db, provider.id, holidays.map(dayOf))
  return { closures, added: made.closures.length, appointments: made.appointments }
}

const dayOf = ({ from }: Holiday) => from.slice(0, 10)

async function holidaysOf({ language }: ProviderRow, wish: HolidayWish): Promise<Holiday[]> {
  const country = wish.country.toUpperCase()
  const [state, region] = [wish.state?.toUpperCase(), wish.region?.toUpperCase()]
  const found = await askHolidays({ ...wish, country, state, region, language })
  if (found.kind === 'known') return found.holidays
  const { field, choices } = found
  const codes = Object.keys(choices)
  throw invalidField(
    field,
    codes.length === 0
      ? `There is no ${field} to choose here. Leave it out.`
      : `${field} must be one of ${codes.join(', ')}.`,
  )
}
