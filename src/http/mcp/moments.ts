import { invalidField } from '../../errors.ts'
import { isTimeZone, toUtcText } from '../../rules/time/time.ts'

/** A time as agents get it: nothing to convert, nothing to guess. */
type AgentMoment = { instant: string; local: string; zone: string }

export function momentAt(at: number, zone: string): AgentMoment {
  const local = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  return { instant: toUtcText(at), local: local.format(at), zone }
}

/** The zone that the agent names, else that of the business. */
export function zoneOr(zone: string | undefined, business: string): string {
  if (!zone) return business
  if (!isTimeZone(zone)) throw invalidField('zone', 'time-zone:iana')
  return zone
}
