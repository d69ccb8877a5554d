import { useState } from 'preact/hooks'
import { dayAt } from '#shared/zones.ts'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { type Entry, nameOf, peopleIn } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { instant, timeRange } from '../../time.ts'
import { Dialog, DialogButtons } from '../../ui/dialogs/Dialog.tsx'
import { useConflictWarnings } from '../../ui/editing/use-conflict-warnings.ts'
import { TextField } from '../../ui/fields/Field.tsx'
import { NotifyFields, useNotification } from '../../ui/fields/NotifyFields.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useDayData } from './day-data.ts'
import { Warnings } from './WhenFields.tsx'
import { texts } from './words.ts'

type Props = {
  entry: Entry
  /** Set if the other Appointment is already known. */
  other?: Entry
  onDone: () => void
  onClose: () => void
}

/** Swaps time and Resource of two Appointments. */
export function SwapDialog({ entry, other, onDone, onClose }: Props) {
  const { uuid, timeZone: zone } = useProvider()
  const [day, setDay] = useState(dayAt(instant((other ?? entry).start), zone))
  const [chosen, choose] = useState(other?.uuid ?? '')
  const [notification, setNotification] = useNotification()
  const { data } = useDayData(uuid, day)
  const { busy, run, warnings, forget } = useConflictWarnings([], () => texts.timeNotFree)
  const others = data?.entries.filter(one => canTrade(one) && one.uuid !== entry.uuid) ?? []
  const partner = others.find(one => one.uuid === chosen)
  const canNotify = [entry, partner].some(one => one && peopleIn(one).some(person => person.email))

  async function swap(event: SubmitEvent) {
    event.preventDefault()
    if (!partner) return
    const sendMails = canNotify && notification.sendMails
    const message = sendMails ? notification.message : ''
    const done = await run(ignoreConflicts =>
      sendSwap(entry.uuid, partner.uuid, { ignoreConflicts, sendMails, message }),
    )
    if (!done) return
    const silently = { ignoreConflicts: true, sendMails: false, message: '' }
    const undo = () => sendSwap(entry.uuid, partner.uuid, silently).then(onDone)
    const about = `${nameOf(entry)}, ${nameOf(partner)}`
    showToast(texts.swapped, { about, ...(sendMails ? {} : { undo }) })
    onDone()
  }

  return (
    <Dialog title={texts.swapTitle} onClose={onClose}>
      <p>
        <strong>{nameOf(entry)}</strong>{' '}
        <span class="soft">
          {timeRange(entry.start, entry.end, zone)} · {entry.resource.name}
        </span>
      </p>
      <form class="stack" onSubmit={swap}>
        <TextField label={texts.day} type="date" required value={day} onInput={setDay} />
        <fieldset class="choices">
          <legend class="visually-hidden">{texts.swapTitle}</legend>
          {data && others.length === 0 && <p class="soft">{texts.noOthers}</p>}
          {others.map(one => (
            <label key={one.uuid}>
              <input
                type="radio"
                name="partner"
                value={one.uuid}
                checked={one.uuid === chosen}
                onChange={() => {
                  forget()
                  choose(one.uuid)
                }}
              />
              <time dateTime={one.start}>{timeRange(one.start, one.end, zone)}</time>
              <span>
                <strong>{nameOf(one)}</strong>{' '}
                <span class="soft">
                  {one.product.name} · {one.resource.name}
                </span>
              </span>
            </label>
          ))}
        </fieldset>
        {canNotify && <NotifyFields notification={notification} onChange={setNotification} />}
        <DialogButtons
          onClose={onClose}
          action={warnings.length > 0 ? common.doAnyway : texts.swap}
          busy={busy}
          disabled={!partner}
          autofocus={other !== undefined}
        >
          <Warnings list={warnings} />
        </DialogButtons>
      </form>
    </Dialog>
  )
}

/** A hold may expire within a minute, so it cannot be swapped. */
export const canTrade = (entry: Entry) =>
  entry.state === 'ACTIVE' && entry.people.every(one => one.state !== 'RESERVED')

const sendSwap = (
  uuid: string,
  withUuid: string,
  { message, ...query }: { ignoreConflicts: boolean; sendMails: boolean; message: string },
) => api.post(`/appointments/${uuid}/swap`, { withUuid, message: message || null }, { query })
