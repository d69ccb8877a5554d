import { useEffect, useMemo, useState } from 'preact/hooks'
import { addDays, addMonths, firstDay, isDay, monthOf, startOfWeek } from '../../../../shared/dates.ts'
import { instantOf, localAt } from '../../../../shared/zones.ts'
import { api } from '../../api.ts'
import { useKeys } from '../../keys.ts'
import { merged, useChanges } from '../../live.ts'
import { useLoad } from '../../load.ts'
import { type CalendarPeriod, type Entry, peopleIn } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { format, instant, today } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty, Page, Skeleton, Trouble } from '../../ui/Page.tsx'
import { locale } from '../../words.ts'
import { AppointmentPanel } from '../appointment/AppointmentPanel.tsx'
import { BookDialog } from '../appointment/BookDialog.tsx'
import { MoveDialog } from '../appointment/MoveDialog.tsx'
import type { When } from '../appointment/When.tsx'
import { texts as appointmentTexts } from '../appointment/words.ts'
import { Bar, useAddress } from './Bar.tsx'
import { BlockDialog, HereDialog, OpenDialog, WhyDialog } from './dialogs.tsx'
import { focusMark, Grid, type Moved, type Place } from './Grid.tsx'
import { Key } from './Key.tsx'
import { marksOf, type View } from './marks.ts'
import { useQuickMove } from './quick-move.ts'
import { texts } from './words.ts'

type Open =
  | { kind: 'here' | 'book' | 'block' | 'open' | 'why'; when: When }
  | { kind: 'move'; entry: Entry; to: When }

const firstWeekday = weekStart()

/** Day by Resource, week, month, list; live. Whatever is dragged can be done by a form, too. */
export default function Calendar() {
  const provider = useProvider()
  return <Shown key={provider.uuid} uuid={provider.uuid} zone={provider.timeZone} />
}

function Shown({ uuid, zone }: { uuid: string; zone: string }) {
  const { params, set } = useAddress()
  const asked = params.get('day')
  const day = isDay(asked) ? asked : today(zone)
  const view = viewOf(params.get('view'))
  const resource = params.get('resource')
  const panel = params.get('appointment')
  const { from, to } = periodOf(view, day)
  const loaded = useLoad(`calendar-${uuid}-${from}-${to}`, signal =>
    api.get(`/providers/${uuid}/calendar`, { query: { from, to }, signal }),
  )
  const data = loaded.data
  useChanges(uuid, data?.next, {
    apply: entries =>
      loaded.set(before => ({
        ...before,
        entries: merged(before.entries, entries, isInPeriod(from, to, zone)),
      })),
    reload: () => void loaded.reload(),
  })
  const [open, setOpen] = useState<Open | null>(null)
  const now = useTicks(data)
  const chosen = data?.resources.some(one => one.uuid === resource) ? resource : null
  const resources = useMemo(
    () => data?.resources.filter(one => chosen === null || one.uuid === chosen) ?? [],
    [data?.resources, chosen],
  )
  const marks = useMemo(() => {
    const withBuffers = view === 'day' || resources.length === 1
    return data ? marksOf(data, { view, zone, now, withBuffers, resource: chosen }) : []
  }, [data, view, zone, now, chosen, resources])

  const step = (count: number) => set({ day: stepped(view, day, count) })
  const close = () => setOpen(null)
  const changed = () => void loaded.reload()
  const done = () => {
    close()
    changed()
  }
  const here = (): When => ({
    resourceUuid: resources[0]?.uuid ?? '',
    day,
    ...nextHour(day === today(zone) ? localAt(Date.now(), zone).slice(11) : '09:00'),
  })
  useKeys([
    { keys: 'ArrowLeft', does: texts.previous, run: () => step(-1) },
    { keys: 'ArrowRight', does: texts.next, run: () => step(1) },
    { keys: 'd', does: texts.day, run: () => set({ view: 'day' }) },
    { keys: 'w', does: texts.week, run: () => set({ view: 'week' }) },
    { keys: 'm', does: texts.month, run: () => set({ view: 'month' }) },
    { keys: 'l', does: texts.list, run: () => set({ view: 'list' }) },
    { keys: 'n', does: appointmentTexts.bookTitle, run: () => setOpen({ kind: 'book', when: here() }) },
    { keys: 'b', does: texts.block, run: () => setOpen({ kind: 'block', when: here() }) },
  ])
  const moveQuickly = useQuickMove(data, zone, changed)
  const move = async (moved: Moved) => {
    const entry = data?.entries.find(one => one.uuid === moved.uuid)
    if (!entry) return moved.revert()
    const target = movedTo(entry, moved, zone)
    if (await moveQuickly(entry, target)) return
    moved.revert()
    setOpen({ kind: 'move', entry, to: target })
  }
  const place = ({ resourceUuid, start, end }: Place) => {
    if (view === 'month') return set({ view: 'day', day: start.slice(0, 10) })
    const length = start === end ? nextHour(start.slice(11)).to : end.slice(11)
    setOpen({
      kind: 'here',
      when: {
        resourceUuid: resourceUuid ?? resources[0]?.uuid ?? '',
        day: start.slice(0, 10),
        from: start.slice(11),
        to: length,
      },
    })
  }
  const action = (
    <>
      <Button onClick={() => setOpen({ kind: 'block', when: here() })}>{texts.block}</Button>
      <Button onClick={() => setOpen({ kind: 'open', when: here() })}>{texts.open}</Button>
      <Button kind="main" onClick={() => setOpen({ kind: 'book', when: here() })}>
        {appointmentTexts.book}
      </Button>
    </>
  )
  return (
    <Page title={texts.title} wide action={data && data.resources.length > 0 ? action : undefined}>
      <Bar
        view={view}
        day={day}
        zone={zone}
        title={titleOf(view, day)}
        resource={chosen}
        resources={data?.resources ?? []}
        set={set}
        step={step}
      />
      {loaded.problem && <Trouble problem={loaded.problem} onRetry={loaded.reload} />}
      {data?.resources.length === 0 && <Empty>{texts.none}</Empty>}
      {loaded.isLoading && <Skeleton rows={14} />}
      {data && data.resources.length > 0 && (
        <Grid
          view={view}
          day={day}
          zone={zone}
          marks={marks}
          resources={resources}
          scrollTime={scrollTo(data, zone)}
          firstWeekday={firstWeekday}
          onOpen={appointment => set({ appointment })}
          onMove={move}
          onPlace={place}
        />
      )}
      {(view === 'day' || view === 'week') && <Key />}
      {panel && (
        <AppointmentPanel
          uuid={panel}
          known={data?.entries.find(one => one.uuid === panel) ?? null}
          onClose={() => {
            set({ appointment: null })
            requestAnimationFrame(() => focusMark(panel))
          }}
          onChanged={changed}
        />
      )}
      {open?.kind === 'move' && <MoveDialog entry={open.entry} to={open.to} onDone={done} onClose={close} />}
      {data && open?.kind === 'book' && (
        <BookDialog
          start={open.when}
          resources={data.resources}
          products={data.products}
          onDone={done}
          onClose={close}
        />
      )}
      {data && open?.kind === 'here' && (
        <HereDialog
          when={open.when}
          resources={data.resources}
          onChoose={kind => setOpen({ kind, when: open.when })}
          onDone={done}
          onClose={close}
        />
      )}
      {data && open?.kind === 'block' && (
        <BlockDialog start={open.when} resources={data.resources} onDone={done} onClose={close} />
      )}
      {data && open?.kind === 'open' && (
        <OpenDialog start={open.when} resources={data.resources} onDone={done} onClose={close} />
      )}
      {data && open?.kind === 'why' && (
        <WhyDialog when={open.when} resources={data.resources} onClose={close} />
      )}
    </Page>
  )
}

const views: View[] = ['day', 'week', 'month', 'list']

/** On a phone one day fits; a desk sees the day, too: it is where the work is. */
const viewOf = (asked: string | null): View => views.find(one => one === asked) ?? 'day'

function periodOf(view: View, day: string): { from: string; to: string } {
  if (view === 'day') return { from: day, to: addDays(day, 1) }
  if (view === 'month') {
    const from = startOfWeek(firstDay(monthOf(day)), firstWeekday)
    return { from, to: addDays(from, 42) }
  }
  const from = startOfWeek(day, firstWeekday)
  return { from, to: addDays(from, 7) }
}

function stepped(view: View, day: string, count: number): string {
  if (view === 'month') return firstDay(addMonths(monthOf(day), count))
  return addDays(day, view === 'day' ? count : 7 * count)
}

function titleOf(view: View, day: string): string {
  if (view === 'day') return format.day(day)
  if (view === 'month') return format.month(monthOf(day))
  const from = startOfWeek(day, firstWeekday)
  return `${format.shortDay(from)} – ${format.shortDay(addDays(from, 6))}`
}

const isInPeriod = (from: string, to: string, zone: string) => {
  const [begin, end] = [instantOf(`${from}T00:00`, zone), instantOf(`${to}T00:00`, zone)]
  return (entry: Entry) => instant(entry.start) < end && instant(entry.end) > begin
}

/** An hour that begins with the next full one. */
function nextHour(time: string): { from: string; to: string } {
  const hour = Math.min(22, Number(time.slice(0, 2)) + (time.endsWith(':00') ? 0 : 1))
  const two = (value: number) => String(value).padStart(2, '0')
  return { from: `${two(hour)}:00`, to: `${two(hour + 1)}:00` }
}

/**
 * Where a drag ended. The clock time is what was meant, also across a change of the clocks; what was only moved keeps its
 * length.
 */
function movedTo(entry: Entry, moved: Moved, zone: string): When {
  const wasLengthened = moved.start === localAt(instant(entry.start), zone)
  const start = wasLengthened ? instant(entry.start) : instantOf(moved.start, zone)
  const end = wasLengthened ? instantOf(moved.end, zone) : start + instant(entry.end) - instant(entry.start)
  return {
    resourceUuid: moved.resourceUuid ?? entry.resource.uuid,
    day: localAt(start, zone).slice(0, 10),
    from: localAt(start, zone).slice(11),
    to: localAt(end, zone).slice(11),
  }
}

/** An hour before the first thing of the day, at the latest at eight. */
function scrollTo({ timeslots, entries }: CalendarPeriod, zone: string): string {
  const starts = [...timeslots, ...entries].map(one =>
    Number(localAt(instant(one.start), zone).slice(11, 13)),
  )
  return `${String(Math.max(0, Math.min(8, ...starts) - 1)).padStart(2, '0')}:00:00`
}

/** Holds run out while one looks at them; without any, nothing ticks. */
function useTicks(data: CalendarPeriod | null): number {
  const [now, set] = useState(Date.now)
  const hasHolds = data?.entries.some(one => peopleIn(one).some(person => person.expiresAt)) ?? false
  useEffect(() => {
    if (!hasHolds) return
    const timer = setInterval(() => set(Date.now()), 5000)
    return () => clearInterval(timer)
  }, [hasHolds])
  return now
}

function weekStart(): number {
  const { weekInfo, getWeekInfo } = new Intl.Locale(locale.tag) as unknown as {
    weekInfo?: { firstDay: number }
    getWeekInfo?: () => { firstDay: number }
  }
  return getWeekInfo?.call(new Intl.Locale(locale.tag)).firstDay ?? weekInfo?.firstDay ?? 1
}
