import { words } from '../../words.ts'

export const contactTexts = words({
  en: {
    contactsText:
      'Contact profiles show your staff to customers as you wish: another name, a shared number, a link to a video call.',
    noProfiles: 'Without a profile people are shown with their own name and contact data.',
    addProfile: 'Add a profile',
    profileName: 'Name for customers',
    profileNameHint: 'Such as “Front desk”.',
    person: 'Whose',
    channelKinds: {
      phone: 'Phone',
      mobile: 'Mobile',
      email: 'Email',
      video: 'Video call',
      messenger: 'Messenger',
      link: 'Link',
      location: 'Place',
    },
    removeText: (name: string) =>
      `${name} is removed. Where it was chosen, people are shown as themselves from now on.`,
    removed: (name: string) => `${name} is removed.`,
  },
  de: {
    contactsText:
      'Kontaktprofile zeigen Ihre Leute den Kunden so, wie Sie es möchten: mit anderem Namen, gemeinsamer Nummer, Link zum Videogespräch.',
    noProfiles: 'Ohne Profil werden Personen mit eigenem Namen und eigenen Kontaktdaten gezeigt.',
    addProfile: 'Profil anlegen',
    profileName: 'Name für Kunden',
    profileNameHint: 'Etwa „Empfang“.',
    person: 'Von wem',
    channelKinds: {
      phone: 'Telefon',
      mobile: 'Mobil',
      email: 'E-Mail',
      video: 'Videogespräch',
      messenger: 'Messenger',
      link: 'Link',
      location: 'Ort',
    },
    removeText: (name: string) =>
      `${name} wird entfernt. Wo es gewählt war, erscheinen die Personen von nun an als sie selbst.`,
    removed: (name: string) => `${name} ist entfernt.`,
  },
  fr: {
    contactsText:
      'Les profils de contact présentent votre équipe comme vous le souhaitez : autre nom, numéro commun, lien vidéo.',
    noProfiles: 'Sans profil, les personnes apparaissent avec leur nom et leurs coordonnées.',
    addProfile: 'Ajouter un profil',
    profileName: 'Nom pour les clients',
    profileNameHint: 'Par exemple « Accueil ».',
    person: 'De qui',
    channelKinds: {
      phone: 'Téléphone',
      mobile: 'Mobile',
      email: 'E-mail',
      video: 'Appel vidéo',
      messenger: 'Messagerie',
      link: 'Lien',
      location: 'Lieu',
    },
    removeText: (name: string) =>
      `${name} est supprimé. Là où il était choisi, les personnes apparaissent désormais sous leur propre nom.`,
    removed: (name: string) => `${name} est supprimé.`,
  },
  es: {
    contactsText:
      'Los perfiles muestran a su equipo como usted quiera: otro nombre, un número común, un enlace de vídeo.',
    noProfiles: 'Sin perfil, las personas aparecen con su nombre y sus datos.',
    addProfile: 'Añadir un perfil',
    profileName: 'Nombre para clientes',
    profileNameHint: 'Por ejemplo «Recepción».',
    person: 'De quién',
    channelKinds: {
      phone: 'Teléfono',
      mobile: 'Móvil',
      email: 'Correo',
      video: 'Videollamada',
      messenger: 'Mensajería',
      link: 'Enlace',
      location: 'Lugar',
    },
    removeText: (name: string) =>
      `${name} se elimina. Donde estaba elegido, las personas aparecen desde ahora con su propio nombre.`,
    removed: (name: string) => `${name} se ha eliminado.`,
  },
  it: {
    contactsText:
      'I profili mostrano il tuo personale come vuoi: un altro nome, un numero comune, un link video.',
    noProfiles: 'Senza profilo le persone appaiono con il loro nome e i loro dati.',
    addProfile: 'Aggiungi un profilo',
    profileName: 'Nome per i clienti',
    profileNameHint: 'Per esempio «Reception».',
    person: 'Di chi',
    channelKinds: {
      phone: 'Telefono',
      mobile: 'Cellulare',
      email: 'E-mail',
      video: 'Videochiamata',
      messenger: 'Messenger',
      link: 'Link',
      location: 'Luogo',
    },
    removeText: (name: string) =>
      `${name} viene rimosso. Dove era scelto, da ora le persone appaiono con il proprio nome.`,
    removed: (name: string) => `${name} è stato rimosso.`,
  },
})
