import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useLoad } from '../../load.ts'
import type { Schemas } from '../../records.ts'
import { moment } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { Chip } from '../../ui/Chip.tsx'
import { Panel } from '../../ui/dialogs/Dialog.tsx'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { Empty, Pending } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { ReplayDialog } from './ReplayDialog.tsx'
import type { Made } from './WebhookDialog.tsx'
import { texts } from './words.ts'

type DeliveriesProps = {
  path: `/crms/${string}/webhooks/${string}`
  url: string
  onSecret: (made: Made) => void
  onClose: () => void
}

/** Recent deliveries of a webhook, with a test and replays. */
export function Deliveries({ path, url, onSecret, onClose }: DeliveriesProps) {
  const loaded = useLoad(`deliveries-${path}`, signal => api.get(`${path}/deliveries`, { signal }))
  const [isAsking, setAsking] = useState(false)
  const { busy, run } = useSubmit()
  const send = (to: 'test' | `deliveries/${string}/resend`) =>
    run(async () => {
      const { delivery } = await api.post(`${path}/${to}`)
      const { delivered, status, error } = delivery
      if (delivered) showToast(texts.tested(status!))
      else showToast(texts.testFailed(error ?? String(status)), { tone: 'bad' })
      await loaded.reload()
    })
  const rotate = async () => {
    const made = await run(() => api.post(`${path}/rotate`))
    if (!made) return
    onClose()
    onSecret(made)
  }
  return (
    <Panel title={texts.deliveries} onClose={onClose}>
      <p class="soft wrap">{url}</p>
      <div class="row">
        <Button busy={busy} onClick={() => send('test')}>
          {texts.test}
        </Button>
        <Button busy={busy} onClick={rotate}>
          {texts.replaceSecret}
        </Button>
        <Button onClick={() => setAsking(true)}>{texts.replay}</Button>
      </div>
      <Pending of={loaded} rows={3} />
      {loaded.data?.deliveries.length === 0 && <Empty>{texts.noDeliveries}</Empty>}
      <ul class="lines">
        {loaded.data?.deliveries.map(one => (
          <li key={one.id}>
            <span class="wrap">
              {one.kind} · {moment(one.at)}
              {whatWentWrong(one) && (
                <>
                  <br />
                  <span class="soft">{whatWentWrong(one)}</span>
                </>
              )}
            </span>
            <span class="row">
              <Chip tone={one.delivered ? 'good' : 'bad'}>{String(one.status ?? '–')}</Chip>
              {one.kind !== 'test' && (
                <Button busy={busy} onClick={() => send(`deliveries/${one.id}/resend`)}>
                  {common.sendAgain}
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
      {isAsking && <ReplayDialog path={path} onClose={() => setAsking(false)} />}
    </Panel>
  )
}

/** Our error, or else the receiver's answer. */
const whatWentWrong = ({ delivered, error, answer }: Schemas['WebhookDelivery']) =>
  error ?? (delivered ? null : answer?.slice(0, 200))
