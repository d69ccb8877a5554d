import type { Language } from '../languages.ts'

type Texts = {
  verifyTitle: string
  verifyQuestion: string
  verifyButton: string
  verifiedTitle: string
  verified: string
  detailsTitle: string
  detailsQuestion: string
  detailsConfirmButton: string
  detailsDeleteButton: string
  detailsConfirmedTitle: string
  detailsConfirmed: string
  detailsDeletedTitle: string
  detailsDeleted: string
  detailsNoneTitle: string
  detailsNone: string
  firstNameLabel: string
  lastNameLabel: string
  mobileLabel: string
  linkInvalidTitle: string
  linkInvalid: string
  cancelTitle: string
  cancelQuestion: string
  reasonLabel: string
  cancelButton: string
  cancelledTitle: string
  cancelled: (provider: string) => string
  cannotCancelTitle: string
  alreadyCancelledTitle: string
  alreadyStarted: string
  tooLateTitle: string
  tooLate: string
  changeableUntil: (when: string) => string
  moveTitle: string
  moveQuestion: string
  moveFrom: string
  moveTo: string
  moveButton: string
  chooseAnotherTime: string
  unchangedUntilConfirmed: string
  sinceRescheduled: string
  movedTitle: string
  moved: string
  moveRequestedTitle: string
  moveRequested: string
  cannotMoveTitle: string
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
  alreadyAnsweredTitle: string
  alreadyAccepted: string
  alreadyDeclined: string
  cannotAcceptTitle: string
  cannotAccept: string
  from: string
  loginTitle: string
  loginQuestion: string
  loginButton: string
  codeLabel: string
  wrongCode: string
  noLoginTitle: string
  invitationTaken: string
  noLogin: string
  oidcTitle: string
  oidcFailed: string
  suspendedTitle: string
  suspended: string
  pageMovedTitle: string
  pageMoved: string
  serverErrorTitle: string
  serverError: string
}

/** Texts of the pages behind links. A missing text is a type error. */
export const pageTexts: Record<Language, Texts> = {
  de: {
    verifyTitle: 'E-Mail-Adresse bestätigen',
    verifyQuestion: 'Bitte bestätigen Sie, dass diese E-Mail-Adresse Ihnen gehört:',
    verifyButton: 'Adresse bestätigen',
    verifiedTitle: 'Adresse bestätigt',
    verified: 'Vielen Dank. Sie können dieses Fenster schließen.',
    detailsTitle: 'Stimmen diese Angaben?',
    detailsQuestion:
      'Jemand hat mit Ihrer Adresse gebucht und diese Angaben gemacht. Sie bleiben verborgen, bis Sie sie bestätigen.',
    detailsConfirmButton: 'Ja, stimmt',
    detailsDeleteButton: 'Angaben löschen',
    detailsConfirmedTitle: 'Bestätigt',
    detailsConfirmed: 'Vielen Dank. Ihre Angaben sind gespeichert.',
    detailsDeletedTitle: 'Gelöscht',
    detailsDeleted: 'Diese Angaben wurden gelöscht. Ihre Termine bleiben bestehen.',
    detailsNoneTitle: 'Nichts zu bestätigen',
    detailsNone: 'Alle Angaben zu Ihnen sind bestätigt oder gelöscht.',
    firstNameLabel: 'Vorname',
    lastNameLabel: 'Nachname',
    mobileLabel: 'Mobilnummer',
    linkInvalidTitle: 'Dieser Link ist nicht mehr gültig',
    linkInvalid:
      'Der Link ist unvollständig, abgelaufen oder durch einen neueren ersetzt. Bitte öffnen Sie den Link aus der neuesten E-Mail.',
    cancelTitle: 'Termin absagen',
    cancelQuestion: 'Möchten Sie diesen Termin absagen?',
    reasonLabel: 'Grund (optional)',
    cancelButton: 'Termin absagen',
    cancelledTitle: 'Termin abgesagt',
    cancelled: provider => `Wir haben ${provider} benachrichtigt.`,
    cannotCancelTitle: 'Dieser Termin kann nicht mehr abgesagt werden',
    alreadyCancelledTitle: 'Dieser Termin ist bereits abgesagt',
    alreadyStarted: 'Er hat bereits begonnen.',
    tooLateTitle: 'Der Termin kann online nicht mehr geändert werden',
    tooLate: 'Er beginnt zu bald. Bitte nehmen Sie Kontakt auf, wenn Sie verhindert sind:',
    changeableUntil: when => `Online können Sie den Termin bis ${when} verlegen oder absagen.`,
    moveTitle: 'Termin verlegen',
    moveQuestion: 'Wählen Sie einen neuen Termin',
    moveFrom: 'Bisher',
    moveTo: 'Neu',
    moveButton: 'Auf diese Zeit verlegen',
    chooseAnotherTime: 'Andere Zeit auswählen',
    unchangedUntilConfirmed: 'Ihr Termin bleibt unverändert, bis Sie eine neue Zeit bestätigen.',
    sinceRescheduled: 'Ihr Termin wurde inzwischen verlegt. Bitte prüfen Sie unten die neue Zeit.',
    movedTitle: 'Termin wurde verlegt',
    moved: 'Ihr Termin findet zur neuen Zeit statt. Die Einzelheiten erhalten Sie per E-Mail.',
    moveRequestedTitle: 'Neue Zeit angefragt',
    moveRequested: 'Ihr Termin bleibt vorerst unverändert. Sie erhalten eine E-Mail mit der Antwort.',
    cannotMoveTitle: 'Dieser Termin kann nicht mehr verlegt werden',
    acceptTitle: 'Anfrage annehmen',
    acceptQuestion: 'Möchten Sie diese Anfrage annehmen?',
    acceptButton: 'Annehmen',
    acceptedTitle: 'Anfrage angenommen',
    accepted: 'Der Termin ist bestätigt. Der Kunde erhält eine E-Mail.',
    declineTitle: 'Anfrage ablehnen',
    declineQuestion: 'Möchten Sie diese Anfrage ablehnen?',
    declineButton: 'Ablehnen',
    declinedTitle: 'Anfrage abgelehnt',
    declined: 'Der Kunde erhält eine E-Mail.',
    messageLabel: 'Nachricht an den Kunden (optional)',
    alreadyAnsweredTitle: 'Diese Anfrage ist bereits beantwortet',
    alreadyAccepted: 'Sie wurde angenommen. Es ist nichts mehr zu tun.',
    alreadyDeclined: 'Sie wurde abgelehnt oder zurückgezogen. Es ist nichts mehr zu tun.',
    cannotAcceptTitle: 'Diese Anfrage lässt sich gerade nicht annehmen',
    cannotAccept:
      'Im bisherigen Termin sind inzwischen weitere Kunden, und die beiden Zeiten überschneiden sich. Verlegen Sie zuerst einen davon oder lehnen Sie ab. Die Anfrage ist noch offen.',
    from: 'Von',
    loginTitle: 'Anmelden',
    loginQuestion: 'Mit diesem Link melden Sie sich einmal in der Konsole an.',
    loginButton: 'Anmelden',
    codeLabel: 'Code aus Ihrer Authenticator-App oder ein Wiederherstellungscode',
    wrongCode: 'Dieser Code ist falsch oder wurde schon verwendet. Bitte versuchen Sie es mit dem nächsten.',
    noLoginTitle: 'Kein Zugang',
    invitationTaken:
      'Diese Einladung kann mit dieser E-Mail-Adresse nicht angenommen werden. Bitte lassen Sie sich an eine andere Adresse einladen.',
    noLogin:
      'Für Ihre E-Mail-Adresse gibt es keinen Zugang. Bitten Sie die Person, die Sie eingeladen hat, einen anzulegen.',
    oidcTitle: 'Die Anmeldung hat nicht geklappt',
    oidcFailed: 'Bitte versuchen Sie es noch einmal oder melden Sie sich mit einem Link per E-Mail an.',
    suspendedTitle: 'Gerade nicht erreichbar',
    suspended:
      'Die Online-Buchung ist vorübergehend pausiert. Bereits gebuchte Termine bleiben bestehen. Bitte versuchen Sie es später noch einmal.',
    pageMovedTitle: 'Diese Seite ist umgezogen',
    pageMoved: 'Die neue Adresse erfahren Sie von Ihrem Anbieter. Ihre Termine bleiben bestehen.',
    serverErrorTitle: 'Gerade nicht erreichbar',
    serverError: 'Das liegt an uns. Bitte versuchen Sie es gleich noch einmal.',
  },
  en: {
    verifyTitle: 'Confirm your email address',
    verifyQuestion: 'Please confirm that this email address is yours:',
    verifyButton: 'Confirm address',
    verifiedTitle: 'Address confirmed',
    verified: 'Thank you. You can close this window.',
    detailsTitle: 'Are these details correct?',
    detailsQuestion:
      'Someone booked with your address and entered the details below. They stay hidden until you confirm them.',
    detailsConfirmButton: 'Yes, that’s correct',
    detailsDeleteButton: 'Delete details',
    detailsConfirmedTitle: 'Confirmed',
    detailsConfirmed: 'Thank you. Your details are now saved.',
    detailsDeletedTitle: 'Deleted',
    detailsDeleted: 'These details have been deleted. Your appointments are not affected.',
    detailsNoneTitle: 'Nothing to confirm',
    detailsNone: 'All your details are already confirmed or deleted.',
    firstNameLabel: 'First name',
    lastNameLabel: 'Last name',
    mobileLabel: 'Mobile number',
    linkInvalidTitle: 'This link is no longer valid',
    linkInvalid:
      'The link is incomplete, has expired or has been replaced. Please use the link in your latest email.',
    cancelTitle: 'Cancel appointment',
    cancelQuestion: 'Do you want to cancel this appointment?',
    reasonLabel: 'Reason (optional)',
    cancelButton: 'Cancel appointment',
    cancelledTitle: 'Appointment cancelled',
    cancelled: provider => `We’ve let ${provider} know.`,
    cannotCancelTitle: 'This appointment can no longer be cancelled',
    alreadyCancelledTitle: 'This appointment is already cancelled',
    alreadyStarted: 'It has already started.',
    tooLateTitle: 'This appointment can no longer be changed online',
    tooLate: 'It starts too soon. Please get in touch if you can’t make it:',
    changeableUntil: when => `You can reschedule or cancel online until ${when}.`,
    moveTitle: 'Reschedule appointment',
    moveQuestion: 'Choose a new time',
    moveFrom: 'Previously',
    moveTo: 'New',
    moveButton: 'Reschedule to this time',
    chooseAnotherTime: 'Choose another time',
    unchangedUntilConfirmed: 'Your appointment stays as it is until you confirm a new time.',
    sinceRescheduled: 'Your appointment has since been rescheduled. Please check the new time below.',
    movedTitle: 'Appointment rescheduled',
    moved: 'Your appointment has a new time. We’ll email you the details.',
    moveRequestedTitle: 'New time requested',
    moveRequested: 'Your appointment stays as it is for now. We’ll let you know by email.',
    cannotMoveTitle: 'This appointment can no longer be rescheduled',
    acceptTitle: 'Accept request',
    acceptQuestion: 'Do you want to accept this request?',
    acceptButton: 'Accept',
    acceptedTitle: 'Request accepted',
    accepted: 'The appointment is confirmed. We’ve emailed the customer.',
    declineTitle: 'Decline request',
    declineQuestion: 'Do you want to decline this request?',
    declineButton: 'Decline',
    declinedTitle: 'Request declined',
    declined: 'We’ve emailed the customer.',
    messageLabel: 'Message to the customer (optional)',
    alreadyAnsweredTitle: 'This request has already been answered',
    alreadyAccepted: 'It was accepted. There is nothing left to do.',
    alreadyDeclined: 'It was declined or withdrawn. There is nothing left to do.',
    cannotAcceptTitle: 'This request can’t be accepted right now',
    cannotAccept:
      'Other customers have joined the current appointment, and the two times overlap. Reschedule one of them first, or decline. The request is still open.',
    from: 'From',
    loginTitle: 'Log in',
    loginQuestion: 'This link logs you in to the console once.',
    loginButton: 'Log in',
    codeLabel: 'Code from your authenticator app, or a recovery code',
    wrongCode: 'This code is wrong or has already been used. Please try a new one.',
    noLoginTitle: 'No access',
    invitationTaken:
      'This invitation can’t be accepted with this email address. Please ask for an invitation to a different address.',
    noLogin: 'There is no login for your email address. Ask the person who invited you to create one.',
    oidcTitle: 'We couldn’t log you in',
    oidcFailed: 'Please try again, or log in with a link by email.',
    suspendedTitle: 'Temporarily unavailable',
    suspended:
      'Online booking is paused for now. Existing appointments are not affected. Please try again later.',
    pageMovedTitle: 'This page has moved',
    pageMoved: 'Ask your provider for the new address. Your appointments are not affected.',
    serverErrorTitle: 'Something went wrong',
    serverError: 'This is our fault. Please try again in a moment.',
  },
  fr: {
    verifyTitle: 'Confirmez votre adresse e-mail',
    verifyQuestion: 'Veuillez confirmer que cette adresse e-mail est la vôtre\u00a0:',
    verifyButton: 'Confirmer l’adresse',
    verifiedTitle: 'Adresse confirmée',
    verified: 'Merci. Vous pouvez fermer cette fenêtre.',
    detailsTitle: 'Ces coordonnées sont-elles exactes\u00a0?',
    detailsQuestion:
      'Quelqu’un a réservé avec votre adresse et a saisi ces informations. Elles restent masquées jusqu’à votre confirmation.',
    detailsConfirmButton: 'Oui, c’est exact',
    detailsDeleteButton: 'Supprimer ces coordonnées',
    detailsConfirmedTitle: 'Confirmé',
    detailsConfirmed: 'Merci. Vos coordonnées sont enregistrées.',
    detailsDeletedTitle: 'Supprimé',
    detailsDeleted: 'Ces coordonnées ont été supprimées. Vos rendez-vous restent inchangés.',
    detailsNoneTitle: 'Rien à confirmer',
    detailsNone: 'Toutes vos coordonnées sont déjà confirmées ou supprimées.',
    firstNameLabel: 'Prénom',
    lastNameLabel: 'Nom',
    mobileLabel: 'Numéro de portable',
    linkInvalidTitle: 'Ce lien n’est plus valable',
    linkInvalid:
      'Le lien est incomplet, a expiré ou a été remplacé par un plus récent. Veuillez ouvrir le lien du dernier e-mail.',
    cancelTitle: 'Annuler le rendez-vous',
    cancelQuestion: 'Voulez-vous annuler ce rendez-vous\u00a0?',
    reasonLabel: 'Motif (facultatif)',
    cancelButton: 'Annuler le rendez-vous',
    cancelledTitle: 'Rendez-vous annulé',
    cancelled: provider => `Nous avons prévenu ${provider}.`,
    cannotCancelTitle: 'Ce rendez-vous ne peut plus être annulé',
    alreadyCancelledTitle: 'Ce rendez-vous est déjà annulé',
    alreadyStarted: 'Il a déjà commencé.',
    tooLateTitle: 'Ce rendez-vous ne peut plus être modifié en ligne',
    tooLate: 'Il commence dans trop peu de temps. En cas d’empêchement, merci de nous contacter\u00a0:',
    changeableUntil: when => `Vous pouvez déplacer ou annuler le rendez-vous en ligne jusqu’au ${when}.`,
    moveTitle: 'Déplacer le rendez-vous',
    moveQuestion: 'Choisir un nouvel horaire',
    moveFrom: 'Précédemment',
    moveTo: 'Nouveau',
    moveButton: 'Déplacer à cet horaire',
    chooseAnotherTime: 'Choisir un autre horaire',
    unchangedUntilConfirmed:
      'Votre rendez-vous reste inchangé jusqu’à ce que vous confirmiez un nouvel horaire.',
    sinceRescheduled:
      'Votre rendez-vous a été déplacé entre-temps. Veuillez vérifier le nouvel horaire ci-dessous.',
    movedTitle: 'Rendez-vous déplacé',
    moved: 'Votre rendez-vous a un nouvel horaire. Vous recevrez les détails par e-mail.',
    moveRequestedTitle: 'Nouvel horaire demandé',
    moveRequested:
      'Votre rendez-vous reste inchangé pour le moment. Nous vous enverrons la réponse par e-mail.',
    cannotMoveTitle: 'Ce rendez-vous ne peut plus être déplacé',
    acceptTitle: 'Accepter la demande',
    acceptQuestion: 'Voulez-vous accepter cette demande\u00a0?',
    acceptButton: 'Accepter',
    acceptedTitle: 'Demande acceptée',
    accepted: 'Le rendez-vous est confirmé. Nous avons prévenu le client par e-mail.',
    declineTitle: 'Refuser la demande',
    declineQuestion: 'Voulez-vous refuser cette demande\u00a0?',
    declineButton: 'Refuser',
    declinedTitle: 'Demande refusée',
    declined: 'Nous avons prévenu le client par e-mail.',
    messageLabel: 'Message au client (facultatif)',
    alreadyAnsweredTitle: 'Cette demande a déjà reçu une réponse',
    alreadyAccepted: 'Elle a été acceptée. Il n’y a plus rien à faire.',
    alreadyDeclined: 'Elle a été refusée ou retirée. Il n’y a plus rien à faire.',
    cannotAcceptTitle: 'Cette demande ne peut pas être acceptée pour le moment',
    cannotAccept:
      'D’autres clients participent désormais au rendez-vous actuel, et les deux horaires se chevauchent. Déplacez d’abord l’un d’eux, ou refusez. La demande est toujours en attente.',
    from: 'De',
    loginTitle: 'Se connecter',
    loginQuestion: 'Ce lien vous connecte une fois à la console.',
    loginButton: 'Se connecter',
    codeLabel: 'Code de votre application d’authentification ou code de secours',
    wrongCode: 'Ce code est erroné ou a déjà été utilisé. Veuillez essayer le suivant.',
    noLoginTitle: 'Pas d’accès',
    invitationTaken:
      'Cette invitation ne peut pas être acceptée avec cette adresse e-mail. Demandez une invitation à une autre adresse.',
    noLogin:
      'Il n’existe pas d’accès pour votre adresse e-mail. Demandez à la personne qui vous a invité d’en créer un.',
    oidcTitle: 'La connexion a échoué',
    oidcFailed: 'Veuillez réessayer, ou connectez-vous avec un lien reçu par e-mail.',
    suspendedTitle: 'Temporairement indisponible',
    suspended:
      'La réservation en ligne est suspendue pour le moment. Vos rendez-vous sont conservés. Veuillez réessayer plus tard.',
    pageMovedTitle: 'Cette page a changé d’adresse',
    pageMoved: 'Demandez la nouvelle adresse à votre prestataire. Vos rendez-vous sont conservés.',
    serverErrorTitle: 'Indisponible pour le moment',
    serverError: 'Le problème vient de chez nous. Veuillez réessayer dans un instant.',
  },
  es: {
    verifyTitle: 'Confirme su dirección de correo',
    verifyQuestion: 'Confirme que esta dirección de correo es suya:',
    verifyButton: 'Confirmar dirección',
    verifiedTitle: 'Dirección confirmada',
    verified: 'Gracias. Ya puede cerrar esta ventana.',
    detailsTitle: '¿Son correctos estos datos?',
    detailsQuestion:
      'Alguien reservó con su dirección e indicó estos datos. Permanecen ocultos hasta que usted los confirme.',
    detailsConfirmButton: 'Sí, son correctos',
    detailsDeleteButton: 'Eliminar estos datos',
    detailsConfirmedTitle: 'Datos confirmados',
    detailsConfirmed: 'Gracias. Sus datos se han guardado.',
    detailsDeletedTitle: 'Datos eliminados',
    detailsDeleted: 'Estos datos se han eliminado. Sus citas no cambian.',
    detailsNoneTitle: 'Nada que confirmar',
    detailsNone: 'Todos sus datos ya están confirmados o eliminados.',
    firstNameLabel: 'Nombre',
    lastNameLabel: 'Apellidos',
    mobileLabel: 'Móvil',
    linkInvalidTitle: 'Este enlace ya no es válido',
    linkInvalid:
      'El enlace está incompleto, ha caducado o se ha sustituido por otro. Abra el enlace del último correo.',
    cancelTitle: 'Cancelar la cita',
    cancelQuestion: '¿Desea cancelar esta cita?',
    reasonLabel: 'Motivo (opcional)',
    cancelButton: 'Cancelar la cita',
    cancelledTitle: 'Cita cancelada',
    cancelled: provider => `Hemos avisado a ${provider}.`,
    cannotCancelTitle: 'Esta cita ya no se puede cancelar',
    alreadyCancelledTitle: 'Esta cita ya está cancelada',
    alreadyStarted: 'Ya ha comenzado.',
    tooLateTitle: 'Esta cita ya no se puede cambiar online',
    tooLate: 'Falta muy poco para que empiece. Si no puede acudir, contacte con nosotros:',
    changeableUntil: when => `Puede cambiar o cancelar la cita online hasta el ${when}.`,
    moveTitle: 'Cambiar la cita',
    moveQuestion: 'Elegir una nueva hora',
    moveFrom: 'Antes',
    moveTo: 'Nueva',
    moveButton: 'Cambiar a esta hora',
    chooseAnotherTime: 'Elegir otra hora',
    unchangedUntilConfirmed: 'Su cita no cambia hasta que confirme una nueva hora.',
    sinceRescheduled: 'Su cita se ha cambiado mientras tanto. Compruebe abajo la nueva hora.',
    movedTitle: 'Cita cambiada',
    moved: 'Su cita tiene una nueva hora. Le enviaremos un correo con los detalles.',
    moveRequestedTitle: 'Nueva hora solicitada',
    moveRequested: 'Por ahora su cita no cambia. Le enviaremos la respuesta por correo.',
    cannotMoveTitle: 'Esta cita ya no se puede cambiar',
    acceptTitle: 'Aceptar la solicitud',
    acceptQuestion: '¿Desea aceptar esta solicitud?',
    acceptButton: 'Aceptar',
    acceptedTitle: 'Solicitud aceptada',
    accepted: 'La cita está confirmada. Hemos avisado al cliente por correo.',
    declineTitle: 'Rechazar la solicitud',
    declineQuestion: '¿Desea rechazar esta solicitud?',
    declineButton: 'Rechazar',
    declinedTitle: 'Solicitud rechazada',
    declined: 'Hemos avisado al cliente por correo.',
    messageLabel: 'Mensaje al cliente (opcional)',
    alreadyAnsweredTitle: 'Esta solicitud ya tiene respuesta',
    alreadyAccepted: 'Se aceptó. No queda nada por hacer.',
    alreadyDeclined: 'Se rechazó o se retiró. No queda nada por hacer.',
    cannotAcceptTitle: 'Esta solicitud no se puede aceptar por ahora',
    cannotAccept:
      'En la cita actual hay ahora otros clientes, y las dos horas se solapan. Cambie primero una de ellas o rechace. La solicitud sigue pendiente.',
    from: 'De',
    loginTitle: 'Iniciar sesión',
    loginQuestion: 'Con este enlace puede iniciar sesión en la consola una vez.',
    loginButton: 'Iniciar sesión',
    codeLabel: 'Código de su aplicación de autenticación o código de recuperación',
    wrongCode: 'Este código es incorrecto o ya se ha utilizado. Pruebe con el siguiente.',
    noLoginTitle: 'Sin acceso',
    invitationTaken:
      'Esta invitación no se puede aceptar con esta dirección de correo. Pida una invitación a otra dirección.',
    noLogin: 'No hay ningún acceso para su dirección de correo. Pida a quien le invitó que cree uno.',
    oidcTitle: 'No se ha podido iniciar sesión',
    oidcFailed: 'Inténtelo de nuevo o inicie sesión con un enlace por correo.',
    suspendedTitle: 'No disponible por el momento',
    suspended: 'Las reservas online están en pausa. Sus citas se mantienen. Inténtelo de nuevo más tarde.',
    pageMovedTitle: 'Esta página ha cambiado de dirección',
    pageMoved: 'Pida la nueva dirección al negocio. Sus citas se mantienen.',
    serverErrorTitle: 'No disponible por el momento',
    serverError: 'El fallo es nuestro. Inténtelo de nuevo en un momento.',
  },
  it: {
    verifyTitle: 'Confermi il suo indirizzo e-mail',
    verifyQuestion: 'Confermi che questo indirizzo e-mail è suo:',
    verifyButton: 'Conferma indirizzo',
    verifiedTitle: 'Indirizzo confermato',
    verified: 'Grazie. Può chiudere questa finestra.',
    detailsTitle: 'Questi dati sono corretti?',
    detailsQuestion:
      'Qualcuno ha prenotato con il suo indirizzo e ha indicato questi dati. Restano nascosti finché non li conferma.',
    detailsConfirmButton: 'Sì, sono corretti',
    detailsDeleteButton: 'Elimina questi dati',
    detailsConfirmedTitle: 'Dati confermati',
    detailsConfirmed: 'Grazie. I suoi dati sono stati salvati.',
    detailsDeletedTitle: 'Dati eliminati',
    detailsDeleted: 'Questi dati sono stati eliminati. I suoi appuntamenti restano invariati.',
    detailsNoneTitle: 'Niente da confermare',
    detailsNone: 'Tutti i suoi dati sono già confermati o eliminati.',
    firstNameLabel: 'Nome',
    lastNameLabel: 'Cognome',
    mobileLabel: 'Cellulare',
    linkInvalidTitle: 'Questo link non è più valido',
    linkInvalid: 'Il link è incompleto, scaduto o è stato sostituito. Apra il link dell’ultima e-mail.',
    cancelTitle: 'Annulla l’appuntamento',
    cancelQuestion: 'Vuole annullare questo appuntamento?',
    reasonLabel: 'Motivo (facoltativo)',
    cancelButton: 'Annulla l’appuntamento',
    cancelledTitle: 'Appuntamento annullato',
    cancelled: provider => `Abbiamo avvisato ${provider}.`,
    cannotCancelTitle: 'Questo appuntamento non può più essere annullato',
    alreadyCancelledTitle: 'Questo appuntamento è già annullato',
    alreadyStarted: 'È già iniziato.',
    tooLateTitle: 'Questo appuntamento non può più essere modificato online',
    tooLate: 'Manca troppo poco all’inizio. In caso di impedimento ci contatti:',
    changeableUntil: when => `Può spostare o annullare l’appuntamento online fino a ${when}.`,
    moveTitle: 'Sposta l’appuntamento',
    moveQuestion: 'Scelga un nuovo orario',
    moveFrom: 'Prima',
    moveTo: 'Nuovo',
    moveButton: 'Sposta a questo orario',
    chooseAnotherTime: 'Scegli un altro orario',
    unchangedUntilConfirmed: 'Il suo appuntamento resta invariato finché non conferma un nuovo orario.',
    sinceRescheduled:
      'Nel frattempo il suo appuntamento è stato spostato. Controlli qui sotto il nuovo orario.',
    movedTitle: 'Appuntamento spostato',
    moved: 'Il suo appuntamento ha un nuovo orario. Riceverà un’e-mail con i dettagli.',
    moveRequestedTitle: 'Nuovo orario richiesto',
    moveRequested: 'Per ora il suo appuntamento resta invariato. Riceverà la risposta via e-mail.',
    cannotMoveTitle: 'Questo appuntamento non può più essere spostato',
    acceptTitle: 'Accetta la richiesta',
    acceptQuestion: 'Vuole accettare questa richiesta?',
    acceptButton: 'Accetta',
    acceptedTitle: 'Richiesta accettata',
    accepted: 'L’appuntamento è confermato. Abbiamo avvisato il cliente via e-mail.',
    declineTitle: 'Rifiuta la richiesta',
    declineQuestion: 'Vuole rifiutare questa richiesta?',
    declineButton: 'Rifiuta',
    declinedTitle: 'Richiesta rifiutata',
    declined: 'Abbiamo avvisato il cliente via e-mail.',
    messageLabel: 'Messaggio al cliente (facoltativo)',
    alreadyAnsweredTitle: 'Questa richiesta ha già ricevuto risposta',
    alreadyAccepted: 'È stata accettata. Non resta nulla da fare.',
    alreadyDeclined: 'È stata rifiutata o ritirata. Non resta nulla da fare.',
    cannotAcceptTitle: 'Questa richiesta per ora non può essere accettata',
    cannotAccept:
      'Nell’appuntamento attuale ci sono ora altri clienti, e i due orari si sovrappongono. Sposti prima uno dei due, oppure rifiuti. La richiesta è ancora aperta.',
    from: 'Da',
    loginTitle: 'Accedi',
    loginQuestion: 'Con questo link accede una volta alla console.',
    loginButton: 'Accedi',
    codeLabel: 'Codice della sua app di autenticazione o codice di recupero',
    wrongCode: 'Questo codice è errato o è già stato usato. Provi con il successivo.',
    noLoginTitle: 'Nessun accesso',
    invitationTaken:
      'Questo invito non può essere accettato con questo indirizzo e-mail. Chieda un invito a un altro indirizzo.',
    noLogin:
      'Non c’è un accesso per il suo indirizzo e-mail. Chieda a chi ha inviato l’invito di crearne uno.',
    oidcTitle: 'L’accesso non è riuscito',
    oidcFailed: 'Riprovi, oppure acceda con un link via e-mail.',
    suspendedTitle: 'Al momento non disponibile',
    suspended: 'Le prenotazioni online sono in pausa. I suoi appuntamenti restano validi. Riprovi più tardi.',
    pageMovedTitle: 'Questa pagina ha cambiato indirizzo',
    pageMoved: 'Chieda il nuovo indirizzo alla struttura. I suoi appuntamenti restano validi.',
    serverErrorTitle: 'Al momento non disponibile',
    serverError: 'Il problema è nostro. Riprovi tra un momento.',
  },
}
