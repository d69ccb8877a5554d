import { common } from '../../common-words.ts'
import { unitOf } from '../../ui/fields/DurationField.tsx'
import { locale } from '../../words.ts'
import type { BookingSettings, SettingName } from './setting-labels.ts'
import { texts } from './words.ts'

const amount = (value: number, unit: 'minute' | 'hour' | 'day') =>
  new Intl.NumberFormat(locale.tag, { style: 'unit', unit, unitDisplay: 'long' }).format(value)

const inUnits = { minutes: ['minute', 1], hours: ['hour', 60], days: ['day', 1440] } as const

function duration(minutes: number): string {
  const [unit, length] = inUnits[unitOf(minutes)]
  return amount(minutes / length, unit)
}

/** A setting in words: 2 hours, no limit. */
export function settingValue<Name extends SettingName>(name: Name, value: BookingSettings[Name]): string {
  if (typeof value === 'boolean') return value ? common.yes : common.no
  if (name === 'bookingProcess') return texts.processes[value as BookingSettings['bookingProcess']]
  if (name === 'phoneField') return texts.phoneFields[value as BookingSettings['phoneField']]
  if (value === null) return texts.noLimit
  const number = value as number
  if (name === 'horizonDays') return amount(number, 'day')
  if (name === 'reminderHours') return number === 0 ? texts.noReminder : amount(number, 'hour')
  // 0 and 1 both mean one date.
  return name === 'seriesMax' ? String(Math.max(1, number)) : duration(number)
}
