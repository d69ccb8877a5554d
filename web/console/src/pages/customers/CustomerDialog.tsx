import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { api } from '../../api.ts'
import { useProvider } from '../../session.ts'
import { shell } from '../../shell-words.ts'
import { Duplicates, useDuplicates } from '../../ui/customer/Duplicates.tsx'
import { Dialog, DialogButtons } from '../../ui/dialogs/Dialog.tsx'
import { ConflictNotice } from '../../ui/editing/ConflictNotice.tsx'
import { useEdit } from '../../ui/editing/use-edit.ts'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { Pending } from '../../ui/Page.tsx'
import { CustomerFields, emptyFields, fieldLabels } from './CustomerFields.tsx'
import type { Customer } from './records.ts'
import { texts } from './words.ts'

type Props = { onDone: (saved: Customer) => void; onClose: () => void }

export function NewCustomer({ onDone, onClose }: Props) {
  const provider = useProvider()
  const [fields, set] = useState(emptyFields)
  const { busy, run, errorAt } = useSubmit()
  const { twins: duplicates, mayAdd, allow, forget } = useDuplicates(provider.uuid)
  const submit = async (event: Event) => {
    event.preventDefault()
    const made = await run(async () =>
      (await mayAdd(fields)) ? api.post(`/providers/${provider.uuid}/customers`, fields) : null,
    )
    if (made) onDone(made)
  }
  return (
    <Dialog title={texts.add} onClose={onClose}>
      <form class="stack" onSubmit={submit} noValidate>
        <CustomerFields
          fields={fields}
          onChange={part => {
            forget()
            set(before => ({ ...before, ...part }))
          }}
          errorAt={errorAt}
        />
        <Duplicates
          duplicates={duplicates}
          onAdd={allow}
          action={one => <Link href={`/customers/${one.uuid}`}>{texts.openCustomer}</Link>}
        />
        <DialogButtons busy={busy} onClose={onClose} />
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
    <Dialog title={edit.saved?.name ?? shell.customers} onClose={onClose}>
      <Pending of={edit.loading} rows={5} />
      {draft && (
        <form class="stack" onSubmit={submit} noValidate>
          <ConflictNotice
            theirs={edit.theirs.filter(one => one.field in fieldLabels)}
            labels={fieldLabels}
            onDrop={edit.drop}
          />
          <CustomerFields fields={draft} onChange={edit.change} errorAt={edit.errorAt} />
          <DialogButtons busy={edit.busy} onClose={onClose} />
        </form>
      )}
    </Dialog>
  )
}
