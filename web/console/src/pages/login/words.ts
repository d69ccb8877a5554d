import { words } from '../../words.ts'

export const texts = words({
  en: {
    title: 'Log in',
    logInAgain: 'Please log in again',
    sessionExpired: 'Your session has expired. Your changes are safe, and you can continue after you log in.',
    codeHint: 'Six digits from your authenticator app, or one of your recovery codes.',
    sendLink: 'Email me a link',
    withPassword: 'Log in with a password',
    withLink: 'Email me a link instead',
    withOidc: 'Log in with your organisation',
    sentTitle: 'Check your inbox',
    sent: (email: string) =>
      `If ${email} has a login, we’ve sent a link. It works once and expires after 15 minutes.`,
    openedLink: 'I’ve opened the link',
    notLoggedInYet: 'You’re not logged in yet. Open the link in this browser and press the button there.',
    otherAddress: 'Use another address',
    noLinks:
      'Login links can’t be emailed at the moment, as no mail server is set up. No password yet? Ask the person who manages your team for a new link.',
    welcome: 'Manage your appointments',
  },
  de: {
    title: 'Anmelden',
    logInAgain: 'Bitte melden Sie sich erneut an',
    sessionExpired:
      'Ihre Sitzung ist abgelaufen. Ihre Eingaben sind gesichert, und nach der Anmeldung geht es weiter.',
    codeHint: 'Sechs Ziffern aus Ihrer Authenticator-App oder einer Ihrer Wiederherstellungscodes.',
    sendLink: 'Link per E-Mail senden',
    withPassword: 'Mit Passwort anmelden',
    withLink: 'Stattdessen Link per E-Mail senden',
    withOidc: 'Über Ihre Organisation anmelden',
    sentTitle: 'Prüfen Sie Ihren Posteingang',
    sent: (email: string) =>
      `Wenn es für ${email} einen Zugang gibt, haben wir einen Link gesendet. Er ist 15 Minuten gültig und funktioniert nur einmal.`,
    openedLink: 'Ich habe den Link geöffnet',
    notLoggedInYet:
      'Sie sind noch nicht angemeldet. Öffnen Sie den Link in diesem Browser und klicken Sie dort auf die Schaltfläche.',
    otherAddress: 'Andere Adresse verwenden',
    noLinks:
      'Links zum Anmelden können zurzeit nicht verschickt werden, da kein Mailserver eingerichtet ist. Noch kein Passwort? Bitten Sie die Person, die Ihr Team verwaltet, um einen neuen Link.',
    welcome: 'Verwalten Sie Ihre Termine',
  },
  fr: {
    title: 'Se connecter',
    logInAgain: 'Veuillez vous reconnecter',
    sessionExpired:
      'Votre session a expiré. Votre saisie est conservée et vous pourrez continuer après la connexion.',
    codeHint: 'Six chiffres de votre application d’authentification, ou un code de secours.',
    sendLink: 'Recevoir un lien par e-mail',
    withPassword: 'Se connecter avec un mot de passe',
    withLink: 'Recevoir plutôt un lien par e-mail',
    withOidc: 'Se connecter avec votre organisation',
    sentTitle: 'Consultez votre boîte de réception',
    sent: (email: string) =>
      `Si ${email} a un accès, nous avons envoyé un lien. Il fonctionne une seule fois, pendant 15 minutes.`,
    openedLink: 'J’ai ouvert le lien',
    notLoggedInYet:
      'La connexion n’est pas encore établie. Ouvrez le lien dans ce navigateur et cliquez sur le bouton.',
    otherAddress: 'Utiliser une autre adresse',
    noLinks:
      'Les liens de connexion ne peuvent pas être envoyés pour le moment\u00a0: aucun serveur de messagerie n’est configuré. Pas encore de mot de passe\u00a0? Demandez un nouveau lien à la personne qui gère votre équipe.',
    welcome: 'Gérez vos rendez-vous',
  },
  es: {
    title: 'Iniciar sesión',
    logInAgain: 'Inicie sesión de nuevo',
    sessionExpired:
      'Su sesión ha caducado. Lo que escribió está a salvo y podrá continuar al iniciar sesión.',
    codeHint: 'Seis cifras de su aplicación de autenticación o uno de sus códigos de recuperación.',
    sendLink: 'Recibir un enlace por correo',
    withPassword: 'Iniciar sesión con contraseña',
    withLink: 'Recibir un enlace por correo',
    withOidc: 'Iniciar sesión con su organización',
    sentTitle: 'Revise su bandeja de entrada',
    sent: (email: string) =>
      `Si ${email} tiene acceso, hemos enviado un enlace. Funciona una sola vez, durante 15 minutos.`,
    openedLink: 'He abierto el enlace',
    notLoggedInYet: 'Todavía no ha iniciado sesión. Abra el enlace en este navegador y pulse el botón.',
    otherAddress: 'Usar otra dirección',
    noLinks:
      'De momento no se pueden enviar enlaces de acceso, porque no hay un servidor de correo configurado. ¿Aún no tiene contraseña? Pida un enlace nuevo a quien gestiona su equipo.',
    welcome: 'Gestione sus citas',
  },
  it: {
    title: 'Accedi',
    logInAgain: 'Acceda di nuovo',
    sessionExpired:
      'La sessione è scaduta. I dati inseriti sono al sicuro e potrà continuare dopo l’accesso.',
    codeHint: 'Sei cifre dalla sua app di autenticazione, o uno dei codici di recupero.',
    sendLink: 'Ricevi un link via e-mail',
    withPassword: 'Accedi con la password',
    withLink: 'Ricevi un link via e-mail',
    withOidc: 'Accedi con l’organizzazione',
    sentTitle: 'Controlli la sua posta',
    sent: (email: string) =>
      `Se ${email} ha un accesso, abbiamo inviato un link. Funziona una sola volta, entro 15 minuti.`,
    openedLink: 'Ho aperto il link',
    notLoggedInYet: 'Non ha ancora effettuato l’accesso. Apra il link in questo browser e prema il pulsante.',
    otherAddress: 'Usa un altro indirizzo',
    noLinks:
      'Al momento i link di accesso non possono essere inviati, perché non è configurato un server di posta. Non ha ancora una password? Chieda un nuovo link a chi gestisce il team.',
    welcome: 'Gestisca i suoi appuntamenti',
  },
})
