import { api } from '../../api.ts'
import type { CalendarPeriod, OpenTime } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { instant, timeRange } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { showToast } from '../../ui/toasts.tsx'
import { withEllipsis } from '../../words.ts'
import { spanOf, type When } from '../appointment/form-times.ts'
import { closedName } from './calendar-events.ts'
import { canShift } from './change-hours.ts'
import { texts } from './words.ts'

type Props = {
  when: When
  data: CalendarPeriod
  onShift: (slot: OpenTime) => void
  onDone: () => void
}

/** Blocks and extra slots at this time, so that staff can remove them, even weeks later. */
export function ExistingHere({ when, data, onShift, onDone }: Props) {
  const { timeZone: zone } = useProvider()
  const { busy, run } = useSubmit()
  const blocks = blocksAt(data, when, zone)
  const opened = openedAt(data, when, zone)
  if (blocks.length + opened.length === 0) return null
  const path = `/resources/${when.resourceUuid}` as const

  async function unblock({ uuid, from, to, reason }: (typeof blocks)[number]) {
    if (!(await run(() => api.remove(`${path}/blocks/${uuid}`).then(() => true)))) return
    showToast(texts.unblocked, {
      about: timeRange(from, to, zone),
      undo: () => api.post(`${path}/blocks`, { from, to, reason }).then(onDone),
    })
    onDone()
  }
  async function takeBack({ uuid, start, end, raster, capacity }: (typeof opened)[number]) {
    if (!(await run(() => api.remove(`/timeslots/${uuid}`).then(() => true)))) return
    const undo = () => api.post(`${path}/timeslots`, { start, end, raster, capacity }).then(onDone)
    showToast(texts.hoursRemoved, { about: timeRange(start, end, zone), undo })
    onDone()
  }
  return (
    <ul class="lines" aria-label={texts.atThisTime}>
      {blocks.map(one => (
        <li key={one.uuid}>
          <span>
            {closedName(one)} <span class="soft">{timeRange(one.from, one.to, zone)}</span>
          </span>
          <Button busy={busy} onClick={() => unblock(one)}>
            {texts.unblock}
          </Button>
        </li>
      ))}
      {opened.map(one => (
        <li key={one.uuid}>
          <span>
            {texts.available} <span class="soft">{timeRange(one.start, one.end, zone)}</span>
          </span>
          <span class="row">
            <Button onClick={() => onShift(one)}>{withEllipsis(texts.changeHours)}</Button>
            <Button busy={busy} onClick={() => takeBack(one)}>
              {texts.removeHours}
            </Button>
          </span>
        </li>
      ))}
    </ul>
  )
}

const blocksAt = ({ closures }: CalendarPeriod, when: When, zone: string) =>
  closures.filter(
    one => one.isBlock && one.resources?.includes(when.resourceUuid) && touches(when, zone, one.from, one.to),
  )

/** Slots made by opening hours would be created again: these are blocked instead. */
const openedAt = ({ timeslots }: CalendarPeriod, when: When, zone: string) =>
  timeslots.filter(
    one => one.resourceUuid === when.resourceUuid && canShift(one) && touches(when, zone, one.start, one.end),
  )

function touches(when: When, zone: string, from: string, to: string): boolean {
  const span = spanOf(when, zone)
  return span !== null && instant(from) < span.end && instant(to) > span.start
}
