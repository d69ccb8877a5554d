import type { Language } from '../../languages.ts'

type Texts = {
  title: string
  askTitle: string
  ask: (provider: string) => string
  send: string
  expiredTitle: string
  expired: string
  sentTitle: string
  sent: string
  upcoming: string
  past: string
  noUpcoming: string
  forPerson: (name: string) => string
  requested: string
  cancelled: string
  waiting: string
  view: string
  myData: string
  exportJson: string
  exportPdf: string
  eraseText: (provider: string) => string
  erase: string
  eraseSent: (provider: string) => string
}

export const myTexts: Record<Language, Texts> = {
  en: {
    title: 'My bookings',
    askTitle: 'See your bookings',
    ask: provider =>
      `Enter the email address you booked with at ${provider}. We’ll send you a link to your page.`,
    send: 'Send link',
    expiredTitle: 'This link has expired',
    expired: 'Links to your page work for 60 days, and only for your current address.',
    sentTitle: 'Check your inbox',
    sent: 'If there are bookings under this address, we’ve just emailed you a link. Check your spam folder too.',
    upcoming: 'Upcoming',
    past: 'Past and cancelled',
    noUpcoming: 'You have no upcoming bookings.',
    forPerson: name => `For ${name}`,
    requested: 'Not confirmed yet',
    cancelled: 'Cancelled',
    waiting: 'Waiting list',
    view: 'View or leave',
    myData: 'My data',
    exportJson: 'Download as JSON',
    exportPdf: 'Download as PDF',
    eraseText: provider =>
      `You can ask ${provider} to erase your data. They may have to keep some of it by law.`,
    erase: 'Request erasure',
    eraseSent: provider => `We’ve passed your request for erasure on to ${provider}.`,
  },
  de: {
    title: 'Meine Buchungen',
    askTitle: 'Ihre Buchungen ansehen',
    ask: provider =>
      `Geben Sie die E-Mail-Adresse ein, mit der Sie bei ${provider} gebucht haben. Wir senden Ihnen einen Link zu Ihrer Seite.`,
    send: 'Link senden',
    expiredTitle: 'Dieser Link ist abgelaufen',
    expired: 'Links zu Ihrer Seite gelten 60 Tage und nur für Ihre aktuelle Adresse.',
    sentTitle: 'Sehen Sie in Ihr Postfach',
    sent: 'Falls es Buchungen unter dieser Adresse gibt, haben wir Ihnen einen Link gesendet. Sehen Sie auch im Spam-Ordner nach.',
    upcoming: 'Kommende Termine',
    past: 'Frühere und abgesagte Termine',
    noUpcoming: 'Sie haben keine kommenden Termine.',
    forPerson: name => `Für ${name}`,
    requested: 'Noch nicht bestätigt',
    cancelled: 'Abgesagt',
    waiting: 'Warteliste',
    view: 'Ansehen oder verlassen',
    myData: 'Meine Daten',
    exportJson: 'Als JSON herunterladen',
    exportPdf: 'Als PDF herunterladen',
    eraseText: provider =>
      `Sie können ${provider} um Löschung Ihrer Daten bitten. Manches muss eventuell von Rechts wegen aufbewahrt werden.`,
    erase: 'Um Löschung bitten',
    eraseSent: provider => `Wir haben Ihre Bitte um Löschung an ${provider} weitergegeben.`,
  },
  fr: {
    title: 'Mes réservations',
    askTitle: 'Voir vos réservations',
    ask: provider =>
      `Saisissez l’adresse e-mail de vos réservations chez ${provider}. Nous vous enverrons un lien vers votre page.`,
    send: 'Envoyer le lien',
    expiredTitle: 'Ce lien a expiré',
    expired: 'Les liens vers votre page sont valables 60 jours, et seulement pour votre adresse actuelle.',
    sentTitle: 'Consultez votre boîte de réception',
    sent: 'S’il existe des réservations à cette adresse, nous venons de vous envoyer un lien. Vérifiez aussi vos courriers indésirables.',
    upcoming: 'À venir',
    past: 'Passés et annulés',
    noUpcoming: 'Vous n’avez aucune réservation à venir.',
    forPerson: name => `Pour ${name}`,
    requested: 'Pas encore confirmé',
    cancelled: 'Annulé',
    waiting: 'Liste d’attente',
    view: 'Voir ou quitter',
    myData: 'Mes données',
    exportJson: 'Télécharger en JSON',
    exportPdf: 'Télécharger en PDF',
    eraseText: provider =>
      `Vous pouvez demander à ${provider} d’effacer vos données. La loi peut imposer d’en conserver une partie.`,
    erase: 'Demander l’effacement',
    eraseSent: provider => `Votre demande d’effacement a été transmise à ${provider}.`,
  },
  es: {
    title: 'Mis reservas',
    askTitle: 'Ver sus reservas',
    ask: provider =>
      `Indique la dirección de correo con la que reservó en ${provider}. Le enviaremos un enlace a su página.`,
    send: 'Enviar enlace',
    expiredTitle: 'Este enlace ha caducado',
    expired: 'Los enlaces a su página son válidos durante 60 días y solo para su dirección actual.',
    sentTitle: 'Revise su bandeja de entrada',
    sent: 'Si hay reservas con esta dirección, acabamos de enviarle un enlace. Revise también la carpeta de spam.',
    upcoming: 'Próximas',
    past: 'Pasadas y canceladas',
    noUpcoming: 'No tiene reservas próximas.',
    forPerson: name => `Para ${name}`,
    requested: 'Aún sin confirmar',
    cancelled: 'Cancelada',
    waiting: 'Lista de espera',
    view: 'Ver o salir',
    myData: 'Mis datos',
    exportJson: 'Descargar como JSON',
    exportPdf: 'Descargar como PDF',
    eraseText: provider =>
      `Puede pedir a ${provider} que borre sus datos. Es posible que la ley obligue a conservar una parte.`,
    erase: 'Solicitar el borrado',
    eraseSent: provider => `Hemos transmitido su solicitud de borrado a ${provider}.`,
  },
  it: {
    title: 'Le mie prenotazioni',
    askTitle: 'Veda le sue prenotazioni',
    ask: provider =>
      `Inserisca l’indirizzo e-mail con cui ha prenotato presso ${provider}. Le invieremo un link alla sua pagina.`,
    send: 'Invia il link',
    expiredTitle: 'Questo link è scaduto',
    expired: 'I link alla sua pagina valgono 60 giorni e solo per il suo indirizzo attuale.',
    sentTitle: 'Controlli la posta',
    sent: 'Se ci sono prenotazioni con questo indirizzo, le abbiamo appena inviato un link. Controlli anche lo spam.',
    upcoming: 'In programma',
    past: 'Passate e annullate',
    noUpcoming: 'Non ha prenotazioni in programma.',
    forPerson: name => `Per ${name}`,
    requested: 'Non ancora confermata',
    cancelled: 'Annullata',
    waiting: 'Lista d’attesa',
    view: 'Vedi o esci',
    myData: 'I miei dati',
    exportJson: 'Scarica in JSON',
    exportPdf: 'Scarica in PDF',
    eraseText: provider =>
      `Può chiedere a ${provider} di cancellare i suoi dati. La legge può imporre di conservarne una parte.`,
    erase: 'Richiedi la cancellazione',
    eraseSent: provider => `Abbiamo inoltrato la sua richiesta di cancellazione a ${provider}.`,
  },
}
