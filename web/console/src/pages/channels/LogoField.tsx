import { useRef, useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import type { ProviderSettings } from '../../records.ts'
import { Button } from '../../ui/Button.tsx'
import type { Edit } from '../../ui/editing/use-edit.ts'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { TextField } from '../../ui/fields/Field.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { brandingTexts } from './branding-words.ts'

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
    showToast(common.saved, { about: brandingTexts.brandingLabels.logoUrl })
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

// Logos are 44 px high, with up to three device pixels per px.
const most = { height: 132, width: 720 }

/** A PNG in base64, scaled down to the size needed; null if the file is not an image. */
export async function resizeImage(file: File): Promise<string | null> {
  const bitmap = await createImageBitmap(file).catch(() => null)
  if (!bitmap) return null
  const scale = Math.min(1, most.height / bitmap.height, most.width / bitmap.width)
  const width = Math.max(1, Math.round(bitmap.width * scale))
  const height = Math.max(1, Math.round(bitmap.height * scale))
  const canvas = new OffscreenCanvas(width, height)
  canvas.getContext('2d')!.drawImage(bitmap, 0, 0, width, height)
  const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer())
  return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))
}
