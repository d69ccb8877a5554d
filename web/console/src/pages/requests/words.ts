import { words } from '../../words.ts'

export const texts = words({
  en: {
    otherTimes: 'Other available times that day',
    none: 'No open requests',
    decline: 'Decline',
    declineTitle: 'Decline this request?',
    accepted: (name: string) => `Accepted: ${name}.`,
    declined: (name: string) => `Declined: ${name}.`,
    requested: 'Requested',
    firstVisit: 'First visit',
    history: (booked: number, cancelled: number, missed: number) =>
      `Other bookings: ${booked}, cancelled: ${cancelled}, no-shows: ${missed}`,
    showingOldest: (count: number) => `Showing the oldest 200 of ${count}.`,
  },
  de: {
    otherTimes: 'Weitere freie Zeiten an diesem Tag',
    none: 'Keine offenen Anfragen',
    decline: 'Ablehnen',
    declineTitle: 'Diese Anfrage ablehnen?',
    accepted: (name: string) => `Angenommen: ${name}.`,
    declined: (name: string) => `Abgelehnt: ${name}.`,
    requested: 'Angefragt',
    firstVisit: 'Erster Besuch',
    history: (booked: number, cancelled: number, missed: number) =>
      `Weitere Buchungen: ${booked}, abgesagt: ${cancelled}, nicht erschienen: ${missed}`,
    showingOldest: (count: number) => `Die ältesten 200 von ${count} werden angezeigt.`,
  },
  fr: {
    otherTimes: 'Autres horaires disponibles ce jour-là',
    none: 'Aucune demande en attente',
    decline: 'Refuser',
    declineTitle: 'Refuser cette demande\u00a0?',
    accepted: (name: string) => `Acceptée\u00a0: ${name}.`,
    declined: (name: string) => `Refusée\u00a0: ${name}.`,
    requested: 'Demandé',
    firstVisit: 'Première visite',
    history: (booked: number, cancelled: number, missed: number) =>
      `Autres réservations\u00a0: ${booked}, annulations\u00a0: ${cancelled}, absences\u00a0: ${missed}`,
    showingOldest: (count: number) => `Les 200 plus anciennes sur ${count} sont affichées.`,
  },
  es: {
    otherTimes: 'Otras horas disponibles ese día',
    none: 'No hay solicitudes pendientes',
    decline: 'Rechazar',
    declineTitle: '¿Rechazar esta solicitud?',
    accepted: (name: string) => `Aceptada: ${name}.`,
    declined: (name: string) => `Rechazada: ${name}.`,
    requested: 'Solicitada',
    firstVisit: 'Primera visita',
    history: (booked: number, cancelled: number, missed: number) =>
      `Otras reservas: ${booked}, canceladas: ${cancelled}, ausencias: ${missed}`,
    showingOldest: (count: number) => `Se muestran las 200 más antiguas de ${count}.`,
  },
  it: {
    otherTimes: 'Altri orari disponibili quel giorno',
    none: 'Nessuna richiesta in sospeso',
    decline: 'Rifiuta',
    declineTitle: 'Rifiutare questa richiesta?',
    accepted: (name: string) => `Accettata: ${name}.`,
    declined: (name: string) => `Rifiutata: ${name}.`,
    requested: 'Richiesto',
    firstVisit: 'Prima visita',
    history: (booked: number, cancelled: number, missed: number) =>
      `Altre prenotazioni: ${booked}, annullate: ${cancelled}, assenze: ${missed}`,
    showingOldest: (count: number) => `Sono mostrate le 200 meno recenti di ${count}.`,
  },
})
