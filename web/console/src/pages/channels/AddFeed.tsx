import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { Dialog, DialogButtons } from '../../ui/dialogs/Dialog.tsx'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { CheckField, SelectField, TextField } from '../../ui/fields/Field.tsx'
import { useContacts, useResources } from '../offers/offers.ts'
import { feedTexts as texts } from './feed-words.ts'

type Props = { path: `/providers/${string}/calendars`; onDone: (url: string) => void; onClose: () => void }

/** Creates a feed of one Resource, one person or the whole business. */
export function AddFeed({ path, onDone, onClose }: Props) {
  const resources = useResources().data?.resources.filter(one => !one.archived) ?? []
  const people = useContacts().data?.people ?? []
  const [of, setOf] = useState('')
  const [names, setNames] = useState(false)
  const [description, setDescription] = useState('')
  const { busy, run, errorAt } = useSubmit()
  const options = [
    { value: '', label: common.wholeBusiness },
    ...resources.map(one => ({ value: `resource ${one.reference}`, label: one.internalName })),
    ...people.map(one => ({ value: `user ${one.reference}`, label: texts.asContact(one.name) })),
  ]
  const submit = async (event: Event) => {
    event.preventDefault()
    const [_match, kind, reference] = /^(\w+) (.*)$/.exec(of) ?? []
    const made = await run(() =>
      api.post(path, {
        names,
        description: description.trim() || null,
        resourceReference: kind === 'resource' ? reference! : null,
        userReference: kind === 'user' ? reference! : null,
      }),
    )
    if (made) onDone(made.url)
  }
  return (
    <Dialog title={texts.add} onClose={onClose}>
      <form class="stack" onSubmit={submit} noValidate>
        <SelectField label={texts.appointmentsOf} value={of} options={options} onChange={setOf} />
        <CheckField
          label={texts.includeNames}
          hint={texts.includeNamesHint}
          checked={names}
          onChange={setNames}
        />
        <TextField
          label={common.label}
          maxLength={200}
          value={description}
          onInput={setDescription}
          error={errorAt('description')}
        />
        <DialogButtons busy={busy} onClose={onClose} action={texts.add} />
      </form>
    </Dialog>
  )
}
