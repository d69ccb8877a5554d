import { useState } from 'preact/hooks'
import { common } from '../../common-words.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty, Skeleton, Trouble } from '../../ui/Page.tsx'
import { say } from '../../ui/toasts.tsx'
import { contactTexts } from './contact-words.ts'
import { OffersPage } from './OffersPage.tsx'
import { useContacts } from './offers.ts'
import { ChangeProfile, NewProfile } from './ProfileDialog.tsx'

/** How the people of the business are presented to customers. */
export default function Contacts() {
  const loaded = useContacts()
  const [open, setOpen] = useState<string | null>(null)
  const add = <Button onClick={() => setOpen('new')}>{contactTexts.addProfile}</Button>
  const { people = [], profiles = [] } = loaded.data ?? {}
  const done = () => {
    setOpen(null)
    say(common.saved)
    void loaded.reload()
  }
  const nameOf = (reference: string) => people.find(one => one.reference === reference)?.name ?? reference
  return (
    <OffersPage action={people.length > 0 && add}>
      <p class="soft">{contactTexts.contactsText}</p>
      {loaded.problem && <Trouble problem={loaded.problem} onRetry={loaded.reload} />}
      {loaded.isLoading && <Skeleton />}
      {loaded.data && profiles.length === 0 && <Empty action={add}>{contactTexts.noProfiles}</Empty>}
      <ul class="lines">
        {profiles.map(profile => (
          <li key={profile.reference}>
            <span>
              <strong>{profile.name}</strong> <span class="soft">{nameOf(profile.userReference)}</span>
            </span>
            <span>{profile.contactChannels.map(one => one.value).join(' · ')}</span>
            <Button label={`${common.edit}: ${profile.name}`} onClick={() => setOpen(profile.reference)}>
              {common.edit}
            </Button>
          </li>
        ))}
      </ul>
      {open === 'new' && <NewProfile people={people} onClose={() => setOpen(null)} onDone={done} />}
      {open && open !== 'new' && (
        <ChangeProfile reference={open} onClose={() => setOpen(null)} onDone={done} />
      )}
    </OffersPage>
  )
}
