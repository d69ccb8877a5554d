import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import type { Schemas } from '../../records.ts'
import { Dialog, DialogButtons } from '../../ui/dialogs/Dialog.tsx'
import { binder } from '../../ui/editing/binder.ts'
import { ConflictNotice } from '../../ui/editing/ConflictNotice.tsx'
import { useEditOf } from '../../ui/editing/use-edit.ts'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { CheckField, TextField } from '../../ui/fields/Field.tsx'
import { Pending } from '../../ui/Page.tsx'
import { type Kind, kinds } from './kinds.ts'
import { texts } from './words.ts'

type Fields = Pick<Schemas['Webhook'], 'url' | 'description' | 'kinds'>
export type Made = { webhook: Schemas['Webhook']; secret: string }

type AddProps = { path: `/crms/${string}/webhooks`; onDone: (made: Made) => void; onClose: () => void }

export function AddWebhook({ path, onDone, onClose }: AddProps) {
  const [fields, set] = useState<Fields>({ url: '', description: null, kinds: null })
  const { busy, run, errorAt } = useSubmit()
  const submit = async (event: Event) => {
    event.preventDefault()
    const made = await run(() => api.post(path, fields))
    if (made) onDone(made)
  }
  return (
    <Dialog title={texts.addWebhook} onClose={onClose}>
      <form class="stack" onSubmit={submit} noValidate>
        <WebhookFields
          fields={fields}
          onChange={part => set(before => ({ ...before, ...part }))}
          errorAt={errorAt}
        />
        <DialogButtons busy={busy} onClose={onClose} action={texts.addWebhook} />
      </form>
    </Dialog>
  )
}

type ChangeProps = { path: `/crms/${string}/webhooks/${string}`; onDone: () => void; onClose: () => void }

export function ChangeWebhook({ path, onDone, onClose }: ChangeProps) {
  const edit = useEditOf(path, answer => answer.webhook)
  const submit = async (event: Event) => {
    event.preventDefault()
    if (await edit.save()) onDone()
  }
  const labels = { url: texts.url, description: common.description, kinds: texts.kinds, enabled: texts.on }
  return (
    <Dialog title={edit.saved?.description ?? edit.saved?.url ?? texts.webhooks} onClose={onClose}>
      <Pending of={edit.loading} rows={4} />
      {edit.draft && (
        <form class="stack" onSubmit={submit} noValidate>
          <ConflictNotice
            theirs={edit.theirs.filter(one => one.field in labels)}
            labels={labels}
            show={(field, value) =>
              field === 'kinds' ? ((value as Kind[] | null)?.join(', ') ?? texts.allKinds) : null
            }
            onDrop={edit.drop}
          />
          <WebhookFields fields={edit.draft} onChange={edit.change} errorAt={edit.errorAt} />
          <DialogButtons busy={edit.busy} onClose={onClose} />
        </form>
      )}
    </Dialog>
  )
}

type Props = {
  fields: Fields
  onChange: (part: Partial<Fields>) => void
  errorAt: (field: string) => string | null
}

function WebhookFields({ fields, onChange, errorAt }: Props) {
  const { kinds: chosen } = fields
  const bind = binder(fields, onChange, errorAt)
  const put = (kind: Kind, isOn: boolean) =>
    onChange({ kinds: kinds.filter(one => (one === kind ? isOn : chosen?.includes(one))) })
  return (
    <>
      <TextField label={texts.url} hint={texts.urlHint} type="url" required {...bind.value('url')} />
      <TextField label={common.description} maxLength={255} {...bind.text('description')} />
      <fieldset class="stack tight">
        <legend>{texts.kinds}</legend>
        <CheckField
          label={texts.allKinds}
          checked={chosen === null}
          onChange={isAll =>
            onChange({ kinds: isAll ? null : kinds.filter(one => one.startsWith('participation.')) })
          }
        />
        {chosen && (
          <div class="choices columns">
            {kinds.map(kind => (
              <CheckField
                key={kind}
                label={kind}
                checked={chosen.includes(kind)}
                onChange={isOn => put(kind, isOn)}
              />
            ))}
          </div>
        )}
      </fieldset>
    </>
  )
}
