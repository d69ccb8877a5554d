import { useState } from 'preact/hooks'
import { addDays } from '../../../../shared/dates.ts'
import { dayAt } from '../../../../shared/zones.ts'
import { api } from '../../api.ts'
import { useLoad } from '../../load.ts'
import type { Closure, Entry } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { format, instant, timeRange } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty, Skeleton, Trouble } from '../../ui/Page.tsx'
import { say } from '../../ui/toasts.tsx'
import { useSending } from '../../ui/use-sending.ts'
import { ClosureDialog } from './ClosureDialog.tsx'
import { closureTexts as texts } from './closure-words.ts'
import { HolidayDialog } from './HolidayDialog.tsx'
import { OffersPage } from './OffersPage.tsx'
import { useResources } from './offers.ts'

/** When nothing can be booked although it is open otherwise: holidays, leave, a burst pipe. */
export default function Closures() {
  const provider = useProvider()
  const [open, setOpen] = useState<'closure' | 'holidays' | null>(null)
  const [inside, setInside] = useState<Entry[]>([])
  const path = `/providers/${provider.uuid}/closures` as const
  const loaded = useLoad(`closures-${provider.uuid}`, signal => api.get(path, { signal }))
  const { run } = useSending()
  const done = (text: string, appointments: Entry[]) => {
    setOpen(null)
    setInside(appointments)
    say(text)
    void loaded.reload()
  }
  const reopen = async ({ uuid, reason }: Closure) => {
    const gone = await run(() => api.remove(`${path}/${uuid}`).then(() => true))
    if (gone) done(texts.reopened(reason), [])
  }
  const closures = loaded.data?.closures
  const add = <Button onClick={() => setOpen('closure')}>{texts.add}</Button>
  return (
    <OffersPage
      action={
        <>
          <Button onClick={() => setOpen('holidays')}>{texts.holidays}</Button>
          {add}
        </>
      }
    >
      {inside.length > 0 && <Inside entries={inside} zone={provider.timeZone} />}
      {loaded.problem && <Trouble problem={loaded.problem} onRetry={loaded.reload} />}
      {loaded.isLoading && <Skeleton />}
      {closures?.length === 0 && <Empty action={add}>{texts.none}</Empty>}
      <ul class="lines">
        {closures?.map(one => (
          <Line key={one.uuid} closure={one} zone={provider.timeZone} onReopen={() => reopen(one)} />
        ))}
      </ul>
      {open === 'closure' && <ClosureDialog path={path} onClose={() => setOpen(null)} onDone={done} />}
      {open === 'holidays' && <HolidayDialog path={path} onClose={() => setOpen(null)} onDone={done} />}
    </OffersPage>
  )
}

type LineProps = { closure: Closure; zone: string; onReopen: () => void }

function Line({ closure, zone, onReopen }: LineProps) {
  const resources = useResources().data?.resources ?? []
  const names = closure.resources?.map(uuid => resources.find(one => one.uuid === uuid)?.internalName ?? '…')
  return (
    <li>
      <span>
        <strong>{closure.reason}</strong>
        <br />
        <time dateTime={closure.from}>{spanOf(closure, zone)}</time>
      </span>
      <span>{names?.join(', ') ?? texts.everything}</span>
      <Button label={`${texts.reopen}: ${closure.reason}`} onClick={onReopen}>
        {texts.reopen}
      </Button>
    </li>
  )
}

/** Days where it was said in days; the last one is the one before it opens again. */
function spanOf({ from, to, allDay }: Closure, zone: string): string {
  const [start, end] = [instant(from), instant(to)]
  if (!allDay)
    return dayAt(start, zone) === dayAt(end, zone)
      ? `${format.fullDay(start, zone)}, ${timeRange(from, to, zone)}`
      : `${format.fullDay(start, zone)}, ${format.time(start, zone)} – ${format.fullDay(end, zone)}, ${format.time(end, zone)}`
  const [first, last] = [dayAt(start, zone), addDays(dayAt(end, zone), -1)]
  return first === last
    ? format.fullDay(start, zone)
    : `${format.fullDay(start, zone)} – ${format.fullDay(end - 43_200_000, zone)}`
}

/** They stay until somebody moves or cancels them. */
function Inside({ entries, zone }: { entries: Entry[]; zone: string }) {
  return (
    <div class="trouble" role="status">
      <p>{texts.inside(entries.length)}</p>
      <ul>
        {entries.map(one => (
          <li key={one.uuid}>
            <a href={`?appointment=${one.uuid}`}>
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
