import { common } from '../../common-words.ts'
import type { Entry } from '../../records.ts'
import { Button } from '../../ui/Button.tsx'
import { ConflictNotice } from '../../ui/ConflictNotice.tsx'
import { TextField } from '../../ui/Field.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useEditOf } from '../../ui/use-edit.ts'
import { texts } from './words.ts'

type Editable = Pick<Entry, 'capacity' | 'notes' | 'description'>

/** Saved separately, so that a booking in the meantime does not block a note. */
export function Details({ uuid, onSaved }: { uuid: string; onSaved: () => void }) {
  const edit = useEditOf(`/appointments/${uuid}`, ({ entry }) => editable(entry))
  const { draft, saved, change, errorAt } = edit
  async function save(event: SubmitEvent) {
    event.preventDefault()
    if (!(await edit.save())) return
    showToast(common.saved)
    onSaved()
  }
  if (!draft) return null
  return (
    <details open={saved?.notes !== null || edit.isChanged}>
      <summary>{texts.details}</summary>
      <form class="stack" onSubmit={save}>
        <ConflictNotice theirs={edit.theirs} labels={texts} onDrop={edit.drop} />
        <TextField
          label={texts.notes}
          rows={3}
          error={errorAt('notes')}
          value={draft.notes ?? ''}
          onInput={notes => change({ notes: notes || null })}
        />
        <TextField
          label={texts.description}
          rows={2}
          error={errorAt('description')}
          value={draft.description ?? ''}
          onInput={description => change({ description: description || null })}
        />
        <TextField
          label={texts.capacity}
          type="number"
          min={0}
          error={errorAt('capacity')}
          value={String(draft.capacity)}
          onInput={capacity => change({ capacity: Number(capacity) })}
        />
        <div class="dialog-end">
          <Button type="submit" busy={edit.busy} disabled={!edit.isChanged}>
            {common.save}
          </Button>
        </div>
      </form>
    </details>
  )
}

const editable = ({ capacity, notes, description }: Entry): Editable => ({ capacity, notes, description })
