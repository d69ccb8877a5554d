import type { PublicData } from './api-types.ts'
import type { Language, Texts } from './texts/index.ts'

type Emails = PublicData['provider']['emails']

/** For visitors of a service without a mail server. The widget loads them only then. */
export const noEmailTexts = {
  de: {
    confirmsRequests: (provider: string) => `${provider} bestätigt jede Anfrage.`,
    notConfirmed: 'Noch nicht bestätigt.',
    emailsOff:
      'Wir können derzeit keine E-Mails senden. Speichern Sie den Link unten, um Ihren Termin anzusehen, zu verlegen oder abzusagen.',
    emailsDemo: 'Diese Demo versendet keine E-Mails. Sie finden Ihre in der Konsole unter „E-Mails“.',
    bookingLink: 'Link zu Ihrem Termin',
  },
  en: {
    confirmsRequests: (provider: string) => `${provider} will confirm each request.`,
    notConfirmed: 'Not confirmed yet.',
    emailsOff:
      'We can’t send emails at the moment. Save the link below to view, reschedule or cancel your appointment.',
    emailsDemo: 'This demo sends no emails. Find yours in the console under Emails.',
    bookingLink: 'Link to your appointment',
  },
  es: {
    confirmsRequests: (provider: string) => `${provider} confirma cada solicitud.`,
    notConfirmed: 'Aún sin confirmar.',
    emailsOff:
      'Ahora mismo no podemos enviar correos. Guarde el enlace de abajo para ver, cambiar o cancelar su cita.',
    emailsDemo: 'Esta demo no envía correos. Encontrará los suyos en la consola, en «Correos».',
    bookingLink: 'Enlace a su cita',
  },
  fr: {
    confirmsRequests: (provider: string) => `${provider} confirmera chaque demande.`,
    notConfirmed: 'Pas encore confirmé.',
    emailsOff:
      'Nous ne pouvons pas envoyer d’e-mails pour le moment. Conservez le lien ci-dessous pour consulter, déplacer ou annuler votre rendez-vous.',
    emailsDemo:
      'Cette démo n’envoie pas d’e-mails. Retrouvez les vôtres dans la console, sous «\u00a0E-mails\u00a0».',
    bookingLink: 'Lien vers votre rendez-vous',
  },
  it: {
    confirmsRequests: (provider: string) => `${provider} confermerà ogni richiesta.`,
    notConfirmed: 'Non ancora confermato.',
    emailsOff:
      'Al momento non possiamo inviare e-mail. Salvi il link qui sotto per vedere, spostare o annullare l’appuntamento.',
    emailsDemo: 'Questa demo non invia e-mail. Trova le sue nella console, alla voce «E-mail».',
    bookingLink: 'Link al suo appuntamento',
  },
} satisfies Record<Language, object>

/** That and why no email will arrive; null if emails are sent. */
export function noEmails(language: Language, emails: Emails): string | null {
  const { emailsOff, emailsDemo } = noEmailTexts[language]
  return emails === 'sent' ? null : emails === 'demo' ? emailsDemo : emailsOff
}

/** That a booking is a request first. */
export const confirmationHint = (
  { language, texts }: { language: Language; texts: Pick<Texts, 'needsConfirmation'> },
  { name, emails }: { name: string; emails: Emails },
): string =>
  emails === 'sent' ? texts.needsConfirmation(name) : noEmailTexts[language].confirmsRequests(name)
