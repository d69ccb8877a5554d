import { common } from '../common-words.ts'
import { Button } from './Button.tsx'
import { withoutAsking } from './unsaved.ts'

type Props = { busy: boolean; onClose: () => void; action?: string }

/** The buttons at the end of a dialog's form. */
export const FormButtons = ({ busy, onClose, action = common.save }: Props) => (
  <div class="dialog-end">
    <Button onClick={() => withoutAsking(onClose)}>{common.cancel}</Button>
    <Button kind="main" type="submit" busy={busy}>
      {action}
    </Button>
  </div>
)
