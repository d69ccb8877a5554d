import type { ComponentChildren } from 'preact'

type Props = { id: string; title: string; text?: string; action?: ComponentChildren }

/** Of a part of a page: its name, what can be done there, and what it is. */
export const SectionHead = ({ id, title, text, action }: Props) => (
  <header class="section-head">
    <h2 id={id}>{title}</h2>
    {action}
    {text && <p class="soft">{text}</p>}
  </header>
)
