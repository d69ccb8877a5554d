import { useState } from 'preact/hooks'
import { Link, useParams } from 'wouter-preact'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useLoad } from '../../load.ts'
import { useGo } from '../../navigation.ts'
import { useProvider } from '../../session.ts'
import { shell } from '../../shell-words.ts'
import { SelectField } from '../../ui/fields/Field.tsx'
import { Empty, Page, Pending } from '../../ui/Page.tsx'
import { useResources } from '../offers/offers.ts'
import { resourceTexts } from '../offers/resources/resource-words.ts'
import { addressOf } from './BusinessAddress.tsx'
import { ChannelForm } from './ChannelForm.tsx'
import { ChannelTabs } from './ChannelTabs.tsx'
import { type ChannelKey, channelKeys } from './channel-keys.ts'
import { Preview, Snippet } from './Snippet.tsx'
import { texts } from './words.ts'

/** Exceptions of a Resource, with a preview of its booking page. */
export default function Channels() {
  const params = useParams<{ uuid?: string; key?: string }>()
  const go = useGo()
  const [changes, setChanges] = useState(0)
  const provider = useProvider().uuid
  const settings = useLoad(`provider-${provider}`, signal => api.get(`/providers/${provider}`, { signal }))
  const loaded = useResources()
  const resources = loaded.data?.resources.filter(one => !one.archived || one.uuid === params.uuid)
  const resource = resources?.find(one => one.uuid === params.uuid) ?? resources?.[0]
  const key = channelKeys.find(one => one === params.key) ?? 'RESOURCE_PUBLIC'
  // The calendar of all resources is the booking page of the business.
  const shown =
    key === 'CALENDAR_PUBLIC'
      ? { business: settings.data ? addressOf(settings.data) : provider }
      : { uuids: [resource?.uuid ?? ''], channelKey: key }
  const show = (uuid: string, key: ChannelKey) => go(`/channels/${uuid}/${key}`)
  return (
    <Page title={shell.channels}>
      <ChannelTabs />
      <Pending of={loaded} />
      {resources?.length === 0 && (
        <Empty
          action={
            <Link class="button main" href="/offers/resources/new">
              {resourceTexts.addResource}
            </Link>
          }
        >
          {texts.noResource}
        </Empty>
      )}
      {resource && resources && (
        <>
          <div class="fields">
            <SelectField
              label={common.resource}
              value={resource.uuid}
              options={resources.map(one => ({ value: one.uuid, label: one.internalName }))}
              onChange={uuid => show(uuid, key)}
            />
            <SelectField
              label={texts.channel}
              hint={texts.descriptions[key]}
              value={key}
              options={channelKeys.map(one => ({ value: one, label: texts.names[one] }))}
              onChange={next => show(resource.uuid, next)}
            />
          </div>
          <div class="beside">
            <ChannelForm
              key={`${resource.uuid}-${key}`}
              uuid={resource.uuid}
              channelKey={key}
              onSaved={() => setChanges(count => count + 1)}
            />
            <div class="stack">
              <Snippet shown={shown} />
              <Preview shown={shown} version={changes} />
            </div>
          </div>
        </>
      )}
    </Page>
  )
}
