import { Button } from '../../ui/Button.tsx'
import { CopyBox } from '../../ui/CopyBox.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { texts } from './words.ts'

type Props = { title: string; secret: string; onClose: () => void }

/** A secret that is kept nowhere. */
export function ShownOnce({ title, secret, onClose }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{texts.shownText}</p>
      <CopyBox label={title} text={secret} />
      <div class="dialog-end">
        <Button kind="main" onClick={onClose}>
          {texts.kept}
        </Button>
      </div>
    </Dialog>
  )
}
