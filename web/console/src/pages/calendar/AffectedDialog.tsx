import { useState } from 'preact/hooks'
import { dayAt } from '#shared/zones.ts'
import { api } from '../../api.ts'
import { type Entry, peopleIn } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { format, instant, timeRange } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TellThem, useTelling } from '../../ui/TellThem.tsx'
import { say } from '../../ui/toasts.tsx'
import { useSending } from '../../ui/use-sending.ts'
import { MoveDialog } from '../appointment/MoveDialog.tsx'
import { nameOf } from '../appointment/names.ts'
import { texts } from './words.ts'

type Props = { entries: Entry[]; onDone: () => void; onClose: () => void }

/** Time was blocked in which people are booked: each is moved, or all are called off and told, from here. */
export function AffectedDialog({ entries, onDone, onClose }: Props) {
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
  async function cancelAll() {
    const done: string[] = []
    await run(async () => {
      for (const { uuid } of left) {
        const body = { message: (telling.sendMails && telling.message) || null }
        await api.post(`/appointments/${uuid}/cancel`, body, { query: { sendMails: telling.sendMails } })
        done.push(uuid)
      }
    })
    if (done.length > 0) say(texts.cancelledAll(done.length))
    // Where the connection broke, the others are still here.
    settled(done)
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
        {left.some(one => peopleIn(one).some(person => person.email)) && (
          <TellThem telling={telling} onChange={setTelling} />
        )}
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

/** How each of them hears of it: who has no address must be telephoned. */
const reachOf = (entry: Entry) =>
  peopleIn(entry)
    .map(({ email, mobile }) => (email ? texts.byMail : mobile ? texts.byPhone(mobile) : texts.unreachable))
    .join(', ')
