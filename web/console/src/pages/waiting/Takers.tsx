import { Link } from 'wouter-preact'
import { api } from '../../api.ts'
import { useLoad } from '../../load.ts'
import { useProvider } from '../../session.ts'
import { ButtonFor } from '../../ui/Button.tsx'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { showToast } from '../../ui/toasts.tsx'
import { useResources } from '../offers/offers.ts'
import type { Entry } from './wish-text.ts'
import { texts } from './words.ts'

type Span = { start: number; end: number }

/** Who on the waiting list would take a time that is still to come. */
const useTakers = (resourceUuid: string, span: Span | null) =>
  useLoad(
    span && span.start > Date.now() ? `takers-${resourceUuid}-${span.start}-${span.end}` : null,
    signal =>
      api.get(`/resources/${resourceUuid}/waiting`, {
        query: { start: new Date(span!.start).toISOString(), end: new Date(span!.end).toISOString() },
        signal,
      }),
  ).data

type Props = { resourceUuid: string; span: Span | null; onDone: () => void }

/** "3 people would take this time", with their names and an offer for each. */
export function Takers({ resourceUuid, span, onDone }: Props) {
  const { uuid } = useProvider()
  const takers = useTakers(resourceUuid, span)
  const reference = useResources().data?.resources.find(one => one.uuid === resourceUuid)?.reference
  const { busy, run } = useSubmit()
  if (!takers || takers.count === 0) return null
  const offer = async ({ uuid: entry, customer }: Entry) => {
    if (!reference) return
    const body = { resourceReference: reference, start: new Date(span!.start).toISOString() }
    if (!(await run(() => api.post(`/providers/${uuid}/waiting_list/${entry}/offer`, body)))) return
    showToast(texts.offerMade(customer.name))
    onDone()
  }
  const people = new Set(takers.entries.map(one => one.customer.uuid)).size
  return (
    <section class="takers">
      <h3>
        <Link href="/waiting">{texts.wouldTake(takers.count)}</Link>
      </h3>
      <p class="soft">{texts.wouldTakeHint}</p>
      <ul class="lines">
        {takers.entries.map(one => (
          <li key={one.uuid}>
            <span>
              {one.customer.name} <span class="soft">{one.product.name}</span>
            </span>
            <ButtonFor
              right="book"
              busy={busy}
              label={texts.offerThis(one.customer.name)}
              onClick={() => offer(one)}
            >
              {texts.offerShort}
            </ButtonFor>
          </li>
        ))}
      </ul>
      {people > 0 && takers.count > people && <p class="soft">{texts.others(takers.count - people)}</p>}
    </section>
  )
}

/** Before a cancellation: what will happen with the place. */
export function TakersAfter({ resourceUuid, span }: Omit<Props, 'onDone'>) {
  const takers = useTakers(resourceUuid, span)
  if (!takers || takers.count === 0) return null
  return (
    <p>
      {texts.wouldTake(takers.count)}. {texts.afterCancel}
    </p>
  )
}
