import { useId } from 'preact/hooks'
import { common } from '../common-words.ts'
import { Button } from './Button.tsx'
import { say } from './toasts.tsx'

/** A text to take elsewhere: an address, a piece of HTML. */
export function CopyBox({ label, text }: { label: string; text: string }) {
  const id = useId()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      say(common.copied)
    } catch {
      // Without leave to write there is still the hand.
      getSelection()?.selectAllChildren(document.getElementById(id)!)
    }
  }
  return (
    <figure class="copy">
      <figcaption>{label}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <pre id={id} tabIndex={0} aria-label={label} role="region">
        {text}
      </pre>
      <Button onClick={copy} label={`${common.copy}: ${label}`}>
        {common.copy}
      </Button>
    </figure>
  )
}
