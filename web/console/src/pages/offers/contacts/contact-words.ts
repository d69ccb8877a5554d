import { words } from '../../../words.ts'

export const contactTexts = words({
  en: {
    profilesText:
      'A contact profile controls what customers see: a different name, a shared number or a video link.',
    noProfiles: 'No contact profiles yet. Customers see each person’s own name and contact details.',
    addProfile: 'Add profile',
    profileNameHint: 'Shown to customers, for example “Front desk”',
    person: 'Person',
    channelKinds: {
      phone: 'Phone',
      mobile: 'Mobile',
      email: 'Email',
      video: 'Video call',
      messenger: 'Messenger',
      link: 'Link',
      location: 'Location',
    },
    removeText: (name: string) =>
      `Remove ${name}? Customers will see the person’s own name and contact details instead.`,
    removed: (name: string) => `${name} removed.`,
  },
  de: {
    profilesText:
      'Kontaktprofile bestimmen, was Kunden sehen: einen anderen Namen, eine gemeinsame Nummer oder einen Videolink.',
    noProfiles: 'Noch keine Kontaktprofile. Kunden sehen Namen und Kontaktdaten der jeweiligen Person.',
    addProfile: 'Profil anlegen',
    profileNameHint: 'Wird Kunden angezeigt, zum Beispiel „Empfang“',
    person: 'Person',
    channelKinds: {
      phone: 'Telefon',
      mobile: 'Mobil',
      email: 'E-Mail',
      video: 'Videoanruf',
      messenger: 'Messenger',
      link: 'Link',
      location: 'Ort',
    },
    removeText: (name: string) =>
      `${name} entfernen? Kunden sehen dann Namen und Kontaktdaten der jeweiligen Person.`,
    removed: (name: string) => `${name} wurde entfernt.`,
  },
  fr: {
    profilesText:
      'Un profil de contact définit ce que voient les clients\u00a0: un autre nom, un numéro commun ou un lien vidéo.',
    noProfiles:
      'Aucun profil de contact pour le moment. Les clients voient le nom et les coordonnées de chaque personne.',
    addProfile: 'Ajouter un profil',
    profileNameHint: 'Affiché aux clients, par exemple «\u00a0Accueil\u00a0»',
    person: 'Personne',
    channelKinds: {
      phone: 'Téléphone',
      mobile: 'Portable',
      email: 'E-mail',
      video: 'Appel vidéo',
      messenger: 'Messagerie',
      link: 'Lien',
      location: 'Lieu',
    },
    removeText: (name: string) =>
      `Supprimer ${name}\u00a0? Les clients verront alors le nom et les coordonnées de la personne.`,
    removed: (name: string) => `Profil supprimé\u00a0: ${name}.`,
  },
  es: {
    profilesText:
      'Un perfil de contacto define lo que ven los clientes: otro nombre, un número común o un enlace de vídeo.',
    noProfiles:
      'Todavía no hay perfiles de contacto. Los clientes ven el nombre y los datos de cada persona.',
    addProfile: 'Añadir perfil',
    profileNameHint: 'Lo ven los clientes, por ejemplo «Recepción»',
    person: 'Persona',
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
      `¿Eliminar ${name}? Los clientes verán entonces el nombre y los datos de la persona.`,
    removed: (name: string) => `${name} se ha eliminado.`,
  },
  it: {
    profilesText:
      'Un profilo di contatto definisce ciò che vedono i clienti: un altro nome, un numero comune o un link video.',
    noProfiles: 'Nessun profilo di contatto. I clienti vedono il nome e i recapiti di ogni persona.',
    addProfile: 'Aggiungi profilo',
    profileNameHint: 'Visibile ai clienti, per esempio «Reception»',
    person: 'Persona',
    channelKinds: {
      phone: 'Telefono',
      mobile: 'Cellulare',
      email: 'E-mail',
      video: 'Videochiamata',
      messenger: 'Messenger',
      link: 'Link',
      location: 'Luogo',
    },
    removeText: (name: string) => `Rimuovere ${name}? I clienti vedranno il nome e i recapiti della persona.`,
    removed: (name: string) => `Profilo rimosso: ${name}.`,
  },
})
