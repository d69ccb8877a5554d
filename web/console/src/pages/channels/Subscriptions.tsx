import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useLoad } from '../../load.ts'
import type { Schemas } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { shell } from '../../shell-words.ts'
import { moment } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { SecretDialog } from '../../ui/dialogs/SecretDialog.tsx'
import { Empty, Page, Pending } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useContacts, useResources } from '../offers/offers.ts'
import { AddFeed } from './AddFeed.tsx'
import { ChannelTabs } from './ChannelTabs.tsx'
import { feedTexts as texts } from './feed-words.ts'

type Feed = Schemas['Calendar']

/** Secret addresses for calendar apps. Owners only. */
export default function Subscriptions() {
  const provider = useProvider()
  const path = `/providers/${provider.uuid}/calendars` as const
  const loaded = useLoad(`calendars-${provider.uuid}`, signal => api.get(path, { signal }))
  const nameOf = useNames()
  const [isAdding, setAdding] = useState(false)
  const [address, setAddress] = useState<string | null>(null)
  const [revoking, setRevoking] = useState<Feed | null>(null)
  const feeds = loaded.data?.calendars
  const add = (
    <Button kind="main" onClick={() => setAdding(true)}>
      {texts.add}
    </Button>
  )
  return (
    <Page title={shell.channels} action={feeds?.length !== 0 && add}>
      <ChannelTabs />
      <p class="soft">{texts.text}</p>
      <Pending of={loaded} rows={3} />
      {feeds?.length === 0 && <Empty action={add}>{texts.none}</Empty>}
      <ul class="lines">
        {feeds?.map(feed => (
          <li key={feed.uuid}>
            <span class="wrap">
              <strong>{feed.description ?? nameOf(feed)}</strong>
              <br />
              <span class="soft">{factsOf(feed, nameOf(feed))}</span>
            </span>
            <Button
              kind="danger"
              label={`${texts.revoke}: ${feed.description ?? nameOf(feed)}`}
              onClick={() => setRevoking(feed)}
            >
              {texts.revoke}
            </Button>
          </li>
        ))}
      </ul>
      {isAdding && (
        <AddFeed
          path={path}
          onClose={() => setAdding(false)}
          onDone={url => {
            setAdding(false)
            setAddress(url)
            void loaded.reload()
          }}
        />
      )}
      {address && (
        <SecretDialog
          title={texts.newAddress}
          text={texts.newAddressText}
          secret={address}
          onClose={() => setAddress(null)}
        />
      )}
      {revoking && (
        <ConfirmDialog
          title={revoking.description ?? nameOf(revoking)}
          action={texts.revoke}
          work={() => api.remove(`${path}/${revoking.uuid}`)}
          onClose={() => setRevoking(null)}
          onDone={() => {
            setRevoking(null)
            showToast(texts.revoked)
            void loaded.reload()
          }}
        >
          <p>{texts.revokeText}</p>
        </ConfirmDialog>
      )}
    </Page>
  )
}

/** Names of the Resources and people that feeds show. */
function useNames() {
  const resources = useResources().data?.resources ?? []
  const people = useContacts().data?.people ?? []
  return ({ resourceReference, userReference }: Feed): string => {
    const resource = resources.find(one => one.reference === resourceReference)?.internalName
    const person = people.find(one => one.reference === userReference)?.name
    return (
      resource ??
      (person && texts.asContact(person)) ??
      resourceReference ??
      userReference ??
      common.wholeBusiness
    )
  }
}

const factsOf = ({ description, names, lastReadAt }: Feed, name: string) =>
  [
    description && description !== name && name,
    names ? texts.withNames : texts.busyOnly,
    `${texts.lastRead}: ${lastReadAt ? moment(lastReadAt) : common.never}`,
  ]
    .filter(Boolean)
    .join(' · ')
