import type { ComponentChildren } from 'preact'
import { common } from '../common-words.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { useSubmit } from './use-submit.ts'

type Props = {
  title: string
  children: ComponentChildren
  /** The button's text. */
  action: string
  work: () => Promise<unknown>
  onDone: () => void
  onClose: () => void
}

/** Confirms an action that cannot be undone. */
export function ConfirmDialog({ title, children, action, work, onDone, onClose }: Props) {
  const { busy, run } = useSubmit()
  const go = async () => {
    const isDone = await run(async () => {
      await work()
      return true
    })
    if (isDone) onDone()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="stack">{children}</div>
      <div class="dialog-end">
        <Button onClick={onClose}>{common.cancel}</Button>
        <Button kind="danger" busy={busy} onClick={go}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
