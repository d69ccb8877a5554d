import { useRef, useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import type { ProviderSettings } from '../../records.ts'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import { showToast } from '../../ui/toasts.tsx'
import type { Edit } from '../../ui/use-edit.ts'
import { useSubmit } from '../../ui/use-submit.ts'
import { brandingTexts } from './branding-words.ts'
import { resizeImage } from './resize-image.ts'

type Props = { draft: ProviderSettings; saved: ProviderSettings; onSaved: () => Promise<unknown> } & Pick<
  Edit<ProviderSettings>,
  'change' | 'errorAt'
>

/** An image file, uploaded at once, or the address of an image elsewhere. */
export function LogoField({ draft, saved, change, errorAt, onSaved }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [wrong, setWrong] = useState<string | null>(null)
  const { busy, run, errorAt: sentErrorAt } = useSubmit()
  const take = async (file: File | undefined) => {
    if (!file) return
    const data = await resizeImage(file)
    setWrong(data ? null : brandingTexts.unreadableImage)
    if (!data || !(await run(() => api.put(`/providers/${draft.uuid}/logo`, { data })))) return
    showToast(common.saved)
    await onSaved()
  }
  const problem = wrong ?? sentErrorAt('data')
  return (
    <fieldset class="stack tight">
      <legend>{brandingTexts.brandingLabels.logoUrl}</legend>
      {/* Hidden while an address is typed: each letter would trigger a request. */}
      {draft.logoUrl && draft.logoUrl === saved.logoUrl && (
        <img class="logo-shown" src={draft.logoUrl} alt={brandingTexts.logoAlt} />
      )}
      <input
        ref={input}
        hidden
        type="file"
        accept="image/png,image/jpeg,image/webp,image/gif"
        aria-label={brandingTexts.logoFile}
        onChange={async event => {
          const { currentTarget } = event
          await take(currentTarget.files?.[0])
          // Allows choosing the same file again.
          currentTarget.value = ''
        }}
      />
      <div class="row">
        <Button busy={busy} onClick={() => input.current!.click()}>
          {brandingTexts.logoFile}
        </Button>
        {draft.logoUrl && (
          <Button kind="quiet" onClick={() => change({ logoUrl: null })}>
            {brandingTexts.removeLogo}
          </Button>
        )}
      </div>
      <p class={problem ? 'error' : 'soft'} role={problem ? 'alert' : undefined}>
        {problem ?? brandingTexts.logoTypes}
      </p>
      <TextField
        label={brandingTexts.linkToImage}
        hint={brandingTexts.logoHint}
        type="url"
        placeholder="https://"
        value={isOurs(draft.logoUrl) ? '' : (draft.logoUrl ?? '')}
        onInput={text => change({ logoUrl: text || null })}
        error={errorAt('logoUrl')}
      />
    </fieldset>
  )
}

const isOurs = (logoUrl: string | null) => /\/logos\/[0-9a-f-]{36}$/.test(logoUrl ?? '')
