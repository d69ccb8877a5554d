import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { type Entry, type Person, peopleIn } from '../../records.ts'
import { requestsChanged } from '../../request-count.ts'
import { useProvider } from '../../session.ts'
import { Button } from '../../ui/Button.tsx'
import { CustomerPicker, canBeTold, nobody, sentAs } from '../../ui/CustomerPicker.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Silently, TellThem, useTelling } from '../../ui/TellThem.tsx'
import { say } from '../../ui/toasts.tsx'
import { useSending } from '../../ui/use-sending.ts'
import { useWarned } from '../../ui/use-warned.ts'
import { formerly, restoring } from './restoring.ts'
import { Warnings } from './When.tsx'
import { texts } from './words.ts'

type Props = { onDone: () => void; onClose: () => void }

/** The whole Appointment, with everybody in it. */
export function CancelDialog({ entry, onDone, onClose }: Props & { entry: Entry }) {
  const [telling, setTelling] = useTelling()
  const { busy, run } = useSending()
  const isToTell = peopleIn(entry).some(one => one.email)
  async function cancel(isTold: boolean) {
    const sendMails = isToTell && isTold
    const body = { message: (sendMails && telling.message) || null }
    const done = await run(() =>
      api.post(`/appointments/${entry.uuid}/cancel`, body, { query: { sendMails } }),
    )
    if (!done) return
    say(texts.cancelled, sendMails ? {} : { undo: restoring([formerly(entry)], onDone) })
    onDone()
  }
  return (
    <Dialog title={texts.cancelTitle} onClose={onClose}>
      <p>
        {peopleIn(entry)
          .map(one => one.name)
          .join(', ') || entry.product.name}
      </p>
      {isToTell && <TellThem telling={telling} onChange={setTelling} />}
      <div class="dialog-end">
        <Button onClick={onClose}>{texts.keep}</Button>
        {isToTell && telling.sendMails && (
          <Silently
            busy={busy}
            onClick={() => {
              setTelling({ ...telling, sendMails: false })
              void cancel(false)
            }}
          />
        )}
        <Button kind="danger" busy={busy} onClick={() => cancel(telling.sendMails)}>
          {texts.cancel}
        </Button>
      </div>
    </Dialog>
  )
}

/** One of those who take part. */
export function LeaveDialog({ entry, person, onDone, onClose }: Props & { entry: Entry; person: Person }) {
  const [telling, setTelling] = useTelling()
  const { busy, run } = useSending()
  async function cancel() {
    const sendMails = person.email !== null && telling.sendMails
    const answer = person.state === 'REQUESTED' ? 'decline' : 'cancel'
    const message = (sendMails && telling.message) || null
    const done = await run(() =>
      api.post(`/participations/${person.uuid}/decide`, { answer, sendMails, message }),
    )
    if (!done) return
    requestsChanged()
    const undo = restoring([{ ...formerly(entry), people: [person] }], onDone)
    say(texts.cancelledOne(person.name ?? '–'), sendMails ? {} : { undo })
    onDone()
  }
  return (
    <Dialog title={texts.cancelOneTitle(person.name ?? '–')} onClose={onClose}>
      {person.email && <TellThem telling={telling} onChange={setTelling} />}
      <div class="dialog-end">
        <Button onClick={onClose}>{texts.keep}</Button>
        <Button kind="danger" busy={busy} onClick={cancel}>
          {texts.cancelOne}
        </Button>
      </div>
    </Dialog>
  )
}

export function useAccept(person: Person, onDone: () => void) {
  const { busy, run } = useSending()
  const send = async () => {
    const done = await run(() => api.post(`/participations/${person.uuid}/decide`, { answer: 'accept' }))
    if (!done) return
    requestsChanged()
    onDone()
  }
  return { busy, send }
}

export function AddDialog({ entry, onDone, onClose }: Props & { entry: Entry }) {
  const { uuid } = useProvider()
  const [picked, pick] = useState(nobody)
  const [telling, setTelling] = useTelling()
  const known = peopleIn(entry).length >= entry.capacity ? [texts.isFull] : []
  const { busy, run, errorAt, warnings } = useWarned(known, () => texts.isFull)
  const isToTell = canBeTold(picked)
  const sent = sentAs(picked)
  async function add(event: SubmitEvent) {
    event.preventDefault()
    const sendMails = isToTell && telling.sendMails
    const done = await run(ignoreConflicts =>
      api.post(
        `/appointments/${entry.uuid}/participations`,
        { ...sent, message: (sendMails && telling.message) || null },
        { query: { ignoreConflicts, sendMails } },
      ),
    )
    if (!done) return
    const before = new Set(entry.people.map(one => one.uuid))
    const made = done.entry.people.find(one => !before.has(one.uuid))
    const undo = () =>
      api.post(`/participations/${made!.uuid}/decide`, { answer: 'cancel', sendMails: false }).then(onDone)
    say(texts.added, sendMails || !made ? {} : { undo })
    onDone()
  }
  return (
    <Dialog title={texts.addPerson} onClose={onClose}>
      <form class="stack" onSubmit={add}>
        <CustomerPicker providerUuid={uuid} picked={picked} onPick={pick} errorAt={errorAt} />
        {isToTell && <TellThem telling={telling} onChange={setTelling} />}
        <Warnings list={warnings} />
        <div class="dialog-end">
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="main" type="submit" busy={busy} disabled={Object.keys(sent).length === 0}>
            {warnings.length > 0 ? common.doItAnyway : common.add}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
