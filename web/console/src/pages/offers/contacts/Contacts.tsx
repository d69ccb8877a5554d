import { useState } from 'preact/hooks'
import { useParams, useSearchParams } from 'wouter-preact'
import { api } from '../../../api.ts'
import { common } from '../../../common-words.ts'
import { useGo } from '../../../navigation.ts'
import type { Profile } from '../../../records.ts'
import { useProvider } from '../../../session.ts'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { ExportList, exportTexts } from '../../../ui/ExportButton.tsx'
import { Empty, Pending } from '../../../ui/Page.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { OffersPage } from '../OffersPage.tsx'
import { useContacts } from '../offers.ts'
import { texts } from '../words.ts'
import { contactTexts } from './contact-words.ts'
import { ChangeProfile, NewProfile } from './ProfileDialog.tsx'

/** Contact profiles of the staff. */
export default function Contacts() {
  const loaded = useContacts()
  const provider = useProvider()
  // The open profile is part of the address. A reference may contain any character, so it is a query
  // parameter.
  const isNew = useParams<{ which?: string }>().which === 'new'
  const [params] = useSearchParams()
  const open = params.get('profile')
  const go = useGo()
  const close = () => go('/offers/contacts')
  const [removing, setRemoving] = useState<Profile | null>(null)
  const add = (
    <Button kind="main" onClick={() => go('/offers/contacts/new')}>
      {contactTexts.addProfile}
    </Button>
  )
  const { people = [], profiles = [] } = loaded.data ?? {}
  const done = () => {
    close()
    showToast(common.saved, {
      about: profiles.find(one => one.reference === open)?.name ?? texts.contacts,
    })
    void loaded.reload()
  }
  const nameOf = (reference: string) => people.find(one => one.reference === reference)?.name ?? reference
  return (
    <OffersPage
      action={
        profiles.length > 0 && (
          <>
            <ExportList
              file={texts.contacts}
              heads={[exportTexts.name, exportTexts.person, exportTexts.details]}
              cells={(one: Profile) => [
                one.name,
                nameOf(one.userReference),
                one.contactChannels.map(({ value }) => value).join(' · '),
              ]}
              rows={profiles}
            />
            {add}
          </>
        )
      }
    >
      <p class="soft">{contactTexts.profilesText}</p>
      <Pending of={loaded} />
      {loaded.data && profiles.length === 0 && <Empty action={add}>{contactTexts.noProfiles}</Empty>}
      <ul class="lines">
        {profiles.map(profile => (
          <li key={profile.reference}>
            <span>
              <strong>{profile.name}</strong> <span class="soft">{nameOf(profile.userReference)}</span>
            </span>
            <span>{profile.contactChannels.map(one => one.value).join(' · ')}</span>
            <span class="row">
              <Button
                label={`${common.edit}: ${profile.name}`}
                onClick={() => go(`/offers/contacts?profile=${encodeURIComponent(profile.reference)}`)}
              >
                {common.edit}
              </Button>
              <Button
                kind="danger"
                label={`${common.remove}: ${profile.name}`}
                onClick={() => setRemoving(profile)}
              >
                {common.remove}
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {isNew && loaded.data && <NewProfile people={people} onClose={close} onDone={done} />}
      {open && <ChangeProfile key={open} reference={open} onClose={close} onDone={done} />}
      {removing && (
        <ConfirmDialog
          title={removing.name}
          action={common.remove}
          work={() =>
            api.remove(`/providers/${provider.uuid}/profiles/${encodeURIComponent(removing.reference)}`)
          }
          onClose={() => setRemoving(null)}
          onDone={() => {
            setRemoving(null)
            showToast(contactTexts.removed(removing.name))
            void loaded.reload()
          }}
        >
          <p>{contactTexts.removeText(removing.name)}</p>
        </ConfirmDialog>
      )}
    </OffersPage>
  )
}
