import type { ComponentChildren, ComponentProps } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { common } from '../../common-words.ts'
import { focusHeading } from '../../keep-focus.ts'
import { Button } from '../Button.tsx'
import { useChangedControls } from '../editing/changed-controls.ts'
import { withoutAsking } from '../editing/unsaved.ts'
import { dialogsChanged } from '../toasts.tsx'
import { askToDiscard } from './discard.tsx'
import { type Place, usePlace } from './place-beside.ts'

type Props = {
  title: string
  onClose: () => void
  children: ComponentChildren
  kind?: 'dialog' | 'panel'
  /** Two columns on a desk. */
  isWide?: boolean
  /** Holds what was entered elsewhere: closing asks even if nothing was changed here. */
  isEntered?: boolean
  /** Opens beside this place, on a desk. */
  at?: Place | undefined
}

/**
 * A native dialog: it traps and restores the focus and closes with Escape. Asks before unsaved input is lost.
 */
export function Dialog(props: Props) {
  const { title, onClose, children, kind = 'dialog', isWide = false, isEntered = false, at } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const typed = useChangedControls(dialog)
  const close = async () => {
    const isLost = isEntered || typed.isChanged()
    if (!isLost || (await askToDiscard())) withoutAsking(onClose)
  }
  // Before paint, so that keys typed right away go into the dialog.
  useLayoutEffect(() => {
    const element = dialog.current!
    const opener = document.activeElement as HTMLElement | null
    if (!element.open) element.showModal()
    dialogsChanged()
    return () => {
      element.close()
      dialogsChanged()
      restoreFocus(opener)
    }
  }, [])
  usePlace(dialog, at)
  return (
    <dialog
      ref={dialog}
      class={isWide ? `${kind} wide` : at ? `${kind} small` : kind}
      aria-labelledby={id}
      onCancel={event => {
        event.preventDefault()
        void close()
      }}
      // Browsers skip the cancel event if Escape is pressed twice in a row.
      onKeyDown={event => {
        if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return
        event.preventDefault()
        void close()
      }}
      onMouseDown={event => {
        if (event.target !== dialog.current) return
        event.preventDefault()
        void close()
      }}
      {...typed.events}
    >
      <div class="dialog-body">
        <header>
          <h2 id={id} tabIndex={-1}>
            {title}
          </h2>
          <Button kind="quiet" label={common.close} onClick={close}>
            ✕
          </Button>
        </header>
        {children}
      </div>
    </dialog>
  )
}

/** To the opener, or to the heading if a shortcut opened it or a render has replaced the opener. */
function restoreFocus(opener: HTMLElement | null) {
  if (opener?.isConnected && opener !== document.body) opener.focus()
  else focusHeading()
}

/** A dialog that slides in from the right and leaves the page visible. */
export const Panel = (props: Omit<Props, 'kind'>) => <Dialog {...props} kind="panel" />

type ButtonsProps = Omit<ComponentProps<typeof Button>, 'children'> & {
  onClose: () => void
  action?: string
  /** Shown above the buttons. */
  children?: ComponentChildren
}

/** The buttons at the end of a dialog: cancel, and its action, which submits the form unless it has an `onClick`. */
export const DialogButtons = ({ onClose, action = common.save, children, ...rest }: ButtonsProps) => (
  <div class="dialog-end">
    {children}
    <Button onClick={() => withoutAsking(onClose)}>{common.cancel}</Button>
    <Button kind="main" type={rest.onClick ? 'button' : 'submit'} {...rest}>
      {action}
    </Button>
  </div>
)
