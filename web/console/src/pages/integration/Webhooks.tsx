import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useLoad } from '../../load.ts'
import type { Schemas } from '../../records.ts'
import { moment } from '../../time.ts'
import { Ask } from '../../ui/Ask.tsx'
import { Button } from '../../ui/Button.tsx'
import { Chip } from '../../ui/Chip.tsx'
import { Panel } from '../../ui/Dialog.tsx'
import { Empty, Skeleton, Trouble } from '../../ui/Page.tsx'
import { say } from '../../ui/toasts.tsx'
import { useSending } from '../../ui/use-sending.ts'
import { ShownOnce } from './ShownOnce.tsx'
import { AddWebhook, ChangeWebhook } from './WebhookDialog.tsx'
import { texts } from './words.ts'

type Webhook = Schemas['Webhook']
type Made = { webhook: Webhook; secret: string }

export function Webhooks({ crm }: { crm: string }) {
  const path = `/crms/${encodeURIComponent(crm)}/webhooks` as const
  const loaded = useLoad(`webhooks-${crm}`, signal => api.get(path, { signal }))
  const [isAdding, setAdding] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const [removing, setRemoving] = useState<Webhook | null>(null)
  const [open, setOpen] = useState<Webhook | null>(null)
  const [changing, setChanging] = useState<Webhook | null>(null)
  const { busy, run } = useSending()
  const change = (webhook: Webhook, enabled: boolean) =>
    run(async () => {
      await api.patch(`${path}/${webhook.uuid}`, { enabled })
      await loaded.reload()
    })
  const shown = (made: Made) => {
    setAdding(false)
    setSecret(made.secret)
    void loaded.reload()
  }
  return (
    <section class="stack" aria-labelledby="webhooks">
      <div class="row">
        <h2 id="webhooks">{texts.webhooks}</h2>
        <Button onClick={() => setAdding(true)}>{texts.addWebhook}</Button>
      </div>
      <p class="soft">{texts.webhooksText}</p>
      {loaded.problem && <Trouble problem={loaded.problem} onRetry={loaded.reload} />}
      {loaded.isLoading && <Skeleton rows={2} />}
      {loaded.data?.webhooks.length === 0 && <Empty>{texts.noWebhooks}</Empty>}
      <ul class="lines">
        {loaded.data?.webhooks.map(webhook => (
          <li key={webhook.uuid}>
            <span class="wrap">
              <strong>{webhook.description ?? webhook.url}</strong>
              <br />
              <span class="soft">{webhook.url}</span>
            </span>
            <span class="row">
              <State webhook={webhook} />
              <Button label={`${texts.deliveries}: ${webhook.url}`} onClick={() => setOpen(webhook)}>
                {texts.deliveries}
              </Button>
              <Button label={`${common.edit}: ${webhook.url}`} onClick={() => setChanging(webhook)}>
                {common.edit}
              </Button>
              <Button busy={busy} onClick={() => change(webhook, !webhook.enabled)}>
                {webhook.enabled ? texts.switchOff : texts.switchOn}
              </Button>
              <Button
                kind="danger"
                label={`${common.remove}: ${webhook.url}`}
                onClick={() => setRemoving(webhook)}
              >
                {common.remove}
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {changing && (
        <ChangeWebhook
          path={`${path}/${changing.uuid}`}
          onClose={() => setChanging(null)}
          onDone={() => {
            setChanging(null)
            say(common.saved)
            void loaded.reload()
          }}
        />
      )}
      {isAdding && <AddWebhook path={path} onClose={() => setAdding(false)} onDone={shown} />}
      {secret && <ShownOnce title={texts.secret} secret={secret} onClose={() => setSecret(null)} />}
      {open && (
        <Deliveries
          path={`${path}/${open.uuid}`}
          url={open.url}
          onSecret={shown}
          onClose={() => setOpen(null)}
        />
      )}
      {removing && (
        <Ask
          title={removing.url}
          action={common.remove}
          work={() => api.remove(`${path}/${removing.uuid}`)}
          onClose={() => setRemoving(null)}
          onDone={() => {
            say(texts.removed)
            setRemoving(null)
            void loaded.reload()
          }}
        >
          <p>{texts.removeWebhook}</p>
        </Ask>
      )}
    </section>
  )
}

function State({ webhook: { enabled, failingSince } }: { webhook: Webhook }) {
  if (!enabled) return <Chip tone="off">{texts.off}</Chip>
  return failingSince ? <Chip tone="bad">{texts.failing}</Chip> : <Chip tone="good">{texts.on}</Chip>
}

type DeliveriesProps = {
  path: `/crms/${string}/webhooks/${string}`
  url: string
  onSecret: (made: Made) => void
  onClose: () => void
}

/** Every attempt of the last weeks, a test, and what failed sent once more. */
function Deliveries({ path, url, onSecret, onClose }: DeliveriesProps) {
  const loaded = useLoad(`deliveries-${path}`, signal => api.get(`${path}/deliveries`, { signal }))
  const { busy, run } = useSending()
  const send = (to: 'test' | `deliveries/${string}/resend`) =>
    run(async () => {
      const { delivery } = await api.post(`${path}/${to}`)
      const { delivered, status, error } = delivery
      if (delivered) say(texts.tested(status!))
      else say(texts.testFailed(error ?? String(status)), { tone: 'bad' })
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
          {texts.newSecret}
        </Button>
      </div>
      {loaded.problem && <Trouble problem={loaded.problem} onRetry={loaded.reload} />}
      {loaded.isLoading && <Skeleton rows={3} />}
      {loaded.data?.deliveries.length === 0 && <Empty>{texts.noDeliveries}</Empty>}
      <ul class="lines">
        {loaded.data?.deliveries.map(one => (
          <li key={one.id}>
            <span class="wrap">
              {one.kind} · {moment(one.at)}
              {one.error && (
                <>
                  <br />
                  <span class="soft">{one.error}</span>
                </>
              )}
            </span>
            <span class="row">
              <Chip tone={one.delivered ? 'good' : 'bad'}>{String(one.status ?? '–')}</Chip>
              {one.kind !== 'test' && (
                <Button busy={busy} onClick={() => send(`deliveries/${one.id}/resend`)}>
                  {texts.resend}
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
