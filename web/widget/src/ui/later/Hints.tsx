import { chosenProduct, shownPlace, useEffect, useRef, useState, useUi } from './kit.ts'

/** The provider's note to all visitors: what to bring, where to ring. A long one opens on demand. */
export function Hints() {
  const { state, texts } = useUi()
  const [isOpen, setOpen] = useState(false)
  const [isLong, setLong] = useState(false)
  const line = useRef<HTMLParagraphElement>(null)
  // Whether it is cut off depends on the width.
  useEffect(() => {
    const text = line.current
    if (isOpen || !text) return
    const watch = new ResizeObserver(() => setLong(text.scrollHeight > text.clientHeight))
    watch.observe(text)
    return () => watch.disconnect()
  }, [isOpen])
  const parts = [chosenProduct(state)?.description, shownPlace(state)?.resource.description]
  const text = parts.filter(Boolean).join('\n\n')
  if (!text) return null
  return (
    <div class="note">
      <p class={isOpen ? 'description' : 'description clamp'} ref={line}>
        {text}
      </p>
      {isLong && (
        <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {texts.details}
        </button>
      )}
    </div>
  )
}
