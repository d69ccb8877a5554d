import { common } from '../../common-words.ts'
import { useProvider } from '../../session.ts'
import { Dialog, DialogButtons } from '../../ui/dialogs/Dialog.tsx'
import { ConflictNotice } from '../../ui/editing/ConflictNotice.tsx'
import { useEdit } from '../../ui/editing/use-edit.ts'
import { TextField } from '../../ui/fields/Field.tsx'
import { Pending } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { texts } from './words.ts'

/** How long people have to answer an offer, and when that time stands still. */
export function RulesDialog({ onClose }: { onClose: () => void }) {
  const { uuid } = useProvider()
  const edit = useEdit(`/providers/${uuid}`)
  const { draft, errorAt, change } = edit
  const submit = async (event: Event) => {
    event.preventDefault()
    if (edit.isChanged && !(await edit.save())) return
    showToast(common.saved, { about: texts.settingsTitle })
    onClose()
  }
  const labels = texts.rules
  return (
    <Dialog title={texts.settingsTitle} onClose={onClose}>
      <Pending of={edit.loading} />
      {draft && (
        <form class="stack" onSubmit={submit} noValidate>
          <ConflictNotice
            theirs={edit.theirs.filter(one => one.field in labels)}
            labels={labels as Record<keyof typeof draft, string>}
            onDrop={edit.drop}
          />
          <TextField
            label={labels.offerMinutes}
            type="number"
            min={5}
            max={10080}
            value={String(draft.offerMinutes)}
            onInput={text => change({ offerMinutes: Number(text) })}
            error={errorAt('offerMinutes')}
            required
          />
          <div class="fields">
            {(['quietFrom', 'quietUntil'] as const).map(field => (
              <TextField
                key={field}
                label={labels[field]}
                type="time"
                value={draft[field]}
                onInput={text => change({ [field]: text })}
                error={errorAt(field)}
                required
              />
            ))}
          </div>
          <p class="soft">{texts.quietHint}</p>
          <DialogButtons busy={edit.busy} onClose={onClose} action={common.save} />
        </form>
      )}
    </Dialog>
  )
}
