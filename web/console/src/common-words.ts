import type { Problem } from './api.ts'
import { words } from './words.ts'

/** Words that every page uses. */
export const common = words({
  en: {
    close: 'Close', cancel: 'Cancel', save: 'Save', saved: 'Saved.', tryAgain: 'Try again', loading: 'Loading', undo: 'Undo', back: 'Back', edit: 'Change', remove: 'Remove', add: 'Add', search: 'Search', more: 'More', yes: 'Yes', no: 'No', doItAnyway: 'Do it anyway', copy: 'Copy', copied: 'Copied.',
    tellThem: 'Tell them by email', message: 'Message', messageHint: 'Stands in the mail.',
    offline: 'No connection. What you typed is kept; it goes on when the connection is back.',
    online: 'The connection is back.',
    unavailable: 'The service cannot answer right now. Try again in a moment.',
    gone: 'This is no longer there, or not yours to see.',
    changed: 'Somebody else changed this meanwhile.',
    tooMany: 'Too many attempts. Wait a minute and try again.',
    BOOKED: 'booked', REQUESTED: 'requested', RESERVED: 'held', CANCELED: 'cancelled', DELETED: 'removed', ATTENDED: 'arrived', MISSED: 'missed',
  },
  de: {
    close: 'Schließen', cancel: 'Abbrechen', save: 'Speichern', saved: 'Gespeichert.', tryAgain: 'Noch einmal versuchen', loading: 'Wird geladen', undo: 'Rückgängig', back: 'Zurück', edit: 'Ändern', remove: 'Entfernen', add: 'Hinzufügen', search: 'Suchen', more: 'Mehr', yes: 'Ja', no: 'Nein', doItAnyway: 'Trotzdem', copy: 'Kopieren', copied: 'Kopiert.',
    tellThem: 'Per E-Mail benachrichtigen', message: 'Nachricht', messageHint: 'Steht in der E-Mail.',
    offline: 'Keine Verbindung. Ihre Eingaben bleiben erhalten; es geht weiter, sobald die Verbindung wieder da ist.',
    online: 'Die Verbindung ist wieder da.',
    unavailable: 'Der Dienst kann gerade nicht antworten. Versuchen Sie es gleich noch einmal.',
    gone: 'Das gibt es nicht mehr, oder Sie dürfen es nicht sehen.',
    changed: 'Jemand anderes hat das inzwischen geändert.',
    tooMany: 'Zu viele Versuche. Warten Sie eine Minute.',
    BOOKED: 'gebucht', REQUESTED: 'angefragt', RESERVED: 'vorgemerkt', CANCELED: 'abgesagt', DELETED: 'entfernt', ATTENDED: 'erschienen', MISSED: 'nicht erschienen',
  },
  fr: {
    close: 'Fermer', cancel: 'Annuler', save: 'Enregistrer', saved: 'Enregistré.', tryAgain: 'Réessayer', loading: 'Chargement', undo: 'Annuler l’action', back: 'Retour', edit: 'Modifier', remove: 'Retirer', add: 'Ajouter', search: 'Rechercher', more: 'Plus', yes: 'Oui', no: 'Non', doItAnyway: 'Le faire quand même', copy: 'Copier', copied: 'Copié.',
    tellThem: 'Prévenir par e-mail', message: 'Message', messageHint: 'Figure dans l’e-mail.',
    offline: 'Pas de connexion. Votre saisie est conservée ; la suite reprendra au retour de la connexion.',
    online: 'La connexion est rétablie.',
    unavailable: 'Le service ne peut pas répondre pour le moment. Réessayez dans un instant.',
    gone: 'Cet élément n’existe plus ou ne vous est pas accessible.',
    changed: 'Quelqu’un d’autre a modifié ceci entre-temps.',
    tooMany: 'Trop d’essais. Attendez une minute.',
    BOOKED: 'réservé', REQUESTED: 'demandé', RESERVED: 'retenu', CANCELED: 'annulé', DELETED: 'retiré', ATTENDED: 'venu', MISSED: 'absent',
  },
  es: {
    close: 'Cerrar', cancel: 'Cancelar', save: 'Guardar', saved: 'Guardado.', tryAgain: 'Intentar de nuevo', loading: 'Cargando', undo: 'Deshacer', back: 'Volver', edit: 'Cambiar', remove: 'Quitar', add: 'Añadir', search: 'Buscar', more: 'Más', yes: 'Sí', no: 'No', doItAnyway: 'Hacerlo de todos modos', copy: 'Copiar', copied: 'Copiado.',
    tellThem: 'Avisar por correo', message: 'Mensaje', messageHint: 'Aparece en el correo.',
    offline: 'Sin conexión. Lo escrito se conserva y se sigue cuando vuelva la conexión.',
    online: 'La conexión ha vuelto.',
    unavailable: 'El servicio no puede responder ahora. Inténtelo dentro de un momento.',
    gone: 'Esto ya no existe o no puede verlo.',
    changed: 'Otra persona ha cambiado esto mientras tanto.',
    tooMany: 'Demasiados intentos. Espere un minuto.',
    BOOKED: 'reservado', REQUESTED: 'solicitado', RESERVED: 'retenido', CANCELED: 'cancelado', DELETED: 'eliminado', ATTENDED: 'presente', MISSED: 'ausente',
  },
  it: {
    close: 'Chiudi', cancel: 'Annulla', save: 'Salva', saved: 'Salvato.', tryAgain: 'Riprova', loading: 'Caricamento', undo: 'Annulla azione', back: 'Indietro', edit: 'Modifica', remove: 'Rimuovi', add: 'Aggiungi', search: 'Cerca', more: 'Altro', yes: 'Sì', no: 'No', doItAnyway: 'Fallo comunque', copy: 'Copia', copied: 'Copiato.',
    tellThem: 'Avvisa per e-mail', message: 'Messaggio', messageHint: 'Compare nell’e-mail.',
    offline: 'Nessuna connessione. Quanto scritto resta; si continua quando la connessione torna.',
    online: 'La connessione è tornata.',
    unavailable: 'Il servizio non può rispondere adesso. Riprova tra un momento.',
    gone: 'Non esiste più, oppure non puoi vederlo.',
    changed: 'Qualcun altro lo ha modificato nel frattempo.',
    tooMany: 'Troppi tentativi. Attendi un minuto.',
    BOOKED: 'prenotato', REQUESTED: 'richiesto', RESERVED: 'trattenuto', CANCELED: 'annullato', DELETED: 'rimosso', ATTENDED: 'presente', MISSED: 'assente',
  },
})

/** What failed, in one sentence. */
export function sentenceOf({ status, message }: Problem): string {
  if (status === 0) return common.offline
  if (status === 404) return common.gone
  if (status === 429) return common.tooMany
  return status >= 500 ? common.unavailable : message
}
