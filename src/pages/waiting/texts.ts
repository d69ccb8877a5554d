import type { Language } from '../../languages.ts'

type Texts = {
  joinTitle: string
  joinIntro: string
  from: string
  to: string
  weekdays: string
  anyDay: string
  timeFrom: string
  timeTo: string
  join: string
  wrongPeriod: string
  availableNow: string
  noneSuits: string
  checkInboxTitle: string
  checkInbox: (email: string) => string
  closedTitle: string
  closed: string
  confirmTitle: string
  confirmQuestion: string
  confirmButton: string
  waitingTitle: string
  waiting: string
  offeredTitle: string
  offered: string
  declined: string
  changed: string
  changeTitle: string
  changeButton: string
  leaveButton: string
  leftTitle: string
  left: string
  endedTitle: string
  ended: string
  tooMany: string
  bookedTitle: string
  booked: string
  seeTimes: string
  offerTitle: string
  offerUntil: (when: string) => string
  offerReplaces: string
  take: string
  decline: string
  offerOverTitle: string
  offerLapsed: string
  offerDeclined: string
  offerTaken: string
  toEntry: string
  earlierTitle: string
  earlierButton: string
  earlierHint: string
  earlierDone: string
}

export const waitingPageTexts: Record<Language, Texts> = {
  en: {
    joinTitle: 'Join the waiting list',
    joinIntro:
      'Tell us when you could come. When a suitable time becomes available, we’ll hold it for you and email you.',
    from: 'From',
    to: 'To',
    weekdays: 'Days',
    anyDay: 'Select none if any day works',
    timeFrom: 'Not before',
    timeTo: 'Not after',
    join: 'Join the waiting list',
    availableNow: 'These times in your period are available now:',
    noneSuits: 'None of them suits you? Narrow down the days or times, or join anyway.',
    wrongPeriod: 'Check the dates and times: the end must be after the start.',
    checkInboxTitle: 'Check your inbox',
    checkInbox: email =>
      `We’ve sent an email to ${email}. You’re on the waiting list once you confirm it there.`,
    closedTitle: 'No waiting list',
    closed: 'There is currently no waiting list here.',
    confirmTitle: 'Join the waiting list?',
    confirmQuestion: 'You’ll get an email when a suitable time becomes available.',
    confirmButton: 'Yes, join',
    waitingTitle: 'You’re on the waiting list',
    waiting: 'When a suitable time becomes available, we’ll hold it for you and email you.',
    offeredTitle: 'We’re holding a time for you',
    offered: 'Open the link in our latest email to take or decline it.',
    declined: 'You’ve declined the time. You’re still on the waiting list.',
    changed: 'Saved.',
    changeTitle: 'Change what you’re waiting for',
    changeButton: 'Save changes',
    leaveButton: 'Leave the waiting list',
    leftTitle: 'You’ve left the waiting list',
    left: 'You won’t get any more offers.',
    endedTitle: 'This entry has ended',
    ended: 'You’re no longer on the waiting list. You can join again at any time.',
    tooMany: 'You’re waiting for too many things here. Leave one of them first.',
    bookedTitle: 'You have an appointment',
    booked: 'You’ve taken a time from the waiting list.',
    seeTimes: 'View available times',
    offerTitle: 'We’re holding this time for you',
    offerUntil: when => `It’s yours until ${when}.`,
    offerReplaces: 'It replaces your current appointment.',
    take: 'Book this time',
    decline: 'Decline',
    offerOverTitle: 'This offer has ended',
    offerLapsed:
      'The time is no longer held for you. You’re still on the waiting list, unless you’ve left it.',
    offerDeclined: 'You’ve declined this time.',
    offerTaken: 'You’ve already taken this time.',
    toEntry: 'View your entry',
    earlierTitle: 'Want to come sooner?',
    earlierButton: 'Tell me if something earlier becomes available',
    earlierHint: 'Your appointment stays as it is until you take an earlier one.',
    earlierDone: 'We’ll email you when something earlier becomes available.',
  },
  de: {
    joinTitle: 'Auf die Warteliste',
    joinIntro:
      'Wann könnten Sie kommen? Sobald ein passender Termin frei wird, halten wir ihn für Sie und schreiben Ihnen.',
    from: 'Von',
    to: 'Bis',
    weekdays: 'Tage',
    anyDay: 'Nichts auswählen, wenn jeder Tag passt',
    timeFrom: 'Frühestens um',
    timeTo: 'Spätestens bis',
    join: 'Auf die Warteliste setzen',
    availableNow: 'Diese Termine in Ihrem Zeitraum sind jetzt frei:',
    noneSuits: 'Passt keiner davon? Grenzen Sie Tage oder Uhrzeiten ein, oder tragen Sie sich trotzdem ein.',
    wrongPeriod: 'Bitte prüfen Sie Zeitraum und Uhrzeit: Das Ende muss nach dem Anfang liegen.',
    checkInboxTitle: 'Bitte sehen Sie in Ihr Postfach',
    checkInbox: email =>
      `Wir haben eine E-Mail an ${email} gesendet. Sobald Sie sie bestätigen, stehen Sie auf der Warteliste.`,
    closedTitle: 'Keine Warteliste',
    closed: 'Hier gibt es derzeit keine Warteliste.',
    confirmTitle: 'Auf die Warteliste setzen?',
    confirmQuestion: 'Sie erhalten eine E-Mail, sobald ein passender Termin frei wird.',
    confirmButton: 'Ja, eintragen',
    waitingTitle: 'Sie stehen auf der Warteliste',
    waiting: 'Sobald ein passender Termin frei wird, halten wir ihn für Sie und schreiben Ihnen.',
    offeredTitle: 'Wir halten einen Termin für Sie',
    offered: 'Über den Link in unserer letzten E-Mail nehmen Sie ihn an oder lehnen ihn ab.',
    declined: 'Sie haben den Termin abgelehnt. Sie stehen weiter auf der Warteliste.',
    changed: 'Gespeichert.',
    changeTitle: 'Wunsch ändern',
    changeButton: 'Änderungen speichern',
    leaveButton: 'Warteliste verlassen',
    leftTitle: 'Sie haben die Warteliste verlassen',
    left: 'Sie erhalten keine Angebote mehr.',
    endedTitle: 'Dieser Eintrag ist beendet',
    ended: 'Sie stehen nicht mehr auf der Warteliste. Sie können sich jederzeit wieder eintragen.',
    tooMany: 'Sie warten hier schon auf zu viele Termine. Bitte verlassen Sie zuerst einen Eintrag.',
    bookedTitle: 'Sie haben einen Termin',
    booked: 'Sie haben einen Termin von der Warteliste angenommen.',
    seeTimes: 'Freie Termine ansehen',
    offerTitle: 'Wir halten diesen Termin für Sie',
    offerUntil: when => `Er ist bis ${when} für Sie reserviert.`,
    offerReplaces: 'Er ersetzt Ihren bisherigen Termin.',
    take: 'Termin buchen',
    decline: 'Ablehnen',
    offerOverTitle: 'Dieses Angebot ist beendet',
    offerLapsed:
      'Der Termin wird nicht mehr für Sie gehalten. Sie stehen weiter auf der Warteliste, sofern Sie sie nicht verlassen haben.',
    offerDeclined: 'Sie haben diesen Termin abgelehnt.',
    offerTaken: 'Sie haben diesen Termin schon gebucht.',
    toEntry: 'Eintrag ansehen',
    earlierTitle: 'Möchten Sie früher kommen?',
    earlierButton: 'Benachrichtigen, wenn ein früherer Termin frei wird',
    earlierHint: 'Ihr Termin bleibt bestehen, bis Sie einen früheren annehmen.',
    earlierDone: 'Wir schreiben Ihnen, sobald ein früherer Termin frei wird.',
  },
  fr: {
    joinTitle: 'Liste d’attente',
    joinIntro:
      'Quand pourriez-vous venir\u00a0? Dès qu’un créneau se libère, nous vous le réservons et vous écrivons.',
    from: 'Du',
    to: 'Au',
    weekdays: 'Jours',
    anyDay: 'Ne cochez rien si tous les jours conviennent',
    timeFrom: 'Pas avant',
    timeTo: 'Pas après',
    join: 'M’inscrire sur la liste d’attente',
    availableNow: 'Ces créneaux de votre période sont disponibles dès maintenant\u00a0:',
    noneSuits:
      'Aucun ne vous convient\u00a0? Précisez les jours ou les heures, ou inscrivez-vous quand même.',
    wrongPeriod: 'Vérifiez les dates et les heures\u00a0: la fin doit suivre le début.',
    checkInboxTitle: 'Consultez votre messagerie',
    checkInbox: email =>
      `Nous avons envoyé un e-mail à ${email}. Votre inscription compte dès que vous la confirmez.`,
    closedTitle: 'Pas de liste d’attente',
    closed: 'Il n’y a pas de liste d’attente ici pour le moment.',
    confirmTitle: 'Vous inscrire sur la liste d’attente\u00a0?',
    confirmQuestion: 'Vous recevrez un e-mail dès qu’un créneau se libère.',
    confirmButton: 'Oui, m’inscrire',
    waitingTitle: 'Vous êtes sur la liste d’attente',
    waiting: 'Dès qu’un créneau se libère, nous vous le réservons et vous écrivons.',
    offeredTitle: 'Un créneau vous est réservé',
    offered: 'Acceptez-le ou refusez-le avec le lien de notre dernier e-mail.',
    declined: 'Vous avez refusé ce créneau. Vous restez sur la liste d’attente.',
    changed: 'Enregistré.',
    changeTitle: 'Modifier votre souhait',
    changeButton: 'Enregistrer',
    leaveButton: 'Quitter la liste d’attente',
    leftTitle: 'Vous avez quitté la liste d’attente',
    left: 'Vous ne recevrez plus de propositions.',
    endedTitle: 'Cette inscription est terminée',
    ended: 'Vous n’êtes plus sur la liste d’attente. Vous pouvez vous réinscrire à tout moment.',
    tooMany: 'Vous avez déjà trop d’inscriptions ici. Quittez-en une d’abord.',
    bookedTitle: 'Vous avez un rendez-vous',
    booked: 'Vous avez accepté un créneau de la liste d’attente.',
    seeTimes: 'Voir les créneaux disponibles',
    offerTitle: 'Ce créneau vous est réservé',
    offerUntil: when => `Il vous est réservé jusqu’au ${when}.`,
    offerReplaces: 'Il remplace votre rendez-vous actuel.',
    take: 'Réserver ce créneau',
    decline: 'Refuser',
    offerOverTitle: 'Cette proposition est terminée',
    offerLapsed:
      'Ce créneau ne vous est plus réservé. Vous restez sur la liste d’attente, sauf si vous l’avez quittée.',
    offerDeclined: 'Vous avez refusé ce créneau.',
    offerTaken: 'Vous avez déjà réservé ce créneau.',
    toEntry: 'Voir votre inscription',
    earlierTitle: 'Vous souhaitez venir plus tôt\u00a0?',
    earlierButton: 'Me prévenir si un créneau plus tôt se libère',
    earlierHint: 'Votre rendez-vous ne change pas tant que vous n’en acceptez pas un autre.',
    earlierDone: 'Nous vous écrirons dès qu’un créneau plus tôt se libère.',
  },
  es: {
    joinTitle: 'Lista de espera',
    joinIntro:
      '¿Cuándo podría venir? Cuando quede libre una hora adecuada, se la reservaremos y le escribiremos.',
    from: 'Desde',
    to: 'Hasta',
    weekdays: 'Días',
    anyDay: 'No marque ninguno si le sirve cualquier día',
    timeFrom: 'No antes de',
    timeTo: 'No después de',
    join: 'Apuntarme a la lista de espera',
    availableNow: 'Estas horas de su período están libres ahora:',
    noneSuits: '¿Ninguna le conviene? Limite los días o las horas, o apúntese de todos modos.',
    wrongPeriod: 'Revise las fechas y las horas: el final debe ser posterior al inicio.',
    checkInboxTitle: 'Revise su correo',
    checkInbox: email => `Hemos enviado un correo a ${email}. Estará en la lista en cuanto lo confirme.`,
    closedTitle: 'Sin lista de espera',
    closed: 'Ahora mismo no hay lista de espera aquí.',
    confirmTitle: '¿Apuntarse a la lista de espera?',
    confirmQuestion: 'Recibirá un correo cuando quede libre una hora adecuada.',
    confirmButton: 'Sí, apuntarme',
    waitingTitle: 'Está en la lista de espera',
    waiting: 'Cuando quede libre una hora adecuada, se la reservaremos y le escribiremos.',
    offeredTitle: 'Le reservamos una hora',
    offered: 'Acéptela o rechácela con el enlace de nuestro último correo.',
    declined: 'Ha rechazado la hora. Sigue en la lista de espera.',
    changed: 'Guardado.',
    changeTitle: 'Cambiar lo que espera',
    changeButton: 'Guardar los cambios',
    leaveButton: 'Salir de la lista de espera',
    leftTitle: 'Ha salido de la lista de espera',
    left: 'No recibirá más ofertas.',
    endedTitle: 'Esta inscripción ha terminado',
    ended: 'Ya no está en la lista de espera. Puede volver a apuntarse cuando quiera.',
    tooMany: 'Ya espera demasiadas cosas aquí. Salga primero de una de ellas.',
    bookedTitle: 'Tiene una cita',
    booked: 'Ha aceptado una hora de la lista de espera.',
    seeTimes: 'Ver las horas disponibles',
    offerTitle: 'Le reservamos esta hora',
    offerUntil: when => `Es suya hasta el ${when}.`,
    offerReplaces: 'Sustituye a su cita actual.',
    take: 'Reservar esta hora',
    decline: 'Rechazar',
    offerOverTitle: 'Esta oferta ha terminado',
    offerLapsed: 'Ya no le reservamos esta hora. Sigue en la lista de espera, salvo que haya salido de ella.',
    offerDeclined: 'Ha rechazado esta hora.',
    offerTaken: 'Ya ha reservado esta hora.',
    toEntry: 'Ver su inscripción',
    earlierTitle: '¿Quiere venir antes?',
    earlierButton: 'Avisarme si queda libre una hora anterior',
    earlierHint: 'Su cita no cambia hasta que acepte otra anterior.',
    earlierDone: 'Le escribiremos cuando quede libre una hora anterior.',
  },
  it: {
    joinTitle: 'Lista d’attesa',
    joinIntro:
      'Quando potrebbe venire? Appena si libera un orario adatto, lo teniamo per Lei e Le scriviamo.',
    from: 'Dal',
    to: 'Al',
    weekdays: 'Giorni',
    anyDay: 'Non selezioni nulla se va bene ogni giorno',
    timeFrom: 'Non prima delle',
    timeTo: 'Non dopo le',
    join: 'Iscrivimi alla lista d’attesa',
    availableNow: 'Questi orari del Suo periodo sono liberi adesso:',
    noneSuits: 'Nessuno va bene? Limiti i giorni o gli orari, oppure si iscriva comunque.',
    wrongPeriod: 'Controlli date e orari: la fine deve essere dopo l’inizio.',
    checkInboxTitle: 'Controlli la posta',
    checkInbox: email => `Abbiamo inviato un’e-mail a ${email}. Sarà in lista appena la conferma.`,
    closedTitle: 'Nessuna lista d’attesa',
    closed: 'Al momento qui non c’è una lista d’attesa.',
    confirmTitle: 'Iscriversi alla lista d’attesa?',
    confirmQuestion: 'Riceverà un’e-mail appena si libera un orario adatto.',
    confirmButton: 'Sì, iscrivimi',
    waitingTitle: 'È nella lista d’attesa',
    waiting: 'Appena si libera un orario adatto, lo teniamo per Lei e Le scriviamo.',
    offeredTitle: 'Teniamo un orario per Lei',
    offered: 'Lo accetti o lo rifiuti con il link della nostra ultima e-mail.',
    declined: 'Ha rifiutato l’orario. Resta in lista d’attesa.',
    changed: 'Salvato.',
    changeTitle: 'Modifica ciò che aspetta',
    changeButton: 'Salva le modifiche',
    leaveButton: 'Lascia la lista d’attesa',
    leftTitle: 'Ha lasciato la lista d’attesa',
    left: 'Non riceverà altre offerte.',
    endedTitle: 'Questa iscrizione è terminata',
    ended: 'Non è più nella lista d’attesa. Può iscriversi di nuovo in qualsiasi momento.',
    tooMany: 'Aspetta già troppe cose qui. Ne lasci prima una.',
    bookedTitle: 'Ha un appuntamento',
    booked: 'Ha accettato un orario dalla lista d’attesa.',
    seeTimes: 'Vedi gli orari disponibili',
    offerTitle: 'Teniamo questo orario per Lei',
    offerUntil: when => `È Suo fino a ${when}.`,
    offerReplaces: 'Sostituisce il Suo appuntamento attuale.',
    take: 'Prenota questo orario',
    decline: 'Rifiuta',
    offerOverTitle: 'Questa offerta è terminata',
    offerLapsed:
      'L’orario non è più riservato a Lei. Resta in lista d’attesa, a meno che non l’abbia lasciata.',
    offerDeclined: 'Ha rifiutato questo orario.',
    offerTaken: 'Ha già prenotato questo orario.',
    toEntry: 'Vedi la Sua iscrizione',
    earlierTitle: 'Vuole venire prima?',
    earlierButton: 'Avvisami se si libera un orario prima',
    earlierHint: 'Il Suo appuntamento resta com’è finché non ne accetta uno prima.',
    earlierDone: 'Le scriveremo appena si libera un orario prima.',
  },
}
