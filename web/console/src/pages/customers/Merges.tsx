import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useLoad } from '../../load.ts'
import type { Schemas } from '../../records.ts'
import { useMay, useProvider } from '../../session.ts'
import { format, instant } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { TextField } from '../../ui/fields/Field.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { texts } from './merge-words.ts'
import type { Customer } from './records.ts'

/** Who was merged into this customer, while that can be undone. */
export function Merges({ uuid, onUndone }: { uuid: string; onUndone: () => void }) {
  const mayMerge = useMay('add-customers')
  const loaded = useLoad(mayMerge ? `merges-${uuid}` : null, signal =>
    api.get(`/customers/${uuid}/merges`, { signal }),
  )
  const done = () => {
    void loaded.reload()
    onUndone()
  }
  return loaded.data?.merges.map(one => <Merged key={one.uuid} uuid={uuid} merge={one} onUndone={done} />)
}

type MergedProps = { uuid: string; merge: Schemas['CustomerMerge']; onUndone: () => void }

function Merged({ uuid, merge, onUndone }: MergedProps) {
  const { timeZone } = useProvider()
  const { busy, run } = useSubmit()
  const undo = async () => {
    const undone = await run(() => api.post(`/customers/${uuid}/merges/${merge.uuid}/undo`))
    if (!undone) return
    showToast(texts.undone(undone.restored.name))
    onUndone()
  }
  const day = (at: string) => format.fullDay(instant(at), timeZone)
  return (
    <div class="notice-box row">
      <p>
        {texts.merged(merge.formerName, day(merge.mergedAt))} {texts.undoUntil(day(merge.undoUntil))}
      </p>
      <Button busy={busy} label={texts.undoOf(merge.formerName)} onClick={undo}>
        {texts.undo}
      </Button>
    </div>
  )
}

/** Finds the other record of the same person. */
export function MergeDialog({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const provider = useProvider()
  const [typed, type] = useState(customer.name)
  const search = typed.trim()
  const found = useLoad(search ? `merge-${provider.uuid}-${search}` : null, signal =>
    api.get(`/providers/${provider.uuid}/customers`, { query: { search, limit: 10 }, signal }),
  )
  const others = found.data?.customers.filter(one => one.uuid !== customer.uuid)
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <TextField label={texts.findOther} type="search" value={typed} onInput={type} />
      {others?.length === 0 && (
        <p class="soft" role="status">
          {common.noResults}
        </p>
      )}
      <ul class="lines">
        {others?.map(one => (
          <li key={one.uuid}>
            <Link href={`/customers/${customer.uuid}/merge/${one.uuid}`}>{one.name}</Link>
            <span class="soft wrap">{[one.email, one.mobile].filter(Boolean).join(' · ')}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
