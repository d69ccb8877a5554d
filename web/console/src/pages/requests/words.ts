import { words } from '../../words.ts'

export const texts = words({
  en: {
    otherTimes: 'Other available times that day',
    none: 'No open requests',
    noneHint: 'Bookings that you confirm yourself wait here.',
    chooseHint: 'You choose that under Online booking.',
    decline: 'Decline',
    declineTitle: 'Decline this request?',
    accepted: (name: string) => `Accepted: ${name}.`,
    declined: (name: string) => `Declined: ${name}.`,
    requested: 'Requested',
    firstVisit: 'First visit',
    history: (booked: number, cancelled: number, missed: number) =>
      `Other bookings: ${booked}, cancelled: ${cancelled}, no-shows: ${missed}`,
    showingOldest: (count: number) => `Showing the oldest 200 of ${count}.`,
    selectAll: 'Select all',
    selected: (count: number) => `${count} selected`,
    select: (name: string) => `Select ${name}`,
    declineSeveralTitle: (count: number) =>
      count === 1 ? 'Decline this request?' : `Decline ${count} requests?`,
    acceptedSeveral: (count: number) => (count === 1 ? '1 request accepted.' : `${count} requests accepted.`),
    declinedSeveral: (count: number) => (count === 1 ? '1 request declined.' : `${count} requests declined.`),
  },
  de: {
    otherTimes: 'Weitere freie Zeiten an diesem Tag',
    none: 'Keine offenen Anfragen',
    noneHint: 'Buchungen, die Sie selbst bestätigen, warten hier.',
    chooseHint: 'Das legen Sie unter „Online-Buchung“ fest.',
    decline: 'Ablehnen',
    declineTitle: 'Diese Anfrage ablehnen?',
    accepted: (name: string) => `Angenommen: ${name}.`,
    declined: (name: string) => `Abgelehnt: ${name}.`,
    requested: 'Angefragt',
    firstVisit: 'Erster Besuch',
    history: (booked: number, cancelled: number, missed: number) =>
      `Weitere Buchungen: ${booked}, abgesagt: ${cancelled}, nicht erschienen: ${missed}`,
    showingOldest: (count: number) => `Die ältesten 200 von ${count} werden angezeigt.`,
    selectAll: 'Alle auswählen',
    selected: (count: number) => `${count} ausgewählt`,
    select: (name: string) => `${name} auswählen`,
    declineSeveralTitle: (count: number) =>
      count === 1 ? 'Diese Anfrage ablehnen?' : `${count} Anfragen ablehnen?`,
    acceptedSeveral: (count: number) =>
      count === 1 ? '1 Anfrage angenommen.' : `${count} Anfragen angenommen.`,
    declinedSeveral: (count: number) =>
      count === 1 ? '1 Anfrage abgelehnt.' : `${count} Anfragen abgelehnt.`,
  },
  fr: {
    otherTimes: 'Autres horaires disponibles ce jour-là',
    none: 'Aucune demande en attente',
    noneHint: 'Les réservations que vous confirmez vous-même attendent ici.',
    chooseHint: 'Ce choix se fait sous «\u00a0Réservation en ligne\u00a0».',
    decline: 'Refuser',
    declineTitle: 'Refuser cette demande\u00a0?',
    accepted: (name: string) => `Acceptée\u00a0: ${name}.`,
    declined: (name: string) => `Refusée\u00a0: ${name}.`,
    requested: 'Demandé',
    firstVisit: 'Première visite',
    history: (booked: number, cancelled: number, missed: number) =>
      `Autres réservations\u00a0: ${booked}, annulations\u00a0: ${cancelled}, absences\u00a0: ${missed}`,
    showingOldest: (count: number) => `Les 200 plus anciennes sur ${count} sont affichées.`,
    selectAll: 'Tout sélectionner',
    selected: (count: number) => `${count} ${count < 2 ? 'sélectionnée' : 'sélectionnées'}`,
    select: (name: string) => `Sélectionner ${name}`,
    declineSeveralTitle: (count: number) =>
      count === 1 ? 'Refuser cette demande\u00a0?' : `Refuser ${count} demandes\u00a0?`,
    acceptedSeveral: (count: number) =>
      count === 1 ? '1 demande acceptée.' : `${count} demandes acceptées.`,
    declinedSeveral: (count: number) => (count === 1 ? '1 demande refusée.' : `${count} demandes refusées.`),
  },
  es: {
    otherTimes: 'Otras horas disponibles ese día',
    none: 'No hay solicitudes pendientes',
    noneHint: 'Aquí esperan las reservas que confirma usted.',
    chooseHint: 'Se elige en «Reservas online».',
    decline: 'Rechazar',
    declineTitle: '¿Rechazar esta solicitud?',
    accepted: (name: string) => `Aceptada: ${name}.`,
    declined: (name: string) => `Rechazada: ${name}.`,
    requested: 'Solicitada',
    firstVisit: 'Primera visita',
    history: (booked: number, cancelled: number, missed: number) =>
      `Otras reservas: ${booked}, canceladas: ${cancelled}, ausencias: ${missed}`,
    showingOldest: (count: number) => `Se muestran las 200 más antiguas de ${count}.`,
    selectAll: 'Seleccionar todas',
    selected: (count: number) => `${count} ${count === 1 ? 'seleccionada' : 'seleccionadas'}`,
    select: (name: string) => `Seleccionar ${name}`,
    declineSeveralTitle: (count: number) =>
      count === 1 ? '¿Rechazar esta solicitud?' : `¿Rechazar ${count} solicitudes?`,
    acceptedSeveral: (count: number) =>
      count === 1 ? '1 solicitud aceptada.' : `${count} solicitudes aceptadas.`,
    declinedSeveral: (count: number) =>
      count === 1 ? '1 solicitud rechazada.' : `${count} solicitudes rechazadas.`,
  },
  it: {
    otherTimes: 'Altri orari disponibili quel giorno',
    none: 'Nessuna richiesta in sospeso',
    noneHint: 'Qui attendono le prenotazioni da confermare manualmente.',
    chooseHint: 'Si sceglie in «Prenotazioni online».',
    decline: 'Rifiuta',
    declineTitle: 'Rifiutare questa richiesta?',
    accepted: (name: string) => `Accettata: ${name}.`,
    declined: (name: string) => `Rifiutata: ${name}.`,
    requested: 'Richiesto',
    firstVisit: 'Prima visita',
    history: (booked: number, cancelled: number, missed: number) =>
      `Altre prenotazioni: ${booked}, annullate: ${cancelled}, assenze: ${missed}`,
    showingOldest: (count: number) => `Sono mostrate le 200 meno recenti di ${count}.`,
    selectAll: 'Seleziona tutte',
    selected: (count: number) => `${count} ${count === 1 ? 'selezionata' : 'selezionate'}`,
    select: (name: string) => `Seleziona ${name}`,
    declineSeveralTitle: (count: number) =>
      count === 1 ? 'Rifiutare questa richiesta?' : `Rifiutare ${count} richieste?`,
    acceptedSeveral: (count: number) =>
      count === 1 ? '1 richiesta accettata.' : `${count} richieste accettate.`,
    declinedSeveral: (count: number) =>
      count === 1 ? '1 richiesta rifiutata.' : `${count} richieste rifiutate.`,
  },
})
