import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { common } from '../common-words.ts'
import { Button } from './Button.tsx'
import { Icon } from './Icon.tsx'

export type Action = {
  name: string
  run: () => void
  kind?: 'main' | 'plain' | 'quiet' | 'danger'
  pressed?: boolean
  busy?: boolean
  /** The name for screen readers, and what a pointer shows. */
  label?: string
  /** The keyboard shortcut. */
  keys?: string
}

type Props = {
  actions: (Action | false)[]
  below: number
  /** Whom they are about, if there are several such menus. */
  of?: string | null
}

/** Buttons; on narrower screens, they are in a menu. */
export function Actions({ actions, below, of }: Props) {
  const isNarrow = useNarrow(below)
  const offered = actions.filter(one => one !== false)
  if (isNarrow && offered.length > 1)
    return <Menu actions={offered} name={of ? `${common.actions}: ${of}` : common.actions} />
  return <Buttons actions={offered} />
}

/** Buttons for the first ones, and a menu with the others. What ends something comes last in each. */
export function MainActions({ actions, most }: { actions: (Action | false)[]; most: number }) {
  const offered = actions.filter(one => one !== false)
  // A menu of one is as wide as its button.
  const count = offered.length === most + 1 ? most + 1 : most
  const [first, others] = [offered.slice(0, count), offered.slice(count)].map(dangerLast)
  return (
    <>
      <Buttons actions={first!} />
      {others!.length > 0 && <Menu actions={others!} name={common.actions} />}
    </>
  )
}

const dangerLast = (actions: Action[]) => [
  ...actions.filter(one => one.kind !== 'danger'),
  ...actions.filter(one => one.kind === 'danger'),
]

const Buttons = ({ actions }: { actions: Action[] }) => (
  <>
    {actions.map(({ name, run, ...rest }) => (
      <Button key={name} onClick={run} {...rest}>
        {name}
      </Button>
    ))}
  </>
)

/** Lies over everything, also over the dialog it is in. */
function Menu({ actions, name: title }: { actions: Action[]; name: string }) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLSpanElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const items = () => [...list.current!.querySelectorAll('button')]
  const button = () => opener.current!.querySelector('button')!
  const open = () => {
    list.current!.showPopover()
    setOpen(true)
    placeBelow(list.current!, button())
    items()[0]!.focus()
  }
  const hide = () => {
    list.current!.hidePopover()
    setOpen(false)
  }
  const close = () => {
    hide()
    button().focus()
  }
  const onKey = (event: KeyboardEvent) => {
    const all = items()
    const at = all.indexOf(document.activeElement as HTMLButtonElement)
    const next: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }
    if (event.key !== 'Escape' && !(event.key in next)) return
    // The dialog around it stays open.
    event.preventDefault()
    if (event.key === 'Escape') close()
    else all.at(next[event.key]! % all.length)!.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Keeps the focus in an open menu when its button is pressed, else it closes and opens again.
    <span class="more" ref={opener} onMouseDown={event => isOpen && event.preventDefault()}>
      <Button menu={{ id, isOpen }} label={title} onClick={() => (isOpen ? close() : open())}>
        <Icon name="more" />
        <span class="word">{common.actions}</span>
      </Button>
      <div
        ref={list}
        id={id}
        popover="manual"
        role="menu"
        aria-label={title}
        class="more-list"
        onFocusOut={event => {
          if (isOpen && !list.current!.contains(event.relatedTarget as Node | null)) hide()
        }}
        onKeyDown={onKey}
      >
        {actions.map(({ name, run, kind = 'plain', label, keys }) => (
          <button
            key={name}
            type="button"
            role="menuitem"
            tabIndex={-1}
            class={kind}
            aria-keyshortcuts={keys}
            onClick={() => {
              close()
              run()
            }}
          >
            {label ?? name}
          </button>
        ))}
      </div>
    </span>
  )
}

const gap = 4

/** At the end of the button, or above it where there is no room. */
function placeBelow(list: HTMLElement, button: HTMLElement) {
  const { left, right, top, bottom } = button.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = list
  const isAbove = bottom + gap + height > innerHeight
  const x = Math.max(gap, Math.min(left, Math.max(right, innerWidth - 2 * gap) - width))
  const y = isAbove ? Math.max(gap, top - gap - height) : bottom + gap
  Object.assign(list.style, { inset: `${y}px auto auto ${x}px` })
}

function useNarrow(below: number): boolean {
  const query = `(max-width: ${below}px)`
  const [isNarrow, set] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const list = matchMedia(query)
    const read = () => set(list.matches)
    list.addEventListener('change', read)
    return () => list.removeEventListener('change', read)
  }, [query])
  return isNarrow
}
