import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'

type Props = {
  title: string
  /** What is set inside, while it is closed. */
  summary: string
  /** Opens it, such as an error in one of its fields. */
  mustOpen: boolean
  children: ComponentChildren
}

/** Fields that are rarely changed. */
export function Folded({ title, summary, mustOpen, children }: Props) {
  const [isOpen, setOpen] = useState(mustOpen)
  // Before the error takes the focus.
  useLayoutEffect(() => {
    if (mustOpen) setOpen(true)
  }, [mustOpen])
  return (
    <details class="folded" open={isOpen} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="folded-title">{title}</span>
        {!isOpen && <span class="soft">{summary}</span>}
      </summary>
      <div class="stack">{children}</div>
    </details>
  )
}
