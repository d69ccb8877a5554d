import { words } from '../../words.ts'
import { Button } from '../Button.tsx'
import { CopyBox } from './CopyBox.tsx'
import { Dialog } from './Dialog.tsx'

const texts = words({
  en: {
    title: 'Invitation link',
    text: 'No email was sent. Copy the link and share it. It works once and expires after 24 hours.',
    of: (name: string) => `Link for ${name}`,
    done: 'Done',
  },
  de: {
    title: 'Einladungslink',
    text: 'Es wurde keine E-Mail gesendet. Kopieren Sie den Link und geben Sie ihn weiter. Er ist 24 Stunden gültig und funktioniert nur einmal.',
    of: name => `Link für ${name}`,
    done: 'Fertig',
  },
  fr: {
    title: 'Lien d’invitation',
    text: 'Aucun e-mail n’a été envoyé. Copiez le lien et transmettez-le. Il fonctionne une seule fois, pendant 24 heures.',
    of: name => `Lien pour ${name}`,
    done: 'Terminé',
  },
  es: {
    title: 'Enlace de invitación',
    text: 'No se ha enviado ningún correo. Copie el enlace y compártalo. Funciona una sola vez, durante 24 horas.',
    of: name => `Enlace para ${name}`,
    done: 'Listo',
  },
  it: {
    title: 'Link di invito',
    text: 'Nessuna e-mail è stata inviata. Copi il link e lo inoltri. Funziona una sola volta, entro 24 ore.',
    of: name => `Link per ${name}`,
    done: 'Fatto',
  },
})

export type InvitationLink = { name: string; link: string }

export const InvitationLinks = ({ links }: { links: InvitationLink[] }) => (
  <div class="invitations">
    <p>{texts.text}</p>
    {links.map(one => (
      <CopyBox key={one.link} label={texts.of(one.name)} text={one.link} />
    ))}
  </div>
)

export const InvitationDialog = ({ links, onClose }: { links: InvitationLink; onClose: () => void }) => (
  <Dialog title={texts.title} onClose={onClose}>
    <InvitationLinks links={[links]} />
    <div class="dialog-end">
      <Button kind="main" onClick={onClose}>
        {texts.done}
      </Button>
    </div>
  </Dialog>
)
