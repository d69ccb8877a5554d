import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { api } from '../../../api.ts'
import { common } from '../../../common-words.ts'
import { refresh } from '../../../load.ts'
import { useProvider } from '../../../session.ts'
import { shell } from '../../../shell-words.ts'
import { Button } from '../../../ui/Button.tsx'
import { DialogButtons, Panel } from '../../../ui/dialogs/Dialog.tsx'
import { ConflictNotice } from '../../../ui/editing/ConflictNotice.tsx'
import { useEdit } from '../../../ui/editing/use-edit.ts'
import { useSubmit } from '../../../ui/editing/use-submit.ts'
import { Pending } from '../../../ui/Page.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { texts } from '../words.ts'
import { DeleteDialog } from './DeleteDialog.tsx'
import { type Fields, fieldLabels, ResourceFields } from './ResourceFields.tsx'
import { resourceTexts } from './resource-words.ts'

type Closing = { onClose: () => void; onDone: () => void }

const nothing: Fields = {
  publicName: '',
  internalName: '',
  description: null,
  products: [],
  contact: null,
  contactProfileReference: null,
  website: null,
  imageUrl: null,
  address: null,
}

export function NewResource({ onClose, onDone }: Closing) {
  const provider = useProvider()
  const [fields, set] = useState(nothing)
  const { busy, run, errorAt } = useSubmit()
  const submit = async (event: Event) => {
    event.preventDefault()
    const made = await run(() => api.post(`/providers/${provider.uuid}/resources`, fields))
    if (!made) return
    showToast(texts.added(made.internalName))
    onDone()
  }
  return (
    <Panel title={resourceTexts.addResource} onClose={onClose}>
      <form class="stack" onSubmit={submit} noValidate>
        <ResourceFields
          isNew
          fields={fields}
          onChange={part => set({ ...fields, ...part })}
          errorAt={errorAt}
        />
        <DialogButtons busy={busy} onClose={onClose} />
      </form>
    </Panel>
  )
}

export function ResourcePanel({ uuid, onClose, onDone }: Closing & { uuid: string }) {
  const provider = useProvider()
  const edit = useEdit(`/resources/${uuid}`)
  const [isDeleting, setDeleting] = useState(false)
  const { run } = useSubmit()
  const submit = async (event: Event) => {
    event.preventDefault()
    if (!(await edit.save())) return
    showToast(common.saved, {
      about: edit.saved!.internalName,
      undo: edit.undo(() => refresh(`resources-${provider.uuid}`)),
    })
    onDone()
  }
  const put = async (archived: boolean) => {
    const saved = await run(() => api.patch(`/resources/${uuid}`, { archived }))
    if (saved) refresh(`resources-${provider.uuid}`)
    return saved
  }
  const archive = async (archived: boolean) => {
    const saved = await put(archived)
    if (!saved) return
    const text = archived
      ? resourceTexts.wasArchived(saved.internalName)
      : resourceTexts.wasRestored(saved.internalName)
    // Undo must work after the panel has closed, even from another page.
    showToast(text, { undo: () => void put(!archived) })
    onDone()
  }
  const { draft, saved } = edit
  return (
    <Panel title={saved?.internalName ?? texts.resources} onClose={onClose}>
      <Pending of={edit.loading} rows={8} />
      {draft && saved && (
        <form class="stack" onSubmit={submit} noValidate>
          <p class="row">
            <Link href={`/offers/resources/${uuid}/hours`}>{texts.hours}</Link>
            <Link href={`/channels/${uuid}/RESOURCE_PUBLIC`}>{shell.channels}</Link>
            <a href={`/book/${uuid}`} target="_blank" rel="noreferrer">
              {texts.bookingPage}&nbsp;↗
            </a>
          </p>
          <ConflictNotice theirs={edit.theirs} labels={fieldLabels} onDrop={edit.drop} />
          <ResourceFields fields={draft} onChange={edit.change} errorAt={edit.errorAt} />
          <DialogButtons busy={edit.busy} onClose={onClose} />
          <hr />
          <div class="row">
            <Button onClick={() => archive(!saved.archived)}>
              {saved.archived ? resourceTexts.restore : resourceTexts.archive}
            </Button>
            <Button kind="danger" onClick={() => setDeleting(true)}>
              {common.delete}
            </Button>
          </div>
          <p class="soft">{resourceTexts.archiveHint}</p>
        </form>
      )}
      {isDeleting && (
        <DeleteDialog
          uuid={uuid}
          name={saved!.internalName}
          onClose={() => setDeleting(false)}
          onDone={onDone}
        />
      )}
    </Panel>
  )
}
