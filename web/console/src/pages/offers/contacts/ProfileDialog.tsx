import { useState } from 'preact/hooks'
import { api, type Problem } from '../../../api.ts'
import { common, sentenceOf } from '../../../common-words.ts'
import type { Contacts, Profile } from '../../../records.ts'
import { useProvider } from '../../../session.ts'
import { Dialog, DialogButtons } from '../../../ui/dialogs/Dialog.tsx'
import { ConflictNotice } from '../../../ui/editing/ConflictNotice.tsx'
import { useEdit } from '../../../ui/editing/use-edit.ts'
import { useSubmit } from '../../../ui/editing/use-submit.ts'
import { SelectField, TextField } from '../../../ui/fields/Field.tsx'
import { Pending } from '../../../ui/Page.tsx'
import { texts } from '../words.ts'
import { contactTexts } from './contact-words.ts'

type Closing = { onClose: () => void; onDone: () => void }
type Fields = Pick<Profile, 'name' | 'contactChannels'>

export function NewProfile({ people, onClose, onDone }: Closing & { people: Contacts['people'] }) {
  const provider = useProvider()
  const [fields, set] = useState<Fields>({ name: '', contactChannels: [] })
  const [userReference, setUser] = useState(people[0]?.reference ?? '')
  const { busy, run, errorAt, problem } = useSubmit()
  const submit = async (event: Event) => {
    event.preventDefault()
    const body = { ...fields, userReference }
    if (await run(() => api.post(`/providers/${provider.uuid}/profiles`, body))) onDone()
  }
  return (
    <Dialog title={contactTexts.addProfile} onClose={onClose}>
      <form class="stack" onSubmit={submit} noValidate>
        <SelectField
          label={contactTexts.person}
          value={userReference}
          options={people.map(one => ({ value: one.reference, label: one.name }))}
          onChange={setUser}
        />
        <ProfileFields
          fields={fields}
          onChange={part => set(before => ({ ...before, ...part }))}
          errorAt={errorAt}
          problem={problem}
        />
        <DialogButtons busy={busy} onClose={onClose} />
      </form>
    </Dialog>
  )
}

export function ChangeProfile({ reference, onClose, onDone }: Closing & { reference: string }) {
  const provider = useProvider()
  const edit = useEdit(`/providers/${provider.uuid}/profiles/${encodeURIComponent(reference)}`)
  const submit = async (event: Event) => {
    event.preventDefault()
    if (await edit.save()) onDone()
  }
  return (
    <Dialog title={edit.saved?.name ?? texts.contacts} onClose={onClose}>
      <Pending of={edit.loading} rows={8} />
      {edit.draft && (
        <form class="stack" onSubmit={submit} noValidate>
          <ConflictNotice
            theirs={edit.theirs}
            labels={{ name: common.publicName, contactChannels: texts.contacts }}
            show={(field, value) => (field === 'contactChannels' ? valuesIn(value as Channels) : null)}
            onDrop={edit.drop}
          />
          <ProfileFields
            fields={edit.draft}
            onChange={edit.change}
            errorAt={edit.errorAt}
            problem={edit.theirs.length > 0 ? null : edit.problem}
          />
          <DialogButtons busy={edit.busy} onClose={onClose} />
        </form>
      )}
    </Dialog>
  )
}

type Channels = Fields['contactChannels']
const kinds = ['phone', 'mobile', 'email', 'video', 'messenger', 'link', 'location'] as const
const valuesIn = (channels: Channels) => channels.map(one => one.value).join(', ') || null

type Props = {
  fields: Fields
  onChange: (part: Partial<Fields>) => void
  errorAt: (field: string) => string | null
  problem: Problem | null
}

function ProfileFields({ fields: { name, contactChannels }, onChange, errorAt, problem }: Props) {
  const at = (type: string) => contactChannels.findIndex(one => one.type === type)
  const put = (type: (typeof kinds)[number], value: string) => {
    const known = contactChannels[at(type)]
    const others = contactChannels.filter(one => one.type !== type)
    const next = value ? [...others, { label: known?.label ?? null, type, value }] : others
    onChange({
      contactChannels: next.sort((one, other) => kinds.indexOf(one.type) - kinds.indexOf(other.type)),
    })
  }
  return (
    <>
      <TextField
        label={common.publicName}
        hint={contactTexts.profileNameHint}
        required
        value={name}
        onInput={name => onChange({ name })}
        error={errorAt('name')}
      />
      {kinds.map(type => (
        <TextField
          key={type}
          label={contactTexts.channelKinds[type]}
          value={contactChannels[at(type)]?.value ?? ''}
          onInput={value => put(type, value)}
          error={errorAt(`contactChannels[${at(type)}].value`)}
        />
      ))}
      {problem && !problem.faults.some(one => one.field) && <p class="error">{sentenceOf(problem)}</p>}
    </>
  )
}
