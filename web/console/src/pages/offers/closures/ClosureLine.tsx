import type { ComponentChildren } from 'preact'
import { addDays } from '#shared/dates.ts'
import { dayAt, startOfDay } from '#shared/zones.ts'
import { common } from '../../../common-words.ts'
import type { Closure, Entry } from '../../../records.ts'
import { format, instant, timeRange } from '../../../time.ts'
import { useResources } from '../offers.ts'
import { closureTexts as texts } from './closure-words.ts'

/** Names who is away. */
export function useWhose() {
  const resources = useResources().data?.resources ?? []
  return (closure: Closure): string =>
    closure.resources
      ?.map(uuid => resources.find(one => one.uuid === uuid)?.internalName ?? '…')
      .join(', ') ?? common.wholeBusiness
}

type LineProps = { closure: Closure; zone: string; children: ComponentChildren }

export function ClosureLine({ closure, zone, children }: LineProps) {
  const whoseOf = useWhose()
  return (
    <li>
      <span class="wrap">
        <strong>{closure.reason}</strong>
        <br />
        <time dateTime={closure.from}>{whenOf(closure, zone)}</time>{' '}
        <span class="soft">· {whoseOf(closure)}</span>
      </span>
      <span class="row">{children}</span>
    </li>
  )
}

/** All-day closures show their last closed day, which is the day before `to`. */
export function whenOf({ from, to, allDay }: Closure, zone: string): string {
  const [start, end] = [instant(from), instant(to)]
  if (!allDay)
    return dayAt(start, zone) === dayAt(end, zone)
      ? `${format.fullDay(start, zone)}, ${timeRange(from, to, zone)}`
      : `${spanText(from, zone)} – ${spanText(to, zone)}`
  const last = startOfDay(addDays(dayAt(end, zone), -1), zone)
  return dayAt(start, zone) === dayAt(last, zone)
    ? format.fullDay(start, zone)
    : `${format.fullDay(start, zone)} – ${format.fullDay(last, zone)}`
}

export const spanText = (moment: string, zone: string) =>
  `${format.fullDay(instant(moment), zone)}, ${format.time(instant(moment), zone)}`

/** Appointments in the closure. They stay until staff move or cancel them. */
export function Inside({ entries, zone }: { entries: Entry[]; zone: string }) {
  if (entries.length === 0) return null
  return (
    <div class="trouble" role="status">
      <p>{texts.affectedAppointments(entries.length)}</p>
      <ul>
        {entries.map(one => (
          <li key={one.uuid}>
            <a href={`/console/?day=${dayAt(instant(one.start), zone)}&appointment=${one.uuid}`}>
              {format.fullDay(instant(one.start), zone)}, {timeRange(one.start, one.end, zone)}
            </a>{' '}
            {one.people
              .map(person => person.name)
              .filter(Boolean)
              .join(', ')}
          </li>
        ))}
      </ul>
    </div>
  )
}
