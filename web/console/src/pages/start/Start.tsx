import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Link, Redirect, useParams } from 'wouter-preact'
import { api } from '../../api.ts'
import { useLoad } from '../../load.ts'
import { useGo } from '../../navigation.ts'
import type { ListedResource, Product, ProviderSettings } from '../../records.ts'
import { useProvider, useSession } from '../../session.ts'
import { hasKeptInput } from '../../ui/editing/kept-input.ts'
import { Skeleton, Trouble } from '../../ui/Page.tsx'
import { addressOf } from '../channels/BusinessAddress.tsx'
import { Preview, Snippet } from '../channels/Snippet.tsx'
import { useProducts, useResources } from '../offers/offers.ts'
import { Business } from './Business.tsx'
import { FirstBranding, wasBrandingSkipped } from './FirstBranding.tsx'
import { FirstHours } from './FirstHours.tsx'
import { FirstProducts } from './FirstProducts.tsx'
import { NewBusiness } from './forms.tsx'
import { StepButtons } from './StepForm.tsx'
import { pathOf, type StepName, Steps, stepAfter, steps } from './Steps.tsx'
import { Team } from './Team.tsx'
import Welcome from './Welcome.tsx'
import { texts } from './words.ts'

/**
 * From nothing to a bookable page. Each step has its address, so that Back works; without one, the setup goes on with the
 * first step that is not finished.
 */
export default function Start() {
  const { provider } = useSession()
  return provider ? <Further key={provider.uuid} /> : <Welcome />
}

export const NewStart = () => (
  <Steps step="business" reached="business">
    <NewBusiness />
  </Steps>
)

function Further() {
  const { uuid } = useProvider()
  const { me } = useSession()
  const { step: asked } = useParams()
  const go = useGo()
  const products = useProducts()
  const resources = useResources()
  const settings = useLoad(`provider-${uuid}`, signal => api.get(`/providers/${uuid}`, { signal }))
  const problem = products.problem ?? resources.problem ?? settings.problem
  if (problem) return <Trouble problem={problem} onRetry={() => location.reload()} />
  if (!products.data || !resources.data || !settings.data) return <Skeleton />
  const services = products.data.products
  const team = resources.data.resources.filter(one => !one.archived)
  const reached = firstOpen(services, team, settings.data)
  const step = steps.find(one => one === asked) ?? reached
  if (!asked || steps.indexOf(step) > steps.indexOf(reached)) return <Redirect to={pathOf(reached)} replace />
  const next = () => go(pathOf(stepAfter(step)))
  const forms: Record<StepName, () => VNode> = {
    business: () => <Business onDone={() => settings.reload().then(next)} />,
    service: () => (
      <WithKept key="service" name={`services-${uuid}-${me.uuid}`} reload={products.reload}>
        {name => (
          <FirstProducts products={services} keptAs={name} onDone={() => products.reload().then(next)} />
        )}
      </WithKept>
    ),
    team: () => (
      <WithKept key="team" name={`team-${uuid}-${me.uuid}`} reload={resources.reload}>
        {name => <Team team={team} keptAs={name} onDone={() => resources.reload().then(next)} />}
      </WithKept>
    ),
    hours: () => <FirstHours team={team} services={services} onDone={() => resources.reload().then(next)} />,
    look: () => <FirstBranding onDone={() => settings.reload().then(next)} />,
    ready: () => <Ready business={addressOf(settings.data!)} />,
  }
  return (
    <Steps step={step} reached={reached}>
      {forms[step]()}
    </Steps>
  )
}

type KeptProps = { name: string; reload: () => Promise<void>; children: (name: string) => VNode }

/** Kept input is compared with what is saved by now, so it needs a list that is newer than itself. */
function WithKept({ name, reload, children }: KeptProps) {
  const [isReady, setReady] = useState(() => !hasKeptInput(name))
  useEffect(() => {
    if (!isReady) void reload().then(() => setReady(true))
  }, [])
  return isReady ? children(name) : <Skeleton />
}

function firstOpen(services: Product[], team: ListedResource[], settings: ProviderSettings): StepName {
  if (services.length === 0) return 'service'
  if (team.length === 0) return 'team'
  if (team.some(one => !one.hasTimes)) return 'hours'
  const hasLook = settings.accentColor !== null || settings.logoUrl !== null
  return hasLook || wasBrandingSkipped(settings.uuid) ? 'ready' : 'look'
}

function Ready({ business }: { business: string }) {
  return (
    <div class="step-form">
      <div class="beside step-fields">
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
        </div>
        <Preview shown={{ business }} version={0} />
      </div>
      <StepButtons>
        <Link href="/" class="button main">
          {texts.toToday}
        </Link>
      </StepButtons>
    </div>
  )
}
