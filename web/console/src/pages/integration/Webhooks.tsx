import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useLoad } from '../../load.ts'
import type { Schemas } from '../../records.ts'
import { Button } from '../../ui/Button.tsx'
import { Chip } from '../../ui/Chip.tsx'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { SecretDialog } from '../../ui/dialogs/SecretDialog.tsx'
import { ExportList, exportTexts } from '../../ui/ExportButton.tsx'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { Empty, Pending, SectionHead } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useFilters } from '../../ui/use-filters.tsx'
import { Deliveries } from './Deliveries.tsx'
import { AddWebhook, ChangeWebhook, type Made } from './WebhookDialog.tsx'
import { texts } from './words.ts'

type Webhook = Schemas['Webhook']

export function Webhooks({ crm }: { crm: string }) {
  const path = `/crms/${encodeURIComponent(crm)}/webhooks` as const
  const loaded = useLoad(`webhooks-${crm}`, signal => api.get(path, { signal }))
  const [isAdding, setAdding] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const [removing, setRemoving] = useState<Webhook | null>(null)
  // The open panel is part of the address.
  const { params, change: show } = useFilters()
  const open = loaded.data?.webhooks.find(one => one.uuid === params.get('webhook'))
  const [changing, setChanging] = useState<Webhook | null>(null)
  const { busy, run } = useSubmit()
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
  const add = <Button onClick={() => setAdding(true)}>{texts.addWebhook}</Button>
  return (
    <section class="stack" aria-labelledby="webhooks">
      <SectionHead
        id="webhooks"
        title={texts.webhooks}
        text={texts.webhooksText}
        action={
          loaded.data?.webhooks.length !== 0 && (
            <>
              <ExportList
                file={texts.webhooks}
                heads={['URL', exportTexts.details]}
                cells={(one: Webhook) => [one.url, one.description]}
                rows={loaded.data?.webhooks}
              />
              {add}
            </>
          )
        }
      />
      <Pending of={loaded} rows={2} />
      {loaded.data?.webhooks.length === 0 && <Empty action={add}>{texts.noWebhooks}</Empty>}
      <ul class="lines">
        {loaded.data?.webhooks.map(webhook => (
          <li key={webhook.uuid}>
            <span class="wrap">
              <strong>{webhook.description ?? webhook.url}</strong>
              {webhook.description && (
                <>
                  <br />
                  <span class="soft">{webhook.url}</span>
                </>
              )}
            </span>
            <span class="row">
              <State webhook={webhook} />
              <Button
                label={`${texts.deliveries}: ${webhook.url}`}
                onClick={() => show('webhook', webhook.uuid)}
              >
                {texts.deliveries}
              </Button>
              <Button label={`${common.edit}: ${webhook.url}`} onClick={() => setChanging(webhook)}>
                {common.edit}
              </Button>
              <Button busy={busy} onClick={() => change(webhook, !webhook.enabled)}>
                {webhook.enabled ? common.turnOff : texts.turnOn}
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
            showToast(common.saved, { about: changing.url })
            void loaded.reload()
          }}
        />
      )}
      {isAdding && <AddWebhook path={path} onClose={() => setAdding(false)} onDone={shown} />}
      {secret && (
        <SecretDialog
          title={texts.secret}
          text={texts.newKeyText}
          secret={secret}
          onClose={() => setSecret(null)}
        />
      )}
      {open && (
        <Deliveries
          path={`${path}/${open.uuid}`}
          url={open.url}
          onSecret={shown}
          onClose={() => show('webhook', null)}
        />
      )}
      {removing && (
        <ConfirmDialog
          title={removing.url}
          action={common.remove}
          work={() => api.remove(`${path}/${removing.uuid}`)}
          onClose={() => setRemoving(null)}
          onDone={() => {
            showToast(texts.removed)
            setRemoving(null)
            void loaded.reload()
          }}
        >
          <p>{texts.removeWebhook}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}

function State({ webhook: { enabled, failingSince, waitingEvents } }: { webhook: Webhook }) {
  if (!enabled) return <Chip tone="off">{texts.off}</Chip>
  if (failingSince) return <Chip tone="bad">{texts.failing}</Chip>
  // The receiver refuses some events and accepts others.
  if (waitingEvents > 0) return <Chip tone="bad">{texts.waiting(waitingEvents)}</Chip>
  return <Chip tone="good">{texts.on}</Chip>
}
