import type { ComponentChildren } from 'preact'
import { useSubmit } from '../editing/use-submit.ts'
import { Dialog, DialogButtons } from './Dialog.tsx'

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
      <DialogButtons onClose={onClose} action={action} kind="danger" busy={busy} onClick={go} />
    </Dialog>
  )
}
