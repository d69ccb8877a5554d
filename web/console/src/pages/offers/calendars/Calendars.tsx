import { useEffect } from 'preact/hooks'
import { useParams } from 'wouter-preact'
import { dayAt } from '#shared/zones.ts'
import { api } from '../../../api.ts'
import { common } from '../../../common-words.ts'
import { useLoad } from '../../../load.ts'
import { useGo } from '../../../navigation.ts'
import type { Entry, Schemas } from '../../../records.ts'
import { may, useProvider } from '../../../session.ts'
import { format, instant, moment, timeRange } from '../../../time.ts'
import { Button } from '../../../ui/Button.tsx'
import { Chip, type Tone } from '../../../ui/Chip.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { ExportList, exportTexts } from '../../../ui/ExportButton.tsx'
import { useSubmit } from '../../../ui/editing/use-submit.ts'
import { Empty, Pending } from '../../../ui/Page.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { OffersPage } from '../OffersPage.tsx'
import { useResources } from '../offers.ts'
import { CalendarDialog } from './CalendarDialog.tsx'
import { calendarTexts as texts } from './calendar-words.ts'

type Source = Schemas['ListedCalendarSource']

const pollMs = 2_000

/** External calendars that block time or show bookings, and where the two differ. Only owners change them. */
export default function Calendars() {
  const provider = useProvider()
  const { uuid, timeZone } = provider
  // `new`, or the calendar to edit or remove, is part of the address.
  const { which: open, what } = useParams<{ which?: string; what?: string }>()
  const go = useGo()
  const close = () => go('/offers/calendars')
  const loaded = useLoad(`calendar-sources-${uuid}`, signal =>
    api.get(`/providers/${uuid}/calendar_sources`, { signal }),
  )
  const isManager = may(provider, 'manage')
  const placeOf = usePlace()
  const { sources, conflicts = [] } = loaded.data ?? {}
  const isReading = sources?.some(one => one.refreshing || one.mirror?.state === 'writing') ?? false
  useEffect(() => {
    if (!isReading) return
    const timer = setInterval(() => void loaded.reload(), pollMs)
    return () => clearInterval(timer)
  }, [isReading, loaded.reload])
  const done = (text: string) => {
    close()
    showToast(text)
    void loaded.reload()
  }
  const add = isManager && (
    <Button kind="main" onClick={() => go('/offers/calendars/new')}>
      {texts.connect}
    </Button>
  )
  const chosen = sources?.find(one => one.uuid === open)
  const [editing, leaving] = what === 'edit' ? [chosen] : [undefined, chosen]
  return (
    <OffersPage
      action={
        <>
          <ExportList
            file={texts.title}
            heads={[exportTexts.name, exportTexts.person, exportTexts.status, exportTexts.details]}
            cells={(one: Source) => [one.name, placeOf(one), texts.states[one.state], one.host]}
            rows={sources}
          />
          {sources?.length !== 0 && add}
        </>
      }
    >
      {!isManager && <p class="soft">{texts.ownersOnly}</p>}
      <Conflicts entries={conflicts} zone={timeZone} />
      {sources?.map(one => (
        <Notices key={one.uuid} source={one} zone={timeZone} isManager={isManager} onChange={loaded.reload} />
      ))}
      <Pending of={loaded} />
      {sources?.length === 0 && <Empty action={add}>{texts.none}</Empty>}
      <ul class="lines">
        {sources?.map(one => (
          <SourceLine
            key={one.uuid}
            source={one}
            zone={timeZone}
            isManager={isManager}
            onChange={loaded.reload}
            onEdit={() => go(`/offers/calendars/${one.uuid}/edit`)}
            onRemove={() => go(`/offers/calendars/${one.uuid}`)}
          />
        ))}
      </ul>
      {isManager && open === 'new' && <CalendarDialog onClose={close} onDone={() => done(texts.connected)} />}
      {isManager && editing && (
        <CalendarDialog source={editing} onClose={close} onDone={() => done(texts.saved)} />
      )}
      {isManager && leaving && (
        <ConfirmDialog
          title={texts.removeTitle}
          action={common.remove}
          work={() => api.remove(`/resources/${leaving.resourceUuid}/calendar_sources/${leaving.uuid}`)}
          onDone={() => done(texts.removed)}
          onClose={close}
        >
          <p>
            <strong>{leaving.name}</strong>
          </p>
          <p>{texts.removeText}</p>
        </ConfirmDialog>
      )}
    </OffersPage>
  )
}

const tones: Record<Source['state'], Tone> = {
  new: 'wait',
  fresh: 'good',
  failing: 'bad',
  stale: 'bad',
  paused: 'off',
}

type LineProps = {
  source: Source
  zone: string
  isManager: boolean
  onChange: () => void
  onEdit: () => void
  onRemove: () => void
}

/** Names the Resource of a calendar. */
function usePlace() {
  const resources = useResources().data?.resources ?? []
  return ({ resourceUuid }: Source) => resources.find(one => one.uuid === resourceUuid)?.internalName ?? '…'
}

function SourceLine({ source, zone, isManager, onChange, onEdit, onRemove }: LineProps) {
  const placeOf = usePlace()
  const { busy, run } = useSubmit()
  const path = `/resources/${source.resourceUuid}/calendar_sources/${source.uuid}` as const
  const act = (work: () => Promise<unknown>) => void run(() => work().then(() => true)).then(onChange)
  const isOn = !source.paused
  return (
    <li>
      <span class="wrap">
        <strong>{source.name}</strong> <Chip tone={tones[source.state]}>{texts.states[source.state]}</Chip>
        <br />
        <span class="soft">
          {placeOf(source)} · {source.host} ·{' '}
          {source.checkedAt ? texts.checked(moment(source.checkedAt, zone)) : texts.never}
        </span>
        {isOn && source.error && (
          <>
            <br />
            <span class="error">{texts.problems[source.error.code]}</span>
          </>
        )}
        {source.skippedEntries > 0 && (
          <>
            <br />
            <span class="soft">{texts.skipped(source.skippedEntries)}</span>
          </>
        )}
        {source.mirror && (
          <>
            <br />
            <span class={source.mirror.state === 'failing' ? 'error' : 'soft'}>
              {texts.mirrorStates[source.mirror.state]}{' '}
              {source.mirror.state === 'failing' &&
                source.mirror.error &&
                texts.problems[source.mirror.error.code]}
            </span>
          </>
        )}
      </span>
      {isManager && (
        <span class="row">
          {isOn && (
            <Button
              busy={busy || source.refreshing}
              label={`${texts.refreshNow}: ${source.name}`}
              onClick={() => act(() => api.post(`${path}/refresh`))}
            >
              {texts.refreshNow}
            </Button>
          )}
          <Button
            label={`${isOn ? texts.pause : texts.resume}: ${source.name}`}
            onClick={() => act(() => api.patch(path, { paused: isOn }))}
          >
            {isOn ? texts.pause : texts.resume}
          </Button>
          <Button label={`${common.edit}: ${source.name}`} onClick={onEdit}>
            {common.edit}
          </Button>
          <Button label={`${common.remove}: ${source.name}`} onClick={onRemove}>
            {common.remove}
          </Button>
        </span>
      )}
    </li>
  )
}

type NoticesProps = Pick<LineProps, 'source' | 'zone' | 'isManager' | 'onChange'>

/** Entries that were changed or deleted in the calendar. The bookings are as they were; staff decide about the entries. */
function Notices({ source, zone, isManager, onChange }: NoticesProps) {
  const { busy, run } = useSubmit()
  const notices = source.mirror?.notices ?? []
  if (notices.length === 0) return null
  const path = `/resources/${source.resourceUuid}/calendar_sources/${source.uuid}/rewrite` as const
  const rewrite = (body: { entries?: string[] }) => void run(() => api.post(path, body)).then(onChange)
  const when = ({ start, end }: (typeof notices)[number]) =>
    `${format.fullDay(instant(start), zone)}, ${timeRange(start, end, zone)}`
  return (
    <div class="trouble" role="status">
      <p>
        <strong>{source.name}:</strong> {texts.notices(notices.length)}
      </p>
      <ul>
        {notices.map(one => (
          <li key={one.uuid}>
            <a href={`/console/?day=${dayAt(instant(one.start), zone)}`}>{when(one)}</a>,{' '}
            {texts.noticeKinds[one.kind]}{' '}
            {isManager && (
              <Button
                busy={busy}
                label={`${texts.writeAgain}: ${when(one)}`}
                onClick={() => rewrite({ entries: [one.uuid] })}
              >
                {texts.writeAgain}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {isManager && notices.length > 1 && (
        <Button busy={busy} onClick={() => rewrite({})}>
          {texts.writeAllAgain}
        </Button>
      )}
    </div>
  )
}

/** Bookings stay, whatever an external calendar says; staff decide. */
function Conflicts({ entries, zone }: { entries: Entry[]; zone: string }) {
  if (entries.length === 0) return null
  return (
    <div class="trouble" role="status">
      <p>{texts.conflicts(entries.length)}</p>
      <ul>
        {entries.map(one => (
          <li key={one.uuid}>
            {format.fullDay(instant(one.start), zone)}, {timeRange(one.start, one.end, zone)} ·{' '}
            {one.resource.name}{' '}
            {one.people
              .map(person => person.name)
              .filter(Boolean)
              .join(', ')}{' '}
            <a href={`/console/?day=${dayAt(instant(one.start), zone)}&appointment=${one.uuid}`}>
              {texts.reschedule}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
