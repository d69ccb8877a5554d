import { lazy, Suspense } from 'preact/compat'
import { useEffect, useState } from 'preact/hooks'
import { Link, useSearchParams } from 'wouter-preact'
import { addDays, isDay } from '#shared/dates.ts'
import { instantOf } from '#shared/zones.ts'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { ordered } from '../../entry-order.ts'
import { merged, useChanges, withHolds } from '../../live-changes.ts'
import { useLoad } from '../../load.ts'
import { Unfinished } from '../../Notices.tsx'
import { useGo } from '../../navigation.ts'
import type { Entry } from '../../records.ts'
import { useMay, useSession } from '../../session.ts'
import { shell } from '../../shell-words.ts'
import { useShortcuts } from '../../shortcuts.ts'
import { format, instant, today } from '../../time.ts'
import { Actions } from '../../ui/Actions.tsx'
import { Button, ButtonFor } from '../../ui/Button.tsx'
import { Options } from '../../ui/fields/Options.tsx'
import { Empty, Page, Pending } from '../../ui/Page.tsx'
import { withEllipsis } from '../../words.ts'
import { briefTexts as questionTexts } from '../questions/brief-words.ts'
import { csvOf, download } from '../questions/csv.ts'
import { useQuestions } from '../questions/questions.ts'
import { ArrivedAndLate } from './ArrivedAndLate.tsx'
import { OpenRequests } from './OpenRequests.tsx'
import { Rows } from './Rows.tsx'
import { texts } from './words.ts'

// Loaded when first opened.
const AppointmentPanel = lazy(() =>
  import('../appointment/AppointmentPanel.tsx').then(one => one.AppointmentPanel),
)
const AbsenceDialog = lazy(() => import('../absence/AbsenceDialog.tsx').then(one => one.AbsenceDialog))
const WalkIn = lazy(() => import('./WalkIn.tsx').then(one => one.WalkIn))

/** The day in order across all Resources; the start page, and the one that is printed. */
export function Today() {
  const { provider } = useSession()
  if (!provider) return <Page title={shell.today}>{null}</Page>
  return <Day key={provider.uuid} uuid={provider.uuid} zone={provider.timeZone} name={provider.name} />
}

function Day({ uuid, zone, name }: { uuid: string; zone: string; name: string }) {
  const go = useGo()
  const [params, setParams] = useSearchParams()
  const requestedDay = params.get('day')
  const opened = params.get('appointment')
  const [which, setWhich] = useState('')
  const [isBooking, setBooking] = useState(false)
  const [isAbsent, setAbsent] = useState(false)
  const mayBook = useMay('book')
  const maySetUp = useMay('settings')
  const openPanel = (appointment: string | null) =>
    setParams(
      before => {
        const next = new URLSearchParams(before)
        if (appointment) next.set('appointment', appointment)
        else next.delete('appointment')
        return next
      },
      // Back must not reopen a closed panel.
      { replace: appointment === null },
    )
  const day = isDay(requestedDay) ? requestedDay : today(zone)
  const show = (next: string) => go(next === today(zone) ? '/' : `/?day=${next}`)
  const diary = useLoad(`diary-${uuid}-${day}`, signal =>
    api.get(`/providers/${uuid}/diary`, { query: { from: day }, signal }).then(ordered),
  )
  const read = () => void diary.reload()
  useChanges(uuid, diary.data ? null : undefined, {
    apply: entries =>
      diary.set(before => ({ ...before, entries: merged(before.entries, entries, isOf(day, zone)) })),
    reload: read,
    holds: {
      from: day,
      to: addDays(day, 1),
      apply: held => diary.set(before => withHolds(before, held)),
    },
  })
  useEffect(() => {
    if (diary.data && day === today(zone)) showNext()
  }, [diary.data !== null, day])
  useShortcuts([
    { keys: 'j', does: common.nextDay, run: () => show(addDays(day, 1)) },
    { keys: 'k', does: common.previousDay, run: () => show(addDays(day, -1)) },
    ...(mayBook ? [{ keys: 'n', does: common.book, run: () => setBooking(true) }] : []),
    { keys: 'p', does: common.print, run: () => print() },
  ])
  const isToday = day === today(zone)
  const now = useNow(isToday)
  const entries = diary.data?.entries ?? []
  const hasAnswers = entries.some(one => one.people.some(person => Object.keys(person.answers).length > 0))
  const questions = useQuestions(hasAnswers).data?.questions ?? []
  const save = () => download(`${day}.csv`, csvOf(entries, questions, zone))
  const action = (
    <>
      <Actions
        below={1200}
        actions={[
          entries.length > 0 && { name: 'CSV', label: questionTexts.download, run: save },
          { name: common.print, run: () => print(), keys: 'p' },
          mayBook && day >= today(zone) && { name: withEllipsis(texts.absence), run: () => setAbsent(true) },
        ]}
      />
      <ButtonFor right="book" kind="main" keys="n" onClick={() => setBooking(true)}>
        {common.book}
      </ButtonFor>
    </>
  )
  const filters = (
    <>
      <p class="soft day-facts">
        {/* On other days it is the title. */}
        {isToday && <span>{format.shortDay(day)}</span>}
        {diary.data && <span class="how-many">{texts.count(entries.filter(isOn).length)}</span>}
      </p>
      <span class="row steps">
        <Button label={common.previousDay} onClick={() => show(addDays(day, -1))}>
          ‹
        </Button>
        {isToday ? (
          <Button onClick={() => show(addDays(day, 1))}>{texts.tomorrow}</Button>
        ) : (
          <Button onClick={() => show(today(zone))}>{shell.today}</Button>
        )}
        <Button label={common.nextDay} onClick={() => show(addDays(day, 1))}>
          ›
        </Button>
        <Which entries={entries} value={which} onChange={setWhich} />
      </span>
    </>
  )
  return (
    <Page title={isToday ? shell.today : format.day(day)} filters={filters} action={action}>
      <OpenRequests onDone={read} />
      {isToday && <ArrivedAndLate entries={entries} now={now} onOpen={openPanel} />}
      <Pending of={diary} rows={8} />
      {maySetUp && diary.data?.entries.length === 0 && <Unfinished />}
      {diary.data?.entries.length === 0 && (
        <Empty
          action={
            <span class="row">
              <Link href="/calendar" class="button">
                {common.openCalendar}
              </Link>
              {maySetUp && <Link href="/channels">{texts.share}</Link>}
            </span>
          }
        >
          {texts.noAppointments}
        </Empty>
      )}
      {sheetsOf(entries, which).map(sheet => (
        <section key={sheet.name ?? ''} class="sheet">
          <h2 class={which === each ? '' : 'only-print'}>
            <span class="only-print">
              {format.day(day)} · {name}
              {sheet.name && ' · '}
            </span>
            {sheet.name}
          </h2>
          <Rows
            entries={sheet.entries}
            zone={zone}
            now={now}
            onOpen={openPanel}
            onDone={read}
            questions={questions}
          />
        </section>
      ))}
      <Suspense fallback={<span data-opening hidden />}>
        {opened && (
          <AppointmentPanel
            uuid={opened}
            known={entries.find(one => one.uuid === opened) ?? null}
            onClose={() => openPanel(null)}
            onChanged={read}
            onOpen={openPanel}
          />
        )}
        {isAbsent && <AbsenceDialog day={day} onClose={() => setAbsent(false)} onDone={read} />}
        {isBooking && (
          <WalkIn
            day={day}
            onClose={() => setBooking(false)}
            onDone={() => {
              setBooking(false)
              read()
            }}
          />
        )}
      </Suspense>
    </Page>
  )
}

const each = 'each'

/** All in order, one printed page per Resource, or a single Resource. */
function Which({
  entries,
  value,
  onChange,
}: {
  entries: Entry[]
  value: string
  onChange: (to: string) => void
}) {
  const places = [...new Map(entries.map(one => [one.resource.uuid, one.resource])).values()].sort(
    (one, other) => one.name.localeCompare(other.name),
  )
  if (places.length < 2) return null
  return (
    <select
      class={places.length > 200 ? 'fitting many' : 'fitting'}
      aria-label={common.resource}
      value={value}
      onChange={event => onChange(event.currentTarget.value)}
    >
      <option value="">{texts.allPlaces}</option>
      <option value={each}>{texts.onePageEach}</option>
      <Options all={places} chosen={value} />
    </select>
  )
}

type Sheet = { name: string | null; entries: Entry[] }

function sheetsOf(entries: Entry[], which: string): Sheet[] {
  if (entries.length === 0) return []
  if (which === '') return [{ name: null, entries }]
  const wanted = entries.filter(one => which === each || one.resource.uuid === which)
  const sheets = new Map<string, Sheet>()
  for (const entry of wanted) {
    const { uuid, name } = entry.resource
    const sheet = sheets.get(uuid) ?? { name, entries: [] }
    sheet.entries.push(entry)
    sheets.set(uuid, sheet)
  }
  return [...sheets.values()].sort((one, other) => one.name!.localeCompare(other.name!))
}

/** Scrolls past the morning in the afternoon. */
function showNext() {
  const row = document.querySelector('.today [data-to-come]')
  if (row && row.getBoundingClientRect().bottom > innerHeight) row.scrollIntoView({ block: 'center' })
}

const isOn = (entry: Entry) => entry.state === 'ACTIVE'

const isOf = (day: string, zone: string) => {
  const [begin, end] = [instantOf(`${day}T00:00`, zone), instantOf(`${addDays(day, 1)}T00:00`, zone)]
  return (entry: Entry) => instant(entry.start) < end && instant(entry.end) > begin
}

/** The current time to half a minute, so that "now" and "late" stay up to date. */
function useNow(isRunning = true): number {
  const [now, set] = useState(Date.now)
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => set(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [isRunning])
  return now
}
