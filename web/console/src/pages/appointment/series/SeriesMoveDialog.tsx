import { useState } from 'preact/hooks'
import { api } from '../../../api.ts'
import { common } from '../../../common-words.ts'
import { useLoad } from '../../../load.ts'
import { type Entry, offers, type Person, peopleIn } from '../../../records.ts'
import { useProvider } from '../../../session.ts'
import { Dialog, DialogButtons } from '../../../ui/dialogs/Dialog.tsx'
import { useConflictWarnings } from '../../../ui/editing/use-conflict-warnings.ts'
import { SelectField } from '../../../ui/fields/Field.tsx'
import { NotifyFields, namedBy, useNotification } from '../../../ui/fields/NotifyFields.tsx'
import { Skeleton, Trouble } from '../../../ui/Page.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { useDayData } from '../day-data.ts'
import { placesFor, spanOf, type When } from '../form-times.ts'
import { Warnings, WhenFields } from '../WhenFields.tsx'
import { texts as appointmentTexts } from '../words.ts'
import { DateList } from './DateList.tsx'
import { type SeriesRecord, seriesWarnings, useDateChoices } from './date-choices.ts'
import { type Scope, ScopeField } from './ScopeField.tsx'
import { texts } from './words.ts'

type Props = {
  entry: Entry
  series: SeriesRecord
  scope: Scope
  start: When
  /** Only this person moves: in a group the others stay. */
  person?: Person
  onScope: (scope: Scope) => void
  onDone: () => void
  onClose: () => void
}

/** Moves several dates, or gives them another Resource or Product. The preview shows where each one goes. */
export function SeriesMoveDialog({ entry, series, scope, start, person, onScope, onDone, onClose }: Props) {
  const { uuid, timeZone: zone } = useProvider()
  const [when, setWhen] = useState(start)
  const [wanted, setProduct] = useState('')
  const [notification, setNotification] = useNotification()
  const day = useDayData(uuid, when.day)
  const span = spanOf(when, zone)
  const productUuid = wanted || entry.product.uuid
  const path = `/providers/${uuid}/series/${series.seriesId}/move` as const
  const asked = span && {
    scope,
    appointmentReference: entry.reference,
    start: new Date(span.start).toISOString(),
    end: new Date(span.end).toISOString(),
    resourceUuid: when.resourceUuid === entry.resource.uuid ? null : when.resourceUuid,
    productUuid: wanted || null,
  }
  const plan = useLoad(asked && `${path}-${JSON.stringify(asked)}`, signal =>
    api.post(`${path}/preview`, asked!, { signal }),
  )
  const dates = plan.data?.dates ?? []
  const choices = useDateChoices(dates)
  const { busy, run, warnings } = useConflictWarnings([], () => texts.sinceTaken)
  const canNotify = (person ? [person] : peopleIn(entry)).some(one => one.email)
  const products = (day.data?.products ?? []).filter(one => {
    const place = day.data!.resources.find(resource => resource.uuid === when.resourceUuid)
    return !place || offers(place, one)
  })

  async function move(event: SubmitEvent) {
    event.preventDefault()
    const sendMails = canNotify && notification.sendMails
    const moved = choices.chosen.flatMap((chosen, index) =>
      chosen ? [{ ...chosen, appointmentReference: dates[index]!.appointmentReference }] : [],
    )
    const done = await run(() =>
      api.post(
        path,
        {
          dates: moved,
          productUuid: wanted || null,
          message: (sendMails && notification.message) || null,
        },
        { query: { sendMails } },
      ),
    )
    if (!done) return void plan.reload()
    const references = new Set(moved.map(one => one.appointmentReference))
    // A place in a group is now in another Appointment.
    const nowIn = (date: SeriesRecord['dates'][number]) =>
      done.dates.find(one => one.participationUuid && one.participationUuid === date.participationUuid) ??
      date
    const before = series.dates
      .filter(one => references.has(one.appointmentReference))
      .map(date => ({
        start: date.start,
        end: date.end,
        resourceUuid: date.resourceUuid,
        appointmentReference: nowIn(date).appointmentReference,
        ignoreConflicts: true,
      }))
    const undo = () =>
      api
        .post(
          path,
          { dates: before, productUuid: wanted ? entry.product.uuid : null },
          { query: { sendMails: false } },
        )
        .then(onDone)
    showToast(texts.movedMany(moved.length), sendMails ? {} : { undo })
    onDone()
  }

  const isReady = plan.data !== null && choices.unresolved === 0 && choices.count > 0
  return (
    <Dialog title={appointmentTexts.moveTitle} onClose={onClose}>
      <form class="stack" onSubmit={move}>
        {person && (
          <p>
            <strong>{person.name ?? '–'}</strong>
          </p>
        )}
        <ScopeField scope={scope} onChange={onScope} />
        <WhenFields when={when} resources={day.data?.resources ?? [entry.resource]} onChange={setWhen} />
        <SelectField
          label={common.product}
          value={productUuid}
          options={(products.length > 0 ? products : [entry.product]).map(one => ({
            value: one.uuid,
            label: one.name,
          }))}
          onChange={next => setProduct(next === entry.product.uuid ? '' : next)}
        />
        {plan.problem ? (
          <Trouble problem={plan.problem} onRetry={plan.reload} />
        ) : plan.data ? (
          <DateList
            dates={dates}
            choices={choices}
            zone={zone}
            showPlace={false}
            isMove
            search={{ productUuid, resources: placesFor(entry, when, day.data) }}
          />
        ) : (
          <Skeleton rows={4} />
        )}
        {canNotify && <NotifyFields notification={notification} onChange={setNotification} />}
        <DialogButtons
          onClose={onClose}
          action={namedBy(notification, canNotify, texts.moveMany(choices.count))}
          busy={busy}
          disabled={!isReady}
        >
          <Warnings list={[...seriesWarnings(choices), ...warnings]} />
        </DialogButtons>
      </form>
    </Dialog>
  )
}
