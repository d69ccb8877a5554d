import { common } from '../common-words.ts'
import { Button } from './Button.tsx'

type Props = { busy: boolean; onClose: () => void; action?: string }

/** The two buttons below a form in a dialog. */
export const End = ({ busy, onClose, action = common.save }: Props) => (
  <div class="dialog-end">
    <Button onClick={onClose}>{common.cancel}</Button>
    <Button kind="main" type="submit" busy={busy}>
      {action}
    </Button>
  </div>
)
