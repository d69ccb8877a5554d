import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useLoad } from '../../load.ts'
import { useSession } from '../../session.ts'
import { shell } from '../../shell-words.ts'
import { SelectField } from '../../ui/fields/Field.tsx'
import { Empty, Page } from '../../ui/Page.tsx'
import { Events } from './Events.tsx'
import { Keys } from './Keys.tsx'
import { RequestLog } from './RequestLog.tsx'
import { Retention } from './Retention.tsx'
import { Webhooks } from './Webhooks.tsx'
import { texts } from './words.ts'

/** Keys, webhooks and events of a CRM. */
export default function Integration() {
  const { me, provider } = useSession()
  const crms = useLoad('crms', signal => api.get('/crms', { signal }))
  const [chosen, setChosen] = useState(me.crm ?? provider?.crm ?? '')
  const names = crms.data?.crms.map(one => one.name) ?? []
  const crm = chosen || names[0]
  return (
    <Page
      title={shell.integration}
      action={
        <a class="button" href="/docs">
          {texts.docs}
        </a>
      }
    >
      {names.length > 1 && (
        <SelectField
          label={common.crm}
          value={crm ?? ''}
          options={names.map(value => ({ value, label: value }))}
          onChange={setChosen}
        />
      )}
      {crm ? (
        <>
          <Keys key={`keys-${crm}`} crm={crm} />
          <Webhooks key={`webhooks-${crm}`} crm={crm} />
          <RequestLog key={`requests-${crm}`} crm={crm} />
          <Retention key={`retention-${crm}`} crm={crm} />
          <Events key={`events-${crm}`} crm={crm} />
        </>
      ) : (
        crms.data && <Empty>{texts.noKeys}</Empty>
      )}
    </Page>
  )
}
