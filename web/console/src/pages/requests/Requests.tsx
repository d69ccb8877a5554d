import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { dayAt } from '../../../../shared/zones.ts'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useLoad } from '../../load.ts'
import type { Schemas } from '../../records.ts'
import { requestsChanged } from '../../request-count.ts'
import { useProvider } from '../../session.ts'
import { format, instant, timeRange } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Empty, Page, Skeleton, Trouble } from '../../ui/Page.tsx'
import { TellThem, useTelling } from '../../ui/TellThem.tsx'
import { say } from '../../ui/toasts.tsx'
import { useSending } from '../../ui/use-sending.ts'
import { FreeTimes } from '../appointment/FreeTimes.tsx'
import { texts } from './words.ts'

export type Waiting = Schemas['WaitingRequest']

/** Oldest first: who has waited longest is answered first, with one click. */
export default function Requests() {
  const provider = useProvider()
  const loaded = useLoad(`requests-${provider.uuid}`, signal =>
    api.get(`/providers/${provider.uuid}/requests`, { signal }),
  )
  const done = async () => {
    requestsChanged()
    await loaded.reload()
  }
  return (
    <Page title={texts.title}>
      {loaded.problem && <Trouble problem={loaded.problem} onRetry={loaded.reload} />}
      {loaded.isLoading && <Skeleton rows={4} />}
      {loaded.data?.requests.length === 0 && (
        <Empty
          action={
            <Link href="/calendar" class="button">
              {texts.toCalendar}
            </Link>
          }
        >
          {texts.none}
        </Empty>
      )}
      {loaded.data && loaded.data.count > loaded.data.requests.length && (
        <p class="soft">{texts.more(loaded.data.count)}</p>
      )}
      <ul class="stack">
        {loaded.data?.requests.map(one => (
          <Request key={one.uuid} request={one} zone={provider.timeZone} onDone={done} />
        ))}
      </ul>
    </Page>
  )
}

type RowProps = { request: Waiting; zone: string; onDone: () => Promise<void> }

function Request({ request, zone, onDone }: RowProps) {
  const [isAsking, ask] = useState(false)
  const [isLooking, look] = useState(false)
  const answering = useAnswer(request, onDone)
  return (
    <li class="card stack">
      <div>
        <h2>{request.name ?? '–'}</h2>
        <p>
          <strong>
            {format.fullDay(instant(request.start), zone)}, {timeRange(request.start, request.end, zone)}
          </strong>
        </p>
        <p>
          {request.product.name} · {request.resource.name}
        </p>
        <p class="soft">
          {[request.email, request.mobile].filter(Boolean).join(' · ')}
          <br />
          {request.booked + request.cancelled === 0
            ? texts.first
            : texts.history(request.booked, request.cancelled)}{' '}
          · {texts.asked} {format.when(instant(request.askedAt), zone)}
        </p>
        {request.note && <blockquote class="said">{request.note}</blockquote>}
      </div>
      <details onToggle={event => look(event.currentTarget.open)}>
        <summary>{texts.alsoFree}</summary>
        {isLooking && (
          <FreeTimes
            resourceUuid={request.resource.uuid}
            productUuid={request.product.uuid}
            day={dayAt(instant(request.start), zone)}
            zone={zone}
          />
        )}
      </details>
      <div class="row">
        <Button
          kind="main"
          busy={answering.busy}
          onClick={() => answering.send('accept', { sendMails: true, message: '' })}
        >
          {texts.accept}
        </Button>
        <Button onClick={() => ask(true)}>{texts.decline} …</Button>
      </div>
      {isAsking && <AnswerDialog request={request} onDone={onDone} onClose={() => ask(false)} />}
    </li>
  )
}

/** Both answers with a message; "tell them?" is asked here, once. */
function AnswerDialog({ request, onDone, onClose }: Omit<RowProps, 'zone'> & { onClose: () => void }) {
  const [telling, setTelling] = useTelling()
  const answering = useAnswer(request, async () => {
    onClose()
    await onDone()
  })
  return (
    <Dialog title={texts.declineTitle} onClose={onClose}>
      <p>
        {request.name} · {request.product.name}
      </p>
      <TellThem telling={telling} onChange={setTelling} />
      <div class="dialog-end">
        <Button onClick={onClose}>{common.cancel}</Button>
        <Button busy={answering.busy} onClick={() => answering.send('accept', telling)}>
          {texts.accept}
        </Button>
        <Button kind="danger" busy={answering.busy} onClick={() => answering.send('decline', telling)}>
          {texts.decline}
        </Button>
      </div>
    </Dialog>
  )
}

function useAnswer({ uuid, name }: Waiting, onDone: () => Promise<void>) {
  const { busy, run } = useSending()
  async function send(answer: 'accept' | 'decline', telling: { sendMails: boolean; message: string }) {
    const done = await run(() =>
      api.post(`/participations/${uuid}/decide`, {
        answer,
        sendMails: telling.sendMails,
        message: telling.message || null,
      }),
    )
    if (done) say(answer === 'accept' ? texts.accepted(name ?? '') : texts.declined(name ?? ''))
    // Whoever came second sees what is true now.
    await onDone()
  }
  return { busy, send }
}
