import type { ComponentChildren } from 'preact'

type Props = {
  children: ComponentChildren
  onClick?: (event: MouseEvent) => void
  kind?: 'main' | 'plain' | 'quiet' | 'danger'
  type?: 'button' | 'submit'
  busy?: boolean
  disabled?: boolean
  label?: string
  pressed?: boolean
  autofocus?: boolean
}

/** Pressing it twice while it works does nothing. */
export function Button({ kind = 'plain', type = 'button', busy, label, pressed, onClick, ...rest }: Props) {
  return (
    <button
      type={type}
      class={`button ${kind}`}
      aria-label={label}
      title={label}
      aria-busy={busy || undefined}
      aria-pressed={pressed}
      onClick={event => (busy ? undefined : onClick?.(event))}
      {...rest}
    />
  )
}
