import type { Language } from '../languages.ts'

type Texts = {
  verifyTitle: string
  verifyQuestion: string
  verifyButton: string
  verifiedTitle: string
  verified: string
  detailsTitle: string
  detailsQuestion: string
  detailsKeep: string
  detailsDrop: string
  detailsKeptTitle: string
  detailsKept: string
  detailsDroppedTitle: string
  detailsDropped: string
  detailsNoneTitle: string
  detailsNone: string
  firstNameLabel: string
  lastNameLabel: string
  mobileLabel: string
  invalidTitle: string
  invalid: string
  cancelTitle: string
  cancelQuestion: string
  reasonLabel: string
  cancelButton: string
  cancelledTitle: string
  cancelled: string
  overTitle: string
  overCancelled: string
  overBegun: string
  lateTitle: string
  late: string
  until: (when: string) => string
  moveTitle: string
  moveQuestion: string
  moveFrom: string
  moveTo: string
  moveButton: string
  moveOther: string
  moveKeeps: string
  moveChanged: string
  movedTitle: string
  moved: string
  askedTitle: string
  asked: string
  moveOverTitle: string
  acceptTitle: string
  acceptQuestion: string
  acceptButton: string
  acceptedTitle: string
  accepted: string
  declineTitle: string
  declineQuestion: string
  declineButton: string
  declinedTitle: string
  declined: string
  messageLabel: string
  decidedTitle: string
  decidedAccepted: string
  decidedDeclined: string
  conflictTitle: string
  conflict: string
  from: string
  loginTitle: string
  loginQuestion: string
  loginButton: string
  noLoginTitle: string
  noLogin: string
  oidcTitle: string
  oidcFailed: string
  troubleTitle: string
  trouble: string
}

/** What our small pages say. A missing text is a type error. */
export const pageTexts: Record<Language, Texts> = {
  de: {
    verifyTitle: 'E-Mail-Adresse bestätigen',
    verifyQuestion: 'Bitte bestätigen Sie, dass diese E-Mail-Adresse Ihnen gehört:',
    verifyButton: 'Adresse bestätigen',
    verifiedTitle: 'Adresse bestätigt',
    verified: 'Vielen Dank. Sie können dieses Fenster schließen.',
    detailsTitle: 'Stimmen diese Angaben?',
    detailsQuestion:
      'Wer mit Ihrer Adresse gebucht hat, gab dies über Sie an. Niemand sonst sieht es, bis Sie es bestätigen.',
    detailsKeep: 'Sie stimmen',
    detailsDrop: 'Löschen',
    detailsKeptTitle: 'Bestätigt',
    detailsKept: 'Danke. Ihre Angaben gelten jetzt.',
    detailsDroppedTitle: 'Gelöscht',
    detailsDropped: 'Diese Angaben sind gelöscht. Ihre Termine bleiben bestehen.',
    detailsNoneTitle: 'Nichts zu bestätigen',
    detailsNone: 'Alle Angaben zu Ihnen sind bestätigt oder gelöscht.',
    firstNameLabel: 'Vorname',
    lastNameLabel: 'Nachname',
    mobileLabel: 'Mobilnummer',
    invalidTitle: 'Dieser Link gilt nicht mehr',
    invalid:
      'Der Link ist unvollständig, abgelaufen oder wurde durch einen neueren ersetzt. Bitte öffnen Sie den Link aus der neuesten E-Mail.',
    cancelTitle: 'Termin absagen',
    cancelQuestion: 'Möchten Sie diesen Termin absagen?',
    reasonLabel: 'Grund (freiwillig)',
    cancelButton: 'Termin absagen',
    cancelledTitle: 'Termin abgesagt',
    cancelled: 'Der Termin ist abgesagt. Wir haben den Anbieter benachrichtigt.',
    overTitle: 'Dieser Termin kann nicht mehr abgesagt werden',
    overCancelled: 'Er ist bereits abgesagt.',
    overBegun: 'Er hat schon begonnen.',
    lateTitle: 'Der Termin kann online nicht mehr geändert werden',
    late: 'Er ist schon zu nah. Bitte melden Sie sich, wenn Sie verhindert sind:',
    until: when => `Online können Sie den Termin bis ${when} verlegen oder absagen.`,
    moveTitle: 'Termin verlegen',
    moveQuestion: 'Wählen Sie eine neue Zeit',
    moveFrom: 'Bisher',
    moveTo: 'Neu',
    moveButton: 'Auf diese Zeit verlegen',
    moveOther: 'Andere Zeit wählen',
    moveKeeps: 'Bis Sie eine neue Zeit bestätigen, bleibt Ihr Termin, wie er ist.',
    moveChanged: 'Ihr Termin wurde inzwischen verlegt. Unten steht, wann er jetzt ist.',
    movedTitle: 'Termin verlegt',
    moved: 'Ihr Termin hat eine neue Zeit. Sie bekommen eine E-Mail.',
    askedTitle: 'Neue Zeit angefragt',
    asked: 'Bis der Anbieter antwortet, bleibt Ihr bisheriger Termin bestehen. Sie bekommen eine E-Mail.',
    moveOverTitle: 'Dieser Termin kann nicht mehr verlegt werden',
    acceptTitle: 'Anfrage annehmen',
    acceptQuestion: 'Möchten Sie diese Anfrage annehmen?',
    acceptButton: 'Annehmen',
    acceptedTitle: 'Anfrage angenommen',
    accepted: 'Der Termin ist bestätigt; der Kunde bekommt eine E-Mail.',
    declineTitle: 'Anfrage ablehnen',
    declineQuestion: 'Möchten Sie diese Anfrage ablehnen?',
    declineButton: 'Ablehnen',
    declinedTitle: 'Anfrage abgelehnt',
    declined: 'Der Kunde bekommt eine E-Mail.',
    messageLabel: 'Nachricht an den Kunden (freiwillig)',
    decidedTitle: 'Diese Anfrage ist bereits beantwortet',
    decidedAccepted: 'Sie wurde angenommen. Es ist nichts mehr zu tun.',
    decidedDeclined: 'Sie wurde abgelehnt oder zurückgezogen. Es ist nichts mehr zu tun.',
    conflictTitle: 'Diese Anfrage lässt sich gerade nicht annehmen',
    conflict:
      'In dem Termin, den der Kunde dafür verlassen würde, sind inzwischen auch andere, und die beiden Zeiten überschneiden sich. Verlegen Sie zuerst einen davon, oder lehnen Sie ab. Die Anfrage ist noch offen.',
    from: 'Von',
    loginTitle: 'Anmelden',
    loginQuestion: 'Mit diesem Link melden Sie sich einmal in der Konsole an.',
    loginButton: 'Anmelden',
    noLoginTitle: 'Kein Zugang',
    noLogin:
      'Für Ihre E-Mail-Adresse gibt es hier keinen Zugang. Bitten Sie die Person, die Sie eingeladen hat, ihn unter dieser Adresse anzulegen.',
    oidcTitle: 'Die Anmeldung hat nicht geklappt',
    oidcFailed: 'Bitte versuchen Sie es noch einmal, oder melden Sie sich mit einem Link per E-Mail an.',
    troubleTitle: 'Gerade geht es nicht',
    trouble: 'Das liegt an uns. Bitte versuchen Sie es gleich noch einmal.',
  },
  en: {
    verifyTitle: 'Confirm your email address',
    verifyQuestion: 'Please confirm that this email address is yours:',
    verifyButton: 'Confirm address',
    verifiedTitle: 'Address confirmed',
    verified: 'Thank you. You can close this window.',
    detailsTitle: 'Are these details right?',
    detailsQuestion:
      'Whoever booked with your address said this about you. Nobody else sees it until you confirm it.',
    detailsKeep: 'They are right',
    detailsDrop: 'Delete them',
    detailsKeptTitle: 'Confirmed',
    detailsKept: 'Thank you. Your details count from now on.',
    detailsDroppedTitle: 'Deleted',
    detailsDropped: 'These details are deleted. Your appointments stay as they are.',
    detailsNoneTitle: 'Nothing to confirm',
    detailsNone: 'All details about you are confirmed or deleted.',
    firstNameLabel: 'First name',
    lastNameLabel: 'Last name',
    mobileLabel: 'Mobile number',
    invalidTitle: 'This link is no longer valid',
    invalid:
      'The link is incomplete, has expired or was replaced by a newer one. Please open the link in the latest email.',
    cancelTitle: 'Cancel appointment',
    cancelQuestion: 'Do you want to cancel this appointment?',
    reasonLabel: 'Reason (optional)',
    cancelButton: 'Cancel appointment',
    cancelledTitle: 'Appointment cancelled',
    cancelled: 'The appointment is cancelled. We have told the provider.',
    overTitle: 'This appointment can no longer be cancelled',
    overCancelled: 'It is cancelled already.',
    overBegun: 'It has begun already.',
    lateTitle: 'This appointment can no longer be changed online',
    late: 'It is too close. Please get in touch if you cannot make it:',
    until: when => `You can move or cancel the appointment online until ${when}.`,
    moveTitle: 'Move appointment',
    moveQuestion: 'Choose a new time',
    moveFrom: 'Until now',
    moveTo: 'New',
    moveButton: 'Move to this time',
    moveOther: 'Choose another time',
    moveKeeps: 'Until you confirm a new time, your appointment stays as it is.',
    moveChanged: 'Your appointment has been moved in the meantime. Below you see when it is now.',
    movedTitle: 'Appointment moved',
    moved: 'Your appointment has a new time. You will get an email.',
    askedTitle: 'New time requested',
    asked: 'Until the provider answers, your appointment stays as it is. You will get an email.',
    moveOverTitle: 'This appointment can no longer be moved',
    acceptTitle: 'Accept request',
    acceptQuestion: 'Do you want to accept this request?',
    acceptButton: 'Accept',
    acceptedTitle: 'Request accepted',
    accepted: 'The appointment is confirmed; the customer gets an email.',
    declineTitle: 'Decline request',
    declineQuestion: 'Do you want to decline this request?',
    declineButton: 'Decline',
    declinedTitle: 'Request declined',
    declined: 'The customer gets an email.',
    messageLabel: 'Message to the customer (optional)',
    decidedTitle: 'This request has been answered already',
    decidedAccepted: 'It was accepted. There is nothing left to do.',
    decidedDeclined: 'It was declined or withdrawn. There is nothing left to do.',
    conflictTitle: 'This request cannot be accepted right now',
    conflict:
      'Others are now in the appointment that the customer would leave for it, and the two times overlap. Move one of them first, or decline. The request is still open.',
    from: 'From',
    loginTitle: 'Log in',
    loginQuestion: 'This link logs you in to the console once.',
    loginButton: 'Log in',
    noLoginTitle: 'No access',
    noLogin: 'There is no login for your email address. Ask whoever invited you to set one up for it.',
    oidcTitle: 'The login did not work',
    oidcFailed: 'Please try again, or log in with a link by email.',
    troubleTitle: 'Not right now',
    trouble: 'The fault is ours. Please try again in a moment.',
  },
  fr: {
    verifyTitle: 'Confirmez votre adresse e-mail',
    verifyQuestion: 'Veuillez confirmer que cette adresse e-mail est la vôtre\u00a0:',
    verifyButton: 'Confirmer l’adresse',
    verifiedTitle: 'Adresse confirmée',
    verified: 'Merci. Vous pouvez fermer cette fenêtre.',
    detailsTitle: 'Ces coordonnées sont-elles exactes\u00a0?',
    detailsQuestion:
      'La personne qui a réservé avec votre adresse a indiqué ceci à votre sujet. Personne d’autre ne le voit tant que vous ne l’avez pas confirmé.',
    detailsKeep: 'Elles sont exactes',
    detailsDrop: 'Les supprimer',
    detailsKeptTitle: 'Confirmé',
    detailsKept: 'Merci. Vos coordonnées sont désormais valables.',
    detailsDroppedTitle: 'Supprimé',
    detailsDropped: 'Ces coordonnées sont supprimées. Vos rendez-vous restent inchangés.',
    detailsNoneTitle: 'Rien à confirmer',
    detailsNone: 'Toutes vos coordonnées sont confirmées ou supprimées.',
    firstNameLabel: 'Prénom',
    lastNameLabel: 'Nom',
    mobileLabel: 'Numéro de portable',
    invalidTitle: 'Ce lien n’est plus valable',
    invalid:
      'Le lien est incomplet, a expiré ou a été remplacé par un plus récent. Veuillez ouvrir le lien du dernier e-mail.',
    cancelTitle: 'Annuler le rendez-vous',
    cancelQuestion: 'Voulez-vous annuler ce rendez-vous\u00a0?',
    reasonLabel: 'Motif (facultatif)',
    cancelButton: 'Annuler le rendez-vous',
    cancelledTitle: 'Rendez-vous annulé',
    cancelled: 'Le rendez-vous est annulé. Nous avons prévenu le prestataire.',
    overTitle: 'Ce rendez-vous ne peut plus être annulé',
    overCancelled: 'Il est déjà annulé.',
    overBegun: 'Il a déjà commencé.',
    lateTitle: 'Ce rendez-vous ne peut plus être modifié en ligne',
    late: 'Il est trop proche. En cas d’empêchement, veuillez prendre contact\u00a0:',
    until: when => `Vous pouvez déplacer ou annuler le rendez-vous en ligne jusqu’au ${when}.`,
    moveTitle: 'Déplacer le rendez-vous',
    moveQuestion: 'Choisir un nouvel horaire',
    moveFrom: 'Jusqu’ici',
    moveTo: 'Nouveau',
    moveButton: 'Déplacer à cet horaire',
    moveOther: 'Choisir un autre horaire',
    moveKeeps: 'Tant que vous n’avez pas confirmé un nouvel horaire, votre rendez-vous reste inchangé.',
    moveChanged: 'Votre rendez-vous a été déplacé entre-temps. Vous voyez ci-dessous son horaire actuel.',
    movedTitle: 'Rendez-vous déplacé',
    moved: 'Votre rendez-vous a un nouvel horaire. Vous recevrez un e-mail.',
    askedTitle: 'Nouvel horaire demandé',
    asked: 'Votre rendez-vous reste inchangé jusqu’à la réponse du prestataire. Vous recevrez un e-mail.',
    moveOverTitle: 'Ce rendez-vous ne peut plus être déplacé',
    acceptTitle: 'Accepter la demande',
    acceptQuestion: 'Voulez-vous accepter cette demande\u00a0?',
    acceptButton: 'Accepter',
    acceptedTitle: 'Demande acceptée',
    accepted: 'Le rendez-vous est confirmé\u00a0; le client reçoit un e-mail.',
    declineTitle: 'Refuser la demande',
    declineQuestion: 'Voulez-vous refuser cette demande\u00a0?',
    declineButton: 'Refuser',
    declinedTitle: 'Demande refusée',
    declined: 'Le client reçoit un e-mail.',
    messageLabel: 'Message au client (facultatif)',
    decidedTitle: 'Cette demande a déjà reçu une réponse',
    decidedAccepted: 'Elle a été acceptée. Il n’y a plus rien à faire.',
    decidedDeclined: 'Elle a été refusée ou retirée. Il n’y a plus rien à faire.',
    conflictTitle: 'Cette demande ne peut pas être acceptée pour le moment',
    conflict:
      'D’autres personnes sont désormais dans le rendez-vous que le client quitterait, et les deux horaires se chevauchent. Déplacez d’abord l’un d’eux, ou refusez. La demande est toujours en attente.',
    from: 'De',
    loginTitle: 'Se connecter',
    loginQuestion: 'Ce lien vous connecte une fois à la console.',
    loginButton: 'Se connecter',
    noLoginTitle: 'Pas d’accès',
    noLogin:
      'Il n’existe pas d’accès pour votre adresse e-mail. Demandez à la personne qui vous a invité d’en créer un pour cette adresse.',
    oidcTitle: 'La connexion a échoué',
    oidcFailed: 'Veuillez réessayer, ou connectez-vous avec un lien reçu par e-mail.',
    troubleTitle: 'Indisponible pour le moment',
    trouble: 'Le problème vient de chez nous. Veuillez réessayer dans un instant.',
  },
  es: {
    verifyTitle: 'Confirme su dirección de correo',
    verifyQuestion: 'Confirme que esta dirección de correo es suya:',
    verifyButton: 'Confirmar dirección',
    verifiedTitle: 'Dirección confirmada',
    verified: 'Gracias. Ya puede cerrar esta ventana.',
    detailsTitle: '¿Son correctos estos datos?',
    detailsQuestion:
      'Quien reservó con su dirección indicó esto sobre usted. Nadie más lo ve hasta que usted lo confirme.',
    detailsKeep: 'Son correctos',
    detailsDrop: 'Borrarlos',
    detailsKeptTitle: 'Confirmado',
    detailsKept: 'Gracias. Sus datos son válidos desde ahora.',
    detailsDroppedTitle: 'Borrado',
    detailsDropped: 'Estos datos se han borrado. Sus citas siguen como estaban.',
    detailsNoneTitle: 'Nada que confirmar',
    detailsNone: 'Todos sus datos están confirmados o borrados.',
    firstNameLabel: 'Nombre',
    lastNameLabel: 'Apellidos',
    mobileLabel: 'Móvil',
    invalidTitle: 'Este enlace ya no es válido',
    invalid:
      'El enlace está incompleto, ha caducado o fue sustituido por otro más reciente. Abra el enlace del último correo.',
    cancelTitle: 'Cancelar la cita',
    cancelQuestion: '¿Desea cancelar esta cita?',
    reasonLabel: 'Motivo (opcional)',
    cancelButton: 'Cancelar la cita',
    cancelledTitle: 'Cita cancelada',
    cancelled: 'La cita está cancelada. Hemos avisado al proveedor.',
    overTitle: 'Esta cita ya no se puede cancelar',
    overCancelled: 'Ya está cancelada.',
    overBegun: 'Ya ha comenzado.',
    lateTitle: 'Esta cita ya no se puede cambiar en línea',
    late: 'Falta muy poco. Si no puede venir, póngase en contacto:',
    until: when => `Puede cambiar o cancelar la cita en línea hasta: ${when}.`,
    moveTitle: 'Cambiar la cita',
    moveQuestion: 'Elegir una nueva hora',
    moveFrom: 'Hasta ahora',
    moveTo: 'Nueva',
    moveButton: 'Cambiar a esta hora',
    moveOther: 'Elegir otra hora',
    moveKeeps: 'Hasta que confirme una nueva hora, su cita sigue como está.',
    moveChanged: 'Su cita se ha cambiado mientras tanto. Abajo ve cuándo es ahora.',
    movedTitle: 'Cita cambiada',
    moved: 'Su cita tiene una nueva hora. Recibirá un correo.',
    askedTitle: 'Nueva hora solicitada',
    asked: 'Hasta que el proveedor responda, su cita sigue como está. Recibirá un correo.',
    moveOverTitle: 'Esta cita ya no se puede cambiar',
    acceptTitle: 'Aceptar la solicitud',
    acceptQuestion: '¿Desea aceptar esta solicitud?',
    acceptButton: 'Aceptar',
    acceptedTitle: 'Solicitud aceptada',
    accepted: 'La cita está confirmada; el cliente recibe un correo.',
    declineTitle: 'Rechazar la solicitud',
    declineQuestion: '¿Desea rechazar esta solicitud?',
    declineButton: 'Rechazar',
    declinedTitle: 'Solicitud rechazada',
    declined: 'El cliente recibe un correo.',
    messageLabel: 'Mensaje al cliente (opcional)',
    decidedTitle: 'Esta solicitud ya ha sido respondida',
    decidedAccepted: 'Fue aceptada. No queda nada por hacer.',
    decidedDeclined: 'Fue rechazada o retirada. No queda nada por hacer.',
    conflictTitle: 'Esta solicitud no se puede aceptar por ahora',
    conflict:
      'En la cita que el cliente dejaría hay ahora otras personas, y las dos horas se solapan. Cambie primero una de ellas o rechace. La solicitud sigue pendiente.',
    from: 'De',
    loginTitle: 'Iniciar sesión',
    loginQuestion: 'Este enlace inicia la sesión en la consola una sola vez.',
    loginButton: 'Iniciar sesión',
    noLoginTitle: 'Sin acceso',
    noLogin:
      'No hay ningún acceso para su dirección de correo. Pida a quien le invitó que lo cree para esta dirección.',
    oidcTitle: 'No se ha podido entrar',
    oidcFailed: 'Inténtelo de nuevo o entre con un enlace por correo.',
    troubleTitle: 'Ahora mismo no es posible',
    trouble: 'El problema es nuestro. Inténtelo de nuevo en un momento.',
  },
  it: {
    verifyTitle: 'Confermi il suo indirizzo e-mail',
    verifyQuestion: 'Confermi che questo indirizzo e-mail è suo:',
    verifyButton: 'Conferma indirizzo',
    verifiedTitle: 'Indirizzo confermato',
    verified: 'Grazie. Può chiudere questa finestra.',
    detailsTitle: 'Questi dati sono corretti?',
    detailsQuestion:
      'Chi ha prenotato con il suo indirizzo ha indicato questo su di lei. Nessun altro lo vede finché non lo conferma.',
    detailsKeep: 'Sono corretti',
    detailsDrop: 'Elimina',
    detailsKeptTitle: 'Confermato',
    detailsKept: 'Grazie. Da ora i suoi dati sono validi.',
    detailsDroppedTitle: 'Eliminato',
    detailsDropped: 'Questi dati sono stati eliminati. I suoi appuntamenti restano come sono.',
    detailsNoneTitle: 'Niente da confermare',
    detailsNone: 'Tutti i suoi dati sono confermati o eliminati.',
    firstNameLabel: 'Nome',
    lastNameLabel: 'Cognome',
    mobileLabel: 'Cellulare',
    invalidTitle: 'Questo link non è più valido',
    invalid:
      'Il link è incompleto, scaduto o sostituito da uno più recente. Apra il link dell’ultima e-mail.',
    cancelTitle: 'Annulla l’appuntamento',
    cancelQuestion: 'Vuole annullare questo appuntamento?',
    reasonLabel: 'Motivo (facoltativo)',
    cancelButton: 'Annulla l’appuntamento',
    cancelledTitle: 'Appuntamento annullato',
    cancelled: 'L’appuntamento è annullato. Abbiamo avvisato il fornitore.',
    overTitle: 'Questo appuntamento non può più essere annullato',
    overCancelled: 'È già annullato.',
    overBegun: 'È già iniziato.',
    lateTitle: 'Questo appuntamento non si può più modificare online',
    late: 'Manca troppo poco. In caso di impedimento si metta in contatto:',
    until: when => `Può spostare o annullare l’appuntamento online fino a: ${when}.`,
    moveTitle: 'Sposta l’appuntamento',
    moveQuestion: 'Scelga un nuovo orario',
    moveFrom: 'Finora',
    moveTo: 'Nuovo',
    moveButton: 'Sposta a questo orario',
    moveOther: 'Scegli un altro orario',
    moveKeeps: 'Finché non conferma un nuovo orario, il suo appuntamento resta com’è.',
    moveChanged: 'Nel frattempo il suo appuntamento è stato spostato. Qui sotto vede quando è adesso.',
    movedTitle: 'Appuntamento spostato',
    moved: 'Il suo appuntamento ha un nuovo orario. Riceverà un’e-mail.',
    askedTitle: 'Nuovo orario richiesto',
    asked: 'Finché il fornitore non risponde, il suo appuntamento resta com’è. Riceverà un’e-mail.',
    moveOverTitle: 'Questo appuntamento non può più essere spostato',
    acceptTitle: 'Accetta la richiesta',
    acceptQuestion: 'Vuole accettare questa richiesta?',
    acceptButton: 'Accetta',
    acceptedTitle: 'Richiesta accettata',
    accepted: 'L’appuntamento è confermato; il cliente riceve un’e-mail.',
    declineTitle: 'Rifiuta la richiesta',
    declineQuestion: 'Vuole rifiutare questa richiesta?',
    declineButton: 'Rifiuta',
    declinedTitle: 'Richiesta rifiutata',
    declined: 'Il cliente riceve un’e-mail.',
    messageLabel: 'Messaggio al cliente (facoltativo)',
    decidedTitle: 'A questa richiesta è già stata data risposta',
    decidedAccepted: 'È stata accettata. Non resta nulla da fare.',
    decidedDeclined: 'È stata rifiutata o ritirata. Non resta nulla da fare.',
    conflictTitle: 'Questa richiesta per ora non può essere accettata',
    conflict:
      'Nell’appuntamento che il cliente lascerebbe ci sono ora altre persone, e i due orari si sovrappongono. Sposti prima uno dei due, oppure rifiuti. La richiesta è ancora aperta.',
    from: 'Da',
    loginTitle: 'Accedi',
    loginQuestion: 'Con questo link accede una volta alla console.',
    loginButton: 'Accedi',
    noLoginTitle: 'Nessun accesso',
    noLogin:
      'Non c’è un accesso per il suo indirizzo e-mail. Chieda a chi l’ha invitata di crearlo per questo indirizzo.',
    oidcTitle: 'L’accesso non è riuscito',
    oidcFailed: 'Riprovi, oppure acceda con un link via e-mail.',
    troubleTitle: 'Al momento non è possibile',
    trouble: 'Il problema è nostro. Riprovi tra un momento.',
  },
}
