import { translated } from '../../languages.ts'

/** The emails of the waiting list. Sentences never inflect a name. */
export const waitingTexts = translated({
  en: {
    confirm: {
      subject: (provider: string) => `Please confirm: waiting list of ${provider}`,
      heading: 'One more step: please confirm',
      lead: (provider: string) => `Please confirm that you want to join the waiting list of ${provider}.`,
      button: 'Join the waiting list',
      after: 'When a suitable time becomes available, we’ll hold it for you and email you.',
    },
    offer: {
      subject: (when: string) => `Available for you: ${when}`,
      heading: 'A time has become available for you',
      lead: (provider: string) =>
        `A time you’re waiting for at ${provider} has become available. We’re holding it for you.`,
      earlier: 'If you take it, it replaces your current appointment.',
      until: (when: string) => `It’s yours until ${when}. After that, the next person on the list gets it.`,
      button: 'View offer',
      decline: 'Doesn’t suit you? Decline it, and you stay on the waiting list.',
    },
    ended: {
      subject: (provider: string) => `You’re no longer on the waiting list of ${provider}`,
      heading: 'You’re no longer on the waiting list',
      over: 'The period you were waiting for is over. Unfortunately, no suitable time became available.',
      unanswered: 'We offered you three times and didn’t hear back, so we’ve taken you off the waiting list.',
      button: 'View available times',
      leave: 'You can join again at any time.',
    },
    labels: { wish: 'You’re waiting for', wished: 'You were waiting for', note: 'Your note' },
    why: 'You’re receiving this email because this address is on a waiting list.',
  },
  de: {
    confirm: {
      subject: provider => `Bitte bestätigen: Warteliste von ${provider}`,
      heading: 'Bitte bestätigen Sie Ihren Eintrag',
      lead: provider => `bitte bestätigen Sie, dass Sie auf die Warteliste von ${provider} möchten.`,
      button: 'Auf die Warteliste setzen',
      after: 'Sobald ein passender Termin frei wird, halten wir ihn für Sie und schreiben Ihnen eine E-Mail.',
    },
    offer: {
      subject: when => `Für Sie frei geworden: ${when}`,
      heading: 'Ein Termin für Sie ist frei geworden',
      lead: provider =>
        `ein Termin, auf den Sie warten, ist frei geworden (${provider}). Wir halten ihn für Sie.`,
      earlier: 'Wenn Sie ihn nehmen, ersetzt er Ihren bisherigen Termin.',
      until: when =>
        `Er ist bis ${when} für Sie reserviert. Danach bekommt ihn die nächste Person auf der Liste.`,
      button: 'Angebot ansehen',
      decline: 'Passt er nicht? Lehnen Sie ihn dort ab. Sie bleiben auf der Warteliste.',
    },
    ended: {
      subject: provider => `Sie stehen nicht mehr auf der Warteliste von ${provider}`,
      heading: 'Sie stehen nicht mehr auf der Warteliste',
      over: 'der Zeitraum, auf den Sie gewartet haben, ist vorbei. Leider wurde kein passender Termin frei.',
      unanswered:
        'wir haben Ihnen dreimal einen Termin angeboten und keine Antwort erhalten. Deshalb stehen Sie nicht mehr auf der Warteliste.',
      button: 'Freie Termine ansehen',
      leave: 'Sie können sich jederzeit wieder eintragen.',
    },
    labels: { wish: 'Sie warten auf', wished: 'Sie haben gewartet auf', note: 'Ihre Notiz' },
    why: 'Sie erhalten diese E-Mail, weil diese Adresse auf einer Warteliste steht.',
  },
  fr: {
    confirm: {
      subject: provider => `À confirmer\u00a0: liste d’attente, ${provider}`,
      heading: 'Confirmez votre inscription',
      lead: provider => `Merci de confirmer votre inscription sur la liste d’attente (${provider}).`,
      button: 'M’inscrire sur la liste d’attente',
      after: 'Dès qu’un créneau se libère, nous vous le réservons et vous prévenons par e-mail.',
    },
    offer: {
      subject: when => `Disponible pour vous : ${when}`,
      heading: 'Un créneau s’est libéré pour vous',
      lead: provider => `Un créneau que vous attendiez s’est libéré (${provider}). Nous vous le réservons.`,
      earlier: 'Si vous l’acceptez, il remplace votre rendez-vous actuel.',
      until: when => `Il vous est réservé jusqu’au ${when}. Ensuite, il est proposé à la personne suivante.`,
      button: 'Voir la proposition',
      decline:
        'Il ne vous convient pas\u00a0? Refusez-le sur cette page\u00a0: vous restez sur la liste d’attente.',
    },
    ended: {
      subject: provider => `Fin de votre inscription sur la liste d’attente, ${provider}`,
      heading: 'Vous n’êtes plus sur la liste d’attente',
      over: 'La période que vous attendiez est passée. Aucun créneau ne s’est malheureusement libéré.',
      unanswered:
        'Nous vous avons fait trois propositions restées sans réponse. Vous n’êtes donc plus sur la liste d’attente.',
      button: 'Voir les créneaux disponibles',
      leave: 'Vous pouvez vous réinscrire à tout moment.',
    },
    labels: { wish: 'Vous attendez', wished: 'Vous attendiez', note: 'Votre remarque' },
    why: 'Vous recevez cet e-mail car cette adresse figure sur une liste d’attente.',
  },
  es: {
    confirm: {
      subject: provider => `Confirme su inscripción: lista de espera de ${provider}`,
      heading: 'Confirme su inscripción',
      lead: provider => `Confirme que desea apuntarse a la lista de espera de ${provider}.`,
      button: 'Apuntarme a la lista de espera',
      after: 'Cuando quede libre una hora que le convenga, se la reservaremos y le escribiremos.',
    },
    offer: {
      subject: when => `Disponible para usted: ${when}`,
      heading: 'Ha quedado libre una cita para usted',
      lead: provider => `Ha quedado libre una hora que esperaba en ${provider}. Se la reservamos.`,
      earlier: 'Si la acepta, sustituye a su cita actual.',
      until: when => `Es suya hasta el ${when}. Después se ofrece a la siguiente persona de la lista.`,
      button: 'Ver la oferta',
      decline: '¿No le viene bien? Rechácela allí y seguirá en la lista de espera.',
    },
    ended: {
      subject: provider => `Ya no está en la lista de espera de ${provider}`,
      heading: 'Ya no está en la lista de espera',
      over: 'El periodo que esperaba ha terminado. Lamentablemente, no quedó libre ninguna hora adecuada.',
      unanswered:
        'Le hicimos tres ofertas y no recibimos respuesta, así que ya no está en la lista de espera.',
      button: 'Ver las horas disponibles',
      leave: 'Puede volver a apuntarse cuando quiera.',
    },
    labels: { wish: 'Está esperando', wished: 'Estaba esperando', note: 'Su nota' },
    why: 'Recibe este correo porque esta dirección está en una lista de espera.',
  },
  it: {
    confirm: {
      subject: provider => `Da confermare: lista d’attesa di ${provider}`,
      heading: 'Confermi la sua iscrizione',
      lead: provider => `confermi di volersi iscrivere alla lista d’attesa di ${provider}.`,
      button: 'Iscrivimi alla lista d’attesa',
      after: 'Appena si libera un orario adatto, lo teniamo per lei e le scriviamo.',
    },
    offer: {
      subject: when => `Disponibile per lei: ${when}`,
      heading: 'Si è liberato un appuntamento per lei',
      lead: provider => `si è liberato un orario che stava aspettando da ${provider}. Lo teniamo per lei.`,
      earlier: 'Se lo accetta, sostituisce il suo appuntamento attuale.',
      until: when => `È riservato per lei fino a ${when}. Poi passa alla persona successiva della lista.`,
      button: 'Vedi l’offerta',
      decline: 'Non va bene? Lo rifiuti lì: resta in lista d’attesa.',
    },
    ended: {
      subject: provider => `Non è più nella lista d’attesa di ${provider}`,
      heading: 'Non è più in lista d’attesa',
      over: 'il periodo che aspettava è terminato. Purtroppo non si è liberato nessun orario adatto.',
      unanswered:
        'le abbiamo fatto tre offerte senza ricevere risposta, quindi non è più nella lista d’attesa.',
      button: 'Vedi gli orari disponibili',
      leave: 'Può iscriversi di nuovo in qualsiasi momento.',
    },
    labels: { wish: 'Sta aspettando', wished: 'Stava aspettando', note: 'La sua nota' },
    why: 'Riceve questa e-mail perché questo indirizzo è in una lista d’attesa.',
  },
})

/** A time is held for the reader. */
export type HeldTexts = (typeof waitingTexts)['en']['offer']
