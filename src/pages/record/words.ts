import type { ToldField } from '../../entities/customer.ts'
import type { Language } from '../../languages.ts'

/** A line about the person. A field that they may read needs one. */
export type PersonLine = ToldField | 'formerEmails'

type Words = Record<PersonLine, string> & {
  title: (name: string) => string
  by: string
  at: string
  person: string
  waiting: string
  emails: string
  tags: string
  note: string
  service: string
  state: string
  states: Record<'REQUESTED' | 'BOOKED' | 'CANCELED' | 'DELETED', string>
  proposed: string
  came: string
  missed: string
}

export const recordWords: Record<Language, Words> = {
  en: {
    title: name => `Data about ${name}`,
    by: 'Held by',
    at: 'As of',
    person: 'Personal details',
    waiting: 'Waiting list',
    emails: 'Emails',
    name: 'Name',
    email: 'Email',
    formerEmails: 'Former emails',
    mobile: 'Mobile number',
    language: 'Language',
    birthDate: 'Date of birth',
    address: 'Address',
    insurer: 'Insurance company',
    insuranceNumber: 'Insurance number',
    tags: 'Tags',
    note: 'Note',
    service: 'Service',
    state: 'Status',
    states: { REQUESTED: 'Requested', BOOKED: 'Booked', CANCELED: 'Cancelled', DELETED: 'Deleted' },
    proposed: 'Proposed by an assistant, not confirmed',
    came: 'Attended',
    missed: 'No-show',
  },
  de: {
    title: name => `Daten zu ${name}`,
    by: 'Gespeichert bei',
    at: 'Stand',
    person: 'Persönliche Angaben',
    waiting: 'Warteliste',
    emails: 'E-Mails',
    name: 'Name',
    email: 'E-Mail',
    formerEmails: 'Frühere E-Mail-Adressen',
    mobile: 'Mobilnummer',
    language: 'Sprache',
    birthDate: 'Geburtsdatum',
    address: 'Anschrift',
    insurer: 'Versicherung',
    insuranceNumber: 'Versichertennummer',
    tags: 'Schlagwörter',
    note: 'Notiz',
    service: 'Leistung',
    state: 'Status',
    states: { REQUESTED: 'Angefragt', BOOKED: 'Gebucht', CANCELED: 'Abgesagt', DELETED: 'Gelöscht' },
    proposed: 'Von einem Assistenten vorgeschlagen, nicht bestätigt',
    came: 'Erschienen',
    missed: 'Nicht erschienen',
  },
  fr: {
    title: name => `Données concernant ${name}`,
    by: 'Conservées par',
    at: 'Établi le',
    person: 'Informations personnelles',
    waiting: 'Liste d’attente',
    emails: 'E-mails',
    name: 'Nom',
    email: 'E-mail',
    formerEmails: 'Anciens e-mails',
    mobile: 'Portable',
    language: 'Langue',
    birthDate: 'Date de naissance',
    address: 'Adresse',
    insurer: 'Assurance',
    insuranceNumber: 'Numéro d’assuré',
    tags: 'Étiquettes',
    note: 'Note',
    service: 'Prestation',
    state: 'Statut',
    states: { REQUESTED: 'Demandé', BOOKED: 'Réservé', CANCELED: 'Annulé', DELETED: 'Supprimé' },
    proposed: 'Proposé par un assistant, non confirmé',
    came: 'Présence',
    missed: 'Absence',
  },
  es: {
    title: name => `Datos de ${name}`,
    by: 'Conservados por',
    at: 'Fecha',
    person: 'Datos personales',
    waiting: 'Lista de espera',
    emails: 'Correos',
    name: 'Nombre',
    email: 'Correo',
    formerEmails: 'Correos anteriores',
    mobile: 'Móvil',
    language: 'Idioma',
    birthDate: 'Fecha de nacimiento',
    address: 'Dirección',
    insurer: 'Aseguradora',
    insuranceNumber: 'Número de asegurado',
    tags: 'Etiquetas',
    note: 'Nota',
    service: 'Servicio',
    state: 'Estado',
    states: { REQUESTED: 'Solicitada', BOOKED: 'Reservada', CANCELED: 'Cancelada', DELETED: 'Eliminada' },
    proposed: 'Propuesto por un asistente, sin confirmar',
    came: 'Acudió',
    missed: 'No acudió',
  },
  it: {
    title: name => `Dati di ${name}`,
    by: 'Conservati da',
    at: 'Aggiornato al',
    person: 'Dati personali',
    waiting: 'Lista d’attesa',
    emails: 'E-mail',
    name: 'Nome',
    email: 'E-mail',
    formerEmails: 'E-mail precedenti',
    mobile: 'Cellulare',
    language: 'Lingua',
    birthDate: 'Data di nascita',
    address: 'Indirizzo',
    insurer: 'Assicurazione',
    insuranceNumber: 'Numero di assicurato',
    tags: 'Etichette',
    note: 'Nota',
    service: 'Servizio',
    state: 'Stato',
    states: { REQUESTED: 'Richiesto', BOOKED: 'Prenotato', CANCELED: 'Annullato', DELETED: 'Eliminato' },
    proposed: 'Proposto da un assistente, non confermato',
    came: 'Presente',
    missed: 'Assente',
  },
}
