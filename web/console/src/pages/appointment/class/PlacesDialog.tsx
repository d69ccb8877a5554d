import { useState } from 'preact/hooks'
import { api } from '../../../api.ts'
import { common } from '../../../common-words.ts'
import type { Person } from '../../../records.ts'
import { Dialog, DialogButtons } from '../../../ui/dialogs/Dialog.tsx'
import { useConflictWarnings } from '../../../ui/editing/use-conflict-warnings.ts'
import { TextField } from '../../../ui/fields/Field.tsx'
import { NotifyFields, useNotification } from '../../../ui/fields/NotifyFields.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { Warnings } from '../WhenFields.tsx'
import { texts as panelTexts } from '../words.ts'
import { texts } from './words.ts'

type Props = { person: Person; onDone: () => void; onClose: () => void }

/** How many places a booking takes, and for whom. More than there are is a warning. */
export function PlacesDialog({ person, onDone, onClose }: Props) {
  const [places, setPlaces] = useState(`${person.places}`)
  const [names, setNames] = useState(person.placeNames.join('\n'))
  const [notification, setNotification] = useNotification()
  const { busy, run, errorAt, warnings } = useConflictWarnings([], () => panelTexts.isFull)
  async function save(event: SubmitEvent) {
    event.preventDefault()
    const sendMails = person.email !== null && notification.sendMails
    const message = (sendMails && notification.message) || null
    const body = { places: Number(places), placeNames: namesIn(names), message }
    const send = (change: typeof body, query: { sendMails: boolean; ignoreConflicts: boolean }) =>
      api.post(`/participations/${person.uuid}/places`, change, { query })
    const done = await run(ignoreConflicts => send(body, { sendMails, ignoreConflicts }))
    if (!done) return
    const before = { places: person.places, placeNames: person.placeNames, message: null }
    const undo = () => void send(before, { sendMails: false, ignoreConflicts: true }).then(onDone)
    showToast(texts.placesChanged, sendMails ? {} : { undo })
    onDone()
  }
  return (
    <Dialog title={`${texts.changePlaces}: ${person.name ?? '–'}`} onClose={onClose}>
      <form class="stack" onSubmit={save}>
        <PlaceFields
          places={places}
          names={names}
          onPlaces={setPlaces}
          onNames={setNames}
          errorAt={errorAt}
        />
        {person.email && <NotifyFields notification={notification} onChange={setNotification} />}
        <DialogButtons
          onClose={onClose}
          action={warnings.length > 0 ? common.doAnyway : common.save}
          busy={busy}
          disabled={!(Number(places) > 0)}
        >
          <Warnings list={warnings} />
        </DialogButtons>
      </form>
    </Dialog>
  )
}

export const namesIn = (text: string) =>
  text
    .split('\n')
    .map(one => one.trim())
    .filter(Boolean)

type FieldsProps = {
  places: string
  names: string
  onPlaces: (value: string) => void
  onNames: (value: string) => void
  errorAt: (field: string) => string | null | undefined
}

export function PlaceFields({ places, names, onPlaces, onNames, errorAt }: FieldsProps) {
  return (
    <>
      <TextField
        label={common.places}
        type="number"
        min={1}
        max={100}
        value={places}
        error={errorAt('places') ?? null}
        onInput={onPlaces}
      />
      {(Number(places) > 1 || names) && (
        <TextField
          label={texts.placeNames}
          rows={3}
          value={names}
          error={errorAt('placeNames') ?? null}
          onInput={onNames}
        />
      )}
    </>
  )
}
