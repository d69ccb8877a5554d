import type { Language } from '../languages.ts'

type Texts = {
  verifyTitle: string
  verifyQuestion: string
  verifyButton: string
  verifiedTitle: string
  verified: string
  invalidTitle: string
  invalid: string
}

/** What our small pages say. A missing text is a type error. */
export const pageTexts: Record<Language, Texts> = {
  de: {
    verifyTitle: 'E-Mail-Adresse bestätigen',
    verifyQuestion: 'Bitte bestätigen Sie, dass diese E-Mail-Adresse Ihnen gehört:',
    verifyButton: 'Adresse bestätigen',
    verifiedTitle: 'Adresse bestätigt',
    verified: 'Vielen Dank. Sie können dieses Fenster schließen.',
    invalidTitle: 'Dieser Link gilt nicht mehr',
    invalid:
      'Der Link ist unvollständig, abgelaufen oder wurde durch einen neueren ersetzt. Bitte öffnen Sie den Link aus der neuesten E-Mail.',
  },
  en: {
    verifyTitle: 'Confirm your email address',
    verifyQuestion: 'Please confirm that this email address is yours:',
    verifyButton: 'Confirm address',
    verifiedTitle: 'Address confirmed',
    verified: 'Thank you. You can close this window.',
    invalidTitle: 'This link is no longer valid',
    invalid:
      'The link is incomplete, has expired or was replaced by a newer one. Please open the link in the latest email.',
  },
  fr: {
    verifyTitle: 'Confirmez votre adresse e-mail',
    verifyQuestion: 'Veuillez confirmer que cette adresse e-mail est la vôtre :',
    verifyButton: 'Confirmer l’adresse',
    verifiedTitle: 'Adresse confirmée',
    verified: 'Merci. Vous pouvez fermer cette fenêtre.',
    invalidTitle: 'Ce lien n’est plus valable',
    invalid:
      'Le lien est incomplet, a expiré ou a été remplacé par un plus récent. Veuillez ouvrir le lien du dernier e-mail.',
  },
  es: {
    verifyTitle: 'Confirme su dirección de correo',
    verifyQuestion: 'Confirme que esta dirección de correo es suya:',
    verifyButton: 'Confirmar dirección',
    verifiedTitle: 'Dirección confirmada',
    verified: 'Gracias. Ya puede cerrar esta ventana.',
    invalidTitle: 'Este enlace ya no es válido',
    invalid:
      'El enlace está incompleto, ha caducado o fue sustituido por otro más reciente. Abra el enlace del último correo.',
  },
  it: {
    verifyTitle: 'Conferma il tuo indirizzo e-mail',
    verifyQuestion: 'Conferma che questo indirizzo e-mail è tuo:',
    verifyButton: 'Conferma indirizzo',
    verifiedTitle: 'Indirizzo confermato',
    verified: 'Grazie. Puoi chiudere questa finestra.',
    invalidTitle: 'Questo link non è più valido',
    invalid:
      'Il link è incompleto, scaduto o sostituito da uno più recente. Apri il link dell’ultima e-mail.',
  },
}
