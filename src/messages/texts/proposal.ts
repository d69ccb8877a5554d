import type { Language } from '../../languages.ts'
import type { HeldTexts } from './waiting.ts'

/** Asks a person to confirm what an agent proposes. Sentences never inflect a name. */
export const proposalTexts: Record<Language, { offer: HeldTexts; why: string }> = {
  en: {
    offer: {
      subject: when => `Please confirm: ${when}`,
      heading: 'Please confirm your appointment',
      lead: provider =>
        `A digital assistant has chosen this appointment with ${provider} for you. It isn’t booked until you confirm it.`,
      earlier: '',
      until: when => `We’re holding it for you until ${when}.`,
      button: 'View and confirm',
      decline: 'Not you, or changed your mind? You can ignore this email.',
    },
    why: 'You’re receiving this email because a digital assistant entered this address for an appointment.',
  },
  de: {
    offer: {
      subject: when => `Bitte bestätigen: ${when}`,
      heading: 'Bitte bestätigen Sie Ihren Termin',
      lead: provider =>
        `ein digitaler Assistent hat diesen Termin für Sie ausgesucht (${provider}). Gebucht ist er erst, wenn Sie ihn bestätigen.`,
      earlier: '',
      until: when => `Wir halten ihn bis ${when} für Sie frei.`,
      button: 'Ansehen und bestätigen',
      decline: 'Das waren nicht Sie oder es passt nicht mehr? Dann können Sie diese E-Mail ignorieren.',
    },
    why: 'Sie erhalten diese E-Mail, weil ein digitaler Assistent diese Adresse für einen Termin angegeben hat.',
  },
  fr: {
    offer: {
      subject: when => `À confirmer\u00a0: ${when}`,
      heading: 'Confirmez votre rendez-vous',
      lead: provider =>
        `Un assistant numérique a choisi ce rendez-vous pour vous (${provider}). Il ne sera réservé qu’après votre confirmation.`,
      earlier: '',
      until: when => `Nous vous le gardons jusqu’au ${when}.`,
      button: 'Voir et confirmer',
      decline: 'Ce n’était pas vous, ou vous avez changé d’avis\u00a0? Vous pouvez ignorer cet e-mail.',
    },
    why: 'Vous recevez cet e-mail car un assistant numérique a indiqué cette adresse pour un rendez-vous.',
  },
  es: {
    offer: {
      subject: when => `Confirme su cita: ${when}`,
      heading: 'Confirme su cita',
      lead: provider =>
        `Un asistente digital ha elegido esta cita para usted (${provider}). No quedará reservada hasta que la confirme.`,
      earlier: '',
      until: when => `Se la guardamos hasta el ${when}.`,
      button: 'Ver y confirmar',
      decline: '¿No ha sido usted o ha cambiado de idea? Puede ignorar este correo.',
    },
    why: 'Recibe este correo porque un asistente digital indicó esta dirección para una cita.',
  },
  it: {
    offer: {
      subject: when => `Da confermare: ${when}`,
      heading: 'Confermi il suo appuntamento',
      lead: provider =>
        `un assistente digitale ha scelto questo appuntamento per lei (${provider}). Sarà prenotato solo dopo la sua conferma.`,
      earlier: '',
      until: when => `Lo teniamo per lei fino a ${when}.`,
      button: 'Vedi e conferma',
      decline: 'Non ha fatto lei questa richiesta o ha cambiato idea? Può ignorare questa e-mail.',
    },
    why: 'Riceve questa e-mail perché un assistente digitale ha indicato questo indirizzo per un appuntamento.',
  },
}
