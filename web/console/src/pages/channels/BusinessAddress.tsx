import { useState } from 'preact/hooks'
import { common } from '../../common-words.ts'
import type { ProviderSettings } from '../../records.ts'
import { may, useProvider } from '../../session.ts'
import { Button } from '../../ui/Button.tsx'
import { DialogButtons } from '../../ui/dialogs/Dialog.tsx'
import { useEdit } from '../../ui/editing/use-edit.ts'
import { Pending } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { embedTexts } from './embed-words.ts'
import { SlugField } from './SlugField.tsx'
import { Snippet } from './Snippet.tsx'

/** What stands after /book/ in the address of a business. */
export const addressOf = ({ slug, uuid }: Pick<ProviderSettings, 'slug' | 'uuid'>) => slug ?? uuid

type Props = { onChange?: (business: string) => void }

/** The one address of the business, with its embed code; the owner can choose another. */
export function BusinessAddress({ onChange }: Props) {
  const provider = useProvider()
  const edit = useEdit(`/providers/${provider.uuid}`)
  const [isOpen, setOpen] = useState(false)
  const { draft, saved } = edit
  if (edit.loading.problem || !draft || !saved) return <Pending of={edit.loading} rows={2} />
  const close = () => {
    edit.drop()
    setOpen(false)
  }
  const submit = async (event: Event) => {
    event.preventDefault()
    if (edit.isChanged && !(await edit.save())) return
    setOpen(false)
    showToast(common.saved, { about: embedTexts.yourPage, undo: edit.undo() })
    onChange?.(addressOf(draft))
  }
  return (
    <div class="stack">
      {isOpen ? (
        <form class="stack" onSubmit={submit} noValidate>
          <SlugField
            value={draft.slug ?? ''}
            hint={saved.slug ? embedTexts.oldAddressHint : embedTexts.slugHint}
            onInput={slug => edit.change({ slug: slug || null })}
            error={edit.errorAt('slug')}
          />
          <DialogButtons busy={edit.busy} onClose={close} action={common.save} />
        </form>
      ) : (
        may(provider, 'manage') && (
          <div>
            <Button onClick={() => setOpen(true)}>
              {saved.slug ? embedTexts.changeAddress : embedTexts.chooseAddress}
            </Button>
          </div>
        )
      )}
      <Snippet shown={{ business: addressOf(saved) }} />
    </div>
  )
}
