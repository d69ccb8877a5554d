import { useState } from 'preact/hooks'
import { Link, useLocation, useParams } from 'wouter-preact'
import { shell } from '../../shell-words.ts'
import { SelectField } from '../../ui/Field.tsx'
import { Empty, Page, Skeleton, Trouble } from '../../ui/Page.tsx'
import { useResources } from '../offers/offers.ts'
import { resourceTexts } from '../offers/resource-words.ts'
import { ChannelForm } from './ChannelForm.tsx'
import { ChannelTabs } from './ChannelTabs.tsx'
import { type ChannelKey, channelKeys } from './channel-keys.ts'
import { Preview } from './Preview.tsx'
import { Snippet } from './Snippet.tsx'
import { texts } from './words.ts'

/** Booking settings of a Resource, with a preview of the booking page. */
export default function Channels() {
  const params = useParams<{ uuid?: string; key?: string }>()
  const [, go] = useLocation()
  const [changes, setChanges] = useState(0)
  const loaded = useResources()
  const open = loaded.data?.resources.filter(one => !one.archived) ?? []
  const resources = loaded.data?.resources.filter(one => !one.archived || one.uuid === params.uuid)
  const resource = resources?.find(one => one.uuid === params.uuid) ?? resources?.[0]
  const key = channelKeys.find(one => one === params.key) ?? 'RESOURCE_PUBLIC'
  // The calendar of all resources is the same for every Resource.
  const uuids = key === 'CALENDAR_PUBLIC' ? open.map(one => one.uuid) : [resource?.uuid ?? '']
  const show = (uuid: string, key: ChannelKey) => go(`/channels/${uuid}/${key}`)
  return (
    <Page title={shell.channels}>
      <ChannelTabs />
      {loaded.problem && <Trouble problem={loaded.problem} onRetry={loaded.reload} />}
      {loaded.isLoading && <Skeleton />}
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
              label={texts.resource}
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
              <Snippet uuids={uuids} channelKey={key} />
              <Preview uuids={uuids} channelKey={key} version={changes} />
            </div>
          </div>
        </>
      )}
    </Page>
  )
}
