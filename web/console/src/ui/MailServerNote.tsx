import { may, useSession } from '../session.ts'
import { words } from '../words.ts'

const texts = words({
  en: {
    title: 'No mail server is set up.',
    text: 'Emails are kept in the console and not delivered.',
    how: 'Set SMTP_URL to send emails.',
  },
  de: {
    title: 'Es ist kein Mailserver eingerichtet.',
    text: 'E-Mails bleiben in der Konsole und werden nicht zugestellt.',
    how: 'Setzen Sie SMTP_URL, um E-Mails zu senden.',
  },
  fr: {
    title: 'Aucun serveur de messagerie n’est configuré.',
    text: 'Les e-mails restent dans la console et ne sont pas envoyés.',
    how: 'Définissez SMTP_URL pour envoyer des e-mails.',
  },
  es: {
    title: 'No hay ningún servidor de correo configurado.',
    text: 'Los correos se quedan en la consola y no se envían.',
    how: 'Defina SMTP_URL para enviar correos.',
  },
  it: {
    title: 'Nessun server di posta è configurato.',
    text: 'Le e-mail restano nella console e non vengono inviate.',
    how: 'Imposti SMTP_URL per inviare e-mail.',
  },
})

/** Shown wherever an email would be sent, while no mail server is set up. */
export function MailServerNote({ text = texts.text }: { text?: string }) {
  const { me, hasMailServer } = useSession()
  if (hasMailServer) return null
  return (
    <p class="notice-box" role="note">
      <strong>{texts.title}</strong> {text} {may(me, 'service') && texts.how}
    </p>
  )
}
