import { useState } from 'preact/hooks'
import { useProvider } from '../../session.ts'
import { useEdit } from '../../ui/editing/use-edit.ts'
import { Pending } from '../../ui/Page.tsx'
import { Accent, unsavedAccent } from '../channels/Branding.tsx'
import { addressOf } from '../channels/BusinessAddress.tsx'
import { LogoField } from '../channels/LogoField.tsx'
import { Preview } from '../channels/Snippet.tsx'
import { StepForm } from './StepForm.tsx'

const skipped = (uuid: string) => `holdfast-console-look-${uuid}`
export const wasBrandingSkipped = (uuid: string) => localStorage.getItem(skipped(uuid)) === '1'

type Props = { onDone: () => Promise<void> }

/** Colour and logo; both are optional. */
export function FirstBranding({ onDone }: Props) {
  const { uuid } = useProvider()
  const edit = useEdit(`/providers/${uuid}`)
  const [version, setVersion] = useState(0)
  const { draft, saved } = edit
  if (edit.loading.problem || !draft || !saved) return <Pending of={edit.loading} rows={4} />
  const remember = () => localStorage.setItem(skipped(uuid), '1')
  const submit = async () => {
    if (edit.isChanged && !(await edit.save())) return
    remember()
    await onDone()
  }
  const readAgain = async () => {
    edit.forget('logoUrl')
    await edit.read()
    setVersion(count => count + 1)
  }
  return (
    <StepForm onSubmit={submit}>
      <div class="beside">
        <div class="stack">
          <Accent draft={draft} change={edit.change} errorAt={edit.errorAt} saved={saved} />
          <LogoField
            draft={draft}
            saved={saved}
            change={edit.change}
            errorAt={edit.errorAt}
            onSaved={readAgain}
          />
        </div>
        <Preview
          shown={{ business: addressOf(saved) }}
          version={version}
          accent={unsavedAccent(draft, saved)}
        />
      </div>
    </StepForm>
  )
}
