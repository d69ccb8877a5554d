import { words } from '../../../words.ts'

export const closureTexts = words({
  en: {
    nextMonths: 'Next 12 months',
    title: 'Closures',
    add: 'Add closure',
    ownersOnly: 'Only owners and administrators can change closures. You can block times in the calendar.',
    allDay: 'All day',
    start: 'Start time',
    end: 'End time',
    labels: {
      from: 'First day',
      to: 'Reopens',
      reason: 'Reason',
      resources: 'Affected people and rooms',
      allDay: 'All day',
    },
    holidays: 'Public holidays',
    none: 'No closures yet. Add one for leave, holidays or repairs, and customers can’t book that time.',
    reopen: 'Reopen',
    reopened: (reason: string) => `Reopened: ${reason}`,
    closed: (reason: string) => `Closed: ${reason}`,
    reasonHint: 'Public: customers see it on the booking page, for example “Company holiday”',
    affectedResources: 'Affected people and rooms',
    onlySome: 'Only some people or rooms',
    chooseOne: 'Choose at least one.',
    country: 'Country',
    state: 'State or region',
    wholeCountry: 'Whole country',
    alreadyClosed: 'already closed',
    addAllAsClosures: 'Add all as closures',
    added: (count: number) =>
      count === 1 ? '1 holiday added as a closure.' : `${count} holidays added as closures.`,
    affectedAppointments: (count: number) =>
      count === 1
        ? '1 appointment falls in this period. It stays until you move or cancel it:'
        : `${count} appointments fall in this period. They stay until you move or cancel them:`,
  },
  de: {
    nextMonths: 'Nächste 12 Monate',
    title: 'Schließzeiten',
    add: 'Schließzeit hinzufügen',
    ownersOnly:
      'Nur Inhaber und Administratoren können Schließzeiten ändern. Im Kalender können Sie Zeiten sperren.',
    allDay: 'Ganztägig',
    start: 'Beginn (Uhrzeit)',
    end: 'Ende (Uhrzeit)',
    labels: {
      from: 'Erster Tag',
      to: 'Öffnet wieder',
      reason: 'Grund',
      resources: 'Betroffene Personen und Räume',
      allDay: 'Ganztägig',
    },
    holidays: 'Feiertage',
    none: 'Noch keine Schließzeiten. Tragen Sie Urlaub, Feiertage oder Reparaturen ein, dann ist diese Zeit nicht buchbar.',
    reopen: 'Wieder öffnen',
    reopened: reason => `Wieder geöffnet: ${reason}`,
    closed: reason => `Geschlossen: ${reason}`,
    reasonHint: 'Öffentlich: Kunden sehen ihn auf der Buchungsseite, zum Beispiel „Betriebsferien“',
    affectedResources: 'Betroffene Personen und Räume',
    onlySome: 'Nur einzelne Personen oder Räume',
    chooseOne: 'Wählen Sie mindestens einen Eintrag.',
    country: 'Land',
    state: 'Bundesland oder Region',
    wholeCountry: 'Ganzes Land',
    alreadyClosed: 'bereits geschlossen',
    addAllAsClosures: 'Alle als Schließzeiten hinzufügen',
    added: count =>
      count === 1
        ? '1 Feiertag als Schließzeit hinzugefügt.'
        : `${count} Feiertage als Schließzeiten hinzugefügt.`,
    affectedAppointments: count =>
      count === 1
        ? '1 Termin fällt in diesen Zeitraum. Er bleibt bestehen, bis Sie ihn verschieben oder absagen:'
        : `${count} Termine fallen in diesen Zeitraum. Sie bleiben bestehen, bis Sie sie verschieben oder absagen:`,
  },
  fr: {
    nextMonths: '12 prochains mois',
    title: 'Fermetures',
    add: 'Ajouter une fermeture',
    ownersOnly:
      'Seuls le propriétaire et les administrateurs modifient les fermetures. Vous pouvez bloquer des horaires dans le calendrier.',
    allDay: 'Journées entières',
    start: 'Heure de début',
    end: 'Heure de fin',
    labels: {
      from: 'Premier jour',
      to: 'Réouverture',
      reason: 'Motif',
      resources: 'Personnes et salles concernées',
      allDay: 'Journées entières',
    },
    holidays: 'Jours fériés',
    none: 'Aucune fermeture pour le moment. Ajoutez congés, jours fériés ou travaux pour bloquer les réservations.',
    reopen: 'Rouvrir',
    reopened: reason => `Rouvert\u00a0: ${reason}`,
    closed: reason => `Fermé\u00a0: ${reason}`,
    reasonHint:
      'Public\u00a0: les clients le voient sur la page de réservation, par exemple «\u00a0Congés annuels\u00a0»',
    affectedResources: 'Personnes et salles concernées',
    onlySome: 'Seulement certaines personnes ou salles',
    chooseOne: 'Choisissez-en au moins une.',
    country: 'Pays',
    state: 'Région',
    wholeCountry: 'Tout le pays',
    alreadyClosed: 'déjà fermé',
    addAllAsClosures: 'Tout ajouter comme fermetures',
    added: count =>
      count === 1
        ? '1 jour férié ajouté comme fermeture.'
        : `${count} jours fériés ajoutés comme fermetures.`,
    affectedAppointments: count =>
      count === 1
        ? '1 rendez-vous tombe dans cette période. Il est maintenu tant que vous ne le déplacez ou ne l’annulez pas\u00a0:'
        : `${count} rendez-vous tombent dans cette période. Ils sont maintenus tant que vous ne les déplacez ou ne les annulez pas\u00a0:`,
  },
  es: {
    nextMonths: 'Próximos 12 meses',
    title: 'Cierres',
    add: 'Añadir cierre',
    ownersOnly:
      'Solo el propietario y los administradores pueden cambiar los cierres. En el calendario puede bloquear horas.',
    allDay: 'Todo el día',
    start: 'Hora de inicio',
    end: 'Hora de fin',
    labels: {
      from: 'Primer día',
      to: 'Reapertura',
      reason: 'Motivo',
      resources: 'Personas y salas afectadas',
      allDay: 'Todo el día',
    },
    holidays: 'Festivos',
    none: 'Todavía no hay cierres. Añada vacaciones, festivos u obras y nadie podrá reservar en ese tiempo.',
    reopen: 'Reabrir',
    reopened: reason => `Reabierto: ${reason}`,
    closed: reason => `Cerrado: ${reason}`,
    reasonHint: 'Público: los clientes lo ven en la página de reservas, por ejemplo «Vacaciones»',
    affectedResources: 'Personas y salas afectadas',
    onlySome: 'Solo algunas personas o salas',
    chooseOne: 'Elija al menos una.',
    country: 'País',
    state: 'Región',
    wholeCountry: 'Todo el país',
    alreadyClosed: 'ya cerrado',
    addAllAsClosures: 'Añadir todos como cierres',
    added: count =>
      count === 1 ? '1 festivo añadido como cierre.' : `${count} festivos añadidos como cierres.`,
    affectedAppointments: count =>
      count === 1
        ? '1 cita cae en este periodo. Se mantiene hasta que la mueva o la cancele:'
        : `${count} citas caen en este periodo. Se mantienen hasta que las mueva o las cancele:`,
  },
  it: {
    nextMonths: 'Prossimi 12 mesi',
    title: 'Chiusure',
    add: 'Aggiungi chiusura',
    ownersOnly:
      'Solo il titolare e gli amministratori possono modificare le chiusure. Nel calendario può bloccare degli orari.',
    allDay: 'Tutto il giorno',
    start: 'Ora di inizio',
    end: 'Ora di fine',
    labels: {
      from: 'Primo giorno',
      to: 'Riapertura',
      reason: 'Motivo',
      resources: 'Persone e sale interessate',
      allDay: 'Tutto il giorno',
    },
    holidays: 'Festività',
    none: 'Nessuna chiusura. Aggiunga ferie, festività o lavori: in quel periodo non si potrà prenotare.',
    reopen: 'Riapri',
    reopened: reason => `Riaperto: ${reason}`,
    closed: reason => `Chiuso: ${reason}`,
    reasonHint: 'Pubblico: i clienti lo vedono nella pagina di prenotazione, per esempio «Ferie»',
    affectedResources: 'Persone e sale interessate',
    onlySome: 'Solo alcune persone o sale',
    chooseOne: 'Ne scelga almeno una.',
    country: 'Paese',
    state: 'Regione',
    wholeCountry: 'Tutto il paese',
    alreadyClosed: 'già chiuso',
    addAllAsClosures: 'Aggiungi tutte come chiusure',
    added: count =>
      count === 1 ? '1 festività aggiunta come chiusura.' : `${count} festività aggiunte come chiusure.`,
    affectedAppointments: count =>
      count === 1
        ? '1 appuntamento cade in questo periodo. Resta finché non lo sposta o lo annulla:'
        : `${count} appuntamenti cadono in questo periodo. Restano finché non li sposta o li annulla:`,
  },
})
