import type { ComponentChildren } from 'preact'
import { type Right, useMay } from '../session.ts'

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
  /** The menu that it opens. */
  menu?: { id: string; isOpen: boolean }
}

/** Only there for people who have this right at the chosen Provider. */
export function ButtonFor({ right, ...props }: Props & { right: Right }) {
  return useMay(right) ? <Button {...props} /> : null
}

/** Ignores further presses while it is busy. Disabled, it keeps the focus: `disabled` would drop it to the body. */
export function Button(props: Props) {
  const {
    kind = 'plain',
    type = 'button',
    busy,
    disabled,
    label,
    pressed,
    keys,
    menu,
    onClick,
    children,
    ...rest
  } = props
  const press = (event: MouseEvent) => {
    // Also keeps Enter in a field from submitting the form.
    if (disabled) event.preventDefault()
    else if (!busy) onClick?.(event)
  }
  return (
    <button
      type={type}
      class={`button ${kind}`}
      aria-label={label}
      title={label}
      aria-busy={busy || undefined}
      aria-pressed={pressed}
      aria-disabled={disabled || undefined}
      onClick={press}
      aria-keyshortcuts={keys}
      aria-haspopup={menu && 'menu'}
      aria-controls={menu?.id}
      aria-expanded={menu?.isOpen}
      {...rest}
    >
      {typeof children === 'string' ? whole(children) : children}
      {keys && (
        <span class="key-hint" aria-hidden="true">
          {keys}
        </span>
      )}
    </button>
  )
}

/** Words such as "E-Mail" do not break at their hyphen. One element, because a button sets its parts apart. */
function whole(text: string) {
  if (!hyphenated.test(text)) return text
  return (
    <span>
      {text
        .split(hyphenated)
        .map((part, index) => (index % 2 === 1 ? <span class="whole">{part}</span> : part))}
    </span>
  )
}

const hyphenated = /\b(\p{L}-\p{L}+)/u
