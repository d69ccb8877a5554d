import { words } from '../../words.ts'

type Count = number | string

export const productTexts = words({
  en: {
    atLeast: (minutes: number) => `at least ${minutes} min`,
    atMost: (minutes: number) => `up to ${minutes} min`,
    duration: 'Duration',
    buffers: 'Buffers',
    addProduct: 'Add service',
    noProducts: 'Services are what customers book, such as a 30-minute consultation. Add your first one.',
    productNameHint: 'Shown to customers, for example “Consultation”',
    minDuration: 'Duration (minutes)',
    maxDuration: 'Up to (optional)',
    durationHint: 'Leave blank for one slot',
    lead: 'Buffer before (minutes)',
    followUp: 'Buffer after (minutes)',
    bufferHint: 'Applies to new bookings only',
    asRaster: 'one slot',
    inMinutes: (count: Count) => `${count} min`,
    before: (count: Count) => `${count} min before`,
    after: (count: Count) => `${count} min after`,
    blocks: (count: Count) => `${count} minutes in total`,
    offeredBy: 'Offered by',
    byAll: 'all resources',
    byNone: 'no resources',
    remove: 'Delete …',
    removeTitle: (name: string) => `Delete ${name}?`,
    removeText: 'Customers can no longer book it. Existing appointments stay unchanged.',
    toCome: (count: number) =>
      count === 0
        ? 'No upcoming appointments use it.'
        : count === 1
          ? '1 upcoming appointment keeps it.'
          : `${count} upcoming appointments keep it.`,
    links: (names: string) => `No longer offered by: ${names}.`,
    stuck: (name: string) =>
      `${name} offers no other service. Add another service there first, or delete the resource.`,
    removed: (name: string) => `${name} deleted.`,
  },
  de: {
    atLeast: minutes => `ab ${minutes} Min.`,
    atMost: minutes => `bis ${minutes} Min.`,
    duration: 'Dauer',
    buffers: 'Puffer',
    addProduct: 'Leistung anlegen',
    noProducts:
      'Leistungen sind das, was Kunden buchen, etwa ein Erstgespräch von 30 Minuten. Legen Sie die erste an.',
    productNameHint: 'Wird Kunden angezeigt, zum Beispiel „Beratung“',
    minDuration: 'Dauer (Minuten)',
    maxDuration: 'Bis zu (optional)',
    durationHint: 'Leer lassen für ein Zeitfenster',
    lead: 'Puffer davor (Minuten)',
    followUp: 'Puffer danach (Minuten)',
    bufferHint: 'Gilt nur für neue Buchungen',
    asRaster: 'ein Zeitfenster',
    inMinutes: count => `${count} Min.`,
    before: count => `${count} Min. davor`,
    after: count => `${count} Min. danach`,
    blocks: count => `Insgesamt ${count} Minuten`,
    offeredBy: 'Angeboten von',
    byAll: 'allen Ressourcen',
    byNone: 'keiner Ressource',
    remove: 'Löschen …',
    removeTitle: name => `${name} löschen?`,
    removeText: 'Kunden können sie nicht mehr buchen. Bestehende Termine bleiben unverändert.',
    toCome: count =>
      count === 0
        ? 'Kein kommender Termin ist betroffen.'
        : count === 1
          ? '1 kommender Termin behält sie.'
          : `${count} kommende Termine behalten sie.`,
    links: names => `Nicht mehr angeboten von: ${names}.`,
    stuck: name =>
      `${name} bietet keine andere Leistung an. Wählen Sie dort zuerst eine andere, oder löschen Sie die Ressource.`,
    removed: name => `${name} wurde gelöscht.`,
  },
  fr: {
    atLeast: minutes => `à partir de ${minutes} min`,
    atMost: minutes => `jusqu’à ${minutes} min`,
    duration: 'Durée',
    buffers: 'Marges',
    addProduct: 'Ajouter une prestation',
    noProducts:
      'Les prestations sont ce que l’on réserve, par exemple un entretien de 30 minutes. Ajoutez la première.',
    productNameHint: 'Affiché aux clients, par exemple « Consultation »',
    minDuration: 'Durée (minutes)',
    maxDuration: 'Jusqu’à (facultatif)',
    durationHint: 'Laissez vide pour un créneau',
    lead: 'Marge avant (minutes)',
    followUp: 'Marge après (minutes)',
    bufferHint: 'Uniquement pour les nouvelles réservations',
    asRaster: 'un créneau',
    inMinutes: count => `${count} min`,
    before: count => `${count} min avant`,
    after: count => `${count} min après`,
    blocks: count => `${count} minutes au total`,
    offeredBy: 'Proposée par',
    byAll: 'toutes les ressources',
    byNone: 'aucune ressource',
    remove: 'Supprimer …',
    removeTitle: name => `Supprimer ${name} ?`,
    removeText: 'Les clients ne pourront plus la réserver. Les rendez-vous existants ne changent pas.',
    toCome: count =>
      count === 0
        ? 'Aucun rendez-vous à venir n’est concerné.'
        : count === 1
          ? '1 rendez-vous à venir la conserve.'
          : `${count} rendez-vous à venir la conservent.`,
    links: names => `Ne sera plus proposée par : ${names}.`,
    stuck: name =>
      `${name} ne propose aucune autre prestation. Choisissez-y d’abord une autre prestation, ou supprimez la ressource.`,
    removed: name => `${name} a été supprimée.`,
  },
  es: {
    atLeast: minutes => `desde ${minutes} min`,
    atMost: minutes => `hasta ${minutes} min`,
    duration: 'Duración',
    buffers: 'Márgenes',
    addProduct: 'Añadir servicio',
    noProducts:
      'Los servicios son lo que se reserva, por ejemplo una consulta de 30 minutos. Añada el primero.',
    productNameHint: 'Lo ven los clientes, por ejemplo «Consulta»',
    minDuration: 'Duración (minutos)',
    maxDuration: 'Hasta (opcional)',
    durationHint: 'Déjelo vacío para un hueco',
    lead: 'Margen antes (minutos)',
    followUp: 'Margen después (minutos)',
    bufferHint: 'Solo para reservas nuevas',
    asRaster: 'un hueco',
    inMinutes: count => `${count} min`,
    before: count => `${count} min antes`,
    after: count => `${count} min después`,
    blocks: count => `${count} minutos en total`,
    offeredBy: 'Lo ofrece',
    byAll: 'todos los recursos',
    byNone: 'ningún recurso',
    remove: 'Eliminar …',
    removeTitle: name => `¿Eliminar ${name}?`,
    removeText: 'Los clientes ya no podrán reservarlo. Las citas existentes no cambian.',
    toCome: count =>
      count === 0
        ? 'No afecta a ninguna cita futura.'
        : count === 1
          ? '1 cita futura lo conserva.'
          : `${count} citas futuras lo conservan.`,
    links: names => `Dejarán de ofrecerlo: ${names}.`,
    stuck: name => `${name} no ofrece ningún otro servicio. Elija antes otro allí o elimine el recurso.`,
    removed: name => `Se ha eliminado ${name}.`,
  },
  it: {
    atLeast: minutes => `da ${minutes} min`,
    atMost: minutes => `fino a ${minutes} min`,
    duration: 'Durata',
    buffers: 'Margini',
    addProduct: 'Aggiungi prestazione',
    noProducts:
      'Le prestazioni sono ciò che si prenota, per esempio una consulenza di 30 minuti. Aggiungi la prima.',
    productNameHint: 'Visibile ai clienti, per esempio «Consulenza»',
    minDuration: 'Durata (minuti)',
    maxDuration: 'Fino a (facoltativo)',
    durationHint: 'Lascia vuoto per uno slot',
    lead: 'Margine prima (minuti)',
    followUp: 'Margine dopo (minuti)',
    bufferHint: 'Vale solo per le nuove prenotazioni',
    asRaster: 'uno slot',
    inMinutes: count => `${count} min`,
    before: count => `${count} min prima`,
    after: count => `${count} min dopo`,
    blocks: count => `${count} minuti in totale`,
    offeredBy: 'Offerta da',
    byAll: 'tutte le risorse',
    byNone: 'nessuna risorsa',
    remove: 'Elimina …',
    removeTitle: name => `Eliminare ${name}?`,
    removeText: 'I clienti non potranno più prenotarla. Gli appuntamenti esistenti non cambiano.',
    toCome: count =>
      count === 0
        ? 'Nessun appuntamento futuro è interessato.'
        : count === 1
          ? '1 appuntamento futuro la mantiene.'
          : `${count} appuntamenti futuri la mantengono.`,
    links: names => `Non sarà più offerta da: ${names}.`,
    stuck: name => `${name} non offre altre prestazioni. Scegline prima un’altra oppure elimina la risorsa.`,
    removed: name => `${name} è stata eliminata.`,
  },
})
