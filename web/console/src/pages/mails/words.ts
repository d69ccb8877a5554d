import { words } from '../../words.ts'

export const texts = words({
  en: {
    to: 'Sent to',
    all: 'All',
    subject: 'Subject',
    created: 'Created',
    none: 'No emails yet. They appear here when someone books or is invited.',
    erased: '(deleted)',
    states: { queued: 'queued', sent: 'sent', failed: 'failed', kept: 'not sent' } as Record<string, string>,
    notSentText: 'No mail server is set up. Emails are stored here but not sent.',
    resent: 'Email queued again.',
    failureReason: 'Reason',
    plainText: 'Plain text',
    ics: 'Calendar entry',
    contentDeleted:
      'The content was deleted, either with the recipient’s data or because it contained a login link.',
  },
  de: {
    to: 'Gesendet an',
    all: 'Alle',
    subject: 'Betreff',
    created: 'Erstellt',
    none: 'Noch keine E-Mails. Sie erscheinen hier, sobald jemand bucht oder eingeladen wird.',
    erased: '(gelöscht)',
    states: {
      queued: 'in Warteschlange',
      sent: 'gesendet',
      failed: 'fehlgeschlagen',
      kept: 'nicht gesendet',
    } as Record<string, string>,
    notSentText: 'Es ist kein Mailserver eingerichtet. E-Mails werden hier gespeichert, aber nicht gesendet.',
    resent: 'E-Mail wird erneut gesendet.',
    failureReason: 'Grund',
    plainText: 'Nur Text',
    ics: 'Kalendereintrag',
    contentDeleted:
      'Der Inhalt wurde gelöscht, entweder mit den Daten des Empfängers oder weil er einen Anmeldelink enthielt.',
  },
  fr: {
    to: 'Envoyés à',
    all: 'Tous',
    subject: 'Objet',
    created: 'Créé',
    none: 'Aucun e-mail pour le moment. Ils apparaissent ici dès qu’une personne réserve ou est invitée.',
    erased: '(supprimé)',
    states: { queued: 'en attente', sent: 'envoyé', failed: 'échec', kept: 'non envoyé' } as Record<
      string,
      string
    >,
    notSentText:
      'Aucun serveur de messagerie n’est configuré. Les e-mails sont conservés ici mais pas envoyés.',
    resent: 'L’e-mail va être renvoyé.',
    failureReason: 'Raison',
    plainText: 'Texte brut',
    ics: 'Événement de calendrier',
    contentDeleted:
      'Le contenu a été supprimé, avec les données du destinataire ou parce qu’il contenait un lien de connexion.',
  },
  es: {
    to: 'Enviados a',
    all: 'Todos',
    subject: 'Asunto',
    created: 'Creado',
    none: 'Todavía no hay correos. Aparecen aquí cuando alguien reserva o recibe una invitación.',
    erased: '(eliminado)',
    states: { queued: 'en espera', sent: 'enviado', failed: 'fallido', kept: 'no enviado' } as Record<
      string,
      string
    >,
    notSentText: 'No hay servidor de correo configurado. Los correos se guardan aquí, pero no se envían.',
    resent: 'El correo se enviará de nuevo.',
    failureReason: 'Motivo',
    plainText: 'Texto sin formato',
    ics: 'Evento de calendario',
    contentDeleted:
      'El contenido se eliminó con los datos del destinatario o porque incluía un enlace de acceso.',
  },
  it: {
    to: 'Inviate a',
    all: 'Tutte',
    subject: 'Oggetto',
    created: 'Creata',
    none: 'Nessuna e-mail. Compaiono qui quando qualcuno prenota o viene invitato.',
    erased: '(eliminato)',
    states: { queued: 'in attesa', sent: 'inviata', failed: 'non riuscita', kept: 'non inviata' } as Record<
      string,
      string
    >,
    notSentText: 'Nessun server di posta configurato. Le e-mail restano qui ma non vengono inviate.',
    resent: 'L’e-mail verrà inviata di nuovo.',
    failureReason: 'Motivo',
    plainText: 'Testo semplice',
    ics: 'Evento di calendario',
    contentDeleted:
      'Il contenuto è stato eliminato con i dati del destinatario o perché conteneva un link di accesso.',
  },
})
