import { Link } from 'wouter-preact'
import { dayAt } from '#shared/zones.ts'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useRequestCount } from '../../live-changes.ts'
import { useLoad } from '../../load.ts'
import { useProvider } from '../../session.ts'
import { format, instant, timeRange } from '../../time.ts'
import { ButtonFor } from '../../ui/Button.tsx'
import { type Waiting as Request, useAnswer } from '../requests/answer.ts'
import { texts } from './words.ts'

const most = 3

/** Open requests come first; the oldest can be answered here. */
export function OpenRequests({ onDone }: { onDone: () => void }) {
  const { uuid, timeZone } = useProvider()
  const count = useRequestCount()
  // Reloads when the number of requests changes.
  const { data } = useLoad(count > 0 ? `requests-${uuid}-${count}` : null, signal =>
    api.get(`/providers/${uuid}/requests`, { signal }),
  )
  if (count === 0) return null
  return (
    <section class="card no-print waiting">
      <p class="row">
        <strong>{texts.requests(count)}</strong>
        <Link href="/requests">{texts.reply}</Link>
      </p>
      <ul class="lines">
        {data?.requests.slice(0, most).map(one => (
          <Line key={one.uuid} request={one} zone={timeZone} onDone={onDone} />
        ))}
      </ul>
    </section>
  )
}

function Line({ request, zone, onDone }: { request: Request; zone: string; onDone: () => void }) {
  const { busy, send } = useAnswer(request, onDone)
  return (
    <li>
      <span>
        <strong>{request.name ?? '–'}</strong> · {format.shortDay(dayAt(instant(request.start), zone))},{' '}
        {timeRange(request.start, request.end, zone)}{' '}
        <span class="soft">
          {request.product.name} · {request.resource.name}
        </span>
      </span>
      <ButtonFor
        right="book"
        kind="main"
        busy={busy}
        label={`${common.accept}: ${request.name ?? '–'}`}
        onClick={() => send('accept')}
      >
        {common.accept}
      </ButtonFor>
    </li>
  )
}
