import type { ComponentChildren } from 'preact'

type Props = { id: string; title: string; text?: string; action?: ComponentChildren }

/** Title, description and action of a section. */
export const SectionHead = ({ id, title, text, action }: Props) => (
  <header class="section-head">
    <h2 id={id}>{title}</h2>
    {action}
    {text && <p class="soft">{text}</p>}
  </header>
)
