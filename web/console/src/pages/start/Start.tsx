import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { api } from '../../api.ts'
import { useLoad } from '../../load.ts'
import { useProvider, useSession } from '../../session.ts'
import { Skeleton, Trouble } from '../../ui/Page.tsx'
import { addressOf } from '../channels/BusinessAddress.tsx'
import { Preview, Snippet } from '../channels/Snippet.tsx'
import { HoursEditor } from '../offers/hours/HoursEditor.tsx'
import { useProducts, useResources } from '../offers/offers.ts'
import { FirstBranding, wasBrandingSkipped } from './FirstBranding.tsx'
import { FirstProducts, slotLengthFor } from './FirstProducts.tsx'
import { NewBusiness } from './forms.tsx'
import { Steps } from './Steps.tsx'
import { Team } from './Team.tsx'
import Welcome from './Welcome.tsx'
import { texts } from './words.ts'

/**
 * From nothing to a bookable page. Completed steps are skipped, so the setup can be interrupted and resumed.
 */
export default function Start() {
  const { provider } = useSession()
  return provider ? <Further key={provider.uuid} /> : <Welcome />
}

export const NewStart = () => (
  <Steps step="business">
    <NewBusiness />
  </Steps>
)

function Further() {
  const { uuid } = useProvider()
  const products = useProducts()
  const resources = useResources()
  const settings = useLoad(`provider-${uuid}`, signal => api.get(`/providers/${uuid}`, { signal }))
  const [isLookSkipped, setLookSkipped] = useState(() => wasBrandingSkipped(uuid))
  // A step that saves several records is shown until the last one is saved.
  const [adding, setAdding] = useState<'service' | 'team' | null>(null)
  const problem = products.problem ?? resources.problem ?? settings.problem
  if (problem) return <Trouble problem={problem} onRetry={() => location.reload()} />
  if (!products.data || !resources.data || !settings.data) return <Skeleton />
  const team = resources.data.resources.filter(one => !one.archived)
  const places = {
    business: '/channels/look',
    service: '/offers/products',
    team: '/offers',
    hours: `/offers/resources/${team[0]?.uuid}/hours`,
    look: '/channels/look',
  }
  if (products.data.products.length === 0 || adding === 'service')
    return (
      <Steps step="service" places={places}>
        <FirstProducts
          onBegin={() => setAdding('service')}
          onDone={async () => {
            await products.reload()
            setAdding(null)
          }}
        />
      </Steps>
    )
  if (team.length === 0 || adding === 'team')
    return (
      <Steps step="team" places={places}>
        <Team
          onBegin={() => setAdding('team')}
          onDone={async () => {
            await resources.reload()
            setAdding(null)
          }}
        />
      </Steps>
    )
  const closed = team.find(one => !one.hasTimes)
  if (closed)
    return (
      <Steps step="hours" places={places}>
        <HoursEditor
          key={closed.uuid}
          uuid={closed.uuid}
          saveLabel={texts.continue}
          brief={slotLengthFor(products.data.products.map(one => one.minDuration))}
          onSaved={async () => {
            await copyHours(
              closed.uuid,
              team.filter(one => !one.hasTimes && one !== closed),
            )
            await resources.reload()
          }}
        />
      </Steps>
    )
  const hasLook = settings.data.accentColor !== null || settings.data.logoUrl !== null
  if (!hasLook && !isLookSkipped)
    return (
      <Steps step="look" places={places}>
        <FirstBranding
          onSkip={() => setLookSkipped(true)}
          onDone={async () => {
            setLookSkipped(true)
            await settings.reload()
          }}
        />
      </Steps>
    )
  return (
    <Steps step="ready" places={places}>
      <Ready business={addressOf(settings.data)} />
    </Steps>
  )
}

/** Applies the same hours to every team member. */
async function copyHours(from: string, others: { uuid: string }[]) {
  const { rules, hoursWeeks } = await api.get(`/resources/${from}/hours`)
  const copies = rules.map(({ uuid: _, ...rule }) => ({ ...rule, weekdays: rule.weekdays.map(Number) }))
  for (const { uuid } of others) await api.put(`/resources/${uuid}/hours`, { rules: copies, hoursWeeks })
}

function Ready({ business }: { business: string }) {
  return (
    <div class="beside">
      <div class="stack">
        <Snippet shown={{ business }} />
        <p>{texts.next}</p>
        <ul class="stack tight">
          <li>
            <Link href="/offers/products">{texts.toOffers}</Link>
          </li>
          <li>
            <Link href="/channels">{texts.toChannels}</Link>
          </li>
          <li>
            <Link href="/offers/closures">{texts.toClosures}</Link>
          </li>
        </ul>
        <div>
          <Link href="/" class="button main">
            {texts.toToday}
          </Link>
        </div>
      </div>
      <Preview shown={{ business }} version={0} />
    </div>
  )
}
