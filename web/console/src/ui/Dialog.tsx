import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { common } from '../common-words.ts'
import { focusHeading } from '../keep-focus.ts'
import { Button } from './Button.tsx'
import { useChangedControls } from './changed-controls.ts'
import { askToDiscard } from './discard.tsx'
import { dialogsChanged } from './toasts.tsx'
import { withoutAsking } from './unsaved.ts'

type Props = { title: string; onClose: () => void; children: ComponentChildren; kind?: 'dialog' | 'panel' }

/**
 * A native dialog: it traps and restores the focus and closes with Escape. Asks before unsaved input is lost.
 */
export function Dialog({ title, onClose, children, kind = 'dialog' }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const typed = useChangedControls(dialog)
  const close = async () => {
    if (!typed.isChanged() || (await askToDiscard())) withoutAsking(onClose)
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
  return (
    <dialog
      ref={dialog}
      class={kind}
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
