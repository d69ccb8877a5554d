import { plain } from './values.ts'

// What a column of a file can be, and how its header may be called in five languages.

export const importKinds = ['customers', 'appointments'] as const
export type ImportKind = (typeof importKinds)[number]

const person = {
  name: 'name fullname customer customername client patient kunde kundenname patientin gast nom nomcomplet nombrecompleto cliente nomecompleto nominativo contactname displayname',
  firstName: 'firstname givenname vorname prenom nombre nome first',
  lastName:
    'lastname surname familyname nachname familienname zuname nomdefamille apellido apellidos cognome last',
  email:
    'email emailaddress mail mailadresse emailadresse courriel adressemail adresseemail correo correoelectronico postaelettronica indirizzoemail',
  mobile:
    'mobile mobilenumber mobilephone phone phonenumber telephone tel cell cellphone handy handynummer mobil mobilnummer telefon telefonnummer portable numerodeportable movil telefono cellulare numeroditelefono',
} as const

export const importFields = {
  customers: {
    ...person,
    reference:
      'reference id customerid customerno customernumber kundennummer kundennr patientennummer referenz nummer numeroclient idclient numerodecliente codicecliente riferimento referencia externalid',
    birthDate:
      'birthdate dateofbirth birthday dob geburtsdatum geburtstag geb datedenaissance naissance fechadenacimiento nacimiento datadinascita nascita',
    language: 'language sprache langue idioma lingua locale',
    street:
      'street streetaddress address address1 strasse anschrift adresse rue calle direccion via indirizzo',
    number: 'housenumber streetnumber hausnummer hausnr numero numeroderue numerocivico civico',
    zip: 'zip zipcode postcode postalcode plz postleitzahl codepostal codigopostal cap',
    city: 'city town ort stadt wohnort ville ciudad poblacion localidad citta comune',
    countryCode: 'country countrycode land pays pais paese nazione',
    insurer:
      'insurer insurance insurancecompany versicherung krankenkasse kasse assurance assureur mutuelle seguro aseguradora assicurazione',
    insuranceNumber:
      'insurancenumber insuranceno versichertennummer versicherungsnummer versichertennr numerodassure numeroassurance numerodeseguro numeroassicurazione',
    tags: 'tags tag labels label groups group categories category gruppe gruppen kategorie kategorien schlagworte etiquettes categorie etiquetas categoria etichette',
    note: 'note notes comment comments remark remarks notiz notizen bemerkung bemerkungen kommentar anmerkung remarque remarques commentaire nota notas comentario observaciones osservazioni commento',
  },
  appointments: {
    start:
      'start begin starttime startdatetime datetime startat beginn anfang termin startzeit debut rendezvous inicio cita inizio appuntamento',
    day: 'date day startdate appointmentdate datum tag termindatum fecha dia data giorno jour datedebut',
    time: 'time clock uhrzeit zeit heure hora ora von from',
    end: 'end endtime enddatetime endat finish ende endzeit bis to fin heuredefin horadefin fine',
    duration: 'duration minutes length dauer minuten duree duracion minutos durata minuti',
    resource:
      'resource staff employee provider practitioner doctor room with place mitarbeiter mitarbeiterin behandler arzt therapeut raum bei ressource employe praticien salle personal recurso empleado profesional sala risorsa operatore medico stanza',
    product:
      'service product treatment type leistung produkt behandlung terminart dienstleistung art prestation soin produit servicio producto tratamiento servizio prodotto trattamento prestazione',
    customerReference:
      'customerreference customerid customerno customernumber kundennummer kundennr patientennummer numeroclient idclient numerodecliente codicecliente',
    ...person,
    note: 'note notes comment comments remark notiz notizen bemerkung bemerkungen kommentar remarque commentaire nota notas comentario commento',
  },
} as const satisfies Record<ImportKind, Record<string, string>>

/** A question about customers, by its key. */
export const ownPrefix = 'own:'

/** The field of each column; null to leave the column out. */
export type Mapping = (string | null)[]

const keyOf = (header: string) => plain(header).replace(/[^\p{L}\p{N}]/gu, '')

/** `own`: the labels of questions, by field. Each field is used once, for the first column that fits. */
export function guessMapping(
  kind: ImportKind,
  headers: string[],
  own: { field: string; labels: string[] }[],
): Mapping {
  const names = new Map<string, string>()
  for (const [field, words] of Object.entries(importFields[kind]))
    for (const word of [field.toLowerCase(), ...words.split(' ')])
      if (!names.has(word)) names.set(word, field)
  for (const { field, labels } of own) for (const label of labels) names.set(keyOf(label), field)
  const used = new Set<string>()
  const mapping = headers.map(header => {
    const field = names.get(keyOf(header)) ?? null
    if (field === null || used.has(field)) return null
    used.add(field)
    return field
  })
  return withoutDoubledName(mapping, headers)
}

/** In French, Spanish and Italian, "nom", "nombre" and "nome" are a part of the name if the other part is there. */
function withoutDoubledName(mapping: Mapping, headers: string[]): Mapping {
  const has = (field: string) => mapping.includes(field)
  return mapping.map((field, index) => {
    if (field === 'name' && has('firstName') && !has('lastName')) return 'lastName'
    if (field === 'firstName' && !has('lastName') && !has('name') && keyOf(headers[index]!) !== 'firstname')
      return 'name'
    return field
  })
}

/** Fields without which no line can be imported. */
export function missingFields(kind: ImportKind, mapping: Mapping): string[] {
  const lacks = (...fields: string[]) => !fields.some(field => mapping.includes(field))
  if (kind === 'customers') return lacks('name', 'firstName', 'lastName') ? ['name'] : []
  return [
    ...(lacks('start') && (lacks('day') || lacks('time')) ? ['start'] : []),
    ...(lacks('name', 'firstName', 'lastName', 'email', 'customerReference') ? ['name'] : []),
  ]
}
