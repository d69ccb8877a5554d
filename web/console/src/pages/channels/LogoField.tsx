import { useRef, useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import type { ProviderSettings } from '../../records.ts'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import { say } from '../../ui/toasts.tsx'
import type { Edit } from '../../ui/use-edit.ts'
import { useSending } from '../../ui/use-sending.ts'
import { lookTexts } from './look-words.ts'
import { smallPicture } from './small-picture.ts'

type Props = { draft: ProviderSettings; saved: ProviderSettings; onSaved: () => Promise<unknown> } & Pick<
  Edit<ProviderSettings>,
  'change' | 'errorAt'
>

/** A picture from one's own machine, handed over at once; or the address of one that lies elsewhere. */
export function LogoField({ draft, saved, change, errorAt, onSaved }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [wrong, setWrong] = useState<string | null>(null)
  const { busy, run, errorAt: sentErrorAt } = useSending()
  const take = async (file: File | undefined) => {
    if (!file) return
    const data = await smallPicture(file)
    setWrong(data ? null : lookTexts.noPicture)
    if (!data || !(await run(() => api.put(`/providers/${draft.uuid}/logo`, { data })))) return
    say(common.saved)
    await onSaved()
  }
  const problem = wrong ?? sentErrorAt('data')
  return (
    <fieldset class="stack tight">
      <legend>{lookTexts.lookLabels.logoUrl}</legend>
      {/* Not while an address is typed: each letter would be asked for. */}
      {draft.logoUrl && draft.logoUrl === saved.logoUrl && (
        <img class="logo-shown" src={draft.logoUrl} alt={lookTexts.logoAlt} />
      )}
      <input
        ref={input}
        hidden
        type="file"
        accept="image/png,image/jpeg,image/webp,image/gif"
        aria-label={lookTexts.logoFile}
        onChange={async event => {
          const { currentTarget } = event
          await take(currentTarget.files?.[0])
          // The same file can be chosen once more.
          currentTarget.value = ''
        }}
      />
      <div class="row">
        <Button busy={busy} onClick={() => input.current!.click()}>
          {lookTexts.logoFile}
        </Button>
        {draft.logoUrl && (
          <Button kind="quiet" onClick={() => change({ logoUrl: null })}>
            {lookTexts.removeLogo}
          </Button>
        )}
      </div>
      <p class={problem ? 'error' : 'soft'} role={problem ? 'alert' : undefined}>
        {problem ?? lookTexts.logoTypes}
      </p>
      <TextField
        label={lookTexts.logoElsewhere}
        hint={lookTexts.logoHint}
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
