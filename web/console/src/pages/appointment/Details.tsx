import { useEffect } from 'preact/hooks'
import { common } from '../../common-words.ts'
import type { Entry } from '../../records.ts'
import { Button } from '../../ui/Button.tsx'
import { binder } from '../../ui/editing/binder.ts'
import { ConflictNotice } from '../../ui/editing/ConflictNotice.tsx'
import { useEditOf } from '../../ui/editing/use-edit.ts'
import { TextField } from '../../ui/fields/Field.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { texts } from './words.ts'

type Editable = Pick<Entry, 'capacity' | 'notes' | 'description'>

type Props = { uuid: string; notes: Entry['notes']; onSaved: () => void }

/** Saved separately, so that a booking in the meantime does not block a note. `notes`: as they are now. */
export function Details({ uuid, notes, onSaved }: Props) {
  const edit = useEditOf(`/appointments/${uuid}`, ({ entry }) => editable(entry))
  const { draft, saved, change, errorAt } = edit
  // Another user changed it while this form was unchanged.
  useEffect(() => {
    if (saved && !edit.isChanged && notes !== saved.notes) void edit.read()
  }, [notes])
  async function save(event: SubmitEvent) {
    event.preventDefault()
    if (!(await edit.save())) return
    showToast(common.saved, { about: texts.details })
    onSaved()
  }
  if (!draft) return null
  const bind = binder(draft, change, errorAt)
  return (
    <form class="stack" onSubmit={save}>
      <ConflictNotice theirs={edit.theirs} labels={texts} onDrop={edit.drop} />
      {/* Another user has just saved a note: shown while this one is being written. */}
      {edit.isChanged && notes && notes !== saved?.notes && <blockquote class="said">{notes}</blockquote>}
      <div class="grows">
        <TextField label={texts.notes} rows={2} {...bind.text('notes')} />
      </div>
      <details open={saved?.description !== null || errorAt('description') !== null}>
        <summary>{texts.details}</summary>
        <div class="stack">
          <TextField label={texts.description} rows={2} {...bind.text('description')} />
          <TextField
            label={texts.capacity}
            type="number"
            min={0}
            error={errorAt('capacity')}
            value={String(draft.capacity)}
            onInput={capacity => change({ capacity: Number(capacity) })}
          />
        </div>
      </details>
      {(edit.isChanged || edit.busy) && (
        <div class="dialog-end">
          <Button type="submit" kind="main" busy={edit.busy}>
            {common.save}
          </Button>
        </div>
      )}
    </form>
  )
}

const editable = ({ capacity, notes, description }: Entry): Editable => ({ capacity, notes, description })
