import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useProvider } from '../../session.ts'
import { Changed } from '../../ui/Changed.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { End } from '../../ui/End.tsx'
import { Skeleton, Trouble } from '../../ui/Page.tsx'
import { useEdit } from '../../ui/use-edit.ts'
import { useSending } from '../../ui/use-sending.ts'
import { CustomerFields, type Fields, fieldLabels } from './CustomerFields.tsx'
import type { Customer } from './records.ts'
import { texts } from './words.ts'

type Props = { onDone: (saved: Customer) => void; onClose: () => void }

const nobody: Fields = { name: '', email: null, mobile: null, note: null, language: null }

export function NewCustomer({ onDone, onClose }: Props) {
  const provider = useProvider()
  const [fields, set] = useState(nobody)
  const { busy, run, errorAt } = useSending()
  const submit = async (event: Event) => {
    event.preventDefault()
    const made = await run(() => api.post(`/providers/${provider.uuid}/customers`, fields))
    if (made) onDone(made)
  }
  return (
    <Dialog title={texts.add} onClose={onClose}>
      <form class="stack" onSubmit={submit} noValidate>
        <CustomerFields
          fields={fields}
          onChange={part => set(before => ({ ...before, ...part }))}
          errorAt={errorAt}
        />
        <End busy={busy} onClose={onClose} />
      </form>
    </Dialog>
  )
}

export function ChangeCustomer({ uuid, onDone, onClose }: Props & { uuid: string }) {
  const edit = useEdit(`/customers/${uuid}`)
  const { draft } = edit
  const submit = async (event: Event) => {
    event.preventDefault()
    const saved = await edit.save()
    if (saved) onDone(saved)
  }
  return (
    <Dialog title={edit.saved?.name ?? texts.title} onClose={onClose}>
      {edit.trouble && <Trouble problem={edit.trouble} onRetry={edit.read} />}
      {!draft && !edit.trouble && <Skeleton rows={5} />}
      {draft && (
        <form class="stack" onSubmit={submit} noValidate>
          <Changed
            theirs={edit.theirs.filter(one => one.field in fieldLabels)}
            labels={fieldLabels}
            onDrop={edit.drop}
          />
          <CustomerFields fields={draft} onChange={edit.change} errorAt={edit.errorAt} />
          <End busy={edit.busy} onClose={onClose} />
        </form>
      )}
    </Dialog>
  )
}
