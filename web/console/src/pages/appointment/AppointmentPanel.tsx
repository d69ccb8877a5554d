import { useState } from 'preact/hooks'
import { dayAt } from '#shared/zones.ts'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { withPeopleInOrder } from '../../entry-order.ts'
import { useLoad } from '../../load.ts'
import type { AppointmentPage } from '../../records.ts'
import { addressLine, type Entry, type Person, peopleIn, placesTaken } from '../../records.ts'
import { useMay } from '../../session.ts'
import { format, instant, timeRange } from '../../time.ts'
import { Chip } from '../../ui/Chip.tsx'
import { Panel } from '../../ui/dialogs/Dialog.tsx'
import { Skeleton, Trouble } from '../../ui/Page.tsx'
import { withEllipsis } from '../../words.ts'
import { AttendanceDialog } from './class/AttendanceDialog.tsx'
import { MessageDialog } from './class/MessageDialog.tsx'
import { texts as classTexts } from './class/words.ts'
import { Details } from './Details.tsx'
import { FreeTimes } from './FreeTimes.tsx'
import { type When, whenOf } from './form-times.ts'
import { HistoryList, MailList } from './History.tsx'
import { Links } from './Links.tsx'
import { MoveDialog } from './MoveDialog.tsx'
import { NextAppointment } from './NextAppointment.tsx'
import { type Changes, GroupActions } from './PanelActions.tsx'
import { headOfPeople, isAboutOne, People } from './People.tsx'
import { AddDialog, CancelDialog } from './participation-dialogs.tsx'
import { SwapDialog } from './SwapDialog.tsx'
import { SeriesProgress } from './series/SeriesProgress.tsx'
import { texts } from './words.ts'

type Props = {
  uuid: string
  /** The entry as the page shows it; the panel reloads when it changes. */
  known?: Entry | null
  onClose: () => void
  onChanged: () => void
  /** Opens another date of the same series. */
  onOpen?: (uuid: string) => void
}

/** One Appointment with all details. It has its own address and closes with Escape. */
export function AppointmentPanel({ uuid, known, onClose, onChanged, onOpen }: Props) {
  const version = known ? JSON.stringify(known) : ''
  const loaded = useLoad(`appointment-${uuid}-${version.length}-${hash(version)}`, signal =>
    api
      .get(`/appointments/${uuid}`, { signal })
      .then(read => ({ ...read, entry: withPeopleInOrder(read.entry) })),
  )
  const [seen, setSeen] = useState<AppointmentPage | null>(null)
  const [open, setOpen] = useState<'move' | 'swap' | 'cancel' | 'add' | 'message' | 'attendance' | null>(null)
  const [to, setTo] = useState<When | null>(null)
  const [next, setNext] = useState<Person | null>(null)
  const mayBook = useMay('book')
  const page = loaded.data ?? (seen?.entry.uuid === uuid ? seen : null)
  if (loaded.data && loaded.data !== seen) setSeen(loaded.data)
  const mayChange = mayBook && page?.entry.state === 'ACTIVE'
  const changes: Changes = mayChange
    ? {
        move: { name: withEllipsis(common.move), run: () => setOpen('move') },
        swap: { name: withEllipsis(texts.swap), run: () => setOpen('swap') },
        cancel: {
          name: withEllipsis(texts.cancelShort),
          label: withEllipsis(texts.cancel),
          run: () => setOpen('cancel'),
          kind: 'danger',
        },
      }
    : null
  const close = () => {
    setOpen(null)
    setTo(null)
  }
  const done = () => {
    close()
    onChanged()
    void loaded.reload()
  }
  const notes =
    page &&
    (mayBook ? (
      <Details key={uuid} uuid={uuid} notes={page.entry.notes} onSaved={done} />
    ) : (
      page.entry.notes && <blockquote class="said">{page.entry.notes}</blockquote>
    ))
  return (
    <Panel title={page ? headOf(page.entry) : texts.title} onClose={onClose}>
      {loaded.problem && !page && <Trouble problem={loaded.problem} onRetry={loaded.reload} />}
      {!page && !loaded.problem && <Skeleton rows={8} />}
      {page && (
        <>
          <Summary entry={page.entry} zone={page.timeZone} />
          {!isAboutOne(page.entry) && (
            <GroupActions
              entry={page.entry}
              onAdd={() => setOpen('add')}
              forAll={
                mayChange && isGroup(page.entry)
                  ? [
                      { name: withEllipsis(classTexts.message), run: () => setOpen('message') },
                      { name: withEllipsis(classTexts.attendance), run: () => setOpen('attendance') },
                    ]
                  : []
              }
              changes={changes}
            />
          )}
          {!isAboutOne(page.entry) && notes}
          <People
            entry={page.entry}
            zone={page.timeZone}
            notes={page.customerNotes}
            series={page.series}
            onNext={setNext}
            onAdd={() => setOpen('add')}
            onDone={done}
            changes={changes}
          />
          {isAboutOne(page.entry) && notes}
          <SeriesProgress
            series={page.series}
            zone={page.timeZone}
            current={uuid}
            {...(onOpen ? { onOpen } : {})}
          />
          {mayBook && canMoveOn(page.entry) && (
            <MoveOn
              entry={page.entry}
              zone={page.timeZone}
              onPick={when => {
                setTo(when)
                setOpen('move')
              }}
            />
          )}
          <MailList mails={page.mails} zone={page.timeZone} onDone={() => void loaded.reload()} />
          <Links entry={page.entry} links={page.links} />
          <HistoryList lines={page.history} zone={page.timeZone} />
          {open === 'move' && (
            <MoveDialog
              entry={page.entry}
              {...(to ? { to } : {})}
              series={onlySeries(page)}
              onDone={done}
              onClose={close}
            />
          )}
          {open === 'swap' && <SwapDialog entry={page.entry} onDone={done} onClose={close} />}
          {open === 'cancel' && (
            <CancelDialog entry={page.entry} series={onlySeries(page)} onDone={done} onClose={close} />
          )}
          {next && (
            <NextAppointment
              entry={page.entry}
              person={next}
              zone={page.timeZone}
              onClose={() => setNext(null)}
              onDone={() => {
                setNext(null)
                onChanged()
              }}
            />
          )}
          {open === 'message' && <MessageDialog entry={page.entry} onDone={done} onClose={close} />}
          {open === 'attendance' && <AttendanceDialog entry={page.entry} onDone={done} onClose={close} />}
          {open === 'add' && <AddDialog entry={page.entry} onDone={done} onClose={close} />}
        </>
      )}
    </Panel>
  )
}

/** A class, or several people at one time. */
const isGroup = (entry: Entry) =>
  (entry.capacity > 1 || peopleIn(entry).length > 1) && peopleIn(entry).length > 0

/** In a group, a series is that of one person, and changed beside their name. */
const onlySeries = ({ entry, series: [one, ...others] }: AppointmentPage) =>
  one && others.length === 0 && !(isGroup(entry) && one.customerReference !== null) ? one : null

const canMoveOn = ({ state, end }: Entry) => state === 'ACTIVE' && instant(end) > Date.now()

/** The next free times of the day; choosing one asks whether to notify the customer. */
function MoveOn({ entry, zone, onPick }: { entry: Entry; zone: string; onPick: (when: When) => void }) {
  const start = instant(entry.start)
  return (
    <FreeTimes
      // Resets after a move: the free times shown before are outdated.
      key={`${entry.resource.uuid} ${entry.start}`}
      title={texts.moveTo}
      moving={entry}
      resourceUuid={entry.resource.uuid}
      productUuid={entry.product.uuid}
      day={dayAt(start, zone)}
      around={start}
      onPick={span => onPick(whenOf(entry.resource.uuid, span.start, span.end, zone))}
    />
  )
}

/** What stands out in the heading: a class by its name, else who comes. */
const headOf = (entry: Entry): string => headOfPeople(entry) ?? entry.product.name

/** One customer in a slot for one is the usual case, and a cancelled appointment has no places. */
const hasPlacesToTell = (entry: Entry) =>
  entry.state !== 'CANCELLED' && (entry.capacity !== 1 || peopleIn(entry).length !== 1)

function Summary({ entry, zone }: { entry: Entry; zone: string }) {
  const place = addressLine(entry.address)
  const taken = placesTaken(entry)
  const isHeaded = headOfPeople(entry) !== null
  return (
    <div class="summary">
      <p class="when">
        {format.fullDay(instant(entry.start), zone)},{' '}
        <time class="nowrap" dateTime={entry.start}>
          {timeRange(entry.start, entry.end, zone)}
        </time>{' '}
        {entry.state === 'CANCELLED' && <Chip tone="off">{common.CANCELED}</Chip>}
      </p>
      <p>
        {isHeaded && <strong>{entry.product.name} · </strong>}
        {entry.resource.name}
        {place && <span class="soft"> · {place}</span>}
      </p>
      {hasPlacesToTell(entry) && (
        <p class="soft">
          {texts.seats(taken, entry.capacity)} ·{' '}
          {taken < entry.capacity ? classTexts.left(entry.capacity - taken) : classTexts.full}
        </p>
      )}
    </div>
  )
}

function hash(text: string): number {
  let value = 0
  for (let index = 0; index < text.length; index++) value = (value * 31 + text.charCodeAt(index)) | 0
  return value
}
