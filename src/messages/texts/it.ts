import type { Texts } from './shape.ts'

export const it: Texts = {
  locale: 'it-IT',
  time: clock => clock,
  timeRange: (from, to) => `${from} – ${to}`,
  colon: ':',
  greeting: name => (name ? `Buongiorno ${name},` : 'Buongiorno,'),
  closing: 'Cordiali saluti',
  ignore: 'Non ha fatto lei questa richiesta? Può ignorare questa e-mail.',
  unnamedCustomer: 'Una persona che non ha indicato il nome',
  verification: {
    subject: 'Confermi il suo indirizzo e-mail',
    lead: 'confermi che questo indirizzo e-mail è suo.',
    button: 'Conferma l’indirizzo e-mail',
  },
  login: {
    subject: 'Il suo link di accesso',
    lead: 'con questo link accede alla console. Funziona una sola volta, entro 15 minuti.',
    button: 'Accedi',
  },
  factorReset: {
    subject: 'La sua autenticazione a due fattori è stata reimpostata',
    lead: 'un gestore ha disattivato l’autenticazione a due fattori del suo accesso. Ora può accedere senza codice. La configuri di nuovo in «Il mio accesso».',
    button: 'Apri la console',
    ignore: 'Non se lo aspettava? Contatti subito il gestore di questo servizio.',
  },
  invitation: {
    subject: 'Il suo accesso alla console',
    lead: place =>
      place
        ? `da ora può gestire gli appuntamenti nella console (${place}).`
        : 'da ora può accedere alla console.',
    button: 'Apri la console',
    validity:
      'Il link funziona una sola volta, entro 24 ore. Poi può richiederne uno nuovo nella pagina di accesso.',
  },
  webhookDisabled: {
    subject: crm => `Webhook disattivato: ${crm}`,
    gone: 'il destinatario non accetta più questo webhook (stato 410), quindi lo abbiamo disattivato.',
    failing: 'il destinatario non accetta eventi da cinque giorni, quindi abbiamo disattivato il webhook.',
    howToResume:
      'Nessun evento va perso. Appena il destinatario funziona, riattivi il webhook: riprenderà da dove si era fermato.',
    address: 'Indirizzo',
  },
  calendarStale: {
    subject: resource => `Calendario non leggibile: ${resource}`,
    lead: hours =>
      `non riusciamo a leggere questo calendario esterno da ${hours === 1 ? 'un’ora' : `${hours} ore`}.`,
    open: 'I clienti possono continuare a prenotare. Valgono gli ultimi orari occupati noti.',
    closed: 'Finché non sarà di nuovo leggibile, i clienti non possono prenotare.',
    whatToDo: 'Verifichi indirizzo e password nella console, in Servizi, Calendari.',
    calendar: 'Calendario',
  },
  mails: {
    booked: {
      subject: ({ when, what }) => `Appuntamento confermato: ${when} – ${what}`,
      heading: 'Appuntamento prenotato',
      lead: ({ provider }) => `il suo appuntamento con ${provider} è confermato.`,
    },
    'booking-notice': {
      subject: ({ when, what, consumer }) => `Nuova prenotazione: ${when} – ${what}, ${consumer}`,
      heading: 'Nuova prenotazione',
      lead: ({ consumer }) => `${consumer} ha prenotato un appuntamento.`,
    },
    requested: {
      subject: ({ when, what }) => `Richiesta di appuntamento ricevuta: ${when} – ${what}`,
      heading: 'Abbiamo ricevuto la sua richiesta',
      lead: ({ provider }) =>
        `grazie per la sua richiesta. ${provider} le risponderà via e-mail. ` +
        'L’appuntamento sarà definitivo solo dopo la conferma.',
    },
    'request-notice': {
      subject: ({ when, what, consumer }) =>
        `Richiesta di appuntamento, si prega di rispondere: ${when} – ${what}, ${consumer}`,
      heading: 'Nuova richiesta di appuntamento',
      lead: ({ consumer }) => `${consumer} chiede un appuntamento e attende la sua risposta.`,
    },
    declined: {
      subject: ({ when, what }) => `Richiesta di appuntamento non confermata: ${when} – ${what}`,
      heading: 'La sua richiesta non è stata confermata',
      lead: ({ provider }) =>
        `l’appuntamento richiesto con ${provider} non avrà luogo. Abbiamo liberato l’orario.`,
    },
    cancelled: {
      subject: ({ when, what }) => `Appuntamento annullato: ${when} – ${what}`,
      heading: 'Il suo appuntamento è stato annullato',
      lead: ({ provider }) => `il suo appuntamento con ${provider} è stato annullato. Non deve fare altro.`,
    },
    'cancel-notice': {
      subject: ({ when, what, consumer }) => `Annullamento: ${when} – ${what}, ${consumer}`,
      heading: 'Un appuntamento è stato annullato',
      lead: ({ consumer }) => `${consumer} ha annullato il seguente appuntamento.`,
    },
    moved: {
      subject: ({ when, what }) => `Appuntamento spostato: ${when} – ${what}`,
      heading: 'Il suo appuntamento è stato spostato',
      lead: ({ provider }) => `il suo appuntamento con ${provider} ha un nuovo orario.`,
    },
    'move-notice': {
      subject: ({ when, what, consumer }) => `Appuntamento spostato: ${when} – ${what}, ${consumer}`,
      heading: 'Un appuntamento è stato spostato',
      lead: ({ consumer }) => `${consumer} ha spostato il seguente appuntamento.`,
    },
    changed: {
      subject: ({ when, what }) => `Prenotazione modificata: ${when} – ${what}`,
      heading: 'La sua prenotazione è cambiata',
      lead: ({ provider }) => `la sua prenotazione con ${provider} è cambiata. Ecco i dati aggiornati.`,
    },
    'change-notice': {
      subject: ({ when, what, consumer }) => `Prenotazione modificata: ${when} – ${what}, ${consumer}`,
      heading: 'Una prenotazione è stata modificata',
      lead: ({ consumer }) => `${consumer} ha modificato la seguente prenotazione.`,
    },
    message: {
      subject: ({ when, what }) => `Il suo appuntamento: ${when} – ${what}`,
      heading: 'Un messaggio sul suo appuntamento',
      lead: ({ provider }) => `${provider} le ha inviato un messaggio su questo appuntamento.`,
    },
    reminder: {
      subject: ({ when, what }) => `Promemoria: il suo appuntamento, ${when} – ${what}`,
      heading: 'Il suo appuntamento si avvicina',
      lead: ({ provider }) => `le ricordiamo il suo appuntamento con ${provider}.`,
    },
  },
  withdrawn: {
    subject: ({ when, what }) => `Richiesta ritirata: ${when} – ${what}`,
    heading: 'La sua richiesta è stata ritirata',
    lead: ({ provider }) => `ha ritirato la sua richiesta (${provider}). Abbiamo liberato l’orario.`,
  },
  currentBooking: {
    until: 'Fino ad allora il suo appuntamento attuale resta invariato.',
    still: 'Il suo appuntamento attuale resta invariato.',
  },
  labels: {
    when: 'Quando',
    previous: 'Prima',
    current: 'Attuale',
    kept: 'Resta prenotato',
    appointment: 'Appuntamento',
    places: 'Posti',
    place: 'Luogo',
    joinOnline: 'Partecipa online',
    price: 'Prezzo',
    contact: 'Contatto',
    name: 'Nome',
    email: 'E-mail',
    mobile: 'Cellulare',
    hints: 'Da sapere',
    messageFrom: name => `Messaggio da ${name}`,
    reason: 'Motivo dell’annullamento',
    details: 'I suoi dati',
    answers: 'Manca ancora',
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
    calendar: 'Aggiungi al calendario',
    again: 'Prenota di nuovo',
    answers: 'Rispondi alle domande',
    details: 'Controlla i dati',
    move: 'Sposta l’appuntamento',
    cancel: 'Annulla l’appuntamento',
    withdraw: 'Ritira la richiesta',
    accept: 'Accetta',
    decline: 'Rifiuta',
    my: 'Tutte le mie prenotazioni',
  },
  hints: {
    answers: 'Prima del suo appuntamento ci servono ancora alcune risposte.',
    details:
      'Questa prenotazione ha aggiunto un nome o un numero al suo account. Resta nascosto finché non lo conferma.',
    change: 'Ha un imprevisto? Sposti o annulli l’appuntamento per tempo.',
    until: when => `Può farlo online fino a ${when}.`,
    withdraw: 'Non ha più bisogno dell’appuntamento? Ritiri la richiesta.',
    keep: 'Preferisce mantenere l’appuntamento attuale? Ritiri la richiesta.',
    answer: 'Ogni pulsante apre una pagina in cui conferma la sua decisione.',
  },
  reasonForEmail: {
    consumer:
      'Riceve questa e-mail perché con questo indirizzo è stato prenotato o richiesto un appuntamento.',
    provider: provider => `Riceve questa e-mail come contatto di ${provider}.`,
    user: 'Riceve questa e-mail perché questo indirizzo è associato a un account.',
  },
}
