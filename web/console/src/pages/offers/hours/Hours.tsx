import { Link, useParams } from 'wouter-preact'
import { api } from '../../../api.ts'
import { useLoad } from '../../../load.ts'
import { shell } from '../../../shell-words.ts'
import { Page } from '../../../ui/Page.tsx'
import { texts } from '../words.ts'
import { HoursEditor } from './HoursEditor.tsx'

/** Weekly opening hours of a Resource. */
export default function Hours() {
  const { uuid } = useParams<{ uuid: string }>()
  const { data } = useLoad(`resource-${uuid}`, signal => api.get(`/resources/${uuid}`, { signal }))
  return (
    <Page title={data ? `${texts.hours}: ${data.internalName}` : texts.hours}>
      <p>
        <Link href="/offers">{texts.resources}</Link> ·{' '}
        <Link href={`/channels/${uuid}/RESOURCE_PUBLIC`}>{shell.channels}</Link>
      </p>
      <HoursEditor key={uuid} uuid={uuid} />
    </Page>
  )
}
