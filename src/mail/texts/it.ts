import type { Texts } from './shape.ts'

export const it: Texts = {
  locale: 'it-IT',
  time: clock => clock,
  timeRange: (from, to) => `${from} – ${to}`,
  colon: ':',
  greeting: name => (name ? `Buongiorno ${name},` : 'Buongiorno,'),
  closing: 'Cordiali saluti',
  unnamedCustomer: 'Una persona senza nome indicato',
  verification: {
    subject: 'Confermi il Suo indirizzo e-mail',
    lead: 'La preghiamo di confermare che questo indirizzo e-mail è Suo.',
    button: 'Conferma l’indirizzo e-mail',
    ignore: 'Non ha indicato Lei questo indirizzo? Allora non deve fare nulla e può eliminare questa e-mail.',
  },
  login: {
    subject: 'Il Suo link di accesso',
    lead: 'questo link apre la console. Funziona una sola volta e per 15 minuti.',
    button: 'Accedi',
    ignore: 'Non l’ha richiesto Lei? Può cancellare questa e-mail: senza il link non entra nessuno.',
  },
  factorReset: {
    subject: 'Il Suo secondo fattore è stato reimpostato',
    lead: 'Il secondo fattore del Suo accesso è stato rimosso. Ora accede senza codice. Ne configuri uno nuovo nella console.',
    button: 'Apri la console',
    ignore: 'Non l’ha richiesto? Contatti subito il gestore di questo servizio.',
  },
  invitation: {
    subject: 'Il Suo accesso alla console',
    lead: place =>
      place
        ? `da ora può gestire gli appuntamenti nella console. Struttura: ${place}.`
        : 'da ora può accedere alla console.',
    button: 'Apri la console',
    validity:
      'Il link funziona una sola volta e per 24 ore. Poi può chiederne uno nuovo nella pagina di accesso.',
  },
  webhookDisabled: {
    subject: crm => `Webhook disattivato: ${crm}`,
    gone: 'il destinatario ha risposto che questo webhook non è più desiderato (410). È stato disattivato.',
    failing:
      'il destinatario non ha accettato nessun evento da cinque giorni. Il webhook è stato disattivato.',
    howToResume:
      'Nulla è ancora perduto: appena il destinatario funziona, riattivi il webhook; riprenderà da dove si era fermato.',
    address: 'Indirizzo',
  },
  mails: {
    booked: {
      subject: ({ when, what }) => `Appuntamento confermato: ${when} – ${what}`,
      heading: 'Il Suo appuntamento è confermato',
      lead: ({ provider }) => `il Suo appuntamento con ${provider} è prenotato.`,
    },
    'booking-notice': {
      subject: ({ when, what, consumer }) => `Nuova prenotazione: ${when} – ${what}, ${consumer}`,
      heading: 'Nuova prenotazione',
      lead: ({ consumer }) => `${consumer} ha prenotato un appuntamento.`,
    },
    requested: {
      subject: ({ when, what }) => `Richiesta di appuntamento ricevuta: ${when} – ${what}`,
      heading: 'Abbiamo ricevuto la Sua richiesta',
      lead: ({ provider }) =>
        `La ringraziamo per la richiesta. ${provider} la esaminerà e Le risponderà via e-mail. ` +
        'L’appuntamento sarà definitivo solo dopo la conferma.',
    },
    'request-notice': {
      subject: ({ when, what, consumer }) =>
        `Richiesta di appuntamento in attesa di risposta: ${when} – ${what}, ${consumer}`,
      heading: 'Nuova richiesta di appuntamento',
      lead: ({ consumer }) => `${consumer} chiede un appuntamento e attende la Sua risposta.`,
    },
    declined: {
      subject: ({ when, what }) => `Richiesta di appuntamento non confermata: ${when} – ${what}`,
      heading: 'La Sua richiesta non è stata confermata',
      lead: ({ provider }) =>
        `l’appuntamento richiesto con ${provider} non avrà luogo. L’orario non è più riservato per Lei.`,
    },
    cancelled: {
      subject: ({ when, what }) => `Appuntamento annullato: ${when} – ${what}`,
      heading: 'Il Suo appuntamento è annullato',
      lead: ({ provider }) => `il Suo appuntamento con ${provider} è stato annullato. Non deve fare altro.`,
    },
    'cancel-notice': {
      subject: ({ when, what, consumer }) => `Annullamento: ${when} – ${what}, ${consumer}`,
      heading: 'Un appuntamento è stato annullato',
      lead: ({ consumer }) => `${consumer} ha annullato il seguente appuntamento.`,
    },
    moved: {
      subject: ({ when, what }) => `Appuntamento spostato: ${when} – ${what}`,
      heading: 'Il Suo appuntamento è stato spostato',
      lead: ({ provider }) => `il Suo appuntamento con ${provider} ha un nuovo orario.`,
    },
    'move-notice': {
      subject: ({ when, what, consumer }) => `Appuntamento spostato: ${when} – ${what}, ${consumer}`,
      heading: 'Un appuntamento è stato spostato',
      lead: ({ consumer }) => `${consumer} ha spostato il seguente appuntamento.`,
    },
    reminder: {
      subject: ({ when, what }) => `Promemoria del Suo appuntamento: ${when} – ${what}`,
      heading: 'Il Suo appuntamento si avvicina',
      lead: ({ provider }) => `Le ricordiamo il Suo appuntamento con ${provider}.`,
    },
  },
  withdrawn: {
    subject: ({ when, what }) => `Richiesta ritirata: ${when} – ${what}`,
    heading: 'La Sua richiesta è ritirata',
    lead: ({ provider }) =>
      `ha ritirato la Sua richiesta di appuntamento (${provider}). L’orario non è più riservato per Lei.`,
  },
  currentBooking: {
    until: 'Fino ad allora il Suo appuntamento attuale resta valido.',
    still: 'Il Suo appuntamento attuale resta valido.',
  },
  labels: {
    when: 'Quando',
    zone: 'Fuso orario',
    previous: 'Finora',
    kept: 'Resta valido',
    appointment: 'Appuntamento',
    place: 'Luogo',
    contact: 'Contatto',
    name: 'Nome',
    email: 'E-mail',
    mobile: 'Cellulare',
    hints: 'Informazioni utili',
    messageFrom: name => `Messaggio da ${name}`,
    reason: 'Motivo dell’annullamento',
    details: 'I Suoi dati',
  },
  channels: {
    mobile: 'Cellulare',
    phone: 'Telefono',
    email: 'E-mail',
    video: 'Video',
    messenger: 'Messaggistica',
    link: 'Link',
    location: 'Luogo',
  },
  buttons: {
    details: 'Controlla i dati',
    move: 'Sposta l’appuntamento',
    cancel: 'Annulla l’appuntamento',
    withdraw: 'Ritira la richiesta',
    accept: 'Accetta',
    decline: 'Rifiuta',
  },
  hints: {
    details:
      'Questa prenotazione ha aggiunto un nome o un numero al Suo account. Nessun altro li vede finché non li conferma.',
    change: 'Un imprevisto? Sposti o annulli l’appuntamento per tempo.',
    until: when => `Può farlo online fino a: ${when}.`,
    withdraw: 'Non ha più bisogno dell’appuntamento? La preghiamo di ritirare la richiesta.',
    answer: 'Entrambi i pulsanti aprono una pagina in cui conferma la Sua decisione.',
  },
  linkHelp: 'Da copiare nel browser',
  reasonForEmail: {
    consumer:
      'Riceve questa e-mail perché con questo indirizzo è stato prenotato o richiesto un appuntamento.',
    provider: provider => `Riceve questa e-mail come contatto di ${provider}.`,
    user: 'Riceve questa e-mail perché questo indirizzo è stato indicato per un account.',
  },
}
