import { Link } from 'wouter-preact'
import { api } from '../../../api.ts'
import { common } from '../../../common-words.ts'
import { useLoad } from '../../../load.ts'
import { Dialog, DialogButtons } from '../../../ui/dialogs/Dialog.tsx'
import { useSubmit } from '../../../ui/editing/use-submit.ts'
import { Pending } from '../../../ui/Page.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { resourceTexts } from '../resources/resource-words.ts'
import { productTexts as texts } from './product-words.ts'

type Props = { uuid: string; name: string; onClose: () => void; onDone: () => void }

/** Shows what depends on a Product before it is deleted. */
export function DeleteProduct({ uuid, name, onClose, onDone }: Props) {
  const path = `/products/${uuid}` as const
  const loaded = useLoad(`deletion-${uuid}`, signal => api.get(`${path}/deletion`, { signal }))
  const { busy, run } = useSubmit()
  const { appointments = 0, resources = [] } = loaded.data ?? {}
  const stuck = resources.filter(one => one.isOnly)
  const remove = async () => {
    if (!(await run(() => api.remove(path).then(() => true)))) return loaded.reload()
    showToast(texts.removed(name))
    onDone()
  }
  return (
    <Dialog title={common.deleteTitle(name)} onClose={onClose}>
      <p>{texts.removeText}</p>
      <Pending of={loaded} rows={2} />
      {loaded.data && (
        <div class="stack tight">
          <p>
            <strong>{texts.upcoming(appointments)}</strong>
          </p>
          {resources.length > 0 && (
            <p>{texts.noLongerOfferedBy(resources.map(one => one.name).join(', '))}</p>
          )}
          {stuck.map(one => (
            <p key={one.uuid} class="trouble" role="alert">
              <Link href={`/offers/resources/${one.uuid}`}>{texts.onlyService(one.name)}</Link>
            </p>
          ))}
        </div>
      )}
      <DialogButtons
        onClose={onClose}
        action={resourceTexts.deletePermanently}
        kind="danger"
        busy={busy}
        disabled={!loaded.data || stuck.length > 0}
        onClick={remove}
      />
    </Dialog>
  )
}
