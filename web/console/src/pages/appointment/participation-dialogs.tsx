import { useState } from 'preact/hooks'
import { dayAt } from '#shared/zones.ts'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { requestsChanged } from '../../live-changes.ts'
import { type Entry, nameOf, type Person, peopleIn, placesTaken } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { format, instant, timeRange } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { CustomerPicker } from '../../ui/customer/CustomerPicker.tsx'
import { useCustomerChoice } from '../../ui/customer/customer-choice.ts'
import { Dialog, DialogButtons } from '../../ui/dialogs/Dialog.tsx'
import { useConflictWarnings } from '../../ui/editing/use-conflict-warnings.ts'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { NotifyFields, namedBy, useNotification } from '../../ui/fields/NotifyFields.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { texts as requestTexts } from '../requests/words.ts'
import { TakersAfter } from '../waiting/Takers.tsx'
import { namesIn, PlaceFields } from './class/PlacesDialog.tsx'
import { doubleBooking, useDayData } from './day-data.ts'
import type { SeriesRecord } from './series/date-choices.ts'
import { datesIn, type Scope, ScopeField } from './series/ScopeField.tsx'
import { texts as seriesTexts } from './series/words.ts'
import { stateBefore, undoCancel } from './undo-cancel.ts'
import { Warnings } from './WhenFields.tsx'
import { texts } from './words.ts'

type Props = { onDone: () => void; onClose: () => void }

/** Who, what and when, so that the right appointment is cancelled. */
function Concerned({ entry, people = peopleIn(entry) }: { entry: Entry; people?: Person[] }) {
  const { timeZone } = useProvider()
  const names = people.map(one => one.name).join(', ')
  return (
    <p>
      {names && <strong>{names}</strong>}
      {names && <br />}
      {format.fullDay(instant(entry.start), timeZone)}, {timeRange(entry.start, entry.end, timeZone)}
      <br />
      {entry.product.name} · {entry.resource.name}
    </p>
  )
}

/** Cancels the whole Appointment for all participants, or several dates of a series. */
export function CancelDialog({
  entry,
  series = null,
  onDone,
  onClose,
}: Props & { entry: Entry; series?: SeriesRecord | null }) {
  const { uuid: providerUuid } = useProvider()
  const [scope, setScope] = useState<Scope>('this')
  const dates = series && scope !== 'this' ? datesIn(series, entry, scope) : null
  const [notification, setNotification] = useNotification()
  const { busy, run } = useSubmit()
  const canNotify = peopleIn(entry).some(one => one.email)
  async function cancel() {
    const sendMails = canNotify && notification.sendMails
    const body = { message: (sendMails && notification.message) || null }
    const done = await run<unknown>(() =>
      dates
        ? api.post(
            `/providers/${providerUuid}/series/${series!.seriesId}/cancel`,
            { ...body, appointmentReference: scope === 'later' ? entry.reference : null },
            { query: { sendMails } },
          )
        : api.post(`/appointments/${entry.uuid}/cancel`, body, { query: { sendMails } }),
    )
    if (!done) return
    const before = dates ? datesBefore(dates, series!.name) : [stateBefore(entry)]
    const said = dates ? seriesTexts.cancelledMany(dates.length) : texts.cancelled
    showToast(said, {
      about: nameOf(entry),
      ...(sendMails || !before ? {} : { undo: undoCancel(before, onDone) }),
    })
    onDone()
  }
  return (
    <Dialog title={dates ? seriesTexts.cancelManyTitle : texts.cancelTitle} onClose={onClose}>
      <Concerned entry={entry} />
      {series && <ScopeField scope={scope} onChange={setScope} />}
      <TakersAfter
        resourceUuid={entry.resource.uuid}
        span={{ start: instant(entry.start), end: instant(entry.end) }}
      />
      {canNotify && <NotifyFields notification={notification} onChange={setNotification} />}
      <div class="dialog-end">
        <Button onClick={onClose}>{texts.keep}</Button>
        <Button kind="danger" busy={busy} disabled={dates?.length === 0} onClick={cancel}>
          {namedBy(notification, canNotify, dates ? seriesTexts.cancelMany(dates.length) : texts.cancel)}
        </Button>
      </div>
    </Dialog>
  )
}

/** For Undo; null if a date belongs to no person. */
function datesBefore(dates: SeriesRecord['dates'], name: string | null) {
  const before = dates.flatMap(({ appointmentUuid, participationUuid }) =>
    participationUuid
      ? [
          {
            uuid: appointmentUuid,
            name: name ?? '–',
            people: [{ uuid: participationUuid, state: 'BOOKED' as const }],
          },
        ]
      : [],
  )
  return before.length === dates.length ? before : null
}

/** Cancels for one participant: this date, or several of the person's series. Declines what is only requested. */
export function LeaveDialog({
  entry,
  person,
  series,
  onDone,
  onClose,
}: Props & { entry: Entry; person: Person; series: SeriesRecord | null }) {
  const { uuid: providerUuid } = useProvider()
  const [scope, setScope] = useState<Scope>('this')
  const dates = series && scope !== 'this' ? datesIn(series, entry, scope) : null
  const [notification, setNotification] = useNotification()
  const { busy, run } = useSubmit()
  const isRequest = person.state === 'REQUESTED'
  async function cancel() {
    const sendMails = person.email !== null && notification.sendMails
    const answer = isRequest ? 'decline' : 'cancel'
    const message = (sendMails && notification.message) || null
    const done = await run<unknown>(() =>
      dates
        ? api.post(
            `/providers/${providerUuid}/series/${series!.seriesId}/cancel`,
            { message, appointmentReference: scope === 'later' ? entry.reference : null },
            { query: { sendMails } },
          )
        : api.post(`/participations/${person.uuid}/decide`, { answer, sendMails, message }),
    )
    if (!done) return
    requestsChanged()
    const before = dates ? datesBefore(dates, person.name) : [{ ...stateBefore(entry), people: [person] }]
    const said = dates
      ? seriesTexts.cancelledMany(dates.length)
      : (isRequest ? requestTexts.declined : texts.cancelledOne)(person.name ?? '–')
    showToast(said, sendMails || !before ? {} : { undo: undoCancel(before, onDone) })
    onDone()
  }
  return (
    <Dialog
      title={isRequest ? requestTexts.declineTitle : texts.cancelOneTitle(person.name ?? '–')}
      onClose={onClose}
    >
      <Concerned entry={entry} people={[person]} />
      {series && <ScopeField scope={scope} onChange={setScope} />}
      {person.email && <NotifyFields notification={notification} onChange={setNotification} />}
      <div class="dialog-end">
        <Button onClick={onClose}>{isRequest ? common.cancel : texts.keep}</Button>
        <Button kind="danger" busy={busy} disabled={dates?.length === 0} onClick={cancel}>
          {namedBy(
            notification,
            person.email !== null,
            dates ? seriesTexts.cancelMany(dates.length) : isRequest ? requestTexts.decline : texts.cancelOne,
          )}
        </Button>
      </div>
    </Dialog>
  )
}

export function useAccept(person: Person, onDone: () => void) {
  const { busy, run } = useSubmit()
  const send = async () => {
    const done = await run(() => api.post(`/participations/${person.uuid}/decide`, { answer: 'accept' }))
    if (!done) return
    requestsChanged()
    onDone()
  }
  return { busy, send }
}

export function AddDialog({ entry, onDone, onClose }: Props & { entry: Entry }) {
  const { uuid, timeZone: zone } = useProvider()
  const choice = useCustomerChoice(uuid)
  const [places, setPlaces] = useState('1')
  const [names, setNames] = useState('')
  const [notification, setNotification] = useNotification()
  const span = { start: instant(entry.start), end: instant(entry.end) }
  const day = useDayData(uuid, dayAt(span.start, zone))
  const known = [
    ...(placesTaken(entry) + Number(places) > entry.capacity ? [texts.isFull] : []),
    ...doubleBooking(day.data, choice.picked, span, zone, entry.uuid),
  ]
  const { busy, run, errorAt, warnings } = useConflictWarnings(known, ({ code }) =>
    code === 'conflict' ? texts.timeNotFree : texts.isFull,
  )
  const canNotify = choice.canBeTold
  async function add(event: SubmitEvent) {
    event.preventDefault()
    const who = await choice.settle()
    if (!who) return
    const sendMails = canNotify && notification.sendMails
    const done = await run(ignoreConflicts =>
      api.post(
        `/appointments/${entry.uuid}/participations`,
        {
          ...who,
          places: Number(places) || 1,
          placeNames: namesIn(names),
          message: (sendMails && notification.message) || null,
        },
        { query: { ignoreConflicts, sendMails } },
      ),
    )
    if (!done) return
    const before = new Set(entry.people.map(one => one.uuid))
    const made = done.entry.people.find(one => !before.has(one.uuid))
    const undo = () =>
      api.post(`/participations/${made!.uuid}/decide`, { answer: 'cancel', sendMails: false }).then(onDone)
    showToast(texts.added, {
      about: made?.name ?? entry.product.name,
      ...(sendMails || !made ? {} : { undo }),
    })
    onDone()
  }
  return (
    <Dialog title={texts.addCustomer} onClose={onClose}>
      <form class="stack" onSubmit={add}>
        <CustomerPicker choice={choice} errorAt={errorAt} />
        {entry.capacity > 1 && (
          <PlaceFields
            places={places}
            names={names}
            onPlaces={setPlaces}
            onNames={setNames}
            errorAt={errorAt}
          />
        )}
        {canNotify && <NotifyFields notification={notification} onChange={setNotification} />}
        <DialogButtons
          onClose={onClose}
          action={warnings.length > 0 ? common.doAnyway : common.add}
          busy={busy}
          disabled={choice.isEmpty}
        >
          <Warnings list={warnings} />
        </DialogButtons>
      </form>
    </Dialog>
  )
}
