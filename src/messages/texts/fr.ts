import type { Texts } from './shape.ts'

// A no-break space stands before the colon and the question mark, as French typography asks.
export const fr: Texts = {
  locale: 'fr-FR',
  time: clock => clock,
  timeRange: (from, to) => `${from} – ${to}`,
  colon: '\u00a0:',
  greeting: name => (name ? `Bonjour ${name},` : 'Bonjour,'),
  closing: 'Cordialement',
  ignore: 'Ce n’était pas vous\u00a0? Vous pouvez ignorer cet e-mail.',
  unnamedCustomer: 'Une personne qui n’a pas indiqué son nom',
  verification: {
    subject: 'Veuillez confirmer votre adresse e-mail',
    lead: 'Veuillez confirmer que cette adresse e-mail vous appartient.',
    button: 'Confirmer l’adresse e-mail',
  },
  login: {
    subject: 'Votre lien de connexion',
    lead: 'Ce lien ouvre la console. Il fonctionne une seule fois, pendant 15 minutes.',
    button: 'Se connecter',
  },
  factorReset: {
    subject: 'Votre authentification à deux facteurs a été réinitialisée',
    lead: 'Un exploitant a désactivé l’authentification à deux facteurs de votre accès. Vous pouvez désormais vous connecter sans code. Veuillez la configurer à nouveau sous «\u00a0Mon accès\u00a0».',
    button: 'Ouvrir la console',
    ignore: 'Cela vous surprend\u00a0? Contactez sans attendre l’exploitant de ce service.',
  },
  invitation: {
    subject: 'Votre accès à la console',
    lead: place =>
      place
        ? `Vous pouvez désormais gérer les rendez-vous dans la console (${place}).`
        : 'Vous pouvez désormais vous connecter à la console.',
    button: 'Ouvrir la console',
    validity:
      'Ce lien fonctionne une seule fois, pendant 24 heures. Passé ce délai, demandez-en un nouveau sur la page de connexion.',
  },
  webhookDisabled: {
    subject: crm => `Webhook désactivé\u00a0: ${crm}`,
    gone: 'Le destinataire n’accepte plus ce webhook (statut 410). Nous l’avons donc désactivé.',
    failing:
      'Le destinataire n’a accepté aucun événement depuis cinq jours. Nous avons donc désactivé le webhook.',
    howToResume:
      'Aucun événement n’est perdu. Dès que le destinataire fonctionne, réactivez le webhook\u00a0: il reprend là où il s’est arrêté.',
    address: 'Adresse',
  },
  calendarStale: {
    subject: resource => `Calendrier illisible\u00a0: ${resource}`,
    lead: hours =>
      `Ce calendrier externe est illisible depuis ${hours === 1 ? 'une heure' : `${hours} heures`}.`,
    open: 'Vos clients peuvent toujours réserver. Les dernières plages occupées connues restent prises en compte.',
    closed: 'Tant qu’il reste illisible, vos clients ne peuvent pas réserver.',
    whatToDo:
      'Veuillez vérifier son adresse et son mot de passe dans la console, sous Prestations, Calendriers.',
    calendar: 'Calendrier',
  },
  mails: {
    booked: {
      subject: ({ when, what }) => `Rendez-vous confirmé\u00a0: ${when} – ${what}`,
      heading: 'C’est réservé\u00a0!',
      lead: ({ provider }) => `Votre rendez-vous avec ${provider} est confirmé.`,
    },
    'booking-notice': {
      subject: ({ when, what, consumer }) => `Nouvelle réservation\u00a0: ${when} – ${what}, ${consumer}`,
      heading: 'Nouvelle réservation',
      lead: ({ consumer }) => `${consumer} a réservé un rendez-vous.`,
    },
    requested: {
      subject: ({ when, what }) => `Demande de rendez-vous reçue\u00a0: ${when} – ${what}`,
      heading: 'Nous avons bien reçu votre demande',
      lead: ({ provider }) =>
        `Merci pour votre demande. ${provider} vous répondra par e-mail. ` +
        'Le rendez-vous ne sera définitif qu’une fois confirmé.',
    },
    'request-notice': {
      subject: ({ when, what, consumer }) =>
        `Demande de rendez-vous, merci de répondre\u00a0: ${when} – ${what}, ${consumer}`,
      heading: 'Nouvelle demande de rendez-vous',
      lead: ({ consumer }) => `${consumer} souhaite un rendez-vous et attend votre réponse.`,
    },
    declined: {
      subject: ({ when, what }) => `Demande de rendez-vous non confirmée\u00a0: ${when} – ${what}`,
      heading: 'Votre demande n’a pas été confirmée',
      lead: ({ provider }) =>
        `Le rendez-vous demandé avec ${provider} n’aura pas lieu. Nous avons libéré l’horaire.`,
    },
    cancelled: {
      subject: ({ when, what }) => `Rendez-vous annulé\u00a0: ${when} – ${what}`,
      heading: 'Votre rendez-vous est annulé',
      lead: ({ provider }) =>
        `Votre rendez-vous avec ${provider} est annulé. Vous n’avez rien d’autre à faire.`,
    },
    'cancel-notice': {
      subject: ({ when, what, consumer }) => `Annulation\u00a0: ${when} – ${what}, ${consumer}`,
      heading: 'Un rendez-vous a été annulé',
      lead: ({ consumer }) => `${consumer} a annulé le rendez-vous suivant.`,
    },
    moved: {
      subject: ({ when, what }) => `Rendez-vous déplacé\u00a0: ${when} – ${what}`,
      heading: 'Votre rendez-vous a été déplacé',
      lead: ({ provider }) => `Votre rendez-vous avec ${provider} a un nouvel horaire.`,
    },
    'move-notice': {
      subject: ({ when, what, consumer }) => `Rendez-vous déplacé\u00a0: ${when} – ${what}, ${consumer}`,
      heading: 'Un rendez-vous a été déplacé',
      lead: ({ consumer }) => `${consumer} a déplacé le rendez-vous suivant.`,
    },
    changed: {
      subject: ({ when, what }) => `Réservation modifiée : ${when} – ${what}`,
      heading: 'Votre réservation a été modifiée',
      lead: ({ provider }) =>
        `Votre réservation avec ${provider} a été modifiée. Voici les informations à jour.`,
    },
    'change-notice': {
      subject: ({ when, what, consumer }) => `Réservation modifiée : ${when} – ${what}, ${consumer}`,
      heading: 'Une réservation a été modifiée',
      lead: ({ consumer }) => `${consumer} a modifié la réservation suivante.`,
    },
    message: {
      subject: ({ when, what }) => `À propos de votre rendez-vous : ${when} – ${what}`,
      heading: 'Un message au sujet de votre rendez-vous',
      lead: ({ provider }) => `${provider} vous a envoyé un message au sujet de ce rendez-vous.`,
    },
    reminder: {
      subject: ({ when, what }) => `Rappel\u00a0: votre rendez-vous, ${when} – ${what}`,
      heading: 'Votre rendez-vous approche',
      lead: ({ provider }) => `Nous vous rappelons votre rendez-vous avec ${provider}.`,
    },
  },
  withdrawn: {
    subject: ({ when, what }) => `Demande retirée\u00a0: ${when} – ${what}`,
    heading: 'Votre demande a été retirée',
    lead: ({ provider }) => `Vous avez retiré votre demande (${provider}). Nous avons libéré l’horaire.`,
  },
  currentBooking: {
    until: 'D’ici là, votre rendez-vous actuel est maintenu.',
    still: 'Votre rendez-vous actuel est maintenu.',
  },
  labels: {
    when: 'Date',
    previous: 'Ancien horaire',
    current: 'Horaire actuel',
    kept: 'Maintenu',
    appointment: 'Rendez-vous',
    places: 'Places',
    place: 'Lieu',
    joinOnline: 'Rejoindre en ligne',
    price: 'Prix',
    contact: 'Contact',
    name: 'Nom',
    email: 'E-mail',
    mobile: 'Portable',
    hints: 'À savoir',
    messageFrom: name => `${name} vous écrit`,
    reason: 'Motif de l’annulation',
    details: 'Vos coordonnées',
    answers: 'Il manque encore',
  },
  channels: {
    mobile: 'Portable',
    phone: 'Téléphone',
    email: 'E-mail',
    video: 'Visio',
    messenger: 'Messagerie',
    link: 'Lien',
    location: 'Lieu',
  },
  buttons: {
    calendar: 'Ajouter au calendrier',
    again: 'Reprendre rendez-vous',
    answers: 'Répondre aux questions',
    details: 'Vérifier les coordonnées',
    move: 'Déplacer le rendez-vous',
    cancel: 'Annuler le rendez-vous',
    withdraw: 'Retirer la demande',
    accept: 'Accepter',
    decline: 'Refuser',
    my: 'Toutes mes réservations',
  },
  hints: {
    answers: 'Il nous manque encore quelques réponses avant votre rendez-vous.',
    details:
      'Cette réservation a ajouté un nom ou un numéro à votre compte. Il reste masqué jusqu’à votre confirmation.',
    change: 'Un empêchement\u00a0? Merci de déplacer ou d’annuler votre rendez-vous à temps.',
    until: when => `C’est possible en ligne jusqu’au ${when}.`,
    withdraw: 'Vous n’avez plus besoin de ce rendez-vous\u00a0? Merci de retirer votre demande.',
    keep: 'Vous préférez garder votre rendez-vous actuel\u00a0? Merci de retirer votre demande.',
    answer: 'Chaque bouton ouvre une page où vous confirmez votre décision.',
  },
  reasonForEmail: {
    consumer: 'Vous recevez cet e-mail car un rendez-vous a été réservé ou demandé avec cette adresse.',
    provider: provider => `Vous recevez cet e-mail en tant que contact pour ${provider}.`,
    user: 'Vous recevez cet e-mail car cette adresse est associée à un compte.',
  },
}
