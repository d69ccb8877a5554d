import { lazy, Suspense } from 'preact/compat'
import { useState } from 'preact/hooks'
import { Link, useLocation, useSearchParams } from 'wouter-preact'
import { addDays, isDay } from '../../../../shared/dates.ts'
import { instantOf } from '../../../../shared/zones.ts'
import { api } from '../../api.ts'
import { useKeys } from '../../keys.ts'
import { merged, useChanges } from '../../live.ts'
import { useLoad } from '../../load.ts'
import type { Entry } from '../../records.ts'
import { useRequestCount } from '../../request-count.ts'
import { useSession } from '../../session.ts'
import { format, instant, today } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty, Page, Skeleton, Trouble } from '../../ui/Page.tsx'
import { Rows } from './Rows.tsx'
import { texts } from './words.ts'

// Loaded when the first row is opened.
const AppointmentPanel = lazy(() =>
  import('../appointment/AppointmentPanel.tsx').then(one => one.AppointmentPanel),
)

/** The day in order over all my Resources; the first page, and the one that is printed. */
export function Today() {
  const { provider } = useSession()
  if (!provider) return <Page title={texts.title}>{null}</Page>
  return <Day key={provider.uuid} uuid={provider.uuid} zone={provider.timeZone} />
}

function Day({ uuid, zone }: { uuid: string; zone: string }) {
  const [, go] = useLocation()
  const [params, setParams] = useSearchParams()
  const asked = params.get('day')
  const opened = params.get('appointment')
  const [onlyAt, setOnlyAt] = useState('')
  const openPanel = (appointment: string | null) =>
    setParams(before => {
      const next = new URLSearchParams(before)
      if (appointment) next.set('appointment', appointment)
      else next.delete('appointment')
      return next
    })
  const day = isDay(asked) ? asked : today(zone)
  const show = (next: string) => go(next === today(zone) ? '/' : `/?day=${next}`)
  const diary = useLoad(`diary-${uuid}-${day}`, signal =>
    api.get(`/providers/${uuid}/diary`, { query: { from: day }, signal }),
  )
  const isOfDay = ({ start, end }: Entry) =>
    instant(start) < instantOf(`${addDays(day, 1)}T00:00`, zone) &&
    instant(end) > instantOf(`${day}T00:00`, zone)
  useChanges(uuid, diary.data ? null : undefined, {
    apply: entries => diary.set(before => ({ ...before, entries: merged(before.entries, entries, isOfDay) })),
    reload: () => void diary.reload(),
  })
  useKeys([
    { keys: 'j', does: texts.nextDay, run: () => show(addDays(day, 1)) },
    { keys: 'k', does: texts.previousDay, run: () => show(addDays(day, -1)) },
    { keys: 'p', does: texts.print, run: () => print() },
  ])
  const isToday = day === today(zone)
  const title = isToday ? texts.title : format.day(day)
  const entries = diary.data?.entries ?? []
  const shown = entries.filter(one => onlyAt === '' || one.resource.uuid === onlyAt)
  const places = [...new Map(entries.map(one => [one.resource.uuid, one.resource])).values()]
  return (
    <Page title={title} action={<Button onClick={() => print()}>{texts.print}</Button>}>
      <div class="row">
        <p>
          <strong>{format.day(day)}</strong>{' '}
          {diary.data && <span class="soft">{texts.count(shown.filter(isOn).length)}</span>}
          {onlyAt && <span class="only-print"> · {shown[0]?.resource.name}</span>}
        </p>
        <span class="row no-print">
          {places.length > 1 && (
            <select
              aria-label={texts.where}
              value={onlyAt}
              onChange={event => setOnlyAt(event.currentTarget.value)}
            >
              <option value="">{texts.everywhere}</option>
              {places.map(one => (
                <option key={one.uuid} value={one.uuid}>
                  {one.name}
                </option>
              ))}
            </select>
          )}
          <Button label={texts.previousDay} onClick={() => show(addDays(day, -1))}>
            ‹
          </Button>
          {isToday ? (
            <Button onClick={() => show(addDays(day, 1))}>{texts.tomorrow}</Button>
          ) : (
            <Button onClick={() => show(today(zone))}>{texts.backToToday}</Button>
          )}
          <Button label={texts.nextDay} onClick={() => show(addDays(day, 1))}>
            ›
          </Button>
        </span>
      </div>
      <Waiting />
      {diary.problem && <Trouble problem={diary.problem} onRetry={diary.reload} />}
      {diary.isLoading && <Skeleton rows={8} />}
      {diary.data?.entries.length === 0 && (
        <Empty
          action={
            <Link href="/calendar" class="button">
              {texts.nothingAction}
            </Link>
          }
        >
          {texts.nothing}
        </Empty>
      )}
      {shown.length > 0 && (
        <Rows entries={shown} zone={zone} onOpen={openPanel} onDone={() => void diary.reload()} />
      )}
      {opened && (
        <Suspense fallback={null}>
          <AppointmentPanel
            uuid={opened}
            known={entries.find(one => one.uuid === opened) ?? null}
            onClose={() => openPanel(null)}
            onChanged={() => void diary.reload()}
          />
        </Suspense>
      )}
    </Page>
  )
}

const isOn = (entry: Entry) => entry.state === 'ACTIVE'

/** Requests stand on top: somebody waits. */
function Waiting() {
  const count = useRequestCount()
  if (count === 0) return null
  return (
    <p class="card row no-print">
      <strong>{texts.requests(count)}</strong>
      <Link href="/requests" class="button">
        {texts.answer}
      </Link>
    </p>
  )
}
