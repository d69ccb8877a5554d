import { useId, useRef } from 'preact/hooks'
import { common } from '../../common-words.ts'
import { Button } from '../Button.tsx'
import { showToast } from '../toasts.tsx'

/** Text to copy, such as an address or HTML. */
export function CopyBox({ label, text }: { label: string; text: string }) {
  const id = useId()
  const box = useRef<HTMLTextAreaElement>(null)
  const copy = async () => {
    box.current!.select()
    try {
      await navigator.clipboard.writeText(text)
      showToast(common.copied)
    } catch {
      // Without clipboard permission the text is at least selected.
    }
  }
  return (
    <div class="copy">
      <label for={id}>{label}</label>
      <textarea id={id} ref={box} readOnly wrap="off" rows={text.split('\n').length} value={text} />
      <Button onClick={copy} label={`${common.copy}: ${label}`}>
        {common.copy}
      </Button>
    </div>
  )
}
