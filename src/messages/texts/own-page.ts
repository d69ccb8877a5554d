import { translated } from '../../languages.ts'

/** The emails of a person's own page. Sentences never inflect a name. */
export const ownPageTexts = translated({
  en: {
    link: {
      subject: (provider: string) => `Your bookings with ${provider}`,
      heading: 'Your bookings',
      lead: (provider: string) =>
        `Here is the link to your page with ${provider}: all your bookings and your data.`,
      after: 'The link works for 60 days. Don’t pass it on: it opens your page without a password.',
      button: 'Open my page',
    },
    erasure: {
      subject: (person: string) => `Request to erase data: ${person}`,
      heading: 'A customer has requested erasure',
      lead: (person: string) => `${person} has asked you to erase their data.`,
      after: 'Check what you must keep by law, then erase the customer or reply to them.',
      button: 'Open customer',
    },
  },
  de: {
    link: {
      subject: provider => `Ihre Buchungen bei ${provider}`,
      heading: 'Ihre Buchungen',
      lead: provider => `hier ist der Link zu Ihrer Seite bei ${provider}: alle Buchungen und Ihre Daten.`,
      after: 'Der Link gilt 60 Tage. Geben Sie ihn nicht weiter: Er öffnet Ihre Seite ohne Passwort.',
      button: 'Meine Seite öffnen',
    },
    erasure: {
      subject: person => `Bitte um Löschung: ${person}`,
      heading: 'Bitte um Löschung der Daten',
      lead: person => `${person} bittet um Löschung der gespeicherten Daten.`,
      after: 'Prüfen Sie, was Sie aufbewahren müssen, und löschen Sie dann die Daten oder antworten Sie.',
      button: 'Kunden öffnen',
    },
  },
  fr: {
    link: {
      subject: provider => `Vos réservations chez ${provider}`,
      heading: 'Vos réservations',
      lead: provider =>
        `Voici le lien vers votre page chez ${provider}\u00a0: vos réservations et vos données.`,
      after:
        'Le lien est valable 60 jours. Ne le transmettez pas\u00a0: il ouvre votre page sans mot de passe.',
      button: 'Ouvrir ma page',
    },
    erasure: {
      subject: person => `Demande d’effacement\u00a0: ${person}`,
      heading: 'Demande d’effacement des données',
      lead: person => `${person} demande l’effacement de ses données.`,
      after: 'Vérifiez ce que la loi vous oblige à conserver, puis effacez les données ou répondez.',
      button: 'Ouvrir la fiche client',
    },
  },
  es: {
    link: {
      subject: provider => `Sus reservas con ${provider}`,
      heading: 'Sus reservas',
      lead: provider => `Este es el enlace a su página con ${provider}: todas sus reservas y sus datos.`,
      after: 'El enlace es válido durante 60 días. No lo comparta: abre su página sin contraseña.',
      button: 'Abrir mi página',
    },
    erasure: {
      subject: person => `Solicitud de borrado: ${person}`,
      heading: 'Solicitud de borrado de datos',
      lead: person => `${person} solicita que se borren sus datos.`,
      after: 'Compruebe qué debe conservar por ley y, después, borre los datos o responda.',
      button: 'Abrir la ficha',
    },
  },
  it: {
    link: {
      subject: provider => `Le sue prenotazioni presso ${provider}`,
      heading: 'Le sue prenotazioni',
      lead: provider => `ecco il link alla sua pagina presso ${provider}: prenotazioni e dati personali.`,
      after: 'Il link vale 60 giorni. Non lo condivida: apre la sua pagina senza password.',
      button: 'Apri la mia pagina',
    },
    erasure: {
      subject: person => `Richiesta di cancellazione: ${person}`,
      heading: 'Richiesta di cancellazione dei dati',
      lead: person => `${person} chiede la cancellazione dei propri dati.`,
      after: 'Verifichi che cosa deve conservare per legge, poi cancelli i dati o risponda.',
      button: 'Apri la scheda',
    },
  },
})
