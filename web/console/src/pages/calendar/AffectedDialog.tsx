import { useState } from 'preact/hooks'
import { dayAt } from '#shared/zones.ts'
import { api, Problem } from '../../api.ts'
import { type CalendarPeriod, type Entry, peopleIn } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { format, instant, timeRange } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { TellThem, useTelling } from '../../ui/TellThem.tsx'
import { say } from '../../ui/toasts.tsx'
import { useSending } from '../../ui/use-sending.ts'
import { MoveDialog, sendMove } from '../appointment/MoveDialog.tsx'
import { nameOf } from '../appointment/names.ts'
import { formerly, restoring } from '../appointment/restoring.ts'
import { warningsOf } from './warnings.ts'
import { texts } from './words.ts'

type Props = {
  entries: Entry[]
  data: CalendarPeriod
  onDone: () => void
  onClose: () => void
}

/** Time was blocked in which people are booked: each is moved, or all are called off and told, from here. */
export function AffectedDialog({ entries, data, onDone, onClose }: Props) {
  const { timeZone: zone } = useProvider()
  const [left, setLeft] = useState(entries)
  const [moving, move] = useState<Entry | null>(null)
  const [telling, setTelling] = useTelling()
  const { busy, run } = useSending()
  const settled = (uuids: string[]) => {
    const rest = left.filter(one => !uuids.includes(one.uuid))
    setLeft(rest)
    onDone()
    if (rest.length === 0) onClose()
  }
  const isToTell = left.some(one => peopleIn(one).some(person => person.email))
  const sendMails = isToTell && telling.sendMails
  const message = sendMails ? telling.message : ''
  async function cancelAll() {
    const done: Entry[] = []
    await run(async () => {
      for (const one of left) {
        const body = { message: message || null }
        await api.post(`/appointments/${one.uuid}/cancel`, body, { query: { sendMails } })
        done.push(one)
      }
    })
    const undo = restoring(done.map(formerly), onDone)
    if (done.length > 0) say(texts.cancelledAll(done.length), sendMails ? {} : { undo })
    // Where the connection broke, the others are still here.
    settled(done.map(one => one.uuid))
  }
  /** Each to the same time elsewhere; who has no room there stays in the list. */
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
    if (done.length > 0) say(texts.movedAll(done.length), sendMails ? {} : { undo })
    // Where the connection broke, nobody knows whether there is room.
    if (isThrough && done.length < left.length)
      say(texts.notMoved(left.length - done.length), { tone: 'bad' })
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
        <p>{texts.affected(left.length)}</p>
        <ul class="lines">
          {left.map(one => (
            <li key={one.uuid}>
              <span>
                <strong>{nameOf(one)}</strong>
                <br />
                {format.shortDay(dayAt(instant(one.start), zone))}, {timeRange(one.start, one.end, zone)}
                {reachOf(one) && <span class="soft"> · {reachOf(one)}</span>}
              </span>
              <Button label={`${texts.move}: ${nameOf(one)}`} onClick={() => move(one)}>
                {texts.move} …
              </Button>
            </li>
          ))}
        </ul>
        {isToTell && <TellThem telling={telling} onChange={setTelling} />}
        <MoveAll entries={left} data={data} busy={busy} onMove={moveAll} />
        <div class="dialog-end">
          <Button onClick={onClose}>{texts.leave}</Button>
          <Button kind="danger" busy={busy} onClick={cancelAll}>
            {texts.cancelAll(left.length)}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

type MoveAllProps = {
  entries: Entry[]
  data: CalendarPeriod
  busy: boolean
  onMove: (resourceUuid: string) => void
}

/** Somebody stands in for the one who is away. */
function MoveAll({ entries, data, busy, onMove }: MoveAllProps) {
  const [chosen, choose] = useState('')
  const others = data.resources
    .filter(one => entries.every(entry => entry.resource.uuid !== one.uuid))
    .map(one => ({ ...one, fits: entries.filter(entry => fitsAt(data, entry, one.uuid)).length }))
    .sort((one, other) => other.fits - one.fits)
  const to = others.find(one => one.uuid === chosen) ?? others[0]
  // One alone has a button of its own.
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
        {texts.move}
      </Button>
    </div>
  )
}

/** Nothing speaks against the same time there: neither hours, nor closures, nor others. */
const fitsAt = (data: CalendarPeriod, { uuid, start, end, product }: Entry, resourceUuid: string) =>
  warningsOf(data, {
    resourceUuid,
    start: instant(start),
    end: instant(end),
    productUuid: product.uuid,
    except: uuid,
  }).every(one => one === texts.past)

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

/** How each of them hears of it: who has no address must be telephoned. */
const reachOf = (entry: Entry) =>
  peopleIn(entry)
    .map(({ email, mobile }) => (email ? texts.byMail : mobile ? texts.byPhone(mobile) : texts.unreachable))
    .join(', ')
