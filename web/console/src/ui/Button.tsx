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
  /** The keyboard shortcut. */
  keys?: string
}

/** Ignores further presses while it is busy. */
export function Button(props: Props) {
  const { kind = 'plain', type = 'button', busy, label, pressed, keys, onClick, children, ...rest } = props
  return (
    <button
      type={type}
      class={`button ${kind}`}
      aria-label={label}
      title={label}
      aria-busy={busy || undefined}
      aria-pressed={pressed}
      onClick={event => (busy ? undefined : onClick?.(event))}
      aria-keyshortcuts={keys}
      {...rest}
    >
      {children}
      {keys && (
        <span class="key-hint" aria-hidden="true">
          {keys}
        </span>
      )}
    </button>
  )
}
