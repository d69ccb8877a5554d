import { Link, useLocation, useSearchParams } from 'wouter-preact'
import { addDays, isDay } from '../../../../shared/dates.ts'
import { api } from '../../api.ts'
import { useKeys } from '../../keys.ts'
import { useLoad } from '../../load.ts'
import type { Diary, Entry } from '../../records.ts'
import { useRequestCount } from '../../request-count.ts'
import { useSession } from '../../session.ts'
import { format, today } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty, Page, Skeleton, Trouble } from '../../ui/Page.tsx'
import { Rows } from './Rows.tsx'
import { texts } from './words.ts'

/** The day in order over all my Resources; the first page, and the one that is printed. */
export function Today() {
  const { provider } = useSession()
  if (!provider) return <Page title={texts.title}>{null}</Page>
  return <Day key={provider.uuid} uuid={provider.uuid} zone={provider.timeZone} />
}

function Day({ uuid, zone }: { uuid: string; zone: string }) {
  const [, go] = useLocation()
  const [params] = useSearchParams()
  const asked = params.get('day')
  const day = isDay(asked) ? asked : today(zone)
  const show = (next: string) => go(next === today(zone) ? '/' : `/?day=${next}`)
  const diary = useLoad<Diary>(`diary-${uuid}-${day}`, signal =>
    api.get(`/providers/${uuid}/diary`, { query: { from: day }, signal }),
  )
  useKeys([
    { keys: 'j', does: texts.nextDay, run: () => show(addDays(day, 1)) },
    { keys: 'k', does: texts.previousDay, run: () => show(addDays(day, -1)) },
    { keys: 'p', does: texts.print, run: () => print() },
  ])
  const isToday = day === today(zone)
  const title = isToday ? texts.title : format.day(day)
  return (
    <Page title={title} action={<Button onClick={() => print()}>{texts.print}</Button>}>
      <div class="row">
        <p>
          <strong>{format.day(day)}</strong>{' '}
          {diary.data && <span class="soft">{texts.count(diary.data.entries.filter(isOn).length)}</span>}
        </p>
        <span class="row no-print">
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
      {diary.data && diary.data.entries.length > 0 && <Rows entries={diary.data.entries} zone={zone} />}
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
