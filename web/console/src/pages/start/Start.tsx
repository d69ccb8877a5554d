import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { api } from '../../api.ts'
import { useLoad } from '../../load.ts'
import { useSession } from '../../session.ts'
import { Page, Skeleton, Trouble } from '../../ui/Page.tsx'
import { Preview } from '../channels/Preview.tsx'
import { Snippet } from '../channels/Snippet.tsx'
import { HoursEditor } from '../offers/HoursEditor.tsx'
import { useProducts, useResources } from '../offers/offers.ts'
import { FirstProduct, FirstResource, NewBusiness } from './forms.tsx'
import { texts } from './words.ts'

/** From nothing to a page that can be booked: one question after the other. What is there already is not asked again. */
export default function Start() {
  const { provider } = useSession()
  return (
    <Page title={texts.title}>
      {provider ? (
        <Further key={provider.uuid} />
      ) : (
        <Step number={1} title={texts.business} text={texts.businessText}>
          <NewBusiness />
        </Step>
      )}
    </Page>
  )
}

function Further() {
  const products = useProducts()
  const resources = useResources()
  const resource = resources.data?.resources.find(one => !one.archived)
  const hours = useLoad(resource ? `hours-${resource.uuid}` : null, signal =>
    api.get(`/resources/${resource!.uuid}/hours`, { signal }),
  )
  const problem = products.problem ?? resources.problem ?? hours.problem
  if (problem) return <Trouble problem={problem} onRetry={() => location.reload()} />
  if (!products.data || !resources.data || (resource && !hours.data)) return <Skeleton />
  if (products.data.products.length === 0)
    return (
      <Step number={2} title={texts.product} text={texts.productText}>
        <FirstProduct onDone={products.reload} />
      </Step>
    )
  if (!resource)
    return (
      <Step number={3} title={texts.resource} text={texts.resourceText}>
        <FirstResource onDone={resources.reload} />
      </Step>
    )
  if (hours.data!.rules.length === 0)
    return (
      <Step number={4} title={texts.hours} text={texts.hoursText}>
        <HoursEditor uuid={resource.uuid} onSaved={() => void hours.reload()} />
      </Step>
    )
  return (
    <Step number={5} title={texts.done} text={texts.doneText}>
      <div class="beside">
        <div class="stack">
          <Snippet uuids={[resource.uuid]} channelKey="RESOURCE_PUBLIC" />
          <p>{texts.next}</p>
          <ul class="stack tight">
            <li>
              <Link href="/offers">{texts.toOffers}</Link>
            </li>
            <li>
              <Link href={`/channels/${resource.uuid}/RESOURCE_PUBLIC`}>{texts.toChannels}</Link>
            </li>
            <li>
              <Link href="/">{texts.toToday}</Link>
            </li>
          </ul>
        </div>
        <Preview uuids={[resource.uuid]} channelKey="RESOURCE_PUBLIC" version={0} />
      </div>
    </Step>
  )
}

type StepProps = { number: number; title: string; text: string; children: ComponentChildren }
const count = 5

/** The heading takes the focus, so that the next Tab goes on in the new step. */
function Step({ number, title, text, children }: StepProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (number === 1) return
    heading.current?.focus()
    // The step before may have been long.
    scrollTo({ top: 0 })
  }, [number])
  return (
    <section class="card stack">
      <p class="soft">{texts.step(number, count)}</p>
      <progress max={count} value={number} aria-label={texts.step(number, count)} />
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      <p>{text}</p>
      {children}
    </section>
  )
}
