import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { common } from '../common-words.ts'
import { Button } from './Button.tsx'
import { dialogsChanged } from './toasts.tsx'

type Props = { title: string; onClose: () => void; children: ComponentChildren; kind?: 'dialog' | 'panel' }

/** The browser's own dialog: it keeps the focus inside, gives it back, and closes with Escape. */
export function Dialog({ title, onClose, children, kind = 'dialog' }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  // At once: whoever types on types into it, and not past it.
  useLayoutEffect(() => {
    const element = dialog.current!
    const opener = document.activeElement as HTMLElement | null
    if (!element.open) element.showModal()
    dialogsChanged()
    return () => {
      element.close()
      dialogsChanged()
      // The opener may be gone, drawn anew by what happened meanwhile.
      if (opener?.isConnected) opener.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class={kind}
      aria-labelledby={id}
      onCancel={event => {
        event.preventDefault()
        onClose()
      }}
      onMouseDown={event => event.target === dialog.current && onClose()}
    >
      <div class="dialog-body">
        <header>
          <h2 id={id} tabIndex={-1}>
            {title}
          </h2>
          <Button kind="quiet" label={common.close} onClick={onClose}>
            ✕
          </Button>
        </header>
        {children}
      </div>
    </dialog>
  )
}

/** Details of a thing, from the right; the page stays behind it. */
export const Panel = (props: Omit<Props, 'kind'>) => <Dialog {...props} kind="panel" />
