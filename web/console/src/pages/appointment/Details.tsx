import { useEffect, useState } from 'preact/hooks'
import { api, Problem } from '../../api.ts'
import { common } from '../../common-words.ts'
import type { Entry } from '../../records.ts'
import { Button } from '../../ui/Button.tsx'
import { Changed } from '../../ui/Changed.tsx'
import { TextField } from '../../ui/Field.tsx'
import { say } from '../../ui/toasts.tsx'
import type { Difference } from '../../ui/use-edit.ts'
import { useSending } from '../../ui/use-sending.ts'
import { texts } from './words.ts'

type Editable = Pick<Entry, 'capacity' | 'notes' | 'description'>
type Base = { fields: Editable; tag: string | null }

const fieldNames = ['capacity', 'notes', 'description'] as const

/** Read and saved apart from the rest: somebody who books meanwhile is no reason to refuse a note. */
export function Details({ uuid, onSaved }: { uuid: string; onSaved: () => void }) {
  const [base, setBase] = useState<Base | null>(null)
  const [typed, setTyped] = useState<Partial<Editable>>({})
  const [theirs, setTheirs] = useState<Difference<Editable>[]>([])
  const { busy, run, errorAt } = useSending()
  const path = `/appointments/${uuid}` as const

  async function read(): Promise<Base> {
    const { data, tag } = await api.read(path)
    const fresh = { fields: editable(data.entry), tag }
    setBase(fresh)
    return fresh
  }
  useEffect(() => void read().catch(() => null), [uuid])

  async function save(event: SubmitEvent) {
    event.preventDefault()
    if (!base) return
    const saved = await run(() =>
      api.save(path, typed, base.tag).catch(async error => {
        if (error instanceof Problem && error.code === 'changed')
          setTheirs(differences(base.fields, (await read()).fields))
        throw error
      }),
    )
    if (!saved) return
    setBase({ fields: editable(saved.data.entry), tag: saved.tag })
    drop()
    say(common.saved)
    onSaved()
  }
  const drop = () => {
    setTyped({})
    setTheirs([])
  }
  if (!base) return null
  const shown = { ...base.fields, ...typed }
  return (
    <details open={base.fields.notes !== null || Object.keys(typed).length > 0}>
      <summary>{texts.details}</summary>
      <form class="stack" onSubmit={save}>
        <Changed theirs={theirs} labels={texts} onDrop={drop} />
        <TextField
          label={texts.notes}
          rows={3}
          error={errorAt('notes')}
          value={shown.notes ?? ''}
          onInput={notes => setTyped({ ...typed, notes: notes || null })}
        />
        <TextField
          label={texts.description}
          rows={2}
          error={errorAt('description')}
          value={shown.description ?? ''}
          onInput={description => setTyped({ ...typed, description: description || null })}
        />
        <TextField
          label={texts.capacity}
          type="number"
          min={0}
          error={errorAt('capacity')}
          value={String(shown.capacity)}
          onInput={capacity => setTyped({ ...typed, capacity: Number(capacity) })}
        />
        <div class="dialog-end">
          <Button type="submit" busy={busy} disabled={Object.keys(typed).length === 0}>
            {common.save}
          </Button>
        </div>
      </form>
    </details>
  )
}

const editable = ({ capacity, notes, description }: Entry): Editable => ({ capacity, notes, description })

const differences = (before: Editable, after: Editable): Difference<Editable>[] =>
  fieldNames
    .filter(field => before[field] !== after[field])
    .map(field => ({ field, before: before[field], after: after[field] }))
