import { useState } from 'preact/hooks'
import { dayAt } from '#shared/zones.ts'
import { api, Problem } from '../../api.ts'
import { common } from '../../common-words.ts'
import { type CalendarPeriod, type Entry, isToCome, nameOf, offers, peopleIn } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { format, instant, timeRange } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { SelectField } from '../../ui/fields/Field.tsx'
import { NotifyFields, useNotification } from '../../ui/fields/NotifyFields.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { withEllipsis } from '../../words.ts'
import { MoveDialog, sendMove } from '../appointment/MoveDialog.tsx'
import { stateBefore, undoCancel } from '../appointment/undo-cancel.ts'
import { warningsOf } from './warnings.ts'
import { texts } from './words.ts'

type Props = {
  entries: Entry[]
  data: CalendarPeriod
  onDone: () => void
  onClose: () => void
}

/**
 * Appointments in a blocked period: move each one or cancel all. Those that have started, or whose customer
 * has arrived, are left alone.
 */
export function AffectedDialog({ entries, data, onDone, onClose }: Props) {
  const { timeZone: zone } = useProvider()
  const [left, setLeft] = useState(() => entries.filter(one => isToCome(one)))
  const [begun] = useState(() => entries.filter(one => !isToCome(one)).length)
  const [isAsking, ask] = useState(false)
  const [moving, move] = useState<Entry | null>(null)
  const [notification, setNotification] = useNotification()
  const { busy, run } = useSubmit()
  const settled = (uuids: string[]) => {
    const rest = left.filter(one => !uuids.includes(one.uuid))
    setLeft(rest)
    onDone()
    if (rest.length === 0) onClose()
  }
  const canNotify = left.some(one => peopleIn(one).some(person => person.email))
  const sendMails = canNotify && notification.sendMails
  const message = sendMails ? notification.message : ''
  async function cancelAll() {
    const done: Entry[] = []
    await run(async () => {
      // One may have started while the dialog was open.
      for (const one of left.filter(entry => isToCome(entry))) {
        const body = { message: message || null }
        await api.post(`/appointments/${one.uuid}/cancel`, body, { query: { sendMails } })
        done.push(one)
      }
    })
    const undo = undoCancel(done.map(stateBefore), onDone)
    if (done.length > 0) showToast(texts.cancelledAll(done.length), sendMails ? {} : { undo })
    // If the connection breaks, the remaining ones stay in the list.
    settled(done.map(one => one.uuid))
  }
  /** Moves each to the same time at another Resource; those without room stay in the list. */
  async function moveAll(resourceUuid: string) {
    const done: Entry[] = []
    const isThrough = await run(async () => {
      for (const one of left.filter(entry => fitsAt(data, entry, resourceUuid))) {
        const to = { start: instant(one.start), end: instant(one.end), resourceUuid }
        const how = { ignoreConflicts: false, sendMails, message }
        if (await sendMove(one.uuid, to, how).then(() => true, unlessConflict)) done.push(one)
      }
      return true
    })
    const undo = () => Promise.all(done.map(moveBack)).then(onDone)
    if (done.length > 0) showToast(texts.movedAll(done.length), sendMails ? {} : { undo })
    // After a broken connection it is unknown whether there is room.
    if (isThrough && done.length < left.length)
      showToast(texts.notMoved(left.length - done.length), { tone: 'bad' })
    settled(done.map(one => one.uuid))
  }
  if (moving)
    return (
      <MoveDialog
        entry={moving}
        onClose={() => move(null)}
        onDone={() => {
          move(null)
          settled([moving.uuid])
        }}
      />
    )
  return (
    <Dialog title={texts.affectedTitle} onClose={onClose}>
      <div class="stack">
        <p>
          {texts.affected(left.length)}
          {begun > 0 && <span class="soft"> {texts.alreadyStarted(begun)}</span>}
        </p>
        <ul class="lines">
          {left.map(one => (
            <li key={one.uuid}>
              <span>
                <strong>{nameOf(one)}</strong>
                <br />
                {format.shortDay(dayAt(instant(one.start), zone))}, {timeRange(one.start, one.end, zone)}
                {reachOf(one) && <span class="soft"> · {reachOf(one)}</span>}
              </span>
              <Button label={`${common.move}: ${nameOf(one)}`} onClick={() => move(one)}>
                {withEllipsis(common.move)}
              </Button>
            </li>
          ))}
        </ul>
        {canNotify && <NotifyFields notification={notification} onChange={setNotification} />}
        <MoveAll entries={left} data={data} busy={busy} onMove={moveAll} />
        <div class="dialog-end">
          <Button onClick={onClose}>{texts.leaveAsIs}</Button>
          <Button kind="danger" busy={busy} onClick={() => ask(true)}>
            {withEllipsis(texts.cancelAll(left.length))}
          </Button>
        </div>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={texts.cancelAllTitle(left.length)}
          action={texts.cancelThem(left.length)}
          work={cancelAll}
          onDone={() => ask(false)}
          onClose={() => ask(false)}
        >
          <ul>
            {left.map(one => (
              <li key={one.uuid}>
                <strong>{nameOf(one)}</strong>{' '}
                <span class="soft">
                  {format.shortDay(dayAt(instant(one.start), zone))}, {timeRange(one.start, one.end, zone)}
                </span>
              </li>
            ))}
          </ul>
          <p>{sendMails ? texts.notifiesCustomers : texts.notifiesNoCustomers}</p>
        </ConfirmDialog>
      )}
    </Dialog>
  )
}

type MoveAllProps = {
  entries: Entry[]
  data: CalendarPeriod
  busy: boolean
  onMove: (resourceUuid: string) => void
}

/** Moves all Appointments to a stand-in. */
function MoveAll({ entries, data, busy, onMove }: MoveAllProps) {
  const [chosen, choose] = useState('')
  const others = data.resources
    .filter(one => entries.every(entry => entry.resource.uuid !== one.uuid))
    .filter(one => entries.some(entry => offers(one, entry.product)))
    .map(one => ({ ...one, fits: entries.filter(entry => fitsAt(data, entry, one.uuid)).length }))
    .sort((one, other) => other.fits - one.fits)
  const to = others.find(one => one.uuid === chosen) ?? others[0]
  // A single Appointment has its own button.
  if (!to || entries.length < 2) return null
  return (
    <div class="move-all">
      <SelectField
        label={texts.moveAll}
        value={to.uuid}
        options={others.map(one => ({
          value: one.uuid,
          label: `${one.name} · ${texts.fits(one.fits, entries.length)}`,
        }))}
        onChange={choose}
      />
      <Button
        kind="main"
        busy={busy}
        disabled={to.fits === 0}
        label={`${texts.moveAll}: ${to.name}`}
        onClick={() => onMove(to.uuid)}
      >
        {common.move}
      </Button>
    </div>
  )
}

/** The Product is offered there, and no hours, closures or bookings conflict. */
const fitsAt = (data: CalendarPeriod, { uuid, start, end, product }: Entry, resourceUuid: string) =>
  data.resources.some(one => one.uuid === resourceUuid && offers(one, product)) &&
  warningsOf(data, {
    resourceUuid,
    start: instant(start),
    end: instant(end),
    productUuid: product.uuid,
    except: uuid,
  }).every(one => one === texts.inThePast)

const unlessConflict = (error: unknown): false => {
  if (error instanceof Problem && error.code === 'conflict') return false
  throw error
}

const moveBack = ({ uuid, start, end, resource }: Entry) =>
  sendMove(
    uuid,
    { start: instant(start), end: instant(end), resourceUuid: resource.uuid },
    { ignoreConflicts: true, sendMails: false, message: '' },
  )

/** How each customer can be reached: without an email address they need a call. */
const reachOf = (entry: Entry) =>
  peopleIn(entry)
    .map(({ email, mobile }) =>
      email ? texts.byMail : mobile ? texts.byPhone(mobile) : texts.noContactDetails,
    )
    .join(', ')
