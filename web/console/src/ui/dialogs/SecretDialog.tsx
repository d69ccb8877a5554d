import { words } from '../../words.ts'
import { Button } from '../Button.tsx'
import { CopyBox } from './CopyBox.tsx'
import { Dialog } from './Dialog.tsx'

const texts = words({
  en: { kept: 'I’ve copied it' },
  de: { kept: 'Ich habe es kopiert' },
  fr: { kept: 'Je l’ai copié' },
  es: { kept: 'Lo he copiado' },
  it: { kept: 'L’ho copiato' },
})

type Props = { title: string; text: string; secret: string; onClose: () => void }

/** Shows a secret that is not stored anywhere. */
export const SecretDialog = ({ title, text, secret, onClose }: Props) => (
  <Dialog title={title} onClose={onClose}>
    <p>{text}</p>
    <CopyBox label={title} text={secret} />
    <div class="dialog-end">
      <Button kind="main" onClick={onClose}>
        {texts.kept}
      </Button>
    </div>
  </Dialog>
)
