import { lazy, Suspense } from 'preact/compat'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { isDay } from '#shared/dates.ts'
import { instantOf, localAt } from '#shared/zones.ts'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { ordered } from '../../entry-order.ts'
import { merged, useChanges, withHolds } from '../../live-changes.ts'
import { useLoad } from '../../load.ts'
import { type CalendarPeriod, type Entry, peopleIn } from '../../records.ts'
import { useMay, useProvider } from '../../session.ts'
import { shell } from '../../shell-words.ts'
import { useShortcuts } from '../../shortcuts.ts'
import { instant, today } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { droppedPlace, pressedPoint } from '../../ui/dialogs/place-beside.ts'
import { Empty, Page, Skeleton, Trouble } from '../../ui/Page.tsx'
import { AppointmentPanel } from '../appointment/AppointmentPanel.tsx'
import type { When } from '../appointment/form-times.ts'
import { texts as appointmentTexts } from '../appointment/words.ts'
import './calendar.css'
import { useArrows } from './arrow-keys.ts'
import { CalendarDialogs, type Open } from './CalendarDialogs.tsx'
import { ColumnPages, useColumnPages } from './ColumnPages.tsx'
import { shiftTo } from './change-hours.ts'
import { isLate } from './entry-style.ts'
import type { Moved, Place } from './Grid.tsx'
import { Legend } from './Legend.tsx'
import { ListView } from './ListView.tsx'
import { daysOf, hourFrom, isInPeriod, nextHour, periodOf, stepped, titleOf, viewOf } from './period.ts'
import { type Dropped, useQuickMove, withDropped } from './quick-move.ts'
import { Toolbar, useAddress } from './Toolbar.tsx'
import type { Shift } from './use-band-drag.ts'
import { focusAppointment, focusSlotCursor } from './use-slot-cursor.ts'
import { WeekTable } from './WeekTable.tsx'
import { texts } from './words.ts'

// The library is as large as the rest of the console, so it loads alongside the data and only if needed.
const Grid = lazy(() => import('./Grid.tsx'))

/** With more Resources than this, a week becomes a table. */
const mostByHour = 3

/** Day by Resource, week, month and list, with live updates. Every drag has a form as alternative. */
export default function Calendar() {
  const provider = useProvider()
  return <Shown key={provider.uuid} uuid={provider.uuid} zone={provider.timeZone} />
}

function Shown({ uuid, zone }: { uuid: string; zone: string }) {
  const { params, set } = useAddress()
  const requestedDay = params.get('day')
  const day = isDay(requestedDay) ? requestedDay : today(zone)
  const view = viewOf(params.get('view'))
  const resource = params.get('resource')
  const panel = params.get('appointment')
  const { from, to } = periodOf(view, day)
  const loaded = useLoad(`calendar-${uuid}-${from}-${to}`, signal =>
    api.get(`/providers/${uuid}/calendar`, { query: { from, to }, signal }).then(ordered),
  )
  const data = loaded.data
  useChanges(uuid, data?.next, {
    apply: entries =>
      loaded.set(before => ({
        ...before,
        entries: merged(before.entries, entries, isInPeriod(from, to, zone)),
      })),
    reload: () => void loaded.reload(),
    holds: {
      from,
      to,
      apply: held => loaded.set(before => withHolds(before, held)),
      // The same ones again draw nothing.
      applyTimeslots: timeslots =>
        loaded.set(before =>
          JSON.stringify(timeslots) === JSON.stringify(before.timeslots) ? before : { ...before, timeslots },
        ),
    },
  })
  const [open, setOpen] = useState<Open | null>(null)
  const [dropped, setDropped] = useState<Dropped | null>(null)
  const drawn = useMemo(
    () => (data && dropped ? withDropped(data, dropped, zone) : data),
    [data, dropped, zone],
  )
  const mayBook = useMay('book')
  const now = useTicks(data)
  const chosen = data?.resources.some(one => one.uuid === resource) ? resource : null
  const resources = useMemo(
    () => data?.resources.filter(one => chosen === null || one.uuid === chosen) ?? [],
    [data?.resources, chosen],
  )
  const pages = useColumnPages(resources, view === 'day')
  const days = useMemo(() => daysOf({ from, to }), [from, to])
  const isTable = view === 'week' && resources.length > mostByHour
  const openPanel = (appointment: string) => set({ appointment })
  const step = (count: number) => set({ day: stepped(view, day, count) })
  const close = () => {
    setOpen(null)
    setDropped(null)
  }
  const changed = () => void loaded.reload().then(() => setDropped(null))
  const done = () => {
    setOpen(null)
    changed()
  }
  const here = (): When => ({
    resourceUuid: resources[0]?.uuid ?? '',
    day,
    ...nextHour(day === today(zone) ? localAt(Date.now(), zone).slice(11) : '09:00'),
  })
  useShortcuts([
    { keys: 'ArrowLeft', does: texts.previous, run: () => step(-1) },
    { keys: 'ArrowRight', does: texts.next, run: () => step(1) },
    { keys: 'd', does: texts.day, run: () => set({ view: 'day' }) },
    { keys: 'w', does: texts.week, run: () => set({ view: 'week' }) },
    { keys: 'm', does: texts.month, run: () => set({ view: 'month' }) },
    { keys: 'l', does: texts.list, run: () => set({ view: 'list' }) },
    ...(mayBook
      ? [
          {
            keys: 'n',
            does: appointmentTexts.bookTitle,
            run: () => setOpen({ kind: 'book', when: { ...here(), to: '' } }),
          },
          { keys: 'f', does: texts.toGrid, run: focusSlotCursor },
          { keys: 'b', does: common.blockTime, run: () => setOpen({ kind: 'block', when: here() }) },
        ]
      : []),
  ])
  useArrows()
  const moveQuickly = useQuickMove(data, zone, changed)
  const move = async (moved: Moved) => {
    const entry = data?.entries.find(one => one.uuid === moved.uuid)
    if (!entry || !mayBook) return moved.revert()
    const target = movedTo(entry, moved, zone)
    setDropped({ uuid: entry.uuid, to: target })
    if (await moveQuickly(entry, target)) return
    const at = await droppedPlace('.entry-mark.dropped')
    setOpen({ kind: 'move', entry, to: target, at })
  }
  const place = ({ resourceUuid, start, end }: Place) => {
    if (view === 'month') return set({ view: 'day', day: start.slice(0, 10) })
    if (!mayBook) return
    const where = resourceUuid ?? resources[0]?.uuid ?? ''
    const isExact = start !== end
    const span = isExact
      ? { from: start.slice(11), to: end.slice(11) }
      : hourFrom(start, startsAt(data?.entries ?? [], where, zone))
    setOpen({
      kind: 'here',
      isExact,
      at: pressedPoint(),
      when: { resourceUuid: where, day: start.slice(0, 10), ...span },
    })
  }
  const shift = ({ uuid, startBy, endBy }: Shift) => {
    const slot = data?.timeslots.find(one => one.uuid === uuid)
    const at = (text: string, minutes: number) => instant(text) + minutes * 60_000
    if (data && slot)
      void shiftTo(data, slot, { start: at(slot.start, startBy), end: at(slot.end, endBy) }, changed)
  }
  const action = (
    <>
      <Button keys="b" onClick={() => setOpen({ kind: 'block', when: here() })}>
        {common.blockTime}
      </Button>
      <span class="only-wide">
        <Button onClick={() => setOpen({ kind: 'open', when: here() })}>{texts.addHours}</Button>
      </span>
      <Button kind="main" keys="n" onClick={() => setOpen({ kind: 'book', when: { ...here(), to: '' } })}>
        {common.book}
      </Button>
    </>
  )
  return (
    <Page
      title={shell.calendar}
      wide
      action={mayBook && data && data.resources.length > 0 ? action : undefined}
    >
      <Toolbar
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
      {data?.resources.length === 0 && <Empty>{texts.noResources}</Empty>}
      {loaded.isLoading && <Skeleton rows={14} />}
      {data && data.resources.length > 0 && view === 'list' && (
        <ListView
          data={data}
          resources={resources}
          days={days}
          zone={zone}
          now={now}
          onOpen={openPanel}
          onPlace={place}
        />
      )}
      {drawn && isTable && (
        <WeekTable
          data={drawn}
          dropped={dropped?.uuid ?? null}
          resources={resources}
          days={days}
          today={today(zone)}
          zone={zone}
          now={now}
          isFixed={!mayBook}
          onOpen={openPanel}
          onMove={move}
          onPlace={place}
        />
      )}
      {drawn && drawn.resources.length > 0 && view !== 'list' && !isTable && (
        <Suspense fallback={<Skeleton rows={14} />}>
          <ColumnPages {...pages} />
          <Grid
            view={view}
            day={day}
            zone={zone}
            now={now}
            data={drawn}
            dropped={dropped?.uuid ?? null}
            resources={pages.shown}
            isFixed={!mayBook}
            onOpen={openPanel}
            onMove={move}
            onPlace={place}
            onShift={shift}
          />
        </Suspense>
      )}
      {data && data.resources.length > 0 && (
        <Legend
          data={data}
          resources={resources}
          hasBands={view === 'day' || (view === 'week' && !isTable)}
          onChanged={changed}
        />
      )}
      {panel && (
        <AppointmentPanel
          uuid={panel}
          known={data?.entries.find(one => one.uuid === panel) ?? null}
          onClose={() => {
            set({ appointment: null })
            requestAnimationFrame(() => focusAppointment(panel))
          }}
          onChanged={changed}
          onOpen={next => set({ appointment: next })}
        />
      )}
      {data && open && (
        <CalendarDialogs
          open={open}
          data={data}
          onOpen={setOpen}
          onDone={done}
          onChanged={changed}
          onClose={close}
        />
      )}
    </Page>
  )
}

const startsAt = (entries: Entry[], resourceUuid: string, zone: string) =>
  entries
    .filter(one => one.resource.uuid === resourceUuid && one.state === 'ACTIVE')
    .map(one => localAt(instant(one.start), zone))

/** The target of a drag. Its local time counts, also across a clock change; a move keeps the length. */
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

/** Changes when a hold expires or a customer becomes late, so that only then the calendar is redrawn. */
function useTicks(data: CalendarPeriod | null): number {
  const [now, set] = useState(Date.now)
  const hasHolds = data?.entries.some(one => peopleIn(one).some(person => person.expiresAt)) ?? false
  useEffect(() => {
    if (!data) return
    const lateAt = (time: number) => data.entries.filter(one => isLate(one, time)).length
    const look = () =>
      set(before => (hasHolds || lateAt(before) !== lateAt(Date.now()) ? Date.now() : before))
    const timer = setInterval(look, hasHolds ? 5000 : 30_000)
    return () => clearInterval(timer)
  }, [hasHolds, data])
  return now
}
