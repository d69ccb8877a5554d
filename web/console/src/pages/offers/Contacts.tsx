import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { common, sentenceOf } from '../../common-words.ts'
import type { Contacts as All, Profile } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { Empty, Skeleton, Trouble } from '../../ui/Page.tsx'
import { say } from '../../ui/toasts.tsx'
import { useSending } from '../../ui/use-sending.ts'
import { OffersPage } from './OffersPage.tsx'
import { useContacts } from './offers.ts'
import { End } from './ProductPanel.tsx'
import { texts } from './words.ts'

/** How the people of the business are presented to customers. */
export default function Contacts() {
  const loaded = useContacts()
  const [open, setOpen] = useState<Profile | 'new' | null>(null)
  const add = <Button onClick={() => setOpen('new')}>{texts.addProfile}</Button>
  const { people = [], profiles = [] } = loaded.data ?? {}
  const nameOf = (reference: string) => people.find(one => one.reference === reference)?.name ?? reference
  return (
    <OffersPage action={people.length > 0 && add}>
      <p class="soft">{texts.contactsText}</p>
      {loaded.problem && <Trouble problem={loaded.problem} onRetry={loaded.reload} />}
      {loaded.isLoading && <Skeleton />}
      {loaded.data && profiles.length === 0 && <Empty action={add}>{texts.noProfiles}</Empty>}
      <ul class="lines">
        {profiles.map(profile => (
          <li key={profile.reference}>
            <span>
              <strong>{profile.name}</strong> <span class="soft">{nameOf(profile.userReference)}</span>
            </span>
            <span>{profile.contactChannels.map(one => one.value).join(' · ')}</span>
            <Button label={`${common.edit}: ${profile.name}`} onClick={() => setOpen(profile)}>
              {common.edit}
            </Button>
          </li>
        ))}
      </ul>
      {open && (
        <ProfileDialog
          profile={open === 'new' ? null : open}
          people={people}
          onClose={() => setOpen(null)}
          onDone={() => {
            setOpen(null)
            say(common.saved)
            void loaded.reload()
          }}
        />
      )}
    </OffersPage>
  )
}

type Props = { profile: Profile | null; people: All['people']; onClose: () => void; onDone: () => void }

const kinds = ['phone', 'mobile', 'email', 'video', 'messenger', 'link', 'location'] as const

function ProfileDialog({ profile, people, onClose, onDone }: Props) {
  const provider = useProvider()
  const [name, setName] = useState(profile?.name ?? '')
  const [user, setUser] = useState(profile?.userReference ?? people[0]?.reference ?? '')
  const [values, setValues] = useState<Record<string, string>>(
    Object.fromEntries(profile?.contactChannels.map(one => [one.type, one.value]) ?? []),
  )
  const { busy, run, errorAt, problem } = useSending()
  const channels = kinds
    .filter(type => values[type]?.trim())
    .map(type => ({ type, value: values[type]!.trim() }))
  const submit = async (event: Event) => {
    event.preventDefault()
    const label = (type: string) => profile?.contactChannels.find(one => one.type === type)?.label ?? null
    const body = {
      reference: profile?.reference ?? null,
      userReference: user,
      name,
      contactChannels: channels.map(one => ({ ...one, label: label(one.type) })),
    }
    if (await run(() => api.post(`/providers/${provider.uuid}/profiles`, body))) onDone()
  }
  return (
    <Dialog title={profile?.name ?? texts.addProfile} onClose={onClose}>
      <form class="stack" onSubmit={submit} noValidate>
        <TextField
          label={texts.profileName}
          hint={texts.profileNameHint}
          required
          value={name}
          onInput={setName}
          error={errorAt('name')}
        />
        {!profile && (
          <SelectField
            label={texts.person}
            value={user}
            options={people.map(one => ({ value: one.reference, label: one.name }))}
            onChange={setUser}
          />
        )}
        {kinds.map(type => (
          <TextField
            key={type}
            label={texts.channelKinds[type]}
            value={values[type] ?? ''}
            onInput={value => setValues({ ...values, [type]: value })}
            error={errorAt(`contactChannels[${channels.findIndex(one => one.type === type)}].value`)}
          />
        ))}
        {problem && !problem.faults.some(one => one.field) && <p class="error">{sentenceOf(problem)}</p>}
        <End busy={busy} onClose={onClose} />
      </form>
    </Dialog>
  )
}
