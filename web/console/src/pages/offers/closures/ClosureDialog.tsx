import { useState } from 'preact/hooks'
import { addDays } from '#shared/dates.ts'
import { api } from '../../../api.ts'
import type { Closure, Schemas } from '../../../records.ts'
import { useProvider } from '../../../session.ts'
import { today } from '../../../time.ts'
import { Dialog, DialogButtons } from '../../../ui/dialogs/Dialog.tsx'
import { ConflictNotice } from '../../../ui/editing/ConflictNotice.tsx'
import { useEditOf } from '../../../ui/editing/use-edit.ts'
import { useSubmit } from '../../../ui/editing/use-submit.ts'
import { Pending } from '../../../ui/Page.tsx'
import { ClosureFields, type Fields, isUndecided } from './ClosureFields.tsx'
import { Inside, spanText } from './ClosureLine.tsx'
import { closureTexts as texts } from './closure-words.ts'

type Props = { path: `/providers/${string}/closures`; onClose: () => void }
type Saved = Schemas['ClosureWithAppointments']

/** Closes whole days or hours, for the whole business or some Resources. */
export function NewClosure({ path, onClose, onDone }: Props & { onDone: (made: Saved) => void }) {
  const { timeZone } = useProvider()
  const day = today(timeZone)
  const [fields, set] = useState<Fields>({
    from: day,
    to: addDays(day, 1),
    allDay: true,
    reason: '',
    resources: null,
  })
  const { busy, run, errorAt } = useSubmit()
  const [wasTried, setTried] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    setTried(true)
    if (isUndecided(fields)) return
    const { allDay: _, ...body } = fields
    const made = await run(() => api.post(path, body))
    if (made) onDone(made)
  }
  return (
    <Dialog title={texts.add} onClose={onClose}>
      <form class="stack" onSubmit={submit} noValidate>
        <ClosureFields
          fields={fields}
          onChange={part => set(before => ({ ...before, ...part }))}
          errorAt={errorAt}
          wasTried={wasTried}
        />
        <DialogButtons busy={busy} onClose={onClose} />
      </form>
    </Dialog>
  )
}

type ChangeProps = Props & { uuid: string; onDone: (saved: Saved) => void }

export function ChangeClosure({ path, uuid, onClose, onDone }: ChangeProps) {
  const { timeZone } = useProvider()
  const edit = useEditOf(`${path}/${uuid}`, answer => answer.closure)
  const [wasTried, setTried] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    setTried(true)
    if (isUndecided(edit.draft!)) return
    const saved = await edit.save()
    if (saved) onDone(saved)
  }
  const shown = (field: keyof Closure, value: unknown) =>
    field === 'from' || field === 'to' ? spanText(String(value), timeZone) : null
  return (
    <Dialog title={edit.saved?.reason ?? texts.title} onClose={onClose}>
      <Pending of={edit.loading} rows={5} />
      {edit.draft && (
        <form class="stack" onSubmit={submit} noValidate>
          <ConflictNotice theirs={edit.theirs} labels={texts.labels} show={shown} onDrop={edit.drop} />
          <ClosureFields
            fields={edit.draft}
            onChange={edit.change}
            errorAt={edit.errorAt}
            wasTried={wasTried}
          />
          <Inside entries={edit.answer!.appointments} zone={timeZone} />
          <DialogButtons busy={edit.busy} onClose={onClose} />
        </form>
      )}
    </Dialog>
  )
}
