import { words } from './words.ts'

export const shell = words({
  en: {
    today: 'Today', requests: 'Requests', calendar: 'Calendar', customers: 'Customers', offers: 'Offers', channels: 'Channels', mails: 'Mails', integration: 'Integration', audit: 'Audit', people: 'People', operator: 'Operator', me: 'My login',
    navigation: 'Pages', skip: 'Skip to the content', keys: 'Keyboard', workingFor: 'Working for', logOut: 'Log out',
    timesIn: (zone: string) => `Times in ${zone.replaceAll('_', ' ')}`,
  },
  de: {
    today: 'Heute', requests: 'Anfragen', calendar: 'Kalender', customers: 'Kunden', offers: 'Angebot', channels: 'Kanäle', mails: 'E-Mails', integration: 'Anbindung', audit: 'Protokoll', people: 'Personen', operator: 'Betrieb', me: 'Mein Zugang',
    navigation: 'Seiten', skip: 'Zum Inhalt', keys: 'Tastatur', workingFor: 'Tätig für', logOut: 'Abmelden',
    timesIn: (zone: string) => `Zeiten in ${zone.replaceAll('_', ' ')}`,
  },
  fr: {
    today: 'Aujourd’hui', requests: 'Demandes', calendar: 'Calendrier', customers: 'Clients', offers: 'Offre', channels: 'Canaux', mails: 'E-mails', integration: 'Intégration', audit: 'Journal', people: 'Personnes', operator: 'Exploitation', me: 'Mon accès',
    navigation: 'Pages', skip: 'Aller au contenu', keys: 'Clavier', workingFor: 'Pour', logOut: 'Se déconnecter',
    timesIn: (zone: string) => `Heures de ${zone.replaceAll('_', ' ')}`,
  },
  es: {
    today: 'Hoy', requests: 'Solicitudes', calendar: 'Calendario', customers: 'Clientes', offers: 'Oferta', channels: 'Canales', mails: 'Correos', integration: 'Integración', audit: 'Registro', people: 'Personas', operator: 'Operación', me: 'Mi acceso',
    navigation: 'Páginas', skip: 'Ir al contenido', keys: 'Teclado', workingFor: 'Para', logOut: 'Cerrar sesión',
    timesIn: (zone: string) => `Horas de ${zone.replaceAll('_', ' ')}`,
  },
  it: {
    today: 'Oggi', requests: 'Richieste', calendar: 'Calendario', customers: 'Clienti', offers: 'Offerta', channels: 'Canali', mails: 'E-mail', integration: 'Integrazione', audit: 'Registro', people: 'Persone', operator: 'Gestione', me: 'Il mio accesso',
    navigation: 'Pagine', skip: 'Vai al contenuto', keys: 'Tastiera', workingFor: 'Per', logOut: 'Esci',
    timesIn: (zone: string) => `Orari di ${zone.replaceAll('_', ' ')}`,
  },
})
